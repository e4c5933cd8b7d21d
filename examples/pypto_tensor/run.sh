#!/usr/bin/env bash
# Runs tensor.py, which checks its own result.
set -euo pipefail
cd "$(dirname "$0")"
python3 tensor.py
