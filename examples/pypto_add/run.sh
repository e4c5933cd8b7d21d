#!/usr/bin/env bash
# Runs add.py, which checks its own result.
set -euo pipefail
cd "$(dirname "$0")"
python3 add.py
