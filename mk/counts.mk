# SPDX-License-Identifier: GPL-3.0-or-later
# Speed, by counted instructions against tests/bench/counts.txt, and by the clock against another revision.

COMMANDS += counts speed-against

# The program whose steps valgrind counts. Counts of one instruction set are the same on all machines, and valgrind knows
# AVX2 at most: these variants stand before those of the library, which has the widest set of this machine.
COUNTER     := $(BUILD)/tests/count_steps
COUNTED_DIR := $(BUILD)/tests/counted
COUNTED_OBJ := $(foreach v,v3_strict.f64 v3_fast.f32,$(LANES_SRC:%.c=$(COUNTED_DIR)/%.$v.o))

# What no case of the variant executes is compiled quickly: steps of a single body and of lines by sweeps in double, statics.
# Where a case did, it would count several times as many instructions.
UNCOUNTED_v3_strict.f64 := $(addprefix src/viper/cpu/,single/sweeps_lanes.c line/sweeps_lanes.c single/static_lanes.c)
UNCOUNTED_v3_fast.f32   := src/viper/cpu/single/static_lanes.c

# As lanes-rule does, but that valgrind 3.19 lacks one of the two encodings of a move between registers: the one that the
# assembler takes where it is a byte shorter.
define counted-rule
$(COUNTED_DIR)/%.$1.o: %.c $(BUILD)/flags
	$$(call say,CC,$$< ($1))
	@mkdir -p $$(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(call lanes-flags,$1) $$(if $$(filter $(UNCOUNTED_$1),$$<),-O0) -MT $$@ -MF $$(@:.o=.d) -S -o $$@.s $$<
	$(Q)sed -i 's/^\tvmovq\t%xmm[0-9]*, %xmm/\t{load} &/' $$@.s && $(CC) -c -o $$@ $$@.s
endef
$(eval $(call counted-rule,v3_strict.f64))
$(eval $(call counted-rule,v3_fast.f32))

$(COUNTED_DIR)/variants.o: src/viper/cpu/core/variants.c $(BUILD)/flags
	$(call say,CC,$< (v3))
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -D'VIPER_ONLY(X)=X(v3,"x86-64-v3")' -c -o $@ $<

$(COUNTER): $(BUILD)/tests/bench/count_steps.o $(COUNTED_DIR)/variants.o $(COUNTED_OBJ) $(LIB) $(BUILD)/link
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -fopenmp $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) $(RPATH) -o $@ $(filter %.o,$^) $(LIB) $(LIBS)

-include $(BUILD)/tests/bench/count_steps.d $(COUNTED_OBJ:.o=.d) $(COUNTED_DIR)/variants.d

# Without valgrind, which is optional, the counts are skipped and that is told.
counts: need-test ## compare counted instructions of CPU steps with tests/bench/counts.txt; REASON='...' rewrites it
	$(SUBMAKE) $(COUNTER)
	@python3 tests/counts.py --self-test
	@COMPILER='$(call version,$(CC) --version)' JOBS=$(JOBS) python3 tests/counts.py $(COUNTER) $(if $(REASON),'$(subst ','\'',$(REASON))')

speed-against: all ## "make speed-against REV=main": compare times of steps with another revision; CASES='rods:direct-double.one ...'
	@VIPERBENCH_HOME=. PROGRAM=$(BIN) JOBS=$(JOBS) LAUNCH="$(LAUNCH)" tests/speed_against.sh '$(REV)' $(CASES)
