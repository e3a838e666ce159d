# closer-keys: what can be made. `make` lists the targets.

PREFIX ?= /usr/local
VENV := .venv
# Of its own, since it holds all of Apache Spark.
SPARK := .venv-spark
# Of its own, too: nothing else is drawn.
PLOT := .venv-plot
PYTHON := $(VENV)/bin/python
FUZZ_SECONDS ?= 20
FAULTS ?= 44
PROGRAM := .build/release/closer-keys
# Where the linker finds the C++ library of Swift's runtime as archives alone: to look up 4,300 of its names took a seventh of a start.
ARCHIVES := .build/archives
# Bound when it starts: to find a function at its first call saves registers on the stack, and a secret may be in them.
# No library is looked for beside the program: a folder for downloads may have anybody's.
RELEASE := swift build -c release --static-swift-stdlib --disable-local-rpath --product closer-keys -Xswiftc -L$(CURDIR)/$(ARCHIVES) -Xlinker -z -Xlinker now
# Checks that each target names what it imports, in the build that is made anyway.
DEBUG := --explicit-target-dependency-import-check error
# All that is built with swift-crypto shares one folder, so that its hundreds of C files are compiled once.
CRYPTOKIT := swift build --quiet --scratch-path .build-kit --package-path vectors/adapters/swift-cryptokit
BENCH := swift build --quiet -c release --static-swift-stdlib --package-path Benchmarks
SECOND_BENCH := swift build --quiet -c release --scratch-path .build-kit --package-path Benchmarks --traits CryptoKit --product bench
SWIFT_SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources \
	$(addprefix vectors/adapters/swift-cryptokit/,Package.swift Sources)
CHECKS := lint unit imports smoke memory constant-time faults consumer kit ondevice cryptokit man adapters wycheproof interop attacks fuzz

.DEFAULT_GOAL := help
.PHONY: help deps build demo test check check-fast unit unit-built imports smoke memory constant-time faults consumer docs kit ondevice cryptokit interop attacks adapters wycheproof mutants spark \
	fuzz fuzz-coverage sanitize dudect assurance lint format man vectors bench instructions profile check-build install dist check-dist clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: deps build ## install what is missing, build, and show the main job on real input
	@scripts/demo $(PROGRAM)

test: deps $(VENV)/ready ## install what is missing, build, run the tests that a newcomer waits for
	@scripts/checks unit smoke

check: deps $(VENV)/ready ## prove everything: 320 kills, all random cases; 45 minutes at most on a quiet machine
	@CLOSER_KEYS_EFFORT=full CLOSER_KEYS_SEARCH_DEPTH=$${CLOSER_KEYS_SEARCH_DEPTH:-5} CLOSER_KEYS_DIFFERENTIAL=$${CLOSER_KEYS_DIFFERENTIAL:-10000} CLOSER_KEYS_KILLS=$${CLOSER_KEYS_KILLS:-320} FAULTS=$${FAULTS:-440} scripts/checks $(CHECKS) docs check-dist instructions

check-fast: deps $(VENV)/ready ## the same with fewer kills, faults and random cases, as CI runs it; 20 minutes at most on a quiet machine, and five more in a new clone
	@CLOSER_KEYS_EFFORT=full CLOSER_KEYS_REVEAL_DEPTH=$${CLOSER_KEYS_REVEAL_DEPTH:-4} CLOSER_KEYS_KILLS=$${CLOSER_KEYS_KILLS:-40} INTEROP_SHARE=10 LIVE_COUNT=$${LIVE_COUNT:-100} \
		FUZZ_SECONDS=$${FUZZ_SECONDS:-5} CLOSER_KEYS_FAULT_SEED=$${CLOSER_KEYS_FAULT_SEED:-1} scripts/checks $(CHECKS)

deps: ## install what is missing: C libraries, Python's venv, mandoc and groff
	@scripts/install-deps

build: deps ## build the release program, and say where it is
	@scripts/archives $(ARCHIVES)
	@$(RELEASE)
	@$(if $(filter build,$(MAKECMDGOALS)),echo $(PROGRAM))

unit: build ## prove each module, in debug, and the program: vectors, round trips, hostile input, 5 kills
	@CLOSER_KEYS_PROGRAM=$(CURDIR)/$(PROGRAM) scripts/test $(DEBUG) $(if $(filter full,$(CLOSER_KEYS_EFFORT)),-- --skip OwnershipTests)

imports: unit-built ## prove that modules import only what they may, that each public symbol has a sentence, and that code in comments runs
	@scripts/check-walls
	@scripts/unproven
	@scripts/undocumented
	@scripts/check-docs

unit-built: deps
	@swift build --quiet --build-tests $(DEBUG)

smoke: build $(VENV)/ready ## prove a few cases of each kind against Tink and a partner in Python
	@scripts/interop $(PROGRAM) 50

memory: deps ## prove that no secret stays in memory, with the optimiser
	@scripts/memory

consumer: deps ## prove that a package of its own can use every product, with the public API alone
	@scripts/test --package-path Tests/Consumer

constant-time: deps ## prove with valgrind that no branch and no index depends on a secret where ours is handled
	@scripts/install-deps instructions
	@scripts/constant-time

dudect: deps ## time what is done with secrets of two classes, and print how far these differ; it proves only that it sees what is planted
	@scripts/dudect $(MEASUREMENTS)

faults: build ## prove that each system call of a change may fail, be short, or be the last one, FAULTS of them or all, and that no secret is written elsewhere
	@scripts/install-deps faults
	@CLOSER_KEYS_FAULTS=$(FAULTS) CLOSER_KEYS_PROGRAM=$(CURDIR)/$(PROGRAM) scripts/test -- --filter "FaultTests|ShortTransferTests|WrittenSecretTests"

docs: deps ## build the documentation of the library, and prove that its links lead somewhere and that its code is tested
	@scripts/check-docs
	@scripts/docs
	@CLOSER_KEYS_DOCS=1 scripts/undocumented --scratch-path .build-docs

kit: build $(VENV)/ready ## prove that the provider on CryptoKit's API does what the first one does, and that both understand each other
	@scripts/kit $(PROGRAM) $(INTEROP_SHARE)

ondevice: deps ## prove every primitive and every vector as on a phone: with CryptoKit's API and no library of the system but libsodium
	@scripts/on-device

cryptokit: deps ## prove chats and X25519 against swift-crypto, which has CryptoKit's API
	@scripts/test --package-path Tests/CryptoKit --scratch-path .build-kit

interop: build $(VENV)/ready ## prove both directions, with fresh random cases, against every other implementation
	@scripts/interop $(PROGRAM) $(INTEROP_SHARE)
	@$(PYTHON) Tests/Interop/pair_vectors.py
	@$(PYTHON) Tests/Interop/partner_faults.py --program $(PROGRAM)
	@scripts/install-deps adapters
	@$(CRYPTOKIT)
	@scripts/live $(PROGRAM)

attacks: build $(VENV)/ready ## act out each threat of SECURITY.md as a server would, and prove that its table says what happened
	@scripts/attacks $(PROGRAM)

adapters: build $(VENV)/ready ## prove that Tink, WebCrypto, BouncyCastle and swift-crypto agree with the vectors
	@scripts/install-deps adapters
	@$(CRYPTOKIT)
	@scripts/adapters $(PROGRAM)
	@$(PYTHON) Tests/Interop/adapter_faults.py --program $(PROGRAM)
	@$(PYTHON) Tests/Interop/sealer_faults.py --program $(PROGRAM)

wycheproof: build $(VENV)/ready ## prove the primitives with Wycheproof's own files
	@scripts/install-deps adapters
	@scripts/wycheproof $(PROGRAM) $(PYTHON)

mutants: deps ## change one thing of the library at a time, and say which changes no test notices; half an hour on a quiet machine
	@scripts/mutants

spark: build $(SPARK)/ready ## prove that docs/spark.md re-encrypts 200,000 fields as a single run does, and print its speed; some 5 minutes
	@scripts/install-deps spark
	@$(SPARK)/bin/python Tests/Spark/spark_recipe.py --program $(PROGRAM)

