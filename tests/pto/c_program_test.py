"""pto.h serves a C89 program: compiled without a warning, linked against libpto, run."""

from __future__ import annotations

import subprocess

from toprope.env import prefix

PROGRAM = r"""
#include <pto/pto.h>
#include <stdio.h>

static int failed(const char *what) {
  printf("%s: %s\n", what, pto_last_error());
  return 1;
}

int main(void) {
  float a[3] = {1, 2, 3}, c[3];
  int64_t shape[1] = {3};
  pto_tensor *x, *y;
  pto_insn *insn;
  pto_operand_info info;
  if (pto_version() / 1000 != PTO_VERSION_MAJOR) return 1;
  if (pto_insn_load("adds", &insn) != PTO_NOT_INITIALIZED) return 1;
  puts(pto_last_error());
  if (pto_init() || pto_insn_load("adds", &insn)) return failed("load");
  if (pto_insn_operand(insn, 1, &info)) return failed("operand");
  printf("%s %#x %d %s %d\n", pto_insn_name(insn), (unsigned)pto_insn_id(insn), pto_insn_operand_count(insn), info.name,
         (int)info.direction);
  if (pto_tensor_wrap(PTO_FLOAT32, 1, shape, a, 1, &x) || pto_tensor_create(PTO_FLOAT32, 1, shape, &y))
    return failed("tensor");
  if (pto_insn_bind(insn, 1, x) != PTO_READ_ONLY) return 1;
  if (pto_insn_bind(insn, 0, x) || pto_insn_bind(insn, 1, y) || pto_insn_set_float(insn, "scalar", 0.5))
    return failed("bind");
  if (pto_insn_execute(insn) || pto_tensor_read(y, c, sizeof c)) return failed("execute");
  printf("%g %g %g\n", c[0], c[1], c[2]);
  pto_tensor_free(x);
  pto_tensor_free(y);
  pto_insn_free(insn);
  return pto_finalize() != PTO_OK;
}
"""


def test_c89_program(tmp_path):
    (tmp_path / "program.c").write_text(PROGRAM)
    home = prefix()
    flags = ["-std=c89", "-pedantic-errors", "-Wall", "-Wextra", "-Werror"]
    command = ["gcc", *flags, "program.c", "-o", "program", f"-I{home}/include", f"-L{home}/lib64", "-lpto", "-lpypto"]
    subprocess.run([*command, f"-Wl,-rpath,{home}/lib64"], cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "Insn adds not found: call pto_init() first",
        "adds 0x2001 2 dst 1",
        "1.5 2.5 3.5",
    ]
