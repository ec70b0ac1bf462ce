# make run      install what is missing, build, play the demo aloud
# make test     install the same and the tools of the torture, run every test and a short torture
# make test-all     what make test leaves out: the examples, the public interface, and the page
# make test-page    the phone page in Chromium, Firefox and WebKit, and hostile HTTP against its server (installs them)
# make test-voices  each of many programs at fault whose voices may speak: what is heard, as a table
# make show-voices  other voices as files in .build/voices: who says what, and when their counts begin
# make install  PREFIX=/usr/local DESTDIR=
# make deb      Debian packages of this tree for Debian 13 and Raspberry Pi OS, in .build/deb; ARCH=arm64
# make check-deb    the packages: lintian, size, the same bytes from two folders, install and purge
# make order    measure which functions a workout calls, for the linker (Packaging/functions.gz; 5 min; valgrind)
# make api      write the public interface to Documentation/api, after a change that is meant
# make docs     the documentation of the libraries, as web pages in .build/docs
# make bench    report the measures of Documentation/figures.md
# make sanitize     data races and errors of memory in the engine, its sound and the host; SANITIZERS=thread
# make soak         200 workouts of 10 s by ten clients of the service, while ten pages edit; ARGS=--quick
# make bench-onset  when sounds are heard against when they are due (15 min; ARGS=--quick)
# make bench-history  how long the page takes with 10 000 sessions in the history
# make bench-strangers  what other clients of the sockets do to a workout's cues (15 min; ARGS='--only "1 ms"')
# make bench-hour   the cost of a run of an hour; MINUTES=60
# make listen       whether a speech recogniser understands the announcements over the sounds, and how
#                   much of a count's 0 stands out in eight languages (installs pocketsphinx)
# make fuzz-speech  whether any text crashes or hangs the program; TEXTS=10000
# make fuzz-files   whether any damaged workout file crashes or hangs its reader; FILES=1000000 SEED=1
# make torture      whether a workout survives kills, full disks, power cuts, damaged files, clocks;
#                   KILLS=1000 DAMAGES=10000; ARGS=--short is what the tests run
# make check-debian13   what the README says, in a fresh Debian 13; needs root and 4 GB
# make check-arm64      cross-built for arm64, and run as the processors of a Raspberry Pi under qemu; the same
# make check-machine  the packages on a whole Debian 13 machine in QEMU, with real sound drivers: onsets,
#                   unplugged, suspended, power cut, …; ARGS="onsets suspend" (25 min; root, 6 GB)
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
PRESET ?= demo
RECORDING ?= cuecoach-demo.wav
# Options of a benchmark or a check, as its line above says.
ARGS ?=
SOURCES = Package.swift Sources Tests Benchmarks Examples/Package.swift Examples/Sources Examples/Tests

# lld packs relocations, folds identical code, and leaves out functions that nothing in the program calls, the public
# ones of the packages among them. Optimising for size costs no speed here and saves a megabyte.
SMALL = -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --gc-sections -Xlinker --icf=all \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -Xfrontend -Xswiftc -internalize-at-link

# The Swift runtime is linked statically if the toolchain has it as an archive: the program needs a third
# less memory, and no toolchain to run. The table of symbols for others is left out, which nobody needs of a program.
TOOLCHAIN = $(dir $(realpath $(shell command -v $(SWIFT))))..
STRIP = -Xlinker -s
STATIC = $(shell test -d $(TOOLCHAIN)/lib/swift_static && echo --static-swift-stdlib $(STRIP))
PACKED = $(shell test -x $(TOOLCHAIN)/bin/ld.lld && echo $(SMALL) -Xlinker --no-export-dynamic)

# LINKAGE=shared, as in the packages: the distribution's own runtime. Debug information is kept, for
# detached symbols, and names no folder of the build, so that any folder gives the same bytes.
BUILT_IN ?= $(CURDIR)
SHARED = -Xswiftc -file-prefix-map -Xswiftc $(BUILT_IN)=. -Xcc -ffile-prefix-map=$(BUILT_IN)=. \
  -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
  -Xcc -Os -Xcc -fstack-protector-strong -Xcc -ffunction-sections $(SMALL) -Xlinker --build-id=sha1 \
  -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now

RELEASE_OPTIONS = -c release -Xswiftc -Osize \
  $(if $(filter shared,$(LINKAGE)),$(SHARED),$(STATIC) $(if $(STATIC),$(PACKED)))
# The functions that a workout calls lie side by side: a run takes 3 MB less memory.
ORDER = $(if $(findstring -use-ld=lld,$(RELEASE_OPTIONS)),-Xlinker --symbol-ordering-file=$(CURDIR)/.build/functions \
  -Xlinker --no-warn-symbol-ordering)
