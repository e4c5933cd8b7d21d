"""tools/presmoke gives the suite a home that keeps the environment, and tells what the suite found."""

import os
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"

#: Stands for the suite: runs a login shell as it does, and leaves the table it leaves.
SUITE = r"""
set -e
[ "$ARCH" = dav-2201 ]
. "$ASCEND_HOME_DIR/set_env.sh"
mkdir -p "$OUT_ROOT"
bash -lc 'command of-the-prefix "$@"' -- > "$OUT_ROOT/said"
rm examples/a
printf 'example\tstatus\treason\tfailing_step\n' > "$OUT_ROOT/ALL_CASE_TIMINGS.tsv"
printf 'a\tPASS\t\t\nb\tFAIL\tnonzero | rc\tbash /where/run.sh build\n' >> "$OUT_ROOT/ALL_CASE_TIMINGS.tsv"
echo "arguments: $*" >> "$OUT_ROOT/said"
exit 3
"""


def test_the_suite_runs_in_a_copy_and_its_cells_are_told(tmp_path):
    kit, prefix, work, page = (tmp_path / name for name in ("kit", "prefix", "work", "page.md"))
    (kit / "scripts").mkdir(parents=True)
    (kit / "examples").mkdir()
    (kit / "examples/a").write_text("a")
    (kit / "scripts/run_presmoke.sh").write_text(SUITE)
    (prefix / "bin").mkdir(parents=True)
    (prefix / "set_env.sh").write_text(f'export PATH="{prefix}/bin:$PATH"\n')
    command = prefix / "bin/of-the-prefix"
    command.write_text("#!/bin/sh\necho found\n")
    command.chmod(0o755)
    done = subprocess.run(
        [sys.executable, TOOLS / "presmoke", kit, "--prefix", prefix, "--work", work, "--page", page]
        + ["--", "--filter", "x y"],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 3, done.stderr
    assert (work / "reports/said").read_text() == "found\narguments: --filter x y\n"
    assert (kit / "examples/a").exists()
    text = page.read_text()
    assert "The suite has 2 cells for dav-2201: 1 FAIL, 1 PASS." in text
    assert "| b | FAIL | build nonzero \\| rc |" in text
