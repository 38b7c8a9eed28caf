// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/arena.h"
#include "base/home.h"
#include "base/nearest_word.h"
#include "base/version.h"
#include "cli/cli.h"
#include "cli/page.h"
#include "results/provenance.h"

#include <argp.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Keys of options: this and its place in the list of all.
enum { FIRST_KEY = 0x100 };

/// Most verbs that a misspelled one is compared with.
enum { MOST_NEAR = 64 };

/// An option of a verb.
typedef struct entry {
  const vb_verb *verb;
  const vb_cli_option *option;
  size_t place; ///< in the verb's settings
} entry;

/// What argp fills.
typedef struct parse {
  vb_cli *cli;
  const char *verb;
  entry *entries; ///< the options of all verbs
  size_t n_entries;
  struct argp_option *known; ///< of these each name once, ended by one without
  size_t n_known;
} parse;

/// Adds the options of a verb, with those of the tables that it shares.
static vb_status add_options(parse *p, const vb_verb *verb, vb_error *error) {
  for (const vb_cli_option *o = verb->options; o && (o->name || o->shared); o++)
    for (const vb_cli_option *k = o->shared ? o->shared : o; k->name; k++) {
      entry *added = VB_APPEND(p->entries, p->n_entries);
      if (!added)
        return vb_error_memory(error);
      *added = (entry){verb, k, o->shared ? o->place + k->place : o->place};
      if (!o->shared)
        break;
    }
  return VB_OK;
}

/// The first option of that name: of that help, of that verb unless these are null.
static const entry *find_entry(const parse *p, const char *name, const char *help,
                               const vb_verb *verb) {
  for (const entry *e = p->entries; e < p->entries + p->n_entries; e++)
    if (strcmp(e->option->name, name) == 0 && (!help || strcmp(e->option->help, help) == 0) &&
        (!verb || e->verb == verb))
      return e;
  return NULL;
}

/// What stands for the value of an option: that of its verb, or those of two verbs, "DEVICE|N".
static const char *value_of(const parse *p, const entry *first) {
  const char *value = first->option->value;
  char both[128];
  for (const entry *e = first + 1; value && e < p->entries + p->n_entries; e++)
    if (strcmp(e->option->name, first->option->name) == 0 && strcmp(e->option->value, value) != 0) {
      snprintf(both, sizeof both, "%s|%s", value, e->option->value);
      return vb_arena_text(&p->cli->memory, both);
    }
  return value;
}

static vb_status list_options(parse *p, vb_error *error) {
  vb_status status = VB_OK;
  for (const vb_verb *const *v = vb_verbs; !status && *v; v++)
    status = add_options(p, *v, error);
  p->known = calloc(p->n_entries + 1, sizeof *p->known);
  if (status || !p->known)
    return vb_error_memory(error);
  for (const entry *e = p->entries; e < p->entries + p->n_entries; e++) {
    const vb_cli_option *o = e->option;
    const entry *first = find_entry(p, o->name, NULL, NULL);
    int key = strcmp(o->name, "out") == 0 ? 'o' : FIRST_KEY + (int)p->n_known;
    assert(o->group == first->option->group && !o->value == !first->option->value);
    if (e == first)
      p->known[p->n_known++] = (struct argp_option){
          o->name, o->letter ? o->letter : key, value_of(p, e), 0, o->help, o->group};
  }
  return VB_OK;
}

/// The option of that key, or null.
static const struct argp_option *option_of(const parse *p, int key) {
  for (size_t i = 0; i < p->n_known; i++)
    if (p->known[i].key == key)
      return &p->known[i];
  return NULL;
}

/// What the verbs that have the option say of it.
static void print_help(FILE *stream, const parse *p, const char *name) {
  const char *between = "";
  for (const entry *e = p->entries; e < p->entries + p->n_entries; e++)
    if (strcmp(e->option->name, name) == 0 && find_entry(p, name, e->option->help, NULL) == e) {
      fprintf(stream, "%s%s", between, e->option->help);
      between = "; ";
    }
}

