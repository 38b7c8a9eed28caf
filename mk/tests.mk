# SPDX-License-Identifier: GPL-3.0-or-later
# The test programs and what they need, and the commands that run them and other checks of the program.

COMMANDS += planted pages sets tests tests-of test asan fuzz tsan nightly mutate mutate-gold mutate-findings extend regress regold bands flags
# In "make regress NAME...", "make regold NAME..." and "make planted NAME..." the other goals are names of studies.
ifneq ($(filter regress regold planted,$(firstword $(MAKECMDGOALS))),)
NAMES := $(wordlist 2,$(words $(MAKECMDGOALS)),$(MAKECMDGOALS))
$(NAMES):
	@:
endif
.PHONY: $(NAMES)

# With GOLD_RUNS=build/tests/gold_runs the runs that the tests left there are compared.
regress: all ## compare all studies with their gold results, or "make regress NAME..."
	@VIPERBENCH_HOME=. PROGRAM=$(BIN) NOW=$(or $(GOLD_RUNS),$(BUILD)/regress) KEPT=$(GOLD_RUNS) tests/regress.sh check $(NAMES)

regold: all ## "make regold NAME...": rewrite these gold results and bands of findings, and print the changes
	@VIPERBENCH_HOME=. PROGRAM=$(BIN) NOW=$(BUILD)/regress tests/regress.sh regold $(NAMES)

# By default what CI has time for, two seconds of a processor for a study: the rest is undecided there and left to "make
# nightly". So are by name a study whose single run takes a third of the time of all others, and kinds of studies that the
# time ends before a gate fails, or whose first run takes ten seconds.
PLANTED ?= --limit 2 --without octopus_skins,$(subst $() ,$(COMMA),$(foreach s,flesh_contact rope_contact,$s:half-step $s:stale) \
             $(addsuffix :stale,fem_bundle stacks rods_compared umetani_ring))
planted: ## run all studies with solvers that have a known fault, which gates must detect, or "make planted NAME..."
	$(SUBMAKE) $(BUILD)/planted/viperbench $(BUILD)/planted/judge
	@VIPERBENCH_HOME=. JUDGE=$(BUILD)/planted/judge JOBS=$(JOBS) python3 tests/planted.py $(PLANTED) $(NAMES)

bands: all ## set the bands of all findings to their present values; finished runs in results/ are reused
	@VIPERBENCH_HOME=. $(BIN) run all --tier quick --out $(OUT) --write-bands

flags: all ## compare programs of other flags and another compiler with the gold results; slow
	@VIPERBENCH_HOME=. JOBS=$(JOBS) tests/system/flags.sh $(BUILD)/other-flags

# All but what LEAVE names, without "test_".
RUN_TESTS = $(filter-out $(LEAVE:%=$(BUILD)/tests/test_%),$(TESTS))

tests: need-test ## build the program and the tests
	$(SUBMAKE) $(BIN) $(PYTHON_LIB) $(RUN_TESTS) $(EMULATED_TESTS) $(TEST_PLUGINS)

tests-of: ## "make tests-of FILE=src/gate/gate.h": list the test programs that cover these files
	@python3 tests/covers.py $(or $(FILE),$(error Say which file: make tests-of FILE=src/gate/gate.h))

# These begin first, in this order, so that no processor waits for one of them in the end.
LONGEST := $(addprefix $(BUILD)/tests/test_,cli_score problem plugin lua_study cli_live results_hostile cli_report hostile_arguments energies \
             fuzz_corpus viperize_shapes python_solver cli_bench bundle_minimum results_trial sweep python_package articulated_touch plot)
# One more at a time than there are processors, where there are several: an eighth of their time is that of waiting.
test: tests ## build and run the tests
	@VIPERBENCH=$(abspath $(BIN)) VIPERBENCH_HOME=$(CURDIR) JOBS=$$(($(JOBS) + ($(JOBS) > 1))) LOGS=$(BUILD)/tests/logs \
	  GOLD_RUNS=$(BUILD)/tests/gold_runs $(RUNNER) tests/run.sh $(EMULATED_TESTS) $(filter $(RUN_TESTS),$(LONGEST)) $(filter-out $(LONGEST),$(RUN_TESTS))

