# closer-keys: what can be made. `make` lists the targets.

PREFIX ?= /usr/local
VENV := .venv
PYTHON := $(VENV)/bin/python
FUZZ_SECONDS ?= 20
PROGRAM := .build/release/closer-keys
RELEASE := swift build -c release --static-swift-stdlib --product closer-keys
CRYPTOKIT := swift build --quiet -c release --package-path vectors/adapters/swift-cryptokit
SWIFT_SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources \
	$(addprefix vectors/adapters/swift-cryptokit/,Package.swift Sources)

.DEFAULT_GOAL := help
.PHONY: help deps build demo test unit memory cryptokit interop adapters wycheproof fuzz check format lint imports man vectors bench install clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: deps build ## install what is missing, build, and show the main job on real input
	@scripts/demo $(PROGRAM)

test: deps unit memory interop ## install what is missing, build, run all tests

check: deps lint imports test cryptokit adapters wycheproof man fuzz ## everything CI runs: format, warnings, imports, tests, adapters, man pages, fuzzing

deps: ## install what is missing: C libraries, Python's venv, mandoc and groff
	@scripts/install-deps

build: deps ## build the release program, and say where it is
	@$(RELEASE)
	@$(if $(filter build,$(MAKECMDGOALS)),echo $(PROGRAM))

unit: deps ## run the Swift tests, debug
	@swift build --build-tests
	@swift test --skip-build

memory: deps ## run the tests of secrets in memory, release
	@swift test -c release --scratch-path .build-release-tests --filter OwnershipTests

cryptokit: deps ## run the chats of Fond and FitLink against swift-crypto, which has CryptoKit's API
	@swift test --disable-xctest --package-path Tests/CryptoKit

interop: build $(VENV)/ready ## prove both directions against Tink, WebCrypto, BouncyCastle, swift-crypto and partners in Python
	@$(PYTHON) Tests/Interop/tink_interop.py --program $(PROGRAM)
	@$(PYTHON) Tests/Interop/stream_interop.py --program $(PROGRAM)
	@$(PYTHON) Tests/Interop/couple_interop.py --program $(PROGRAM)
	@$(PYTHON) Tests/Interop/chat_interop.py --program $(PROGRAM)
	@scripts/install-deps adapters
	@$(CRYPTOKIT)
	@scripts/live $(PROGRAM)

adapters: build $(VENV)/ready ## run the vectors against Tink, WebCrypto, BouncyCastle and swift-crypto
	@scripts/install-deps adapters
	@$(CRYPTOKIT)
	@scripts/adapters $(PROGRAM)
	@$(PYTHON) Tests/Interop/adapter_faults.py --program $(PROGRAM)
	@$(PYTHON) Tests/Interop/sealer_faults.py --program $(PROGRAM)

wycheproof: build $(VENV)/ready ## run Wycheproof's own files
	@scripts/install-deps adapters
	@scripts/wycheproof $(PROGRAM) $(PYTHON)

fuzz: deps ## run each fuzz target for FUZZ_SECONDS, with the address sanitizer
	@scripts/fuzz --seconds $(FUZZ_SECONDS)

$(VENV)/ready: Tests/Interop/requirements.txt vectors/make/requirements.txt
	@python3 -m venv $(VENV)
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check $(addprefix -r ,$^)
	@touch $@

lint: ## check the format of every Swift file
	@swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)

format: ## rewrite every Swift file in the project's format
	@swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

imports: deps ## check that modules import what they declare, and the core what it may
	@swift build --explicit-target-dependency-import-check error
	@scripts/check-walls

man: build ## render the man pages with mandoc and groff, and compare them with --help
	@man/check $(PROGRAM)

vectors: $(VENV)/ready ## make the expected values anew, with the other implementations, and check them
	@for maker in $(filter-out %/check.py %/index.py,$(wildcard vectors/make/*.py)); do $(PYTHON) $$maker || exit 1; done
	@$(PYTHON) vectors/make/index.py
	@$(PYTHON) vectors/make/check.py

bench: deps build $(VENV)/ready ## print ratios against peers
	@cd Benchmarks && swift run -c release bench --program ../$(PROGRAM) --python ../$(PYTHON)

install: ## install program, man pages and shell completions below PREFIX
	@test -x $(PROGRAM) || { echo "run make build first, as yourself" >&2; exit 1; }
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man7
	install -s -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 man/*.7 $(DESTDIR)$(PREFIX)/share/man/man7
	scripts/install-completions $(PROGRAM) $(DESTDIR)$(PREFIX)/share

clean: ## remove what was built
	rm -rf .build .build-release-tests .build-fuzz Benchmarks/.build Tests/CryptoKit/.build vectors/adapters/swift-cryptokit/.build $(VENV)