/// Completes what argp prints as help; it frees what is not the text that it gave.
static char *complete_help(int key, const char *text, void *input) {
  const parse *p = input;
  const struct argp_option *option = option_of(p, key);
  char *out = NULL;
  size_t size;
  bool words = key == ARGP_KEY_HELP_PRE_DOC || key == ARGP_KEY_HELP_POST_DOC;
  FILE *stream = option || words ? open_memstream(&out, &size) : NULL;
  if (!stream)
    return (char *)text;
  if (option)
    print_help(stream, p, option->name);
  else if (key == ARGP_KEY_HELP_POST_DOC)
    vb_page_exit_codes(stream);
  else {
    fprintf(stream, "%s\n\n", text);
    vb_page_overview(stream);
    fputs("\nOptions of all commands (help COMMAND lists those of one):", stream);
  }
  return fclose(stream) ? (char *)text : out;
}

static error_t take(int key, char *text, struct argp_state *state) {
  parse *p = state->input;
  vb_cli *cli = p->cli;
  const struct argp_option *option = option_of(p, key);
  if (option) {
    cli->given[cli->n_given++] = (vb_cli_given){option->name, option->arg, text, cli};
  } else if (key != ARGP_KEY_ARG) {
    return ARGP_ERR_UNKNOWN;
  } else if (!p->verb) {
    p->verb = text;
  } else {
    cli->arguments[cli->n_arguments++] = text;
  }
  return 0;
}

/// Prints what a portable folder needs of its system.
static void print_needs(FILE *stream) {
  char home[4096], path[4400], line[1024];
  if (vb_home(home, sizeof home, NULL))
    return;
  snprintf(path, sizeof path, "%s/BUILD-INFO", home);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, "needs: ", 7) == 0)
      fputs(line, stream);
  if (file)
    fclose(file);
}

static void print_version(FILE *stream, struct argp_state *state) {
  (void)state;
  vb_provenance origin;
  vb_provenance_collect(&origin);
  fprintf(stream, "viperbench %s (%s%s)\n", VB_VERSION, origin.commit,
          origin.dirty ? ", with changes" : "");
  print_needs(stream);
}

/// VB_BAD_INPUT about a word that is not among `n` known ones.
static vb_status unknown(const char *what, const char *word, const char *dashes,
                         const char *const *known, size_t n, vb_error *error) {
  const char *near = vb_nearest_word(word, known, n), *quote = dashes[0] ? "" : "\"";
  if (!near)
    return vb_bad_input(error, "unknown %s %s%s%s%s; see --help", what, quote, dashes, word, quote);
  return vb_bad_input(error, "unknown %s %s%s%s%s; did you mean %s%s%s%s?", what, quote, dashes,
                      word, quote, quote, dashes, near, quote);
}

/// Refuses long options that argp does not know, with the nearest one; argp would not name it.
static vb_status check_options(const parse *p, int argc, char **argv, vb_error *error) {
  static const char *const ARGPS[] = {"help", "usage", "version"};
  size_t n = p->n_known + 3;
  const char **known = calloc(n, sizeof *known);
  vb_status status = known ? VB_OK : vb_error_memory(error);
  for (size_t k = 0; !status && k < n; k++)
    known[k] = k < 3 ? ARGPS[k] : p->known[k - 3].name;
  for (int i = 1; !status && i < argc && strcmp(argv[i], "--") != 0; i++) {
    char name[64];
    if (strncmp(argv[i], "--", 2) != 0)
      continue;
    size_t length = strcspn(argv[i] + 2, "="), k = 0;
    while (k < n && strncmp(known[k], argv[i] + 2, length) != 0)
      k++;
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), argv[i] + 2);
    if (k == n)
      status = unknown("option", name, "--", known, n, error);
  }
  free(known);
  return status;
}

static bool is_word(const vb_verb *verb) {
  return verb->name[0] != '-';
}

static vb_status no_verb(vb_error *error) {
  char list[512] = "";
  for (const vb_verb *const *v = vb_verbs; *v; v++) {
    size_t used = strlen(list);
    if (is_word(*v))
      snprintf(list + used, sizeof list - used, "%s%s",
               !used  ? ""
               : v[1] ? ", "
                      : " or ",
               (*v)->name);
  }
  return vb_bad_input(error, "no command; use %s (see --help)", list);
}

static vb_status find_verb(const parse *p, const vb_verb **out, vb_error *error) {
  const char *known[MOST_NEAR];
  size_t n = 0;
  for (const vb_verb *const *v = vb_verbs; *v; v++) {
    if (p->verb ? strcmp((*v)->name, p->verb) == 0
                : !is_word(*v) && vb_cli_find(p->cli, (*v)->name + 2)) {
      *out = *v;
      return VB_OK;
    }
    if (n < MOST_NEAR)
      known[n++] = (*v)->name;
  }
  return p->verb ? unknown("command", p->verb, "", known, n, error) : no_verb(error);
}

/// Checks that the verb takes what was given, and reads it.
static vb_status read_settings(const parse *p, vb_error *error) {
  vb_cli *cli = p->cli;
  const vb_verb *verb = cli->verb;
  for (size_t i = 0; i < cli->n_given; i++)
    if (!find_entry(p, cli->given[i].name, NULL, verb))
      return vb_bad_input(error, "%s does not take --%s", verb->name, cli->given[i].name);
  if (cli->n_arguments < verb->least)
    return vb_bad_input(error, "%s needs %s", verb->name, verb->wants);
  if (vb_cli_find(cli, "csv") && vb_cli_find(cli, "json"))
    return vb_bad_input(error, "%s takes --csv or --json, not both", verb->name);
  cli->settings = vb_arena_take(&cli->memory, verb->size, 1);
  if (!cli->settings)
    return vb_error_memory(error);
  if (verb->size)
    memcpy(cli->settings, verb->defaults, verb->size);
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < cli->n_given; i++) {
    vb_cli_given *given = &cli->given[i];
    const entry *e = find_entry(p, given->name, NULL, verb);
    given->value = e->option->value;
    if (given->text && strncmp(given->text, "--", 2) == 0) // an option in place of a value
      status = vb_cli_refuse(given, given->value, error);
    else
      status = e->option->take(given, (char *)cli->settings + e->place, error);
  }
  return status;
}

static vb_status parse_line(parse *p, int argc, char **argv, vb_error *error) {
  static const char DOC[] =
      "Runs studies of elastic rods, judges them by gates, records and draws them.";
  struct argp argp = {p->known, take, "COMMAND [ARGUMENT...]", DOC, NULL, complete_help, NULL};
  vb_status status = check_options(p, argc, argv, error);
  if (status)
    return status;
  if (argc == 3 && argv[1][0] != '-' && strcmp(argv[2], "--help") == 0) {
    status = vb_page_print(argv[1], error);
    if (!status)
      exit(fflush(stdout) ? VB_CANNOT_WRITE : VB_OK);
    return status;
  }
  argp_program_version_hook = print_version;
  argp_err_exit_status = VB_BAD_INPUT;
  if (argp_parse(&argp, argc, argv, 0, NULL, p))
    return vb_bad_input(error, "the command line cannot be understood; see --help");
  status = find_verb(p, &p->cli->verb, error);
  return status ? status : read_settings(p, error);
}

vb_status vb_cli_parse(int argc, char **argv, vb_cli *out, vb_error *error) {
  size_t room = (size_t)argc + 1; // no word gives more than one of anything
  *out = (vb_cli){0};
  VB_TAKE(&out->memory, out->arguments, room);
  VB_TAKE(&out->memory, out->given, room);
  VB_TAKE(&out->memory, out->parameters, room);
  VB_TAKE(&out->memory, out->options, room);
  parse p = {.cli = out};
  vb_status status = vb_arena_status(&out->memory, error);
  if (!status)
    status = list_options(&p, error);
  if (!status)
    status = parse_line(&p, argc, argv, error);
  free(p.known);
  free(p.entries);
  return status;
}

const vb_cli_given *vb_cli_find(const vb_cli *cli, const char *name) {
  for (size_t i = 0; i < cli->n_given; i++)
    if (strcmp(cli->given[i].name, name) == 0)
      return &cli->given[i];
  return NULL;
}

void vb_cli_free(vb_cli *cli) {
  vb_arena_clear(&cli->memory);
  vb_study_list_destroy(cli->studies, cli->n_studies);
  *cli = (vb_cli){0};
}
