# SPDX-License-Identifier: GPL-3.0-or-later
# How the program and its library are built; included last, for it reads what earlier builds noted.

$(BIN): $(MAIN_OBJ) $(LIB) $(BUILD)/link $(SYMBOLS)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -fopenmp $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) $(RPATH) -Wl,--dynamic-list=$(SYMBOLS) -o $@ $(MAIN_OBJ) $(LIB) $(LIBS)

$(LIB): $(LIB_OBJ) $(BUILD)/objects
	$(call say,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(LIB_OBJ)

$(BUILD)/%.f32.o: %.c $(BUILD)/flags
	$(call say,CC,$< (float))
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(call own-flags,$<) -DVIPER_PRECISION=32 -c -o $@ $<

$(BUILD)/%.f64.o: %.c $(BUILD)/flags
	$(call say,CC,$< (double))
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(call own-flags,$<) -DVIPER_PRECISION=64 -c -o $@ $<

$(BUILD)/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(call own-flags,$<) -c -o $@ $<

$(CUDA_USERS:%.c=$(BUILD)/%.o): $(BUILD)/nvcc
$(PROVENANCE:%.c=$(BUILD)/%.o): $(BUILD)/commit
$(BUILD)/src/viper/cpu/core/variants.o: $(BUILD)/instructions
$(BUILD)/src/report/assets.o: $(wildcard src/report/page/* src/report/player/*)

# Only where files are asked for.
ifneq ($(filter-out $(COMMANDS) $(NAMES) need-% print-%,$(MAKECMDGOALS)),)

# How many lines of "say" there will be: a dry run counts them, which takes a second at most.
ifeq ($(COUNTED)$(V),)
TOTAL := $(filter-out 0 1,$(shell MAKEFLAGS= $(MAKE) -n --no-print-directory COUNTED=yes $(MAKEOVERRIDES) $(MAKECMDGOALS) \
           2>/dev/null | grep -c "^printf '  %s%-5s"))
endif

# $(call stamp,NAME,TEXT): a file that is written only when its text changes.
stamp = $(if $(call differs,$(file <$(BUILD)/$1),$2),$(shell mkdir -p $(BUILD))$(file >$(BUILD)/$1,$2))
differs = $(if $(filter x$(subst $() ,_,$1),x$(subst $() ,_,$2)),,yes)
$(call stamp,flags,$(CC) $(ALL_CFLAGS) $(call test-opt,) $(call brief-opt,src/base/%) $(LANES_PLAIN) $(LANES_OPT) $(foreach i,$(SETS) strict fast,$(LANES_$i)))
$(call stamp,instructions,$(INSTRUCTIONS) $(FAST_DOUBLE))
$(call stamp,checked,$(PROGRAM_FILES))
$(call stamp,nvcc,$(NVCC) $(NVCC_FLAGS) $(NVCC_strict) $(NVCC_fast) $(NVCC_CODE))
$(call stamp,python.flags,$(CC) $(PYTHON_CFLAGS))
$(call stamp,link,$(CC) $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) $(RPATH) $(TEST_CXX_LINK) $(TEST_LINKER) $(SHARED_LINK) $(TEST_LIBS))
$(call stamp,objects,$(LIB_OBJ))
$(call stamp,commit,$(COMMIT) $(DIRTY))
$(call stamp,sources,$(ALL_C) $(SUPPORT_SRC))

-include $(PYTHON_OBJ:.o=.d) $(LIB_OBJ:.o=.d) $(MAIN_OBJ:.o=.d) $(TEST_OBJ:.o=.d) $(FUZZ_OBJ:.o=.d) $(PLANTED_OBJ:.o=.d) $(JUDGE_OBJ:.o=.d) $(SUPPORT_OBJ:.o=.d) \
  $(DEVICE_OBJ:.o=.d)
endif

.DELETE_ON_ERROR:
.SECONDARY:
