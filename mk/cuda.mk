# SPDX-License-Identifier: GPL-3.0-or-later
# CUDA's compiler, its flags and rules. PTX is always there: a driver compiles it for any device. Machine code is for the
# devices of this machine; "make dist" and CUDA_ARCHS=all build it for every architecture that the project names.
# Sources that end in _real.cu are built once per arithmetic and precision.

ifneq ($(NVCC),)
CUDA_KNOWN  := $(patsubst compute_%,%,$(shell $(NVCC) --list-gpu-arch 2>/dev/null))
CUDA_ALL    := $(filter $(CUDA_KNOWN),75 80 86 89 90 100 120)
CUDA_HERE   := $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d .)
CUDA_ARCHS  ?= $(if $(filter dist dist-check release,$(MAKECMDGOALS)),all,$(sort $(filter $(CUDA_KNOWN),$(CUDA_HERE))))
ifeq ($(CUDA_ARCHS),all)
override CUDA_ARCHS := $(CUDA_ALL)
endif
export CUDA_ARCHS
CUDA_DIR    := $(abspath $(dir $(realpath $(NVCC)))..)
# What a build for no device that is here leaves out is below.
CUDA_FEW    := $(if $(CUDA_ARCHS),,-DVIPER_CUDA_FEW)
CUDA_CFLAGS := -DVIPER_CUDA $(CUDA_FEW) -isystem $(CUDA_DIR)/include
CUDA_LIBS   := $(firstword $(foreach d,lib64 lib,$(wildcard $(CUDA_DIR)/$d/libcudart_static.a))) -lrt -lpthread -ldl
LIBS        += $(CUDA_LIBS)
TEST_LIBS   += $(CUDA_LIBS)
TIDY_CFLAGS += $(CUDA_CFLAGS)
endif
CCACHE      ?= $(shell command -v ccache 2>/dev/null)
# Of the headers of cooperative groups what a grid's barrier needs: not CUDA's standard library, which takes two seconds in
# each source.
NVCC_FLAGS  := -std=c++17 -O3 -Xcompiler -fno-exceptions,-fno-threadsafe-statics,-fPIC,-fstack-protector-strong -Isrc $(CUDA_FEW) \
               -D_CG_LIMIT_INCLUDED_DEPENDENCIES
NVCC_strict := --fmad=false
NVCC_fast   := --use_fast_math -DVIPER_FAST
# One PTX, the lowest architecture's, serves all: compiled once, assembled for each. So it is the same in every build.
CUDA_LEAST   = compute_$(firstword $(filter 70 72,$(CUDA_ARCHS)) $(CUDA_ALL))
NVCC_CODE    = -gencode arch=$(CUDA_LEAST),code=[$(subst $() ,,$(CUDA_LEAST)$(CUDA_ARCHS:%=$(COMMA)sm_%))]
COMMA       := ,

# The PTX of the kernels is kept beside their objects. ccache is no help here: it does not know of files that a compiler
# keeps.
# $(call cuda-rule,ARITHMETIC,PRECISION)
define cuda-rule
$(BUILD)/%_real.$1.$2.o $(BUILD)/%_real.$1.$2.ptx: %_real.cu $(BUILD)/nvcc
	$$(call say,NVCC,$$< ($1 $2))
	@rm -rf $(BUILD)/$$*.$1.$2.keep
	@mkdir -p $(BUILD)/$$*.$1.$2.keep
	$(Q)$(NVCC) $(NVCC_FLAGS) $(NVCC_$1) $$(if $$(filter tests/%,$$<),$(TEST_INCLUDES)) $(NVCC_CODE) -DVIPER_ARITHMETIC=$1 -DVIPER_PRECISION=$(2:f%=%) \
	  --keep --keep-dir $(BUILD)/$$*.$1.$2.keep -MMD -MP -MF $(BUILD)/$$*_real.$1.$2.d -c -o $(BUILD)/$$*_real.$1.$2.o $$<
	@mv $(BUILD)/$$*.$1.$2.keep/*.ptx $(BUILD)/$$*_real.$1.$2.ptx
	@touch $(BUILD)/$$*_real.$1.$2.ptx # older than the object, it would seem another build's
	@rm -r $(BUILD)/$$*.$1.$2.keep
endef
# A build for no device that is here leaves out what few would run (VIPER_CUDA_FEW): fast arithmetic in double, and statics.
CUDA_VARIANTS := strict.f32 fast.f32 strict.f64 $(if $(CUDA_ARCHS),fast.f64)
$(foreach v,$(CUDA_VARIANTS),$(eval $(call cuda-rule,$(basename $v),$(subst .,,$(suffix $v)))))

# What the assembler reports of the kernels (registers, stack, spills), for a test: for the architectures of the build, or
# for one where it has PTX alone, and there of the variant that benchmarks name first: a report takes half as long as the
# PTX.
CUDA_SEEN     = $(if $(CUDA_ARCHS),$(CUDA_VARIANTS),fast.f32)
CUDA_REPORTED = $(or $(CUDA_ARCHS),$(firstword $(filter 90,$(CUDA_ALL)) $(CUDA_ALL)))
$(BUILD)/%.ptxas: $(BUILD)/%.ptx
	$(call say,PTXAS,$<)
	@rm -f $@
	$(Q)for arch in $(CUDA_REPORTED); do $(dir $(NVCC))ptxas -arch=sm_$$arch -m64 -v -o /dev/null $< 2>>$@ || { cat $@; exit 1; }; done

$(BUILD)/%.cu.o: %.cu $(BUILD)/nvcc
	$(call say,NVCC,$<)
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(NVCC) $(NVCC_FLAGS) $(NVCC_CODE) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<

