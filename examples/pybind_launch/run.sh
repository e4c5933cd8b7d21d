#!/usr/bin/env bash
# Builds the kernel and the module, then runs the test. -v or --soc-version= names the chip (npu-smi info: Ascend<Name>).
set -euo pipefail
cd "$(dirname "$0")"
SOC_VERSION=Ascend910B3
while [ $# -gt 0 ]; do
    case "$1" in
        -v | --soc-version) SOC_VERSION="$2"; shift 2 ;;
        --soc-version=*) SOC_VERSION="${1#*=}"; shift ;;
        *) echo "run.sh: unknown argument '$1'; usage: run.sh [-v <soc_version>]" >&2; exit 2 ;;
    esac
done
cmake -S . -B build -DSOC_VERSION="$SOC_VERSION" -DPython3_EXECUTABLE="$(command -v python3)"
cmake --build build -j
cd build
python3 ../add_custom_test.py
