#!/usr/bin/env bash
# Builds the two libraries, then runs the test against them.
set -euo pipefail
cd "$(dirname "$0")"
cmake -S . -B build -DPython3_EXECUTABLE="$(command -v python3)"
cmake --build build -j
TOPROPE_DEVICES=2 python3 test.py "$PWD/build/libascendc_ops.so"
