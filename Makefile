# Everything here runs in .venv, which the first target that needs it makes from requirements.lock with pip alone.
# `make env` also needs Python 3.11 or later as `python3`; another one: `make PYTHON=python3.13 test`.

PYTHON ?= python3
PYTEST_ARGS ?=
BIN := .venv/bin
READY := .venv/ready
RUFF := $(BIN)/ruff
SOURCES := scanner collectors sarif tests

.PHONY: env demo test check bench lock
.DEFAULT_GOAL := test

env: $(READY)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Bartizan needs Python 3.11 or later: make PYTHON=python3.13")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

# The demo AI factory: a made-up account on the loopback address, a made-up cluster and a made-up plan, with faults planted.
# 1 (findings) and 4 (some things could not be seen) are the answers it is there to show; any other status is a fault of ours.
demo: $(READY)
	@mkdir -p out && rm -f out/demo.snapshot*
	@$(BIN)/bartizan scan demo --snapshot out/demo.snapshot -o terminal -o json=out/demo.json -o sarif=out/demo.sarif; \
	status=$$?; case $$status in 0|1|4) echo "exit status $$status; reports are in out/";; *) exit $$status;; esac

test: $(READY)
	$(BIN)/python -m pytest -n 2 --dist loadgroup $(PYTEST_ARGS)

check: $(READY)
	$(RUFF) check $(SOURCES)
	$(RUFF) format --check $(SOURCES)
	$(BIN)/python -m mypy
	$(BIN)/python -m pytest -q tests/house

bench: $(READY)
	$(BIN)/python -m tests.bench $(BENCH_ARGS)

# Pinned for every platform and Python at once. Needs uv, and an index.
lock:
	uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" --quiet -o requirements.lock
	# What the GitHub Action installs: the same pins, without what only development needs.
	echo hatchling | uv pip compile pyproject.toml - --extra all -c requirements.lock --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" --quiet -o .ci/requirements.lock
