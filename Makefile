# Everything sets itself up: all it takes is make, and Python 3.11 or later with venv and pip.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Tests start Nabu hundreds of times: where this is set, each start would compile all of it again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: install demo check test test-long test-report test-system lint audit fuzz soak tables pictures lock
.PHONY: package clean

install: $(VENV)/.ready

$(VENV)/.ready: requirements-dev.txt pyproject.toml
	@deploy/check-machine $(PYTHON)
	@echo "Installing the dependencies into $(VENV). This takes a few minutes."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: install
	@$(BIN)/nabu demo

# How many tests run at once: auto is half as many again as there are cores (tests/conftest.py). Each may start
# PostgreSQL, a browser and processes of Nabu.
TESTERS ?= auto
PYTEST = $(BIN)/pytest -n $(TESTERS) --dist worksteal

check: lint
	$(PYTEST) -m "not slow and not long"

# With LONG=1 also the long ones, in one run.
test: lint
	$(PYTEST) $(if $(LONG),,-m "not long")

test-long: install
	$(PYTEST) -m "long"

# Writes the cost of each test to build/test-costs.tsv and prints the tests above the budget (tests/support/costs.py).
test-report: install
	$(PYTEST) $(if $(LONG),,-m "not long") --costs build/test-costs.tsv

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/typos
	$(BIN)/mypy

# Looks up known weaknesses of our dependencies, on the network; ruff's rules S look for weaknesses of our own.
audit: lint
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pip-audit
	$(BIN)/pip-audit --disable-pip --require-hashes --requirement requirements-dev.txt

# The generated tables of the documents: commands, account changes, providers that post emails, services.
tables: install
	@$(BIN)/python -m tests.support.document_tables

pictures: install
	@$(BIN)/python -m tests.pictures

test-system:
	@deploy/install-test-system

# dist/nabu-VERSION-py3-none-any.whl, and the Debian package of it for this machine's Python.
package: install
	@deploy/debian/build $(BIN)/python dist

# Half an hour of looking for input that breaks a reader: make fuzz MINUTES=30
MINUTES ?= 30

fuzz: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "atheris>=3.0"
	$(BIN)/python -m tests.fuzz.run $(MINUTES)

# What Nabu needs to run, and what its developers need besides.
COMPILE = $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-annotate --no-header --quiet

lock: install
	$(BIN)/python -m pip install --quiet uv
	$(COMPILE) --extra dev --output-file requirements-dev.txt
	$(COMPILE) --constraints requirements-dev.txt --output-file requirements.txt

# Many games in bad weather: an hour, or a night: make soak HOURS=8 DATABASE=postgresql (or sqlite, or patroni)
HOURS ?= 1
DATABASE ?= sqlite

soak: install
	$(BIN)/python -m tests.soak --hours $(HOURS) --database $(DATABASE)

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
