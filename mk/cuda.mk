# SPDX-License-Identifier: GPL-3.0-or-later
# CUDA's compiler, its flags and rules: machine code for those of these architectures that nvcc knows, and PTX, which
# drivers compile for later ones. Sources that end in _real.cu are built once per arithmetic and precision.

ifneq ($(NVCC),)
CUDA_KNOWN  := $(patsubst compute_%,%,$(shell $(NVCC) --list-gpu-arch 2>/dev/null))
CUDA_ARCHS  ?= $(filter $(CUDA_KNOWN),75 80 86 89 90 100 120)
CUDA_DIR    := $(abspath $(dir $(realpath $(NVCC)))..)
CUDA_CFLAGS := -DVIPER_CUDA -isystem $(CUDA_DIR)/include
CUDA_LIBS   := $(firstword $(foreach d,lib64 lib,$(wildcard $(CUDA_DIR)/$d/libcudart_static.a))) -lrt -lpthread -ldl
LIBS        += $(CUDA_LIBS)
TEST_LIBS   += $(CUDA_LIBS)
TIDY_CFLAGS += $(CUDA_CFLAGS)
endif
CCACHE      ?= $(shell command -v ccache 2>/dev/null)
NVCC_FLAGS  := -std=c++17 -O3 -Xcompiler -fno-exceptions,-fno-threadsafe-statics,-fPIE,-fstack-protector-strong -Isrc
NVCC_strict := --fmad=false
NVCC_fast   := --use_fast_math -DVIPER_FAST
# One PTX, the lowest architecture's, serves all: compiled once, assembled for each.
CUDA_LEAST   = compute_$(firstword $(CUDA_ARCHS))
NVCC_CODE    = -gencode arch=$(CUDA_LEAST),code=[$(subst $() ,,$(CUDA_LEAST)$(CUDA_ARCHS:%=$(COMMA)sm_%))]
COMMA       := ,

# The PTX of the kernels, and what the compiler says of them (registers, stack, spills), are kept beside their objects.
# ccache is no help here: it does not know of files that a compiler keeps.
# $(call cuda-rule,ARITHMETIC,PRECISION)
define cuda-rule
$(BUILD)/%_real.$1.$2.o $(BUILD)/%_real.$1.$2.ptx: %_real.cu $(BUILD)/nvcc
	$$(call say,NVCC,$$< ($1 $2))
	@rm -rf $(BUILD)/$$*.$1.$2.keep
	@mkdir -p $(BUILD)/$$*.$1.$2.keep
	$(Q)$(NVCC) $(NVCC_FLAGS) $(NVCC_$1) $(NVCC_CODE) -DVIPER_ARITHMETIC=$1 -DVIPER_PRECISION=$(2:f%=%) \
	  --keep --keep-dir $(BUILD)/$$*.$1.$2.keep -Xptxas -v -MMD -MP -MF $(BUILD)/$$*_real.$1.$2.d \
	  -c -o $(BUILD)/$$*_real.$1.$2.o $$< 2>$(BUILD)/$$*_real.$1.$2.o.log || { cat $(BUILD)/$$*_real.$1.$2.o.log; exit 1; }
	@mv $(BUILD)/$$*.$1.$2.keep/*.ptx $(BUILD)/$$*_real.$1.$2.ptx
	@rm -r $(BUILD)/$$*.$1.$2.keep
endef
$(foreach a,strict fast,$(foreach p,$(PRECISIONS),$(eval $(call cuda-rule,$a,$p))))

$(BUILD)/%.cu.o: %.cu $(BUILD)/nvcc
	$(call say,NVCC,$<)
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(NVCC) $(NVCC_FLAGS) $(NVCC_CODE) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<