RELEASE = $(SWIFT) build $(RELEASE_OPTIONS) $(ORDER)

.PHONY: all order programs run test test-all check-examples test-page test-voices show-voices check-discovery check-records install uninstall release-options api docs deb check-deb bench sanitize soak bench-onset bench-strangers bench-hour bench-history listen told fuzz-speech fuzz-files torture check-debian13 check-arm64 check-machine sounds format lint deps clean

# A process of its own for each: the phone page, MQTT, sensors, buttons, notices, the desktop, a voice.
BESIDES = web mqtt sense buttons notify desktop voice-flite
PROGRAMS = cuecoach $(BESIDES:%=cuecoach-%)

all: build $(BESIDES)

order:
	@Packaging/install-deps valgrind binutils python3
	$(MAKE) build STRIP=
	Packaging/make-order .build/release/cuecoach > .build/functions.gz
	mv .build/functions.gz Packaging/functions.gz

.build/functions: Packaging/functions.gz
	@mkdir -p .build
	gzip --decompress --stdout $< > $@.new
	mv $@.new $@

.PHONY: build
build: deps .build/functions
	$(RELEASE) --product cuecoach

.PHONY: $(BESIDES)
$(BESIDES): deps .build/functions
	$(RELEASE) --product cuecoach-$@

# For other scripts.
programs:
	@echo $(PROGRAMS)

release-options:
	@echo '$(RELEASE_OPTIONS)'

run: build
	.build/release/cuecoach run $(PRESET) --record $(RECORDING)
	@echo "What was heard is in $(RECORDING)."

# A warning is an error. The compiler reports a warning only when it compiles the file, so a file with one
# is touched to report it again the next time. Only failures of tests are shown; .build/test.log has
# everything.
# The torture mostly waits, so it runs alongside the tests. A busy machine makes no test fail: a run in real time
# that was delayed is repeated. Repeated runs are counted; more than a tenth indicates a fault of the program or of
# the tests.
# As a release, the tests take a quarter of the processor's time, and a slow machine keeps up with the workouts that it
# plays: in a debug build the parser of arguments also checks its own declarations at each start, which takes longer than
# most commands. Information for debuggers is not built; that saves time.
TESTED = -c release -Xswiftc -enable-testing -debug-info-format none --scratch-path .build/tests
TEST_BUILD = $(SWIFT) build --build-tests $(TESTED)
# Of all runs in real time since `make test` began, one may be repeated, and a tenth.
COUNT_RUNS = awk '{ again += $$1 - 1 } $$1 > 1 { held = held "\n  " $$0 } \
	  END { printf "%d runs in real time, %d repeated because the machine was busy%s\n", NR, again, held; \
	    exit NR == 0 || again > 1 && again * 10 > NR }' .build/runs
TEST_TOOLS = python3 strace e2fsprogs systemd libxml2 mosquitto mosquitto-clients openssl curl dbus python3-dbus python3-gi \
	asterisk-core-sounds-en-g722
test: lint
	@Packaging/install-deps $(TEST_TOOLS)
	@[ -d .build/human-voice ] || { Tests/voices/asterisk-pack .build/human-voice.new \
	  && mv .build/human-voice.new .build/human-voice; }
	@Tests/check-units
	mkdir -p .build
	$(TEST_BUILD) > .build/test-build.log 2>&1 \
	  || { cat .build/test-build.log; exit 1; }
	@! grep 'warning:' .build/test-build.log \
	  || { sed -n 's/^\(\/[^:]*\):.*warning:.*/\1/p' .build/test-build.log | sort -u | xargs -r touch; exit 1; }
	@rm -f .build/runs
	@Tests/torture .build/tests/release/cuecoach --short > .build/torture.log 2>&1 & torture=$$!; \
	status=0; \
	($(call tested,--skip $(OF_DOCUMENTATION))) || status=1; \
	wait $$torture || status=1; \
	cat .build/torture.log; \
	exit $$status
	@$(COUNT_RUNS)

# They start the program for each command that the documentation shows.
OF_DOCUMENTATION = DocumentationTests
define tested
CUECOACH_RUNS=$(CURDIR)/.build/runs $(SWIFT) test $(TESTED) --skip-build $(1) > .build/test.log 2>&1; passed=$$?; \
	  [ $$passed = 0 ] || grep -a -A 12 -e '✘' -e 'rror:' .build/test.log; tail -n 1 .build/test.log; (exit $$passed)
endef

