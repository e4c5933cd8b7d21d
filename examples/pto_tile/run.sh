#!/usr/bin/env bash
# Builds and runs softmax.asc, which compares its result with the definition.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p build
bisheng -x asc -std=c++20 --npu-arch=dav-2201 softmax.asc -o build/softmax
./build/softmax
