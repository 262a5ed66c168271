# Paths are relative to this folder, so that its own path may hold spaces. Everything is installed in .venv.
PYTHON := .venv/bin/python
PYTHONS := python3.13 python3.12 python3.14 python3.11 python3 python
NATIVE := $(wildcard src/rankdiff/_kernel/*.cpp src/rankdiff/_kernel/*.hpp src/rankdiff/_kernel/CMakeLists.txt)

SOURCES := $(shell find src -name '*.py')

.PHONY: demo test test-all test-minimal bench screenshots lint fmt
.DELETE_ON_ERROR:

demo: .venv/installed
	@$(PYTHON) -m rankdiff --version
	@$(PYTHON) -m rankdiff demo

test: .venv/installed-test
	@$(PYTHON) -m rankdiff --version
	@$(PYTHON) -m pytest -q -n 2 -m "not slow"

test-all: .venv/installed-test
	@$(PYTHON) -m rankdiff --version
	@$(PYTHON) -m pytest -q -n 2

# The lowest versions that pyproject.toml allows; a new .venv, as `make test` makes it, has the newest.
test-minimal: .venv-minimal/installed
	@.venv-minimal/bin/python -m rankdiff --version
	@.venv-minimal/bin/python -m pytest -q -n 2 -m "not slow" tests

.venv-minimal/installed: pyproject.toml $(NATIVE) $(SOURCES) .venv/installed-test
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check uv
	@$(PYTHON) -m venv --clear .venv-minimal
	@$(PYTHON) -m uv pip install --quiet --compile-bytecode --python .venv-minimal --resolution lowest-direct '.[test]'
	@touch '$@'

bench: .venv/installed-test
	@$(PYTHON) -m rankdiff --version
	@$(PYTHON) bench

screenshots: .venv/installed-test
	@$(PYTHON) docs/screenshots.py

lint: .venv/installed-lint
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check
	$(PYTHON) -m mypy

fmt: .venv/installed-lint
	$(PYTHON) -m ruff check --fix
	$(PYTHON) -m ruff format

.venv/installed: pyproject.toml $(NATIVE)
	$(call install,.[report])

.venv/installed-test: pyproject.toml $(NATIVE)
	$(call install,.[test])
	@touch .venv/installed

.venv/installed-lint: pyproject.toml $(NATIVE)
	$(call install,.[test$(comma)lint])
	@touch .venv/installed .venv/installed-test

comma := ,

define install
$(if $(python),,$(error $(complaint)))
@test "$(python)" = present || "$(python)" -m venv --clear .venv
@echo "Installing rankdiff into .venv (a minute the first time)"
@rm -f src/rankdiff/_kernel/_native.* # if it cannot be built again, none is better than an old one
@$(PYTHON) -m pip install --quiet --disable-pip-version-check --editable '$(1)'
@touch '$@'
endef

# A version manager may put a python3.x on the path that is not installed: only one that answers counts.
modern = "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
usable = $(modern) && "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1
first = $(shell for python in $(PYTHONS); do $(1) && echo "$$python" && break; done)
python = $(or $(shell $(PYTHON) -m pip --version >/dev/null 2>&1 && echo present),$(call first,$(usable)))
complaint = $(if $(call first,$(modern)),$(call first,$(modern)) lacks the venv module \
  (on Debian and Ubuntu: apt install python3-venv),rankdiff needs Python 3.11 or newer on the PATH)
