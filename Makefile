# `make test` and `make reproduce` set up what they need in .venv.
PYTHON ?= python3
EXTRAS ?= dev
VENV := .venv
TESTS ?=
BIN := $(VENV)/bin
READY := $(VENV)/.ready-$(EXTRAS)
CORE := $(VENV)/.ready-core

.PHONY: reproduce figures report page reference distributions published reference-epochs recipes recipes-beyond training-grid teaching-controls zoo zoo-memories far-beyond dynamics support test thorough torture check format clean

# Five minutes at most from a fresh clone on two cores: so without what only tests need, and two things at a time.
reproduce: $(CORE)
	$(BIN)/abacist reproduce --results results --tables docs/results
	$(MAKE) --no-print-directory -j 2 report figures page

figures: $(CORE)
	$(BIN)/abacist figures --results results --out docs/figures --format svg

report: $(CORE)
	$(BIN)/abacist report --results results

page: $(CORE)
	mkdir -p docs/page
	$(BIN)/abacist page --results results --out docs/page/index.html

# The larger run behind the p-values: 200 runs for each cell of table 3, crossing brackets, too. Minutes, not hours.
reference: $(READY)
	$(BIN)/abacist reproduce --only table-3 --only crossing --runs 200 --results results-200 --tables docs/reference
	$(BIN)/abacist runs --checksum --results results-200 > docs/reference/weights.sha256
	$(BIN)/abacist run few-units --runs 200 --results results-200
	for form in md tex csv json; do \
	  $(BIN)/abacist distributions --against results-200 --format $$form > docs/reference/agreement.$$form; done

# Ten thousand runs of each network of the paper, on an NVIDIA device, and the summary that comes with the package.
distributions: $(READY)
	$(BIN)/abacist run distributions --device cuda --results results-distributions
	$(BIN)/abacist run distribution-horizons --device cuda --results results-distributions
	$(BIN)/abacist distributions --from results-distributions --out src/abacist/experiments/distributions.json

# The same networks after 1 to 50 epochs, and what the p-values would be there: 200 runs, twenty minutes on two cores.
reference-epochs: $(READY)
	$(BIN)/abacist run epochs --runs 200 --results results-200
	for form in md tex csv json; do \
	  $(BIN)/abacist table epochs --runs 200 --results results-200 --format $$form > docs/reference/epochs.$$form; done

# Table 3 by the authors' published recipe, and with an order of its own for every run: 200 runs, the better part of
# an hour on two cores.
published: $(READY)
	for name in published own-orders; do \
	  $(BIN)/abacist run $$name --results results-published; \
	  for form in md tex csv json; do \
	    $(BIN)/abacist table $$name --results results-published --format $$form > docs/reference/$$name.$$form; done; done

# How to train networks that count: 200 runs of each recipe, half an hour on two cores.
recipes: $(READY)
	$(BIN)/abacist run recipes --results results-recipes
	mkdir -p docs/recipes
	$(BIN)/abacist table recipes --results results-recipes --format md > docs/recipes/recipes.md
	$(BIN)/abacist table recipes --results results-recipes --format json > docs/recipes/recipes.json

# Further recipes, more units, other cells, two counters: 200 runs each, three hours on two cores.
recipes-beyond: $(READY)
	$(BIN)/abacist run recipes-beyond --results results-recipes
	mkdir -p docs/recipes
	$(BIN)/abacist table recipes-beyond --results results-recipes --format md > docs/recipes/beyond.md
	$(BIN)/abacist table recipes-beyond --results results-recipes --format json > docs/recipes/beyond.json

# Loss, learning rate and initial weights, half an hour of a core; the controls of the recipes, an hour and more on two
# busy ones.
training-grid teaching-controls: $(READY)
	$(BIN)/abacist run $@ --results results-recipes
	mkdir -p docs/recipes
	$(BIN)/abacist table $@ --results results-recipes --format md > docs/recipes/$@.md
	$(BIN)/abacist table $@ --results results-recipes --format json > docs/recipes/$@.json

# The zoo: rates and losses are chosen with 16 seeds of their own, and written into the experiments, which use other
# seeds; then accuracies, horizons, speed. Hours on two cores: not run as a whole yet.
TUNED := zoo zoo-uniform zoo-sizes
zoo: $(READY)
	$(BIN)/abacist run zoo-tuning --results results-zoo
	$(BIN)/python examples/tune.py --results results-zoo $(TUNED:%=src/abacist/experiments/catalogue/%.toml)
	mkdir -p docs/zoo
	for name in $(TUNED) blind-gates; do $(BIN)/abacist run $$name --results results-zoo; \
	  for form in md tex csv json; do \
	    $(BIN)/abacist table $$name --results results-zoo --format $$form > docs/zoo/$$name.$$form; done; done
	$(BIN)/abacist figures --results results-zoo --only zoo --out docs/figures --format svg
	$(BIN)/abacist bench zoo --out docs/zoo/speed.json

# The cells with a memory in the settings that all of them share: two hours on two cores.
zoo-memories: $(READY)
	$(BIN)/abacist run zoo-memories --results results-zoo-memories
	mkdir -p docs/zoo
	for form in md tex csv json; do $(BIN)/abacist table zoo-memories --results results-zoo-memories \
	  --format $$form > docs/zoo/zoo-memories.$$form; done

# aⁿbⁿ and its kin, trained on short words and followed to n = 1,000, in the settings of three papers: 32 or 64 runs of
# each network, ten to fifteen minutes on two cores.
far-beyond: $(READY)
	$(BIN)/abacist run far-beyond --results results-far-beyond
	mkdir -p docs/zoo
	for form in md tex csv json; do \
	  $(BIN)/abacist table far-beyond --results results-far-beyond --format $$form > docs/zoo/far-beyond.$$form; done

# From exact networks and from other initial states: 64 runs each; the tables in docs/training-dynamics.md are of ten.
dynamics: $(READY)
	$(BIN)/abacist run minima --results results-minima
	$(BIN)/abacist run initial-states --results results-initial-states
	$(BIN)/python -m tests.dynamics_page results-minima results-initial-states

# Horizons of Shuffle networks, on all words and on nested ones alone, as in training: ten runs of each, four minutes
# on two cores.
support: $(READY)
	$(BIN)/abacist run support --results results-support
	for form in md tex csv json; do \
	  $(BIN)/abacist table support --results results-support --format $$form > docs/reference/support.$$form; done

test: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not thorough" $(TESTS)

# The tests that take long: kills of clusters, the page in a browser, every float32, losses of power. CI runs them, too.
thorough: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m thorough

# Hostile trials: kills, damaged files, mutated experiments, random command lines; see docs/reliability.md.
torture: $(READY)
	$(BIN)/python -m tests.torture --seconds 60

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# What is imported once need not be compiled first; tests import it again and again.
$(CORE): WITH :=
$(CORE): HOW := --no-compile
$(READY): WITH := [$(EXTRAS)]
$(CORE) $(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null || \
	  { echo "Abacist needs Python 3.11 or later, $(PYTHON) is not: name one, as in make PYTHON=python3.13" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet $(HOW) --constraint constraints.txt --editable '.$(WITH)'
	touch $(CORE) $@

clean:
	rm -rf .venv .venv-3.* .pytest_cache .mypy_cache .ruff_cache .hypothesis
