# Every habit has one target. Everything is installed into .venv and node_modules of this folder.
.DELETE_ON_ERROR:
SHELL := /bin/sh
PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11,$(shell command -v $(p) >/dev/null 2>&1 && $(p) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(p))))
BIN := .venv/bin
CLIENT_SOURCES := $(shell find inspector_client/src inspector_client/ui inspector_client/extension inspector_client/console inspector_client/build.mjs inspector_client/build-toolkit.mjs inspector_client/package.json companion/pageside/contract -type f ! -name '*.py*' ! -path '*/dist/*' 2>/dev/null)
PLUGIN_SOURCES := $(shell find vite-plugin/src vite-plugin/setup vite-plugin/package.json vite-plugin/tsconfig.build.json -type f 2>/dev/null)
export PYTHONASYNCIODEBUG ?=
# Tests start some hundred companions: what those import is compiled once.
unexport PYTHONDONTWRITEBYTECODE
# Two things at a time: pip beside npm, mypy beside Vitest.
MAKEFLAGS += -j2

.PHONY: help demo tour test test-javascript test-frameworks frameworks test-packages version notices dist check check-python check-generated check-javascript fix bench soak docs reference build setup setup-dev chromium clean
help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: setup ## run the example app with Pageside until Ctrl-C
	@$(BIN)/python examples/demo.py

tour: setup-dev chromium ## play one whole loop headless, screenshots in tour/
	@cd tests && ../$(BIN)/python -m tour

test: setup-dev chromium check test-javascript ## all checks, all tests
	$(BIN)/pytest -q -n 2 --dist loadfile --no-loadscope-reorder

test-javascript: setup-dev
	npm test --silent

FRAMEWORKS := sveltekit react-router nuxt astro tanstack-start

frameworks: $(FRAMEWORKS:%=examples/%/node_modules/.run)

test-frameworks: setup-dev chromium frameworks ## frameworks that write their own HTML
	$(BIN)/pytest -q -n 2 --dist loadgroup tests/frameworks

test-packages: setup-dev chromium ## wheel and plugin as users install them, in new projects; needs the package indexes
	$(BIN)/pytest -q tests/created

# Without links: the plugin must find the example's Vite, not this folder's. The wheel's Node is new enough for all.
# `npm ci` would refuse a registry that lacks a binary of another platform, which Astro's compiler has optionally.
examples/%/node_modules/.run: examples/%/package-lock.json | .venv/.dev vite-plugin/client/client.js vite-plugin/dist/index.js
	@echo "Installing $* into examples/$*/node_modules …"
	@cd tests && ../$(BIN)/python -m support.node install --no-save --prefix ../examples/$* --ignore-scripts --no-fund --no-audit --loglevel=error
	@touch $@

check: check-python check-generated check-javascript ## formatting, lint, types, import directions, generated files

check-python: setup-dev
	$(BIN)/ruff format --check -q .
	$(BIN)/ruff check -q .
	$(BIN)/mypy

check-generated: setup-dev
	$(BIN)/lint-imports --no-cache > .venv/imports.txt || { cat .venv/imports.txt; exit 1; }
	@cd tests && ../$(BIN)/python -m docs_reference --check
	@cd tests && ../$(BIN)/python -m release --check
	@cd tests && ../$(BIN)/python -m notices --check

check-javascript: setup-dev
	npm run check --silent

fix: setup-dev ## format, and mend what tools can mend
	$(BIN)/ruff check -q --fix . ; $(BIN)/ruff format -q .
	npm run fix --silent

version: setup-dev ## VERSION=1.2.3: that version in every file that says one
	@cd tests && ../$(BIN)/python -m release $(VERSION)

notices: setup-dev ## the licences of what is built into the packages, anew
	@cd tests && ../$(BIN)/python -m notices

dist: setup-dev ## what is published, in dist/
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist .
	npm pack --silent --ignore-scripts --pack-destination dist ./vite-plugin

bench: setup-dev chromium ## measure beside the peers; BENCH=--quick roughly, BENCH=--write into the README
	@cd tests && ../$(BIN)/python -m bench $(BENCH)

MINUTES ?= 30

soak: setup-dev chromium ## work for 30 minutes (MINUTES=3), and look what stays
	@cd tests && ../$(BIN)/python -m soak --minutes $(MINUTES) $(SOAK)

docs: reference chromium ## docs/reference/, all pictures and the recording of the README, anew
	@cd tests && ../$(BIN)/python -m docs_pictures

reference: setup-dev ## docs/reference/ anew, from the code
	@cd tests && ../$(BIN)/python -m docs_reference

build: setup ## build the client and the plugin, and say the client's size
	npm run build --silent

setup: .venv/.run node_modules/.run vite-plugin/client/client.js companion/pageside/chrome/static/toolkit.js vite-plugin/dist/index.js ## install what running needs

setup-dev: setup .venv/.dev

.venv/.run: pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: install it, or run 'make PYTHON=/path/to/python3'." >&2; exit 1; }
	@echo "Installing the companion into .venv …"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check 'pip>=25.1'
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

.venv/.dev: .venv/.run
	@echo "Installing the test tools into .venv …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check --group dev
	@touch $@

node_modules/.run: package.json package-lock.json inspector_client/package.json vite-plugin/package.json $(wildcard examples/vite-*/package.json)
	@command -v npm >/dev/null || { echo "Node 20.19 or newer is needed." >&2; exit 1; }
	@echo "Installing the JavaScript packages into node_modules …"
	@npm ci --no-fund --no-audit --loglevel=error
	@touch $@

vite-plugin/client/client.js: node_modules/.run $(CLIENT_SOURCES)
	@npm run build --silent -w inspector_client
	@touch $@

companion/pageside/chrome/static/toolkit.js: vite-plugin/client/client.js
	@test -e $@ || npm run build:toolkit --silent -w inspector_client
	@touch $@

vite-plugin/dist/index.js: node_modules/.run $(PLUGIN_SOURCES)
	@npm run build --silent -w vite-plugin
	@touch $@

chromium: setup
	@cd tests && ../$(BIN)/python -m support.chromium

clean: ## remove what the targets made
	rm -rf dist .venv node_modules */node_modules examples/*/node_modules */dist vite-plugin/client companion/pageside/web/static/*.js companion/pageside/web/static/console.css companion/pageside/web/static/extension companion/pageside/chrome/static companion/pageside/setup/static .pageside tour
