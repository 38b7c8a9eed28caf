# SPDX-License-Identifier: GPL-3.0-or-later
# What looks at the code without running it: its format, clang-tidy, cppcheck, which folders include which, the words of
# its names, sizes that wrap, which tests cover which files, patches; and the compilation database.

COMMANDS += lint format

# FEW=yes is without the static analyzer, which takes nine tenths of the time of clang-tidy.
TIDY := $(if $(FEW),few,tidy)
clang-tidy = clang-tidy --quiet $(if $(filter %.few,$@),--checks='-clang-analyzer-*')

lint: need-lint ## check format, code, includes between folders, words of names, overflow of sizes, contrast of reports, tests of all sources, patches; FEW=yes: no static analyzer
	$(SUBMAKE) -k $(BUILD)/lint/format $(BUILD)/lint/cppcheck $(addprefix $(BUILD)/lint/,directions words covers overflow contrast patches) $(TIDIED)
	@$(if $(FEW),echo 'Left to "make lint" without FEW: the static analyzer of clang-tidy')

format: need-lint ## format the code
	@clang-format -i $(ALL_C) $(ALL_H)

TIDY_CONFIG := .clang-tidy tests/.clang-tidy

# Without the analyzer half of the time of most files is that of beginning: those of a folder of src/, reference/ or tests/
# are looked at together, at first all, later those that changed. What needs flags of its own is looked at by itself.
TOGETHER  := $(if $(FEW),$(filter-out %_real.c %_lanes.c,$(ALL_C)))
folder_of  = $(foreach f,$1,$(word 1,$(subst /, ,$f))/$(word 2,$(subst /, ,$f)))
TIDIED    := $(addsuffix /together,$(addprefix $(BUILD)/lint/,$(sort $(call folder_of,$(TOGETHER))))) \
             $(patsubst %,$(BUILD)/lint/%.$(TIDY),$(filter-out $(TOGETHER),$(ALL_C)))
define together-rule
$(BUILD)/lint/$1/together: $(filter $1/%,$(TOGETHER)) $(patsubst %.c,$(BUILD)/%.o,$(filter $1/%,$(TOGETHER))) $(TIDY_CONFIG)
	$$(call say,TIDY,$1)
	@mkdir -p $$(@D)
	$(Q)clang-tidy --quiet --checks='-clang-analyzer-*' \
	  $$(if $$(filter $(TIDY_CONFIG),$$?),$$(filter %.c,$$^),$$(sort $$(filter %.c,$$?) $$(patsubst $(BUILD)/%.o,%.c,$$(filter %.o,$$?)))) \
	  -- $(TIDY_CFLAGS) 2>$$@.log || { cat $$@.log; exit 1; }
	@touch $$@
endef
$(foreach d,$(sort $(call folder_of,$(TOGETHER))),$(eval $(call together-rule,$d)))

# A file is looked at again when it, or a header that it includes, has changed.
$(BUILD)/lint/%_real.c.$(TIDY): %_real.c $(BUILD)/%_real.f64.o $(TIDY_CONFIG)
	$(call say,TIDY,$<)
	@mkdir -p $(@D)
	$(Q)$(clang-tidy) $< -- $(TIDY_CFLAGS) -DVIPER_PRECISION=64 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

LINTED := $(firstword $(INSTRUCTIONS))_strict.f64
$(BUILD)/lint/%_lanes.c.$(TIDY): %_lanes.c $(BUILD)/%_lanes.$(LINTED).o $(TIDY_CONFIG)
	$(call say,TIDY,$<)
	@mkdir -p $(@D)
	$(Q)$(clang-tidy) $< -- $(TIDY_CFLAGS) $(filter-out -f%,$(LANES_$(firstword $(INSTRUCTIONS)))) -DVIPER_PRECISION=64 \
	  -DVIPER_VARIANT=$(basename $(LINTED)) 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

$(BUILD)/lint/%.c.$(TIDY): %.c $(BUILD)/%.o $(TIDY_CONFIG)
	$(call say,TIDY,$<)
	@mkdir -p $(@D)
	$(Q)$(clang-tidy) $< -- $(TIDY_CFLAGS) 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

$(BUILD)/lint/format: $(ALL_C) $(ALL_H) .clang-format
	$(call say,FORM,$(words $(ALL_C) $(ALL_H)) files)
	@mkdir -p $(@D)
	$(Q)clang-format --dry-run -Werror $(ALL_C) $(ALL_H)
	@touch $@

