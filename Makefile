# `make test` and `make reproduce` set up what they need in .venv.
PYTHON ?= python3
EXTRAS ?= dev
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready-$(EXTRAS)

.PHONY: reproduce test check format clean

reproduce: $(READY)
	$(BIN)/abacist corpus dyck-1
	$(BIN)/abacist corpus shuffle-2
	$(BIN)/abacist corpus shuffle-6
	$(BIN)/abacist corpus dyck-2

test: $(READY)
	$(BIN)/python -m pytest

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[$(EXTRAS)]'
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
