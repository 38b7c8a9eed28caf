// SPDX-License-Identifier: GPL-3.0-or-later
/// Options as users have them, as text.
#ifndef VIPER_SETTINGS_OPTIONS_H
#define VIPER_SETTINGS_OPTIONS_H

#include "solver/solver.h"
#include "viper/settings/settings.h"

#define VIPER_COUNT_OPTION(...) +1
enum { VIPER_N_OPTIONS = 0 VIPER_OPTIONS(VIPER_COUNT_OPTION) };

/// What the solver's description says of them, in the order of the table.
extern const vb_option_info viper_options[VIPER_N_OPTIONS];

/// Sets all options to what `options`, which were checked, or else their defaults say. "auto" stays
/// as it is.
void viper_options_read(const vb_option *options, size_t n_options, viper_settings *settings,
                        viper_variant *variant);

/// Sets one option to a value that was checked.
void viper_option_apply(const char *name, const char *value, viper_settings *settings,
                        viper_variant *variant);

/// As vb_solver's set_option and get_option.
vb_status viper_option_set(const char *name, const char *value, viper_settings *settings,
                           viper_variant *variant, vb_error *error);
vb_status viper_option_get(const viper_settings *settings, const viper_variant *variant,
                           const char *name, char *out, size_t size, vb_error *error);

/// The word of an instruction set.
const char *viper_instructions_word(viper_instructions instructions);

#endif