# Null as an argument after "..." is right on Linux; the rest is as in .clang-tidy: cppcheck does not know
# that an error's status is never VB_OK.
CPPCHECK_SUPPRESS := missingIncludeSystem varFuncNullUB uninitvar nullPointerRedundantCheck \
  nullPointerArithmeticRedundantCheck shiftTooManyBitsSigned:src/viper/energy/lanes.h
# Sources of lanes and of precisions include most headers of the methods, which take nearly all of their time: with FEW=yes
# those of a folder are looked at as one source.
JOINED     := $(if $(FEW),$(filter src/%_real.c src/%_lanes.c,$(ALL_C)))
joined-in   = $(strip $(foreach f,$(filter %_$2.c,$(JOINED)),$(if $(filter $1,$(dir $f)),$f)))
joint       = $(BUILD)/lint/joined/$(subst /,-,$1)$2.c
# $(call each-joint,COMMAND): what it gives for each folder $d and kind $k.
each-joint  = $(foreach d,$(sort $(dir $(JOINED))),$(foreach k,real lanes,$(if $(call joined-in,$d,$k),$(call $1,$d,$k))))
write-joint = printf '\#include "%s"\n' $(call joined-in,$1,$2) >$(call joint,$1,$2);
$(BUILD)/lint/cppcheck: $(ALL_C) $(ALL_H)
	$(call say,CHECK,$(words $(ALL_C)) files)
	@mkdir -p $(@D)/cppcheck-files $(@D)/joined
	@$(call each-joint,write-joint)
	$(Q)cppcheck --quiet -j $(JOBS) --cppcheck-build-dir=$(@D)/cppcheck-files --std=c11 --error-exitcode=1 \
	  --enable=warning,performance,portability --inline-suppr -Isrc -I. $(TEST_INCLUDES) -DVIPER_PRECISION=64 \
	  $(CPPCHECK_SUPPRESS:%=--suppress=%) $(filter-out $(JOINED),$(ALL_C)) $(call each-joint,joint)
	@touch $@

# Checks over all sources, run again when one is changed, added or removed. Each first finds the faults that it plants itself.
$(BUILD)/lint/words: src/README.md
$(BUILD)/lint/covers: $(TEST_FILES)
$(addprefix $(BUILD)/lint/,directions words covers): $(BUILD)/lint/%: tests/%.txt
$(BUILD)/lint/contrast: src/report/page/report.css
$(addprefix $(BUILD)/lint/,directions words covers overflow contrast): $(BUILD)/lint/%: tests/%.py $(PROGRAM_FILES) $(BUILD)/checked
	$(call say,CHECK,$*)
	@mkdir -p $(@D)
	$(Q)python3 $< --self-test && python3 $<
	@touch $@

# The patches of "make extend" apply to the sources as they are: the nightly run alone tries what they do.
PATCHES := $(wildcard tests/extend/*.patch)
$(BUILD)/lint/patches: $(PATCHES) $(PROGRAM_FILES)
	$(call say,CHECK,patches)
	@mkdir -p $(@D)
	$(Q)for p in $(PATCHES); do patch --dry-run -s -p1 <$$p || { echo "$$p does not apply: make it anew"; exit 1; }; done
	@touch $@

# The flags of every C and C++ source, for editors and clang's tools; of what is built several times, in double and in
# the first variant.
compile_commands.json: $(BUILD)/flags $(BUILD)/nvcc $(BUILD)/commit $(BUILD)/sources Makefile $(PARTS) ## write the compiler flags of each source, for editors and clang's tools
	$(call say,JSON,$@)
	@$(file >$@,[)$(foreach s,$(wordlist 2,$(words $(DATABASE)),$(DATABASE)),$(file >>$@,$(call entry,$s)$(COMMA)))
	@$(file >>$@,$(call entry,$(firstword $(DATABASE))))$(file >>$@,])

DATABASE := $(ALL_C) $(SUPPORT_SRC) $(TEST_CXX)
entry     = {"directory": "$(CURDIR)", "file": "$1", "command": "$(call quoted,$(call compiler-of,$1) -c -o $(BUILD)/$(basename $1).o $1)"}
quoted    = $(subst ",\",$(subst \,\\,$1))
compiler-of = $(filter-out -MMD -MP,$(if \
                $(filter %.cpp,$1),$(CXX) $(TEST_CXXFLAGS) $(DEP_CFLAGS),$(CC) $(ALL_CFLAGS) $(call own-flags,$1) $(if \
                $(filter %_lanes.c,$(filter-out $(TEST_SRC),$1)),$(call lanes-flags,$(LINTED)),$(if $(filter %_real.c,$1),-DVIPER_PRECISION=64))))
