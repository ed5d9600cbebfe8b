# SPDX-License-Identifier: GPL-2.0-or-later
#
# make            build/numatrace           make test    everything that proves it
# make demo       measure stress-ng here    make lint    formatters and analysers
# make bench      what measuring costs here
# V=1 shows the commands.

B		:= build
CC		?= gcc
CLANG		?= clang
BPFTOOL		?= $(or $(shell command -v bpftool),/usr/sbin/bpftool)
ARCH		:= $(shell uname -m | sed 's/x86_64/x86/;s/aarch64/arm64/')
VERSION		:= 0.1.0
PKGS		:= libbpf smartcols jansson zlib gsl ncursesw
DEBS		:= clang llvm libbpf-dev bpftool libelf-dev zlib1g-dev \
		   libsmartcols-dev libjansson-dev libgsl-dev libncurses-dev pkg-config gcc

ifeq ($(V),1)
Q		:=
msg		=
else
Q		:= @
msg		= @printf '  %-8s %s\n' "$(1)" "$(patsubst $(B)/%,%,$(2))";
endif

WARN		:= -Wall -Wextra -Werror
CFLAGS		?= -O2 -g
DEFS		:= -D_GNU_SOURCE -DNT_VERSION='"$(VERSION)"'
INC		:= -Iuser -Ibpf -I$(B)
ALL_CFLAGS	= -std=gnu11 $(CFLAGS) $(WARN) $(DEFS) $(INC) \
		  $(shell pkg-config --cflags $(PKGS))
LIBS		= $(shell pkg-config --libs $(PKGS)) -lm

