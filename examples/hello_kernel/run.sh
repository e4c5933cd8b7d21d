#!/usr/bin/env bash
# Builds and runs hello.asc; succeeds when each of the eight blocks printed its line.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p build
bisheng -x asc --npu-arch=dav-2201 hello.asc -o build/hello
./build/hello | tee build/output.txt
for block in 0 1 2 3 4 5 6 7; do
    grep -q "hello from block $block of 8 in 2026\$" build/output.txt
done
test "$(wc -l < build/output.txt)" -eq 8
echo "every block said hello"
