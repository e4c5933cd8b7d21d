"""gdb pretty printers for Ascend C's tensors, numbers and queues, and back traces without the launch's machinery.

`toprope gdb` loads this file; gdb loads it by itself as libtoprope.so-gdb.py where its auto-load path allows that.
Elements are read where the running core keeps the memory; nothing is called in the program.
"""

import re
import struct

import gdb
import gdb.printing
from gdb.FrameDecorator import FrameDecorator

#: Elements shown of a tensor; gdb's `set print elements` cuts further.
SHOWN = 16
MEMORIES = ("GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB")
POSITIONS = (
    *("GM", "A1", "A2", "B1", "B2", "C1", "C2", "CO1", "CO2", "VECIN", "VECOUT", "VECCALC", "SPM", "TSCM"),
    *("C2PIPE2GM", "C2PIPE2LOCAL"),
)


def half_value(bits):
    """The number behind binary16 bits."""
    return struct.unpack("<e", struct.pack("<H", bits))[0]


def bfloat16_value(bits):
    """The number behind bfloat16 bits."""
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def number(value):
    """'1.5', 'inf', 'nan': six digits are more than either type holds."""
    return f"{value:.6g}"


class Bits16:
    """half and bfloat16."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        bits = int(self.value["bits_"])
        name = self.value.type.strip_typedefs().name
        return number(half_value(bits) if name.endswith("::half") else bfloat16_value(bits))


def layout(index):
    """An offset of src/machine/debugger.cpp: the library is built without debug information."""
    return int(gdb.parse_and_eval(f"*((unsigned char*)&toprope_debugger_layout + {index})"))


def base_of(memory):
    """Where the running core keeps a memory; None outside a kernel. GM slices hold host addresses."""
    if memory == 0:
        return 0
    try:
        core = int(gdb.parse_and_eval("*(unsigned long*)&_ZN7toprope12current_coreE"))
        return pointer_at(core + layout(0) + memory * 8) if core else None
    except gdb.error:
        return None


def pointer_at(address):
    """The 8 bytes at an address as a number."""
    return int.from_bytes(bytes(gdb.selected_inferior().read_memory(address, 8)), "little")


def elements_of(address, element, count):
    """The first elements as text."""
    name, size = element.strip_typedefs().name or "", element.sizeof
    shown = min(count, SHOWN)
    data = bytes(gdb.selected_inferior().read_memory(address, shown * size))
    if name.endswith("::half") or name.endswith("::bfloat16"):
        convert = half_value if name.endswith("::half") else bfloat16_value
        values = [number(convert(bits)) for (bits,) in struct.iter_unpack("<H", data)]
    elif element.strip_typedefs().code == gdb.TYPE_CODE_FLT:
        values = [number(v) for (v,) in struct.iter_unpack("<f" if size == 4 else "<d", data)]
    else:
        signed = (
            element.strip_typedefs().is_signed if hasattr(element, "is_signed") else not name.startswith("unsigned")
        )
        values = [str(int.from_bytes(data[i : i + size], "little", signed=signed)) for i in range(0, len(data), size)]
    return "{" + ", ".join(values) + (", ..." if count > shown else "") + "}"


class Tensor:
    """LocalTensor and GlobalTensor: type, size, place, and the first elements."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        if self.value.is_optimized_out:
            return "<optimized out> (compile with -O0)"
        t = self.value.type.strip_typedefs()
        kind = "LocalTensor" if "LocalTensor" in t.name else "GlobalTensor"
        element = t.template_argument(0)
        local = kind == "LocalTensor"
        part = self.value["slice_"]
        at, begin, end, memory = (int(part[f]) for f in ("at", "begin", "end", "mem"))
        count = int(self.value["size_"])
        what = f"{kind}<{(element.name or str(element)).removeprefix('toprope::')}>"
        if at == 0 and end == 0:
            return f"{what} without memory"
        place = MEMORIES[memory]
        if local:
            place = f"{POSITIONS[int(self.value['position_'])]} in {place}, byte {at}"
            if at != begin:
                place += f" (from {begin} on)"
        else:
            place = f"GM {at:#x}"
            if not end:
                return f"{what} at {place}, size not given"
        base = base_of(memory)
        if base is None:
            return f"{what}[{count}] at {place} (no kernel runs in this thread)"
        try:
            return f"{what}[{count}] at {place} = {elements_of(base + at, element, count)}"
        except gdb.error as error:
            return f"{what}[{count}] at {place} ({error})"


class Queue:
    """TQue, TQueBind and TBuf: their buffers, and how many are free, in use and enqueued."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        t = self.value.type.strip_typedefs()
        name = re.sub(r"^AscendC::", "", t.name.split("<")[0])
        reference = self.value["queue_"]
        queue, generation = int(reference["queue"]), int(reference["generation"])
        if queue == 0 or generation == 0:
            return f"{name} without buffers (InitBuffer was not called)"
        memory = gdb.selected_inferior()

        def read(index, size=1):
            return int.from_bytes(bytes(memory.read_memory(queue + layout(index), size)), "little")

        if read(1, 4) != generation:
            return f"{name} of a TPipe that is closed"
        position, depth, count, idle, queued = (read(index) for index in range(2, 7))
        begin, end = struct.unpack("<II", bytes(memory.read_memory(read(7, 8) + layout(8), 8)))
        return (
            f"{name} on {POSITIONS[position]}, depth {depth}: {count} buffer{'s' if count != 1 else ''} of "
            f"{end - begin} bytes, {idle} free, {count - idle - queued} in use, {queued} enqueued"
        )


def build():
    """The collection that gdb asks."""
    printers = gdb.printing.RegexpCollectionPrettyPrinter("toprope")
    printers.add_printer("half", "^toprope::(half|bfloat16)$", Bits16)
    printers.add_printer("tensor", "^AscendC::(LocalTensor|GlobalTensor)<.*>$", Tensor)
    printers.add_printer("queue", "^AscendC::(TQue|TQueBind|TBuf)<.*>$", Queue)
    return printers


class Launch:
    """Leaves out of a back trace what lies between a kernel and its launch: templates of ours and of the C++ library."""

    name, priority, enabled = "toprope-launch", 100, True

    def filter(self, frames):
        for frame in frames:
            position = frame.inferior_frame().find_sal().symtab
            file = position.fullname() if position else ""
            if (frame.function() or "").endswith("::run_tasks"):
                return  # the block scheduler: what called it is no concern of the kernel
            if not re.search(r"/include/(toprope/(driver|machine)|c\+\+)/", file):
                yield frame if isinstance(frame, FrameDecorator) else FrameDecorator(frame)


gdb.printing.register_pretty_printer(None, build(), replace=True)
gdb.frame_filters[Launch.name] = Launch()