# Pages whose commands are run as they stand there.
PAGES := README.md src/cli/README.md src/render/README.md $(wildcard scenarios/first_steps/*.md)
pages: need-test all ## run the commands that README.md and other pages show
	@JOBS=$(JOBS) tests/system/pages.py $(PAGES)

# The page of the sets of a scene, which a test compares with the schema.
sets: $(BUILD)/tests/test_schema ## regenerate src/scene/SETS.md
	@SETS_PAGE=src/scene/SETS.md $<

# What takes longest under sanitizers for code that other programs run there, too, or that is not built with them. FEW=yes
# leaves these out, and takes the time steps in SIMD lanes as they are in BUILD. Those of the last eight lines run no source
# that a program that stays does not (tests/covers.py).
SLOW_ASAN := bench bundle_contact_forces bundle_minimum cli_bench cli_compare cli_report cli_terminal \
             cuda_plan energies fuzz_corpus lua_study plot plot_hostile plugin python_package python_solver results_kill \
             sweep umetani viper_lanes viper_lanes_fast waiting problem plot_page cosserat_motion \
             articulated_touch bundle_contact contact contact_passing planted_judge study_findings umetani_constraints umetani_triangles \
             viper_methods viperize viperize_shapes viper_contact viper_statics viper_residual viper_spin settings \
             neohookean elimination capsule_fit articulated_accelerate frame_pin similarity ribbon \
             lua_limits kill viper_bdf2 cli_score articulated_flesh articulated_contact cli_problem cuda_pairs \
             hostile_arguments output_policy cli_inputs skin_fit viper_moments contact_friction \
             method bergou umetani_contact articulated_parts articulated_linked articulated_reach articulated_minimum falling_rod \
             warm_start contact_forces cosserat viper_xpbd viper_closed_forms follower_load rest_curvature energy_invariance \
             umetani_collider closed_constraint closed_descent energy_quadrature umetani_errata errata contact_cones
asan: all ## run the tests with address and undefined-behavior sanitizers, in build-asan/; FEW=yes: without the slowest
	+@LIMIT=600 $(MAKE) --no-print-directory BUILD=build-asan FAST_BUILD=$(BUILD) NVCC= OPT=-O1 \
	  SANITIZE=address,undefined LEAVE='$(if $(FEW),$(SLOW_ASAN))' test
	@$(if $(FEW),echo 'Left to "make asan" without FEW: the lanes and $(words $(SLOW_ASAN)) programs: $(SLOW_ASAN)')

fuzz: need-fuzz all ## fuzz the readers of scripts and files, TIME=60 s per target
	+@CC=$(FUZZ_CC) JOBS=$(JOBS) TIME='$(or $(TIME),60)' RUNS='$(RUNS)' tests/fuzz/run.sh $(BUILD)

tsan: need-fuzz all ## run threaded code under ThreadSanitizer, in build-tsan/
	+@CC=$(FUZZ_CC) JOBS=$(JOBS) tests/system/tsan.sh $(BUILD)

nightly: need-ci ## run the long checks: sanitizers over all tests, fuzz targets (TIME=600), the emulator, kills, flags
	+@TIME=$(TIME) .ci/nightly

extend: need-extend ## add an option, a set, a term, a method, a solver, by patches of at most three files, each of which must be needed; FEW=yes: only complete patches
	@CC='$(CC)' JOBS=$(JOBS) FEW='$(FEW)' tests/extend.sh

mutate: need-test all ## plant wrong signs and factors, which tests must detect; FEW=yes: only in VIPER
	+@tests/mutate.sh
ifneq ($(FEW),)
	@echo 'Left to "make mutate" without FEW: umetani, articulated'
else
	@JOBS=$(JOBS) tests/mutate_umetani.sh
	@CC='$(CC)' FLAGS='$(filter-out -MMD -MP,$(ALL_CFLAGS))' LIBS='$(LIBS)' OBJECTS='$(LIB)' JOBS=$(JOBS) \
	  tests/mutate_articulated.sh
endif

mutate-gold: need-test all ## change stiffnesses by 1 %, one at a time, which gold results must detect
	@VIPERBENCH_HOME=. CC='$(CC)' FLAGS='$(filter-out -MMD -MP,$(ALL_CFLAGS))' LIBS='$(LIBS)' PROGRAM=$(BIN) \
	  OBJECTS='$(MAIN_OBJ) $(LIB)' JOBS=$(JOBS) tests/mutate_gold.sh

mutate-findings: need-test all ## plant regressions, one at a time, each of which must move a finding out of its band
	@VIPERBENCH_HOME=. CC='$(CC)' FLAGS='$(filter-out -MMD -MP,$(ALL_CFLAGS))' LIBS='$(LIBS)' PROGRAM=$(BIN) \
	  OBJECTS='$(MAIN_OBJ) $(LIB)' JOBS=$(JOBS) tests/mutate_findings.sh


$(foreach s,$(TEST_SRC) $(TEST_CXX),$(eval $(BUILD)/tests/$(basename $(notdir $s)): $(BUILD)/$(basename $s).o))
# Programs whose objects replace some of the library's, and the one that calls CUDA itself, have a copy of it.
STATIC_TESTS := $(addprefix $(BUILD)/tests/test_,cuda_device planted)
$(STATIC_TESTS): $(LIB)
$(filter-out $(STATIC_TESTS),$(TESTS)): | $(TEST_LIB)
$(TESTS): $(BUILD)/link
	$(call say,LINK,$@)
	$(Q)$(if $(filter $(@F).cpp,$(notdir $(TEST_CXX))),$(CXX) $(TEST_CXX_LINK),$(CC) $(TEST_LINKER)) -fopenmp $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) $(RPATH) -o $@ $(filter %.o,$^) $(filter $(LIB) $(TEST_LIB),$^ $|) $(TEST_LIBS)

# What it calls of itself is its own, as in a program.
SHARED_LINK = -shared -Wl,-soname,$(@F) -fopenmp $(CFLAGS) -Wl,-Bsymbolic -Wl,-z,relro,-z,now $(LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN'
$(TEST_LIB): $(LIB) $(BUILD)/link
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SHARED_LINK) -o $@ -Wl,--whole-archive $(LIB) -Wl,--no-whole-archive $(LIBS)

# Programs whose solvers have a known fault: the command line, and the judge of studies. Their own table of solvers comes
# before that of the library.
$(BUILD)/tests/test_planted: $(PLANTED_OBJ)
$(BUILD)/tests/test_planted_judge: | $(BUILD)/planted/judge
$(BUILD)/planted/viperbench: $(MAIN_OBJ)
$(BUILD)/planted/judge: $(JUDGE_OBJ)
$(BUILD)/planted/viperbench $(BUILD)/planted/judge: $(PLANTED_OBJ) $(LIB) $(BUILD)/link $(SYMBOLS)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -fopenmp $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) $(RPATH) -Wl,--dynamic-list=$(SYMBOLS) -o $@ $(filter %.o,$^) $(LIB) $(LIBS)

# The headers of the mathematics are the common subset of C11 and C++17: this is compiled as C++.
$(BUILD)/%.o: %.cpp $(BUILD)/flags
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(TEST_CXXFLAGS) $(DEP_CFLAGS) -c -o $@ $<

# Fuzz targets: run over their corpora by a test; and by libFuzzer ("make fuzz"), watched by sanitizers where they
# read what others made. The rest of the program is FAST_BUILD's, as it is.
$(BUILD)/tests/test_fuzz_corpus: $(FUZZ_OBJ) | $(BUILD)/tests/hostile
$(BUILD)/tests/hostile: tests/fuzz/hostile.c src/solver/plugin/channel.h src/solver/plugin/pack.h src/solver/solver.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra -O1 -g -Isrc -o $@ $<

$(BUILD)/tests/fuzzer: $(BUILD)/tests/fuzz/fuzzer.o $(FUZZ_OBJ) $(FUZZED) $(FAST_BUILD)/libviperbench.a $(BUILD)/link
	$(call say,LINK,$@)
	$(Q)$(CC) -fsanitize=fuzzer -fopenmp $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) -o $@ $(filter %.o,$^) $(FAST_BUILD)/libviperbench.a $(LIBS)

$(FUZZERS): $(BUILD)/tests/fuzzer | $(BUILD)/tests/hostile
	@mkdir -p $(@D)
	@ln -sf ../tests/fuzzer $@

fuzzers: $(FUZZERS)

# The terms of the energy by themselves, in C and on a device. Without a device here, what the latter do is left to the
# emulator ("make emulated").
SUPPORT_SRC := $(filter tests/%_real.c,$(TEST_FILES))
SUPPORT_OBJ := $(foreach p,$(PRECISIONS),$(SUPPORT_SRC:%.c=$(BUILD)/%.$p.o))
DEVICE_OBJ  := $(if $(NVCC),$(foreach p,$(PRECISIONS),$(patsubst %.cu,$(BUILD)/%.strict.$p.o,$(filter %_real.cu,$(TEST_FILES)))))
$(BUILD)/tests/test_cuda_device: $(SUPPORT_OBJ) $(if $(CUDA_ARCHS),$(DEVICE_OBJ))
$(BUILD)/tests/test_cuda_compile: | $(patsubst %.o,%.ptx,$(filter %.f32.o %.f64.o,$(CUDA_OBJ))) \
  $(patsubst %.o,%.ptxas,$(filter $(addprefix %.,$(addsuffix .o,$(CUDA_SEEN))),$(CUDA_OBJ)))

$(BUILD)/tests/plugins/%.so: tests/plugins/%.c src/solver/template/mass_spring.c src/solver/solver.h src/solver/plugin/channel.h src/scene/scene.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra -O1 -g -ffp-contract=off -Isrc -fPIC -fvisibility=hidden -shared -o $@ $< -lm

$(BUILD)/tests/test_plugin $(BUILD)/tests/test_plugin_bones: | $(TEST_PLUGINS)

# Libraries that tests load in place of those of a driver, and as older ones, which lack functions.
$(foreach f,$(FAKE_SRC),$(eval $(addprefix $(BUILD)/tests/$(basename $(notdir $f)),.so _old.so): $f))
$(FAKES): $(BUILD)/flags
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) $(if $(filter %_old.so,$@),-DFAKE_OLD) $(HDF5_CFLAGS) -fPIC -shared -o $@ $(filter %.c,$^)

$(addprefix $(BUILD)/tests/test_,nvml device_case results_gpu h5_reader results_hostile results_trial): | $(FAKES)
