// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/settings/options.h"

#include "solver/settings.h"

enum { AT_CREATION, AT_ANY_TIME };
enum { WORD, WHOLE, THREADS, NUMBER };

#define INFO(name, type, kind, place, when, changes, methods, standard, choices, least, most,      \
             help)                                                                                 \
  {#name,                                                                                          \
   standard,                                                                                       \
   choices,                                                                                        \
   least,                                                                                          \
   most,                                                                                           \
   (kind) == WHOLE || (kind) == THREADS,                                                           \
   (when) == AT_ANY_TIME,                                                                          \
   help},
const vb_option_info viper_options[VIPER_N_OPTIONS] = {VIPER_OPTIONS(INFO)};
#undef INFO

/// What checks and reads values: the description of the solver, as far as options go.
static const vb_solver_description description = {
    .name = "viper", .options = viper_options, .n_options = VIPER_N_OPTIONS};

#define IN_SETTINGS(name, type, kind, place, ...)                                                  \
  VIPER_STEP_ALONE_##place({#name, VB_SETTING_##kind, offsetof(viper_settings, name)}, )
static const vb_setting in_settings[] = {VIPER_OPTIONS(IN_SETTINGS)};
#undef IN_SETTINGS

#define IN_VARIANT(name, type, kind, place, ...)                                                   \
  VIPER_VARIANT_ALONE_##place({#name, VB_SETTING_##kind, offsetof(viper_variant, name)}, )
static const vb_setting in_variant[] = {VIPER_OPTIONS(IN_VARIANT)};
#undef IN_VARIANT

static const vb_setting_table of_settings = {in_settings, sizeof in_settings / sizeof *in_settings};
static const vb_setting_table of_variant = {in_variant, sizeof in_variant / sizeof *in_variant};

void viper_options_read(const vb_option *options, size_t n_options, viper_settings *settings,
                        viper_variant *variant) {
  for (size_t i = 0; i < VIPER_N_OPTIONS; i++) {
    const char *name = viper_options[i].name;
    viper_option_apply(name, vb_solver_option(&description, options, n_options, name), settings,
                       variant);
  }
}

void viper_option_apply(const char *name, const char *value, viper_settings *settings,
                        viper_variant *variant) {
  vb_setting_apply(&description, &of_settings, name, value, settings);
  vb_setting_apply(&description, &of_variant, name, value, variant);
}

vb_status viper_option_set(const char *name, const char *value, viper_settings *settings,
                           viper_variant *variant, vb_error *error) {
  vb_status status = vb_setting_check(&description, name, value, error);
  if (!status)
    viper_option_apply(name, value, settings, variant);
  return status;
}

vb_status viper_option_get(const viper_settings *settings, const viper_variant *variant,
                           const char *name, char *out, size_t size, vb_error *error) {
  if (!vb_setting_print(&description, &of_settings, name, settings, out, size, NULL))
    return VB_OK;
  return vb_setting_print(&description, &of_variant, name, variant, out, size, error);
}

const char *viper_instructions_word(viper_instructions instructions) {
#define WORD_ALONE(constant, word) word,
  static const char *const words[] = {VIPER_INSTRUCTION_WORDS(WORD_ALONE)};
#undef WORD_ALONE
  return words[instructions];
}
