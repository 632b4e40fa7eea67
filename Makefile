# Two commands for a fresh clone: `make gate` and `make test`. Each creates the environment it needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/ready

.PHONY: gate test docs reference pictures pool lint types cases compat ranx adapters heavy browser screenshots bench calibration dist baseline clean

gate: $(READY)  ## the project's own golden set against its committed baseline
	$(BIN)/python -m pytest golden_docs.yaml --retrieval-baseline

test: $(READY)  ## the tests
	$(BIN)/python -m pytest -n 2 --dist worksteal -p no:randomly

docs: $(READY)  ## the pages as a site in site/; a warning is an error
	$(BIN)/python docs/generate_reference.py --check
	$(BIN)/sphinx-build --fresh-env --fail-on-warning --keep-going --quiet --builder html docs site
	@echo "site/index.html"

reference: $(READY)  ## write the tables of the pages that the code knows
	$(BIN)/python docs/generate_reference.py

pictures: $(READY)  ## take the pictures of the pages anew
	$(BIN)/python docs/take_pictures.py

pool: $(READY)  ## what two searches over the pages return and nobody has judged
	$(BIN)/python -m pytest -q golden_docs.yaml --retrieval-report=build/words.json
	$(BIN)/python docs/pool_labels.py build/signs.jsonl
	$(BIN)/python -m pytest_retrieval.cli pool golden_docs.yaml build/words.json build/signs.jsonl --depth 5

baseline: $(READY)  ## write the project's own baseline anew
	$(BIN)/python -m pytest golden_docs.yaml --update-baseline

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

cases: $(READY)  ## the trouble cases, where they lie beside the checkout
	@if [ -f ../shared/cases/run_cases.py ]; then $(BIN)/python ../shared/cases/run_cases.py; \
	else echo "no trouble cases beside this checkout"; fi

compat:  ## the integration tests on the oldest and the newest supported pytest of each series
	.ci/compat $(PYTHON)

ranx:  ## the cross-checks against ranx, in an environment of their own (700 MB, compiles for a minute)
	.ci/ranx $(PYTHON)

adapters:  ## the real search libraries and servers, in an environment of their own (brings PyTorch)
	.ci/adapters $(PYTHON)

heavy:  ## the example with sentence-transformers, in an environment of its own (brings PyTorch)
	.ci/heavy $(PYTHON)

browser:  ## the HTML report in a real Chromium, in an environment of its own
	.ci/browser $(PYTHON) -m pytest -q -m browser tests/browser

screenshots:  ## take the pictures of the HTML report anew
	.ci/browser $(PYTHON) docs/take_screenshots.py

calibration: $(READY)  ## whether the verdict keeps its promises, on small simulations
	$(BIN)/python benchmarks/calibration.py --quick

bench: $(READY)
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/items.py
	$(BIN)/python benchmarks/calling.py
	$(BIN)/python benchmarks/verdicts.py
	$(BIN)/python benchmarks/metrics.py
	$(BIN)/python benchmarks/labels.py

dist: $(READY)  ## wheel and sdist, checked, and the wheel tried in an empty environment
	rm -rf dist
	$(BIN)/python -m build --quiet
	$(BIN)/python -m twine check --strict dist/*
	.ci/smoke $(PYTHON)

clean:
	rm -rf $(VENV) dist build site .mypy_cache .ruff_cache .pytest_cache

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev,docs,examples]"
	touch $(READY)
