#!/usr/bin/env bash
# Builds the broken kernel and its corrected twin; succeeds when the one is found, with its line, and the other silent.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p build
bisheng -x asc --npu-arch=dav-2201 broken_add.asc -o build/broken
bisheng -x asc --npu-arch=dav-2201 -DFIXED broken_add.asc -o build/fixed

echo "--- without a check, both are right"
./build/broken
./build/fixed

echo "--- the broken one under toprope check"
if toprope check --json build/broken.json --sarif build/broken.sarif -- ./build/broken 2> build/broken.txt; then
    echo "nothing was found in the broken kernel" >&2
    exit 1
fi
cat build/broken.txt
grep -q "race.raw: DataCopy (PIPE_MTE3) reads src.*while Add (PIPE_V) may still write" build/broken.txt
grep -q "SetFlag<HardEvent::V_MTE3>" build/broken.txt
grep -q "broken_add.asc:$(grep -n 'DataCopy(zGm' broken_add.asc | cut -d: -f1)" build/broken.txt

echo "--- the corrected one"
toprope check --fail-on warning -- ./build/fixed
