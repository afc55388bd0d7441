# `make run` and `make test` do their own set-up. PYTHON= and VENV= choose another interpreter or place.
PYTHON ?=
VENV ?= .venv$(if $(PYTHON),-$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])'))
PY := $(VENV)/bin/python
export PYTHON
# Hundreds of processes are started: the source is compiled for the first of them, not for each.
unexport PYTHONDONTWRITEBYTECODE

# One more than there are cores: some tests wait for a browser, a server or a disk.
WORKERS ?= $(shell getconf _NPROCESSORS_ONLN | awk '{ print $$1 + 1 }')

.DEFAULT_GOAL := help
.PHONY: help run play test bench torture docs register lock clean web wheel screens lighthouse
.PHONY: checks lint types arrows dead spelling pages tests kernels

help: ## Show the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/run.done $(VENV)/web.done ## Open a demo of the house on http://127.0.0.1:8000; PORT= and HOST= choose another address
	@$(VENV)/bin/croupier serve --demo

play: $(VENV)/run.done ## Play the games in the terminal (croupier tour shows the rest)
	@$(VENV)/bin/croupier play

test: $(VENV)/test.done ## Run every check, with a slice of the long ones; both cores work all the time
	@$(MAKE) --no-print-directory -j 2 tests checks

web: | $(PY) ## Bring the scripts of the pages into the package, from their lock file
	@$(PY) tools/web.py

wheel: $(VENV)/run.done ## Build the wheel into dist/, with everything that the pages need
	@$(PY) tools/web.py --required
	@$(PY) tools/wheel.py

screens: $(VENV)/test.done $(VENV)/web.done ## Take pictures of every page and state into build/screens/
	@$(PY) tools/screens.py

lighthouse: $(VENV)/run.done $(VENV)/web.done ## Judge the pages with Lighthouse 12 (needs Node and Chromium; not part of `make test`)
	@$(PY) tools/lighthouse.py

bench: $(VENV)/bench.done ## Measure against named peers and plain C, as ratios in one interleaved run
	@$(PY) bench/run.py

# `make torture PART=kills` runs one part; a run that was interrupted goes on where CROUPIER_TORTURE_DIR keeps what is done.
PART ?= all
TORTURE_kills := tests/properties/test_kills.py
TORTURE_servers := tests/properties/test_server_kills.py tests/properties/test_store_processes.py
TORTURE_power := tests/properties/test_power_cuts.py
TORTURE_disk := tests/properties/test_failing_disk.py
TORTURE_flips := tests/properties/test_verifier.py
TORTURE_replay := tests/properties/test_journal_alone.py
TORTURE_races := tests/properties/test_store.py
TORTURE_network := tests/properties/test_unruly_network.py
TORTURE_processes := tests/properties/test_server_processes.py
TORTURE_hidden := tests/properties/test_hidden_over_http.py
TORTURE_requests := tests/properties/test_malformed_requests.py tests/properties/test_role_matrix.py
STORE_PARTS := kills servers power disk flips replay races network processes hidden requests
TORTURE_properties := tests/properties $(foreach part,$(STORE_PARTS),$(addprefix --ignore=,$(TORTURE_$(part))))
TORTURE_counts := tests/counts tests/published tests/figures
TORTURE_project := src tests/browser tests/clauses tests/project
TORTURE_all := src tests
PARTS := $(STORE_PARTS) properties counts project

torture: $(VENV)/test.done $(VENV)/web.done ## Run every test with the full figures, or one PART of them (CONTRIBUTING.md lists them)
	@$(if $(TORTURE_$(PART)),,$(error PART is one of $(PARTS), not $(PART)))
	@$(PY) -m pytest -q -n auto --dist worksteal --hypothesis-profile=torture $(TORTURE_$(PART))

docs: $(VENV)/test.done ## Build the documentation into site/
	@$(PY) -m sphinx -q -W --keep-going -b html docs site
	@echo "open site/index.html"

register: $(VENV)/test.done ## Collect anew where each clause is carried out and shown
	@$(PY) tools/register.py

lock: ## Pin the newest versions of everything in requirements/*.in (needs uv)
	cd requirements && for name in run test bench node; do \
		uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes \
			--no-header --no-annotate $$name.in -o $$name.txt || exit 1; done

clean: ## Remove everything that was built
	rm -rf $(VENV) site build src/croupier/web/static/vendor .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests bench -name __pycache__ -type d -exec rm -rf {} +

# --- the parts of `make test`

checks: lint arrows dead spelling pages types

lint: $(VENV)/test.done
	@$(PY) -m ruff check -q src tests bench docs tools examples
	@$(PY) -m ruff format -q --check src tests bench docs tools examples && echo "lint: clean"

types: $(VENV)/test.done
	@$(PY) -m mypy --no-error-summary && echo "types: strict and clean"

arrows: $(VENV)/test.done
	@$(VENV)/bin/lint-imports --no-cache >$(VENV)/arrows.log || { cat $(VENV)/arrows.log; exit 1; }
	@echo "arrows: layers kept"

dead: $(VENV)/test.done
	@$(PY) tools/template_names.py >$(VENV)/template_names.py
	@$(PY) -m vulture src tests bench $(VENV)/template_names.py && echo "dead code: none"

spelling: $(VENV)/test.done
	@$(VENV)/bin/codespell README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md docs src tests bench && echo "spelling: clean"

pages: $(VENV)/test.done
	@$(PY) -m sphinx -q -W --keep-going -b dummy docs $(VENV)/pages && echo "documentation: builds"

tests: kernels $(VENV)/web.done
	@$(PY) -m pytest -q -n $(WORKERS) --dist worksteal -m "not torture"

# Compiled by one process and kept on disk, before each of several workers would compile the same.
kernels: $(VENV)/test.done
	@$(PY) tools/kernels.py

# The environment is made once, also under `make -j`, and anew when its Python has gone.
$(PY):
	@tools/setup $(VENV)

# Where there is no Node to be had it is tried again the next time; meanwhile the pages do without scripts.
$(VENV)/web.done: package-lock.json tools/web.py requirements/node.txt | $(PY)
	@$(PY) tools/web.py
	@if [ -e src/croupier/web/static/vendor/built-from.json ]; then touch $@; fi

$(VENV)/%.done: requirements/%.txt pyproject.toml tools/setup | $(PY)
	@tools/setup $(VENV) $*
