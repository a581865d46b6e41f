# Two commands do all the set-up: `make demo` and `make test`.
# Needs Python 3.11 or later, a C compiler and make; everything else is installed into .venv.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
KERNELS = $(wildcard src/sitestrata/_kernels/*.pyx)

.PHONY: demo test install kernels check unit slow clean

demo: $(VENV)/installed
	$(BIN)/sitestrata demo

test: check unit slow

install: $(VENV)/installed-test

# The product alone, as a user gets it.
$(VENV)/installed: pyproject.toml setup.py constraints.txt $(KERNELS)
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	touch $@

# The product with the oracles and checkers of the tests.
$(VENV)/installed-test: $(VENV)/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	touch $@

# Rebuild the compiled kernels in place after an edit.
kernels: $(VENV)/installed-test
	$(BIN)/python setup.py -q build_ext --inplace

check: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# Offline, under two minutes.
unit: $(VENV)/installed-test
	$(BIN)/pytest -q -n 2 -m 'not slow and not spark and not browser'

slow: $(VENV)/installed-test
	$(BIN)/pytest -q -m 'slow'

clean:
	rm -rf $(VENV) build dist src/*.egg-info src/sitestrata/_kernels/*.c src/sitestrata/_kernels/*.so
