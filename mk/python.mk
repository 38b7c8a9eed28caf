# SPDX-License-Identifier: GPL-3.0-or-later
# The shared library that the Python package loads: scenes, the process of a solver in Python, and readers of results.
# It is never built with a sanitizer, which an interpreter would have to load first.

PYTHON_LIB := $(dir $(BIN))libviperbench.so
PYTHON_SRC := $(wildcard src/python/*.c src/scene/*.c) $(addprefix src/solver/,fields.c options.c solver.c) \
                $(addprefix src/base/,arena.c clock.c confine.c figure_files.c file.c home.c home_files.c names.c nearest_word.c printable.c process_limits.c \
                signals.c status.c text.c time_limit.c watchdog.c) \
                $(addprefix src/results/,h5.c h5_descriptor.c h5_message.c h5_own.c h5_read.c h5_write.c h5_storage.c h5_dataset.c h5_texts.c \
                h5_attribute.c h5_list.c h5_reader.c h5_serve.c results_gate_columns.c results_locate.c results_meaning.c \
                results_open.c results_trial.c) \
                $(addprefix src/solver/plugin/,channel.c description.c examine.c fault.c guard.c guarded.c guarded_call.c \
                guarded_read.c motion_check.c plugin_name.c serve.c snapshot.c)
# The program's own objects; a build with a sanitizer takes those of FAST_BUILD, or makes some for this.
PYTHON_IN  := $(if $(SANITIZE),$(if $(filter-out $(BUILD),$(FAST_BUILD)),$(FAST_BUILD),$(BUILD)/python),$(BUILD))
PYTHON_OBJ := $(PYTHON_SRC:%.c=$(PYTHON_IN)/%.o)
PYTHON_SYMBOLS := src/python/library.symbols
PYTHON_CFLAGS = $(filter-out -fsanitize=% -fno-sanitize-recover=%,$(BASE_CFLAGS)) -Isrc $(call once,$(HDF5_CFLAGS)) -MMD -MP

$(BUILD)/python/%.o: %.c $(BUILD)/python.flags
	$(call say,CC,$< (shared))
	@mkdir -p $(@D)
	$(Q)$(CC) $(PYTHON_CFLAGS) -c -o $@ $<

$(PYTHON_LIB): $(PYTHON_OBJ) $(BUILD)/link $(PYTHON_SYMBOLS)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -shared $(filter-out -fsanitize=% -fno-sanitize-recover=%,$(CFLAGS)) -Wl,-z,relro,-z,now,--no-undefined \
	  -Wl,--version-script=$(PYTHON_SYMBOLS) $(LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN' -o $@ $(PYTHON_OBJ) $(HDF5_LIBS) -lmd -lm

$(filter $(BUILD)/tests/test_python_%,$(TESTS)): | $(PYTHON_LIB)