# What takes longer: the documentation's commands, the examples, the text of the public interface, and the page in
# a browser.
test-all: deps
	@Packaging/install-deps $(TEST_TOOLS) flite
	mkdir -p .build
	$(TEST_BUILD) > .build/test-build.log 2>&1 || { cat .build/test-build.log; exit 1; }
	@Tests/api/check --build .build/tests/release
	@$(call tested,--filter $(OF_DOCUMENTATION))
	@CUECOACH_RUNS=$(CURDIR)/.build/runs Tests/check-examples
	@$(COUNT_RUNS)
	@$(MAKE) --no-print-directory test-page

# The examples alone.
check-examples: deps
	@Packaging/install-deps python3 flite
	$(SWIFT) build --product cuecoach $(TESTED)
	@Tests/check-examples

# The engine, its sound and the host are what runs on several threads. Each sanitizer has a build of its own.
# Tests of the adapters and of the commands are left out: they load C libraries that allocate on behalf of the
# process, or start other programs, which a sanitizer of this process does not see.
# Leaks are looked for by tests of their own: the runtime keeps some memory until the end.
SANITIZERS ?= thread address
SANITIZED = CueSoundTests|CueEngineTests|CoachHostTests
sanitize: deps
	@mkdir -p .build
	@status=0; for sanitizer in $(SANITIZERS); do \
	  tests="--sanitize=$$sanitizer --scratch-path .build/sanitize-$$sanitizer"; \
	  log=.build/sanitize-$$sanitizer.log; \
	  $(SWIFT) build --build-tests $$tests > $$log 2>&1 || { cat $$log; exit 1; }; \
	  TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/sanitize/thread.supp" ASAN_OPTIONS=detect_leaks=0 \
	    $(SWIFT) test --skip-build $$tests --filter '$(SANITIZED)' > $$log 2>&1 || status=1; \
	  ! grep -a -A 40 -e 'WARNING: ThreadSanitizer' -e 'ERROR: AddressSanitizer' \
	    $$log || status=1; \
	  [ $$status = 0 ] || grep -a -A 12 -e '✘' -e 'rror:' $$log; \
	  echo "$$sanitizer: $$(tail -n 1 $$log)"; \
	done; exit $$status

# The two mostly wait, so they run side by side. Playwright brings the driver; the browsers are Debian's.
PLAYWRIGHT = .build/playwright/bin/python
$(PLAYWRIGHT): Tests/page/requirements.txt
	@Packaging/install-deps chromium firefox-esr python3-venv
	python3 -m venv .build/playwright
	.build/playwright/bin/pip install --quiet --requirement Tests/page/requirements.txt
	@touch $@

# The discovery message against Home Assistant's own schemas: release 2025.1, with Python 3.13.
HOMEASSISTANT = .build/homeassistant/bin/python
$(HOMEASSISTANT):
	@command -v python3.13 > /dev/null \
	  || { echo "check-discovery: Home Assistant needs Python 3.13, and there is no python3.13" >&2; exit 1; }
	python3.13 -m venv .build/homeassistant
	.build/homeassistant/bin/pip install --quiet homeassistant==2025.1.4 paho-mqtt==1.6.1
	@touch $@

check-discovery: mqtt $(HOMEASSISTANT)
	@.build/release/cuecoach-mqtt discovery > .build/discovery.json
	$(HOMEASSISTANT) Tests/mqtt/discovery-check .build/discovery.json

# FIT records of real rides, runs and swims, from Debian's source of GoldenCheetah (82 MB), against another reader.
RECORDS = .build/records
$(RECORDS):
	@Packaging/install-deps curl python3-venv
	python3 -m venv .build/fitdecode
	.build/fitdecode/bin/pip install --quiet fitdecode==0.11.0
	curl --silent --show-error --fail --output .build/goldencheetah.tar.gz \
	  http://deb.debian.org/debian/pool/main/g/goldencheetah/goldencheetah_3.5.orig.tar.gz
	echo "d5a12a71b9bd49ec8224aca51807155cddc8863b69abc1c48e54084014115020  .build/goldencheetah.tar.gz" \
	  | sha256sum --check --quiet
	rm -rf $@.new && mkdir $@.new
	tar -xzf .build/goldencheetah.tar.gz -C $@.new --transform 's|.*/||' --wildcards '*.fit' '*.FIT'
	rm .build/goldencheetah.tar.gz
	mv $@.new $@

check-records: build $(RECORDS)
	.build/fitdecode/bin/python Tests/records-check .build/release/cuecoach $(RECORDS)

