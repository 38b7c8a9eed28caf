# SPDX-License-Identifier: GPL-3.0-or-later
# The CUDA backend without a device: tests and the program, linked with an emulator in place of CUDA's runtime. It
# interprets the PTX of the host objects (tests/emulator/README.md).

COMMANDS += emulate emulated executed recount
EIGHTHS  := 6/8 3/8 2/8 5/8 0/8 7/8 1/8 4/8 # the longest first
EMULATE  := $(patsubst %viperbench,%viperbench-emulated,$(BIN))

emulate: all ## build bin/viperbench-emulated, which runs "--backend cuda" without a device
	@$(if $(NVCC),,echo 'This needs nvcc.'; exit 1)
	$(SUBMAKE) $(EMULATE)

emulated: tests ## run the tests of the CUDA backend in the emulator, and print the executed share of kernels; slow
	@$(if $(NVCC),,echo 'This needs nvcc.'; exit 1)
	$(SUBMAKE) $(EMULATED)
	@rm -rf $(BUILD)/tests/coverage && mkdir -p $(BUILD)/tests/coverage
	@ALL=1 EMULATOR_COVERAGE=$(BUILD)/tests/coverage VIPERBENCH=$(abspath $(BIN)) VIPERBENCH_HOME=$(CURDIR) JOBS=$(JOBS) \
	  LOGS=$(BUILD)/tests/logs LIMIT=3600 tests/run.sh $(addprefix $(BUILD)/tests/test_emulator_studies:,$(EIGHTHS)) \
	  $(addprefix $(EMULATED):,0/2 1/2) $(addprefix $(BUILD)/tests/test_emulator_,steps graphs backend rates counts defects opcodes clock)
	@tests/emulator/coverage.py $(BUILD)/tests/coverage

executed: all ## list functions of the CUDA backend's host code that no test in the emulator executes
	@$(if $(NVCC),,echo 'This needs nvcc.'; exit 1)
	$(SUBMAKE) $(EXECUTED)
	@find $(BUILD)/tests/executed -name '*.gcda' -delete
	@for test in $(EXECUTED); do VIPERBENCH_HOME=$(CURDIR) $$test > $$test.log || exit 1; done
	@tests/emulator/executed.py $(BUILD)/tests/executed

recount: tests ## rewrite tests/emulator/counts.txt, the counts of kernels
	@$(if $(NVCC),,echo 'This needs nvcc.'; exit 1)
	@RECOUNT=1 VIPERBENCH_HOME=$(CURDIR) $(BUILD)/tests/test_emulator_counts
	@git --no-pager diff --stat -- tests/emulator/counts.txt

ifneq ($(NVCC),)
EMULATOR_DIR  := tests/emulator
EMULATOR_SRC  := $(filter-out $(EMULATOR_DIR)/test_%,$(filter $(EMULATOR_DIR)/%.cpp,$(TEST_FILES)))
EMULATOR_OBJ  := $(EMULATOR_SRC:%.cpp=$(BUILD)/%.o)
# What it counts, for "bench --count". It includes nothing of the program itself: it is compiled without -Isrc.
COUNTS_OBJ    := $(BUILD)/tests/support/cuda/kernel_counts.o
$(COUNTS_OBJ): DEP_CFLAGS += $(CUDA_CFLAGS)
EMULATOR      := $(BUILD)/tests/libemulator.a
# Registers are arrays of 32 lanes, for vectors of the processor; integers wrap; strict floating point.
EMULATOR_CXXFLAGS = -std=c++17 -Wall -Wextra $(HARDEN) -g1 -O3 $(call accepts,-march=x86-64-v3) -fwrapv -fno-strict-aliasing \
                    -ffp-contract=off $(CUDA_CFLAGS) -MMD -MP
EMULATED_LIB  := $(BUILD)/lib/libviperbench_emulated.so
EMULATED_LINK = -Wl,--whole-archive $(EMULATOR) -Wl,--no-whole-archive $(filter-out %/libcudart_static.a,$(TEST_LIBS)) -lstdc++

$(EMULATOR_OBJ): $(BUILD)/$(EMULATOR_DIR)/%.o: $(EMULATOR_DIR)/%.cpp $(BUILD)/flags $(BUILD)/nvcc
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(EMULATOR_CXXFLAGS) -c -o $@ $<