fuzz: deps ## prove that random bytes break no reader: each for FUZZ_SECONDS, with the address sanitizer
	@scripts/fuzz --seconds $(FUZZ_SECONDS)

fuzz-coverage: deps ## prove that the fuzzers' corpora reach 95 % of the lines of CloserWire and of CloserTink
	@scripts/fuzz --coverage

sanitize: deps ## prove that the address, undefined behaviour and thread sanitizers find nothing in the tests of the library
	@scripts/sanitize

assurance: build $(VENV)/ready ## print one table of all proofs, and prove that each finds what is planted; 70 minutes on a quiet machine, or `scripts/assurance --fast`
	@scripts/install-deps faults
	@CLOSER_KEYS_FAULTS=$(FAULTS) scripts/assurance

$(VENV)/ready: Tests/Interop/requirements.txt vectors/make/requirements.txt
$(SPARK)/ready: Tests/Spark/requirements.txt
$(PLOT)/ready: Benchmarks/requirements.txt
$(VENV)/ready $(SPARK)/ready $(PLOT)/ready:
	@python3 -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check $(addprefix -r ,$^)
	@touch $@

lint: ## prove that every Swift file has the project's format
	@swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)

format: ## rewrite every Swift file in the project's format
	@swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

man: build ## prove that the man pages render with mandoc and groff, and say what the program does
	@man/check $(PROGRAM)

vectors: $(VENV)/ready ## make the expected values anew, with the other implementations, and check them
	@for maker in $(filter-out %/check.py %/index.py,$(wildcard vectors/make/*.py)); do $(PYTHON) $$maker || exit 1; done
	@$(PYTHON) vectors/make/index.py
	@$(PYTHON) vectors/make/check.py

bench: deps build $(VENV)/ready $(PLOT)/ready ## print ratios against peers, and of both providers, and keep them in Benchmarks/RESULTS.md; 10 minutes
	@scripts/install-deps bench
	@$(SECOND_BENCH)
	@for product in empty answerer bench; do $(BENCH) --product $$product || exit 1; done
	@$(MAKE) --no-print-directory install DESTDIR=$(CURDIR)/.build/installed PREFIX=/usr >/dev/null
	@strip "$$($(BENCH) --show-bin-path)/empty"
	@"$$($(BENCH) --show-bin-path)/bench" --program .build/installed/usr/bin/closer-keys --python $(PYTHON) --results Benchmarks \
		--second "$$($(SECOND_BENCH) --show-bin-path)/bench"
	@$(PLOT)/bin/python Benchmarks/plot.py Benchmarks

install: ## install program, man pages and shell completions below PREFIX
	@test -x $(PROGRAM) || { echo "run make build first, as yourself" >&2; exit 1; }
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man7
	install -s -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 man/*.7 $(DESTDIR)$(PREFIX)/share/man/man7
	scripts/install-completions $(PROGRAM) $(DESTDIR)$(PREFIX)/share

instructions: build ## prove that no hot path takes more instructions than Benchmarks/instructions.txt says
	@scripts/install-deps instructions
	@scripts/instructions $(PROGRAM)

profile: build ## print whose code the instructions of ten runs are: ours, Swift's, or a library's
	@scripts/install-deps instructions
	@scripts/instructions $(PROGRAM) --where

check-build: deps ## prove that two builds of the last commit, in two folders, are the same but for two sections; 5 minutes
	@scripts/check-build

dist: build ## make a release's files in dist/: a Debian package, a tarball, checksums
	@scripts/install-deps dist
	@scripts/dist $(PROGRAM)

check-dist: build ## prove that these are the same each time, and that the package installs, runs, and goes without a trace
	@scripts/install-deps dist
	@scripts/check-dist $(PROGRAM)

clean: ## remove what was built
	rm -rf .build dist .build-docs .build-kit .build-release-tests .build-fuzz .build-fuzz-coverage .build-address .build-thread .build-constant-time .build-mutants .build-assurance Tests/Consumer/.build Benchmarks/.build $(VENV) $(SPARK) $(PLOT)