test-page: build web .build/emulated-card.so $(PLAYWRIGHT)
	@Packaging/install-deps chromium firefox-esr fonts-vlgothic \
	  webkit2gtk-driver gir1.2-gtk-3.0 gir1.2-webkit2-4.1 python3-gi xvfb
	@Tests/page/hostile-test .build/release/cuecoach-web > .build/hostile.log 2>&1 & hostile=$$!; \
	status=0; \
	$(PLAYWRIGHT) Tests/page/browser-test .build/release/cuecoach-web --screenshots .build/page \
	  --coach .build/release/cuecoach .build/emulated-card.so || status=1; \
	wait $$hostile || status=1; \
	cat .build/hostile.log; \
	Tests/page/tls-test .build/release/cuecoach-web || status=1; \
	exit $$status

test-voices: build
	Tests/wyoming/fault-table .build/release/cuecoach

show-voices: build voice-flite
	@Packaging/install-deps python3 asterisk-core-sounds-en-g722
	Tests/voices/show .build/release/cuecoach .build/voices

# The public interface of the library's products as text; after a change of the interface that is meant.
api: deps
	$(TEST_BUILD)
	Tests/api/check --build .build/tests/release --update

# The libraries' documentation as one set of pages for a web server: .build/docs/documentation. A page of one library
# links to those of another. A warning of DocC, such as a link that leads nowhere, is an error.
LIBRARIES = Instants Targets IntervalTimeline Phrases CueSound Speech CueEngine CoachHost CoachService ControlProtocol ControlSocket ALSAOutput EspeakSpeech \
  SoundFiles SessionStore Presets ForeignWorkouts InstalledFiles CueTesting
docs: deps
	@rm -rf .build/docs && mkdir -p .build/docs
	@$(SWIFT) package --package-path Packaging/docc --scratch-path .build/docc \
	  --allow-writing-to-directory .build/docs generate-documentation \
	  $(addprefix --target ,$(LIBRARIES)) --enable-experimental-combined-documentation \
	  --transform-for-static-hosting --output-path .build/docs \
	  > .build/docs.log 2>&1 || { cat .build/docs.log; exit 1; }
	@! grep -A 4 'warning:.*\(doesn.t exist\|not found\|Unknown\|ambiguous\)' .build/docs.log || exit 1
	@Packaging/install-deps python3
	@Packaging/docc/check-pages .build/docs $(LIBRARIES)

lint: deps
	@if $(SWIFT) format --version > /dev/null 2>&1; then \
	  $(SWIFT) format lint --strict --recursive --parallel $(SOURCES); \
	else echo "This toolchain has no swift format: the layout is not checked."; fi

format:
	$(SWIFT) format format --in-place --recursive --parallel $(SOURCES)

# Where each shell looks for completions.
COMPLETIONS = $(foreach program,$(PROGRAMS),bash-completion/completions/$(program) \
  zsh/site-functions/_$(program) fish/vendor_completions.d/$(program).fish)
MAN = $(DESTDIR)$(PREFIX)/share/man/man1