$(EMULATOR): $(EMULATOR_OBJ) $(COUNTS_OBJ)
	$(call say,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# Tests of the emulator itself, and those of the backend that need no clocks.
EMULATOR_TESTS := $(addprefix $(BUILD)/tests/,$(basename $(notdir $(wildcard $(EMULATOR_DIR)/test_*.c $(EMULATOR_DIR)/test_*.cpp))))
EMULATED       := $(BUILD)/tests/test_cuda_device_emulated
EMULATOR_CU    := $(patsubst %.cu,$(BUILD)/%.cu.o,$(filter $(EMULATOR_DIR)/%.cu,$(TEST_FILES)))
$(foreach t,$(EMULATOR_TESTS),$(eval $t: $(BUILD)/$(EMULATOR_DIR)/$(notdir $t).o $(EMULATOR_CU)))
$(EMULATED): $(BUILD)/tests/viper/cuda/test_cuda_device.o $(SUPPORT_OBJ) $(DEVICE_OBJ)
$(EMULATOR_TESTS) $(EMULATED): $(BUILD)/link | $(EMULATED_LIB)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(TEST_CXX_LINK) -fopenmp $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) $(RPATH) -o $@ $(filter %.o,$^) $(EMULATED_LIB) \
	  $(filter-out %/libcudart_static.a,$(TEST_LIBS))

$(EMULATED_LIB): $(LIB) $(EMULATOR) $(BUILD)/link
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(TEST_CXX_LINK) $(SHARED_LINK) -o $@ -Wl,--whole-archive $(LIB) -Wl,--no-whole-archive $(EMULATED_LINK)

# The host's code of the backend once more, compiled to note which of its functions are executed.
EXECUTED_SRC := $(filter src/viper/cuda/%,$(SRC) $(REAL_SRC))
EXECUTED_OBJ := $(patsubst %.c,$(BUILD)/tests/executed/%.o,$(filter-out $(REAL_SRC),$(EXECUTED_SRC))) \
                $(foreach p,$(PRECISIONS),$(patsubst %.c,$(BUILD)/tests/executed/%.$p.o,$(filter $(REAL_SRC),$(EXECUTED_SRC))))
EXECUTED     := $(addprefix $(BUILD)/tests/executed/test_emulator_,backend steps studies)
EXECUTED_CFLAGS = $(ALL_CFLAGS) $(CUDA_CFLAGS) --coverage
$(BUILD)/tests/executed/%.f32.o: %.c $(BUILD)/flags
	$(call say,CC,$< (float, executed))
	@mkdir -p $(@D)
	$(Q)$(CC) $(EXECUTED_CFLAGS) -DVIPER_PRECISION=32 -c -o $@ $<
$(BUILD)/tests/executed/%.f64.o: %.c $(BUILD)/flags
	$(call say,CC,$< (double, executed))
	@mkdir -p $(@D)
	$(Q)$(CC) $(EXECUTED_CFLAGS) -DVIPER_PRECISION=64 -c -o $@ $<
$(BUILD)/tests/executed/%.o: %.c $(BUILD)/flags
	$(call say,CC,$< (executed))
	@mkdir -p $(@D)
	$(Q)$(CC) $(EXECUTED_CFLAGS) -c -o $@ $<
$(EXECUTED): $(BUILD)/tests/executed/%: $(BUILD)/$(EMULATOR_DIR)/%.o $(EXECUTED_OBJ) $(LIB) $(EMULATOR)
	$(call say,LINK,$@)
	$(Q)$(CXX) $(TEST_CXX_LINK) -fopenmp $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) $(RPATH) --coverage -o $@ $(filter %.o,$^) $(LIB) $(EMULATED_LINK)

$(EMULATE): $(MAIN_OBJ) $(LIB) $(EMULATOR) $(BUILD)/link $(SYMBOLS)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(TEST_CXX_LINK) -fopenmp $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) $(RPATH) -Wl,--dynamic-list=$(SYMBOLS) -o $@ $(MAIN_OBJ) $(LIB) $(EMULATED_LINK)

-include $(wildcard $(BUILD)/$(EMULATOR_DIR)/*.d) $(COUNTS_OBJ:.o=.d)
endif
EMULATED_TESTS := $(EMULATOR_TESTS)
