#!/usr/bin/env bash
# Builds the module, then runs the test beside it.
set -euo pipefail
cd "$(dirname "$0")"
cmake -S . -B build -DPython3_EXECUTABLE="$(command -v python3)"
cmake --build build -j
cd build
TOPROPE_DEVICES=2 python3 ../test.py
