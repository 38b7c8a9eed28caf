# SPDX-License-Identifier: GPL-3.0-or-later
# The variants of the sources that end in _lanes.c: each is built for an instruction set, arithmetic (strict, fast) and
# precision. A build for this machine has the widest set that its processor has; what goes to other machines has all, and
# with FEW=yes that of this machine.

# $(call cpu-has,FLAG...): whether the processor has all of these, as the levels of the x86-64 psABI ask.
CPU_FLAGS := $(shell grep -m1 '^flags' /proc/cpuinfo)
cpu-has    = $(if $(filter-out $(CPU_FLAGS),$1),,yes)
NEEDS_v3  := avx2 fma bmi1 bmi2
NEEDS_v4  := $(NEEDS_v3) avx512f avx512bw avx512cd avx512dq avx512vl
ifeq ($(shell uname -m),x86_64)
SETS      := v2 v3 v4
SET_HERE  := $(if $(call cpu-has,$(NEEDS_v4)),v4,$(if $(call cpu-has,$(NEEDS_v3)),v3,v2))
else
SETS      := base
SET_HERE  := base
endif
INSTRUCTIONS ?= $(if $(filter dist dist-check release install install-check,$(MAKECMDGOALS)),$(if \
                  $(FEW),$(SET_HERE),all),$(SET_HERE))
ASKED_SETS := $(INSTRUCTIONS)
ifeq ($(INSTRUCTIONS),all)
override INSTRUCTIONS := $(SETS)
endif
export INSTRUCTIONS
# Fast arithmetic in double only fuses: it is some 5 % faster than strict, and takes a sixth of the time of a build.
FAST_DOUBLE ?= $(if $(FEW),,$(if $(filter dist dist-check release install install-check,$(MAKECMDGOALS))$(filter all,$(ASKED_SETS)),yes))
export FAST_DOUBLE
LANES_v2     := -march=x86-64-v2 -DVIPER_LANE_BYTES=16
LANES_v3     := -march=x86-64-v3 -DVIPER_LANE_BYTES=32
LANES_v4     := -march=x86-64-v4 -mtune=icelake-server -mprefer-vector-width=512 \
                $(if $(CLANG),,-fschedule-insns -fsched-pressure) -DVIPER_LANE_BYTES=64
LANES_base   := -DVIPER_LANE_BYTES=16
LANES_strict := -ffp-contract=off
# Contraction, and no heed of signed zeros and of what is not finite: sums stay in their order, or
# products could not be fused with them.
LANES_fast   := -ffp-contract=fast -fno-math-errno -fno-trapping-math -fno-signed-zeros \
                -ffinite-math-only -DVIPER_FAST
# The time steps' own loops, which read no input, go without guards of the stack: of block descent these cost 4 % of
# all instructions. They call nothing from outside, and are the same in a program and in a shared object.
LANES_PLAIN  := -fPIE -fno-stack-protector $(patsubst -f%,-fno-%,$(filter -fstack-clash-protection,$(HARDEN))) -U_FORTIFY_SOURCE
LANES_OPT    ?= $(if $(SANITIZE),,-O3 -g1)
# All that is inlined into them makes the sanitizers take minutes over each. Of all variants one is watched:
# the strict one of what this machine runs, by the address sanitizer alone. "make asan" takes the others as they
# are without sanitizers (FAST_BUILD).
WATCHED      := $(if $(SANITIZE),$(if $(FEW),,$(or $(filter $(SET_HERE),$(INSTRUCTIONS)),$(firstword $(INSTRUCTIONS)))_strict))
ifneq ($(SANITIZE),)
# Scopes of variables are not watched in them: that takes a third of the time to compile.
LANES_strict += -fno-sanitize=undefined -fno-sanitize-address-use-after-scope
LANES_fast   += -fno-sanitize=all
endif
FAST_BUILD   ?= $(BUILD)
lanes_in      = $(if $(filter-out $(WATCHED),$(if $(SANITIZE),$(basename $1))),$(FAST_BUILD),$(BUILD))
ONLY_CFLAGS   = $(if $(filter-out $(INSTRUCTIONS),$(SETS)),-D'VIPER_ONLY(X)=$(foreach i,$(INSTRUCTIONS),X($i,"x86-64-$i"))') \
                $(if $(FAST_DOUBLE),-DVIPER_FAST_DOUBLE)
PRECISIONS   := f32 f64
VARIANTS     := $(foreach i,$(INSTRUCTIONS),$i_strict.f32 $i_fast.f32 $i_strict.f64 $(if $(FAST_DOUBLE),$i_fast.f64))

# $(call lanes-flags,VARIANT)
lanes-flags = $(strip $(LANES_PLAIN) $(LANES_OPT) $(foreach w,$(subst _, ,$(basename $1)),$(LANES_$w)) \
                -DVIPER_VARIANT=$(basename $1) -DVIPER_PRECISION=$(patsubst .f%,%,$(suffix $1)))

# $(call lanes-rule,VARIANT): what only tests need is compiled quickly.
define lanes-rule
$(BUILD)/%.$1.o: %.c $(BUILD)/flags
	$$(call say,CC,$$< ($1))
	@mkdir -p $$(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $$(call own-flags,$$<) $(call lanes-flags,$1) $$(if $$(filter tests/%,$$<),-O1) -c -o $$@ $$<
endef
$(foreach v,$(VARIANTS),$(eval $(call lanes-rule,$v)))