SRCS		:= $(sort $(wildcard user/*.c user/*/*.c))
OBJS		:= $(SRCS:%.c=$(B)/%.o)
BPF_HDRS	:= $(wildcard bpf/*.h) vmlinux/vmlinux.h

all: $(B)/numatrace

# One line that names what is missing, before the first compiler error.
$(B)/.deps:
	@miss=; \
	for t in $(CC) $(CLANG) pkg-config; do command -v $$t >/dev/null || miss="$$miss $$t"; done; \
	test -x "$(BPFTOOL)" || miss="$$miss bpftool"; \
	for p in $(PKGS); do pkg-config --exists $$p 2>/dev/null || miss="$$miss $$p"; done; \
	if [ -n "$$miss" ]; then \
		echo "make: missing:$$miss. On Debian: apt install $(strip $(DEBS))" >&2; exit 1; \
	fi
	@mkdir -p $(B); touch $@

$(B)/numatrace: $(OBJS)
	$(call msg,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/numatrace.bpf.o: bpf/numatrace.bpf.c $(BPF_HDRS) | $(B)/.deps
	$(call msg,BPF,$@)
	$(Q)$(CLANG) -g -O2 -Wall -Wextra -Wno-unused-parameter -Werror -target bpf -mcpu=v2 \
		-D__TARGET_ARCH_$(ARCH) -Ibpf -Ivmlinux -c $< -o $@.tmp
	$(Q)$(BPFTOOL) gen object $@ $@.tmp
	$(Q)rm -f $@.tmp

$(B)/numatrace.skel.h: $(B)/numatrace.bpf.o
	$(call msg,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name numatrace_bpf > $@.tmp && mv $@.tmp $@

$(B)/%.o: %.c | $(B)/numatrace.skel.h $(B)/.deps
	$(call msg,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(OBJS): | $(B)/numatrace.skel.h
$(B)/user/collect/bpf_load.o $(B)/user/collect/bpf_read.o $(B)/user/collect/bpf_domains.o \
	$(B)/user/collect/bpf_adopt.o $(B)/user/collect/bpf_snapshot.o \
	$(B)/user/collect/bpf_busiest.o: $(B)/numatrace.skel.h

# --- Tests: the same sources again, under the address and undefined behaviour sanitizers.

SAN		:= -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
		   -fno-omit-frame-pointer
LIB_SRCS	:= $(filter-out user/main.c,$(SRCS))
SAN_OBJS	:= $(LIB_SRCS:%.c=$(B)/san/%.o)
TEST_SRCS	:= $(sort $(wildcard tests/unit/test_*.c tests/golden/test_*.c))
TESTS		:= $(TEST_SRCS:%.c=$(B)/%)

$(B)/san/%.o: %.c | $(B)/numatrace.skel.h $(B)/.deps
	$(call msg,CC-SAN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(SAN) -MMD -MP -c $< -o $@

$(B)/san/libnumatrace.a: $(SAN_OBJS)
	$(call msg,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/tests/%: tests/%.c $(B)/san/libnumatrace.a
	$(call msg,TEST,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -Itests $(SAN) -MMD -MP $< -o $@ $(B)/san/libnumatrace.a \
		$(shell pkg-config --cflags --libs cmocka) $(LIBS) -lutil

# --- Fuzzing: the same sources a third time, by clang, whose libFuzzer drives the targets.

FUZZ_SRCS	:= $(sort $(wildcard tests/fuzz/fuzz_*.c))
FUZZERS		:= $(FUZZ_SRCS:tests/fuzz/fuzz_%.c=$(B)/fuzz/%)
FUZZ_OBJS	:= $(LIB_SRCS:%.c=$(B)/fuzz/%.o) $(B)/fuzz/tests/fuzz/fuzz.o
FUZZ_SECS	?= 3600
FUZZ_SAN	:= -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
		   -fno-omit-frame-pointer

$(B)/fuzz/%.o: %.c | $(B)/numatrace.skel.h $(B)/.deps
	$(call msg,CC-FUZZ,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(ALL_CFLAGS) -Itests/fuzz $(FUZZ_SAN) -fsanitize=fuzzer-no-link -MMD -MP \
		-c $< -o $@

$(B)/fuzz/libnumatrace.a: $(FUZZ_OBJS)
	$(call msg,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/fuzz/%: $(B)/fuzz/tests/fuzz/fuzz_%.o $(B)/fuzz/libnumatrace.a
	$(call msg,FUZZER,$@)
	$(Q)$(CLANG) $(FUZZ_SAN) -fsanitize=fuzzer -o $@ $^ $(LIBS)

fuzzers: $(FUZZERS)

# A minute for each target, as the tests do; and a long campaign: make fuzz FUZZ_SECS=3600.
fuzz-ci: fuzzers
	$(Q)tests/fuzz/run 60

fuzz: fuzzers
	$(Q)tests/fuzz/run $(FUZZ_SECS)

# Makes migrations of a known cause, for the lab.
$(B)/causes: $(wildcard tools/causes/*.c) tools/causes/causes.h
	$(call msg,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 $(CFLAGS) $(WARN) -D_GNU_SOURCE -o $@ $(filter %.c,$^)

# Makes very many of what the collector follows, for the live tests.
$(B)/storm: tools/storm.c
	$(call msg,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 $(CFLAGS) $(WARN) -D_GNU_SOURCE -o $@ $< -lpthread

# Reads what programs cost, beside empty ones.
$(B)/bench/empty.bpf.o: tools/bench.d/empty.bpf.c vmlinux/vmlinux.h | $(B)/.deps
	$(call msg,BPF,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) -g -O2 -Wall -Werror -target bpf -mcpu=v2 -Ivmlinux -c $< -o $@

$(B)/bench/empty.skel.h: $(B)/bench/empty.bpf.o
	$(call msg,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name empty_bpf > $@.tmp && mv $@.tmp $@

$(B)/bench/bpfcost: tools/bench.d/bpfcost.c $(B)/bench/empty.skel.h
	$(call msg,CC,$@)
	$(Q)$(CC) -std=gnu11 $(CFLAGS) $(WARN) -D_GNU_SOURCE -I$(B)/bench -o $@ $< \
		$(shell pkg-config --cflags --libs libbpf)

tests: $(TESTS) $(B)/causes $(B)/storm

# Everything: installs what it needs, then unit, golden, live, fuzz and lab tests.
test:
	$(Q)tools/install-deps test
	$(Q)$(MAKE) --no-print-directory all tests fuzzers
	$(Q)tests/run

# Without fuzzing and guests, a minute.
test-quick: all tests
	$(Q)tests/run --quick

# Every cell of the matrix, and docs/KERNELS.md from what they found: an hour.
test-lab-all: all tests
	$(Q)tools/install-deps test
	$(Q)tools/lab matrix --all --table docs/KERNELS.md

demo:
	$(Q)tools/install-deps demo
	$(Q)$(MAKE) --no-print-directory all
	$(Q)tools/demo

demo-numa:
	$(Q)tools/install-deps lab
	$(Q)$(MAKE) --no-print-directory all
	$(Q)tools/lab run 6.1 2x4 -- numatrace -- stress-ng --fstat 10 -t 10 --metrics

# Up to 15 minutes on an otherwise idle machine; writes docs/BENCHMARKS.md.
bench:
	$(Q)tools/install-deps bench
	$(Q)$(MAKE) --no-print-directory all $(B)/bench/bpfcost
	$(Q)tools/bench docs/BENCHMARKS.md

# Keep the size of each BPF program as it is now; a later one that is 10 % larger fails the tests.
bpf-insns: $(B)/tests/unit/test_bpf_insns
	$(Q)$< --print > tests/bpf-insns

lint: $(B)/numatrace.skel.h
	$(Q)tools/lint

-include $(OBJS:.o=.d) $(SAN_OBJS:.o=.d) $(TESTS:=.d) $(FUZZ_OBJS:.o=.d)

# The lab's kernels stay: they take minutes to fetch.
clean:
	$(Q)rm -rf $(B)/user $(B)/san $(B)/tests $(B)/fuzz $(B)/bench $(B)/numatrace* $(B)/causes $(B)/storm $(B)/.deps

.PHONY: all clean tests fuzzers fuzz fuzz-ci test test-quick test-lab-all demo demo-numa bench bpf-insns lint
.DELETE_ON_ERROR:
.SECONDARY:
