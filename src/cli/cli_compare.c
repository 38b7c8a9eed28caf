// SPDX-License-Identifier: GPL-3.0-or-later
// The command "compare": what changed between two records, or between the speeds of two programs.

#include "base/nearest_word.h"
#include "cli/cli.h"
#include "cli/cli_launch.h"
#include "compare/compare_figure.h"
#include "compare/compare_report.h"

#include <string.h>

/// Notes the words of --allow, separated by commas.
static vb_status read_allow(const char *words, vb_compare_request *out, vb_error *error) {
  const char *known[VB_PROPERTY_COUNT];
  for (vb_run_property k = 0; k < VB_PROPERTY_COUNT; k++)
    known[k] = vb_run_property_word(k);
  for (const char *word = words; word && *word;) {
    char text[32];
    size_t length = strcspn(word, ",");
    vb_run_property k = 0;
    snprintf(text, sizeof text, "%.*s", (int)(length < 30 ? length : 30), word);
    while (k < VB_PROPERTY_COUNT && strcmp(known[k], text) != 0)
      k++;
    if (k == VB_PROPERTY_COUNT) {
      const char *near = vb_nearest_word(text, known, VB_PROPERTY_COUNT);
      return vb_error_set(
          error, VB_BAD_INPUT,
          "--allow takes scene, solver, options, arithmetic and hardware, not \"%s\"%s%s%s", text,
          near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    }
    out->allow[k] = true;
    word += length + (word[length] == ',');
  }
  return VB_OK;
}

static vb_status read_nan(const char *word, vb_compare_request *out, vb_error *error) {
  if (!word)
    return VB_OK;
  if (strcmp(word, "equal") != 0 && strcmp(word, "never") != 0)
    return vb_error_set(error, VB_BAD_INPUT, "--nan takes equal or never, not \"%s\"", word);
  out->has_nan = true;
  out->nan = word[0] == 'e' ? VB_NAN_EQUAL : VB_NAN_NEVER;
  return VB_OK;
}

static vb_status compare_records(const vb_cli *cli, vb_error *error) {
  vb_compare_request request = {0};
  vb_compare_result result = {0};
  vb_status status = read_allow(cli->allow, &request, error);
  if (!status)
    status = read_nan(cli->nan, &request, error);
  if (!status && cli->n_arguments != 2)
    status = vb_error_set(error, VB_BAD_INPUT,
                          "compare wants two results files, indexes or folders; there %s %zu",
                          cli->n_arguments == 1 ? "is" : "are", cli->n_arguments);
  if (!status)
    status = vb_compare_paths(cli->arguments[0], cli->arguments[1], &request, &result, error);
  if (status)
    return status;
  vb_compared compared = {cli->arguments[0], cli->arguments[1], &request, &result};
  if (cli->json)
    status = vb_compare_json(stdout, &compared, error);
  else
    vb_compare_print(stdout, &compared, cli->quiet);
  if (!status && cli->figure)
    status = vb_compare_figure(&compared, cli->figure, error);
  if (!status)
    status = vb_compare_verdict(&result);
  vb_compare_result_free(&result);
  return status;
}

vb_status vb_cli_compare(const vb_cli *cli, vb_error *error) {
  if (cli->launch && (cli->allow || cli->nan || cli->figure))
    return vb_error_set(error, VB_BAD_INPUT,
                        "--allow, --nan and --figure are for records, not for --launch");
  if (!cli->launch && cli->time)
    return vb_error_set(error, VB_BAD_INPUT, "--time goes with --launch");
  return cli->launch ? vb_compare_launch(cli, error) : compare_records(cli, error);
}
