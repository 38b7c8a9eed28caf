# SPDX-License-Identifier: GPL-3.0-or-later
# What is built from which sources, which are found at any depth. Those whose names end in _real.c are built once per
# precision, those in _lanes.c once per precision and variant; those in _cuda.c, and .cu, only where there is nvcc.

SOURCE_FILES  := $(shell find src reference tests \( -path tests/gold -o -path tests/fuzz/corpus \) -prune -o -type f \
               \( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.cu' \) -print | LC_ALL=C sort)
PROGRAM_FILES := $(filter-out src/solver/template/% src/python/%,$(filter src/% reference/%,$(SOURCE_FILES)))
# $(call named,PATTERN...,FILE...): the files of such a name, in any folder.
named      = $(foreach f,$2,$(if $(filter $1,$(notdir $f)),$f))

MAIN      := src/cli/main.c
REAL_SRC  := $(filter %_real.c,$(PROGRAM_FILES))
CUDA_SRC  := $(if $(NVCC),$(filter %.cu,$(PROGRAM_FILES)))
CUDA_REAL := $(filter %_real.cu,$(CUDA_SRC))
CUDA_OBJ  := $(foreach v,$(CUDA_VARIANTS),$(CUDA_REAL:%.cu=$(BUILD)/%.$v.o)) \
             $(patsubst %.cu,$(BUILD)/%.cu.o,$(filter-out $(CUDA_REAL),$(CUDA_SRC)))
NO_CUDA   := $(if $(NVCC),,$(filter %_cuda.c,$(PROGRAM_FILES)))
LANES_SRC := $(filter %_lanes.c,$(PROGRAM_FILES))
SRC       := $(filter-out $(REAL_SRC) $(LANES_SRC) $(NO_CUDA) $(MAIN),$(filter %.c,$(PROGRAM_FILES)))
LANES_OBJ := $(foreach v,$(VARIANTS),$(LANES_SRC:%.c=$(call lanes_in,$v)/%.$v.o))
LIB_OBJ   := $(CUDA_OBJ) $(LANES_OBJ) $(foreach p,$(PRECISIONS),$(REAL_SRC:%.c=$(BUILD)/%.$p.o)) $(SRC:%.c=$(BUILD)/%.o)
MAIN_OBJ  := $(MAIN:%.c=$(BUILD)/%.o)
LIB       := $(BUILD)/libviperbench.a
# The same for test programs, which would fill two gigabytes if each had its own.
TEST_LIB  := $(BUILD)/lib/libviperbench_tests.so
SYMBOLS   := src/solver/plugin/plugin.symbols
# Sources that call CUDA, and the one that is told what the program was built from.
CUDA_USERS := $(filter %_cuda.c %/backends.c %/bench/machine.c,$(SRC))
PROVENANCE := $(filter %/provenance.c,$(SRC))

# Tests: the programs lie side by side in tests/ of the build, whatever the folders of their sources.
TEST_FILES := $(filter tests/%,$(SOURCE_FILES))
# Those of the emulator are linked with it (emulator.mk).
TEST_SRC  := $(filter-out tests/emulator/%,$(call named,test_%.c,$(TEST_FILES)))
TEST_CXX  := $(filter-out tests/emulator/%,$(call named,test_%.cpp,$(TEST_FILES)))
TEST_OBJ  := $(TEST_SRC:%.c=$(BUILD)/%.o) $(TEST_CXX:%.cpp=$(BUILD)/%.o)
TESTS     := $(addprefix $(BUILD)/tests/,$(notdir $(basename $(TEST_SRC) $(TEST_CXX))))
ifneq ($(words $(TESTS)),$(words $(sort $(TESTS))))
$(error Two tests have one name: $(foreach t,$(sort $(TESTS)),$(if $(word 2,$(filter $t,$(TESTS))),$(notdir $t))))
endif
FAKE_SRC  := $(call named,fake_%.c,$(TEST_FILES))
FAKES     := $(foreach f,$(basename $(notdir $(FAKE_SRC))),$(BUILD)/tests/$f.so $(BUILD)/tests/$f_old.so)
# Plug-ins that tests load: built as strangers' are, without our flags.
TEST_PLUGINS := $(patsubst %.c,$(BUILD)/%.so,$(filter tests/plugins/%.c,$(TEST_FILES)))
# Fuzz targets, what they share, and the process of a hostile plug-in; what they watch, for "make fuzz".
FUZZ_SRC  := $(filter-out %/fuzzer.c %/hostile.c,$(filter tests/fuzz/%.c,$(TEST_FILES)))
FUZZ_OBJ  := $(FUZZ_SRC:%.c=$(BUILD)/%.o) $(BUILD)/src/python/reading.o
FUZZED    := $(patsubst %.c,$(BUILD)/%.o,$(filter-out src/bench/% src/viper/%,$(filter src/%,$(SRC))))
FUZZERS   := $(patsubst tests/fuzz/corpus/%,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/corpus/*))
# Planted solvers, and the program that judges studies with them.
JUDGE_SRC   := tests/planted/planted_judge.c
PLANTED_SRC := $(filter-out $(JUDGE_SRC) $(TEST_SRC),$(filter tests/planted/%.c,$(TEST_FILES)))
PLANTED_OBJ := $(PLANTED_SRC:%.c=$(BUILD)/%.o)
JUDGE_OBJ   := $(JUDGE_SRC:%.c=$(BUILD)/%.o)

ALL_C     := $(MAIN) $(SRC) tests/bench/count_steps.c $(REAL_SRC) $(LANES_SRC) $(TEST_SRC) $(FAKE_SRC) $(filter tests/fuzz/%.c,$(TEST_FILES)) $(PLANTED_SRC) $(JUDGE_SRC) $(wildcard src/python/*.c)
ALL_H     := $(filter %.h %.hpp tests/plugins/%.c src/solver/template/%,$(SOURCE_FILES)) $(TEST_CXX)

VERSION   := $(shell sed -n 's/^.define VB_VERSION "\(.*\)"/\1/p' src/base/version.h)