# The manual pages are made of the same text as --help.
install:
	@(for program in $(PROGRAMS); do test -x .build/release/$$program || exit 1; done) \
	  || { echo "Build it first: make" >&2; exit 1; }
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/cuecoach
	install -m 755 $(PROGRAMS:%=.build/release/%) $(DESTDIR)$(PREFIX)/bin/
	rm -rf $(DESTDIR)$(PREFIX)/share/cuecoach/Presets
	cp -R Sounds Presets Page $(DESTDIR)$(PREFIX)/share/cuecoach/
	rm $(DESTDIR)$(PREFIX)/share/cuecoach/Sounds/make-sounds $(DESTDIR)$(PREFIX)/share/cuecoach/Page/make-icons $(DESTDIR)$(PREFIX)/share/cuecoach/Page/make-silence
	cp -R Packaging/mqtt $(DESTDIR)$(PREFIX)/share/cuecoach/
	install -m 644 Packaging/avahi/cuecoach.service $(DESTDIR)$(PREFIX)/share/cuecoach/cuecoach.avahi
	install -d $(sort $(dir $(COMPLETIONS:%=$(DESTDIR)$(PREFIX)/share/%)))
	@set -e; cd $(DESTDIR)$(PREFIX)/share; for program in $(PROGRAMS); do \
	  for completion in bash:bash-completion/completions/$$program zsh:zsh/site-functions/_$$program \
	      fish:fish/vendor_completions.d/$$program.fish; do \
	    $(CURDIR)/.build/release/$$program --generate-completion-script $${completion%%:*} > $${completion#*:}; \
	    chmod 644 $${completion#*:}; \
	  done; \
	done
	@set -e; if command -v python3 > /dev/null; then \
	  install -d $(MAN); \
	  for program in $(PROGRAMS); do Packaging/make-man $(MAN) .build/release/$$program; done; \
	  chmod 644 $(MAN)/cuecoach*.1; \
	else echo "There is no python3: the manual pages are not installed." >&2; fi

uninstall:
	rm -f $(PROGRAMS:%=$(DESTDIR)$(PREFIX)/bin/%) $(COMPLETIONS:%=$(DESTDIR)$(PREFIX)/share/%) \
	  $(MAN)/cuecoach.1 $(MAN)/cuecoach-*.1
	rm -rf $(DESTDIR)$(PREFIX)/share/cuecoach

ARCH ?= $(shell dpkg --print-architecture)
deb:
	@Packaging/make-deb $(ARCH)

check-deb:
	@Tests/debian13/check-deb $(ARCH)

# C libraries that tests and benchmarks load by path. Renamed into place, because a test may be using one.
LIBRARY = mkdir -p .build && $(CC) -shared -fPIC -O2 -o $@.new
.build/emulated-card.so: $(wildcard Tests/EmulatedCard/*.c Tests/EmulatedCard/*.h \
    Tests/EmulatedCard/include/*.h)
	$(LIBRARY) -ITests/EmulatedCard/include Tests/EmulatedCard/*.c -lasound && mv $@.new $@

.build/allocation-watch.so: $(wildcard Tests/AllocationWatch/*.c Tests/AllocationWatch/include/*.h)
	$(LIBRARY) -ITests/AllocationWatch/include Tests/AllocationWatch/*.c -ldl && mv $@.new $@

bench: build web .build/emulated-card.so
	$(RELEASE) --product cuecoach-bench
	.build/release/cuecoach-bench
	Benchmarks/process-bench .build/release/cuecoach .build/emulated-card.so
	Benchmarks/serve-bench .build/release/cuecoach .build/emulated-card.so
	Benchmarks/page-bench .build/release/cuecoach-web

soak: build web .build/emulated-card.so
	Benchmarks/serve-bench .build/release/cuecoach .build/emulated-card.so --soak \
	  --web .build/release/cuecoach-web $(ARGS)

bench-onset: build web buttons .build/emulated-card.so
	$(RELEASE) --product cuecoach-bench
	Benchmarks/onset-bench .build/release/cuecoach .build/emulated-card.so $(ARGS)

bench-strangers: build .build/emulated-card.so
	Benchmarks/strangers-bench .build/release/cuecoach .build/emulated-card.so $(ARGS)

# The page with 10 000 sessions in the history.
bench-history: build web .build/emulated-card.so $(PLAYWRIGHT)
	$(PLAYWRIGHT) Benchmarks/history-bench .build/release/cuecoach-web .build/release/cuecoach .build/emulated-card.so $(ARGS)

bench-hour: build .build/emulated-card.so
	Benchmarks/process-bench .build/release/cuecoach .build/emulated-card.so --hour $(MINUTES)

listen: build
	Benchmarks/listen .build/release/cuecoach $(ARGS)

# What a listener is told; ARGS may name other workouts and folders, and --missing and --strict.
told: build
	@Packaging/install-deps python3
	Benchmarks/told .build/release/cuecoach $(ARGS)

TEXTS ?= 10000
fuzz-speech: build
	Benchmarks/fuzz-speech .build/release/cuecoach --texts $(TEXTS) $(ARGS)

FILES ?= 1000000
SEED ?= 1
fuzz-files: deps
	$(RELEASE) --product fuzz-files
	.build/release/fuzz-files $(FILES) $(SEED)

KILLS ?= 1000
DAMAGES ?= 10000
torture: build
	Tests/torture .build/release/cuecoach --kills $(KILLS) --damages $(DAMAGES) $(ARGS)

check-debian13:
	@Tests/debian13/check-debian13

check-arm64:
	@Tests/debian13/check-arm64

# What the packages are made of: those in .build/deb are made anew when any of it has changed.
PACKAGED = Package.swift Makefile Sources Packaging Page Presets Sounds Documentation README.md LICENSE CHANGELOG.md
check-machine:
	@[ "$$(id -u)" != 0 ] || Packaging/install-deps debootstrap qemu-system-x86 e2fsprogs python3-pip
	@deb=$$(ls -t .build/deb/cuecoach_*_amd64.deb 2> /dev/null | head -n 1); \
	test -n "$$deb" -a -z "$$(find $(PACKAGED) -newer "$$deb" -print -quit)" || $(MAKE) deb
	Tests/machine/check .build/deb $(ARGS)

sounds: build
	Sounds/make-sounds .build/release/cuecoach

deps:
	@Packaging/install-deps

clean:
	rm -rf .build
