"""npu-smi in the shape that scripts parse."""

import re


def test_table_names_the_described_chip(shell):
    """facts C04: set-up scripts ask npu-smi for the chip before they compile."""
    table = shell.ok("npu-smi", "info")
    assert len({len(line) for line in table.splitlines()}) == 1, "the table's lines are of one length"
    # As set-up scripts look for it: the first row that starts with a number, its second word.
    assert re.search(r"^\|\s*\d+\s+([A-Za-z0-9]+)", table, re.M).group(1) == "910B3"
    assert "0 / 65536" in table
    table = shell.ok("npu-smi", "info", TOPROPE_SOC="Ascend950PR_9599", TOPROPE_DEVICES="3")
    assert re.findall(r"^\|\s*(\d+)\s+([A-Za-z]\w*)\s+\| OK", table, re.M) == [
        (str(i), "Ascend950PR") for i in range(3)
    ]


def test_list_map_and_board(shell):
    two = {"TOPROPE_DEVICES": "2"}
    assert re.findall(r"(Total Count|NPU ID|Chip Count) +: (\d+)", shell.ok("npu-smi", "info", "-l", **two)) == [
        ("Total Count", "2"),
        ("NPU ID", "0"),
        ("Chip Count", "1"),
        ("NPU ID", "1"),
        ("Chip Count", "1"),
    ]
    rows = shell.ok("npu-smi", "info", "-m", **two).splitlines()
    assert rows[0].split() == ["NPU", "ID", "Chip", "ID", "Chip", "Logic", "ID", "Chip", "Name"]
    assert rows[2].split() == ["1", "0", "1", "Ascend", "910B3"]
    # The value of --npu-soc is "Chip Name_NPU Name" for these chips.
    board = shell.ok("npu-smi", "info", "-t", "board", "-i", "0", "-c", "0", TOPROPE_SOC="Ascend910_9391")
    names = dict(re.findall(r"\t(\w[\w ]*?) +: (\S+)", board))
    assert names["Chip Name"] + "_" + names["NPU Name"] == "Ascend910_9391"


def test_refusals(shell):
    done = shell.run("npu-smi", "info", "-t", "board", "-i", "7")
    assert (done.returncode, done.stderr) == (1, "npu-smi: error: -i 7: the devices are 0..0 (TOPROPE_DEVICES)\n")
    assert "'info --frobnicate'" in shell.run("npu-smi", "info", "--frobnicate").stderr.replace("'--", "'info --")
    done = shell.run("npu-smi", "info", TOPROPE_SOC="Ascend910B33")
    assert done.returncode == 1
    assert "Ascend910B3" in done.stderr
