# closer-keys: what can be made. `make` lists it.

PREFIX ?= /usr/local
VENV := .venv
PYTHON := $(VENV)/bin/python
# Of its own, since it holds all of Apache Spark.
SPARK := .venv-spark
# Of its own, too: nothing else is drawn.
PLOT := .venv-plot
PROGRAM := .build/release/closer-keys
# Where the linker finds the C++ library of Swift's runtime as archives alone: to look up 4,300 of its names took a seventh of a start.
ARCHIVES := .build/archives
# Bound when it starts: to find a function at its first call saves registers on the stack, and a secret may be in them.
# No library is looked for beside the program: a folder for downloads may have anybody's.
RELEASE := swift build -c release --static-swift-stdlib --disable-local-rpath --product closer-keys -Xswiftc -L$(CURDIR)/$(ARCHIVES) -Xlinker -z -Xlinker now
BENCH := swift build --quiet -c release --static-swift-stdlib --package-path Benchmarks
# All that is built with swift-crypto shares one folder, so that its hundreds of C files are compiled once.
SECOND_BENCH := swift build --quiet -c release --scratch-path .build-kit --package-path Benchmarks --traits CryptoKit --product bench
# What `make check` proves; `make checks` lists these and a few more.
CHECKS := lint walls prose promises unit contract long apple apple-types unproven undocumented comments smoke demo memory constant-time faults consumer example isolation foundation kit ondevice cryptokit man adapters \
	wycheproof interop live android attacks fuzz docs pictures package instructions

.DEFAULT_GOAL := help
.PHONY: help deps build demo test check checks docs install dist bench format clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-8s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: deps build ## install what is missing, build, and show the main job on real input
	@scripts/demo $(PROGRAM)

build: deps ## build the release program, and say where it is
	@scripts/archives $(ARCHIVES)
	@$(RELEASE)
	@$(if $(filter build,$(MAKECMDGOALS)),echo $(PROGRAM))

test: ## install what is missing, build, run the tests that a newcomer waits for; 5 minutes
	@scripts/check-all unit smoke

check: ## prove everything; an hour on a quiet machine, and one proof with make check-NAME: make checks lists them
	@CLOSER_KEYS_EFFORT=full CLOSER_KEYS_SEARCH_DEPTH=$${CLOSER_KEYS_SEARCH_DEPTH:-5} CLOSER_KEYS_DIFFERENTIAL=$${CLOSER_KEYS_DIFFERENTIAL:-10000} \
		CLOSER_KEYS_KILLS=$${CLOSER_KEYS_KILLS:-320} FAULTS=$${FAULTS:-440} scripts/check-all $(CHECKS)

checks:
	@scripts/check

check-%:
	@scripts/check $*

bench: deps build $(VENV)/ready $(PLOT)/ready ## print ratios against peers, and keep them in Benchmarks/RESULTS.md; 10 minutes
	@scripts/install-deps bench
	@$(SECOND_BENCH)
	@for product in empty answerer bench; do $(BENCH) --product $$product || exit 1; done
	@$(MAKE) --no-print-directory install DESTDIR=$(CURDIR)/.build/installed PREFIX=/usr >/dev/null
	@strip "$$($(BENCH) --show-bin-path)/empty"
	@# Written front to back, as a package writes them: what strip has written is slower to load until it leaves the cache.
	@for file in .build/installed/usr/bin/closer-keys "$$($(BENCH) --show-bin-path)/empty"; do cp "$$file" "$$file.copy" && mv "$$file.copy" "$$file" || exit 1; done
	@"$$($(BENCH) --show-bin-path)/bench" --program .build/installed/usr/bin/closer-keys --python $(PYTHON) --results Benchmarks \
		--second "$$($(SECOND_BENCH) --show-bin-path)/bench"
	@$(PLOT)/bin/python Benchmarks/plot.py Benchmarks

docs: deps ## build the documentation of the library
	@scripts/docs

install: ## install program, man pages and shell completions below PREFIX
	@test -x $(PROGRAM) || { echo "run make build first, as yourself" >&2; exit 1; }
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man7
	install -s -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 man/*.7 $(DESTDIR)$(PREFIX)/share/man/man7
	scripts/install-completions $(PROGRAM) $(DESTDIR)$(PREFIX)/share

dist: build ## make a release's files in dist/: a Debian package, a tarball, checksums
	@scripts/install-deps dist
	@scripts/dist $(PROGRAM)

format: ## rewrite every Swift file in the project's format
	@scripts/checks.d/lint format --in-place

clean: ## remove what was built
	rm -rf .build .build-* dist Tests/Consumer/.build Examples/Couple/.build Benchmarks/.build $(VENV) $(SPARK) $(PLOT)

deps:
	@scripts/install-deps

$(VENV)/ready: Tests/Interop/requirements.txt vectors/make/requirements.txt
$(SPARK)/ready: Tests/Spark/requirements.txt
$(PLOT)/ready: Benchmarks/requirements.txt
$(VENV)/ready $(SPARK)/ready $(PLOT)/ready: | deps
	@python3 -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check $(addprefix -r ,$^)
	@touch $@
