#!/usr/bin/env bash
# Generates and builds for both targets, then runs the program that compares them.
set -euo pipefail
cd "$(dirname "$0")"
python3 -m pto.codegen --idl softmax.idl --output_dir generated/pypto --target pypto --build
python3 -m pto.codegen --idl softmax.idl --output_dir generated/ascendc --target ascendc --build
python3 softmax.py generated/pypto/softmax_pypto.so "$PWD/generated/ascendc/build/libexamples_softmax_ops.so"
