#!/usr/bin/env bash
# Generates the code, compiles it with the plain compiler, runs the program that checks the result.
set -euo pipefail
cd "$(dirname "$0")"
python3 -m pto.codegen --idl matmul.idl --output_dir ./generated --target pypto
g++ -shared -fPIC -o generated/matmul_pypto.so generated/matmul_pypto.cpp \
    -I"${ASCEND_HOME}/ascend-toolkit/latest/include" \
    -L"${ASCEND_HOME}/ascend-toolkit/latest/lib64" -lpto -lpypto \
    -I"$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')"
python3 matmul.py
