# `make run` for the examples, `make test` for every test; both first set up whatever is missing (tools/setup.py).
# Variables: PYTHON (3.11 or newer), TORCH_INDEX (a package index with a CPU build of torch), EXAMPLES (run only these).
PYTHON ?= python3

.PHONY: help setup tools run test bench format check sanitize clean

help:
	@echo "make run      set up, then run the examples and print one table"
	@echo "make test     set up, then run every test"
	@echo "make bench    set up, then measure and print ratios; JSON in build/bench.json"
	@echo "make format   rewrite C++ and Python sources in the project's format"
	@echo "make check    format and layout checks"
	@echo "make sanitize the core's tests under ASan, UBSan and TSan"
	@echo "make clean    remove build/ and .venv"

setup:
	@$(PYTHON) tools/setup.py

tools:
	@$(PYTHON) tools/setup.py --no-wheel

run: setup
	@.venv/bin/python tools/quickstart.py $(EXAMPLES)

test: setup
	@.venv/bin/python tools/test.py

bench: setup
	@.venv/bin/python tools/bench.py $(BENCH)

format: tools
	@.venv/bin/python tools/format.py --fix

check: tools
	@.venv/bin/python tools/format.py
	@.venv/bin/python tools/layout.py

sanitize: tools
	@.venv/bin/python tools/sanitize.py

clean:
	rm -rf build .venv
