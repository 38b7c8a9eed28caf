// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "list": the available studies and solvers.
#include "base/report_text.h"
#include "cli/cli.h"
#include "cli/solver_page.h"
#include "solver/table.h"

#include <stdio.h>
#include <string.h>

typedef struct settings {
  bool csv;
  bool json;
  bool names;
  const char *only; ///< word that names, titles or folders have, or null
} settings;

static const vb_cli_option options[] = {
    {VB_OPTION_CSV, VB_AT(csv)},
    {VB_OPTION_JSON, VB_AT(json)},
    {"only", "PATTERN", "list: only studies with this word in their name, title or folder", 2,
     vb_take_text, VB_AT(only), .letter = 'k'},
    {"names", NULL, "list: print only the names of studies", 2, vb_take_switch, VB_AT(names)},
    {0}};

static int longer(int a, const char *name, int before) {
  int columns = before + vb_report_columns(name);
  return a > columns ? a : columns;
}

/// Columns of all names, and of the blanks before them.
static int name_width(const vb_study_info *list, size_t n) {
  int width = 0;
  for (size_t i = 0; i < n; i++)
    width = longer(width, list[i].name, 2);
  for (const vb_solver *const *s = vb_solver_table(); *s; s++) {
    const vb_solver_description *about = (*s)->describe(*s);
    width = longer(width, about->name, 2);
  }
  return vb_report_name_width(stdout, width, 30);
}

/// The title of a study, or why its script cannot be loaded.
static const char *what_of(const vb_study_info *study) {
  return study->title ? study->title : study->error;
}

static vb_status print_json(const vb_study_info *list, size_t n, vb_error *error) {
  vb_listing studies = {0};
  json_t *solvers = json_array();
  for (size_t i = 0; i < n; i++) {
    const vb_study_info *study = &list[i];
    vb_listing_row(&studies);
    vb_listing_text(&studies, "name", study->name);
    vb_listing_text(&studies, "title", study->title);
    vb_listing_text(&studies, "path", study->path);
    if (study->parameters)
      vb_listing_json(&studies, "parameters", json_loads(study->parameters, 0, NULL));
    else
      vb_listing_text(&studies, "parameters", NULL);
    if (study->error)
      vb_listing_text(&studies, "error", study->error);
  }
  for (const vb_solver *const *s = vb_solver_table(); *s; s++)
    json_array_append_new(solvers, vb_cli_describe_solver((*s)->describe(*s)));
  return vb_report_document(
      stdout,
      json_pack("{s:o, s:o}", "studies", vb_listing_take_json(&studies), "solvers", solvers),
      error);
}

static void collect_solver(vb_listing *table, const vb_solver_description *about) {
  vb_listing_row(table);
  vb_listing_text(table, "kind", "solver");
  vb_listing_text(table, "name", about->name);
  vb_listing_text(table, "what", about->long_name);
  for (size_t i = 0; i < about->n_options; i++) {
    vb_cli_add_option(table, &about->options[i]);
    vb_listing_text(table, "kind", "option");
    vb_listing_text(table, "solver", about->name);
  }
}

static vb_status print_csv(const vb_study_info *list, size_t n, vb_error *error) {
  vb_listing table = {0};
  for (size_t i = 0; i < n; i++) {
    vb_listing_row(&table);
    vb_listing_text(&table, "kind", "study");
    vb_listing_text(&table, "name", list[i].name);
    vb_listing_text(&table, "what", what_of(&list[i]));
    vb_listing_text(&table, "path", list[i].path);
  }
  for (const vb_solver *const *s = vb_solver_table(); *s; s++)
    collect_solver(&table, (*s)->describe(*s));
  return vb_listing_write_csv(stdout, &table, "kind,solver,name,what,default,choices,path", error);
}

/// Subjects in the order in which they are listed; others follow by name, studies about speed last.
static const struct {
  const char *folder, *title;
} SUBJECTS[] = {{"rods", "Single rods"},
                {"contact", "Contact, friction and crowds"},
                {"muscles", "Bundles, muscles and what they move"},
                {"solids", "Finite elements"},
                {"articulated", "Flesh, bones and joints"},
                {"umetani", "Position-based rods"}};
enum { N_SUBJECTS = sizeof SUBJECTS / sizeof *SUBJECTS };

/// The folder that a study's script lies in, by its last name.
static void name_folder(const vb_study_info *study, char *out, size_t size) {
  const char *end = strrchr(study->path, '/'), *begin = end;
  while (begin && begin > study->path && begin[-1] != '/')
    begin--;
  snprintf(out, size, "%.*s", end ? (int)(end - begin) : 0, end ? begin : "");
}

/// The place of a study's subject among those that are listed.
static int subject_of(const vb_study_info *study) {
  char folder[256];
  name_folder(study, folder, sizeof folder);
  if (study->folder && strcmp(study->folder, "bench") == 0)
    return N_SUBJECTS + 1;
  for (int k = 0; k < N_SUBJECTS; k++)
    if (strcmp(SUBJECTS[k].folder, folder) == 0)
      return k;
  return N_SUBJECTS;
}

/// Whether the study has the word that is looked for in its name, its title or its folder.
static bool is_wanted(const vb_study_info *study, const char *only) {
  char folder[256];
  name_folder(study, folder, sizeof folder);
  return !only || strcasestr(study->name, only) || strcasestr(what_of(study), only) ||
         strcasestr(folder, only);
}

static void print_subject(const vb_study_info *list, size_t n, int subject, int width) {
  const char *title = subject < N_SUBJECTS    ? SUBJECTS[subject].title
                      : subject == N_SUBJECTS ? "Studies"
                                              : "Studies about speed, for \"bench\"";
  bool titled = false;
  for (size_t i = 0; i < n; i++) {
    if (subject_of(&list[i]) != subject)
      continue;
    if (!titled)
      printf("%s:\n", title);
    titled = true;
    vb_cli_print_named("  ", list[i].name, width, what_of(&list[i]));
  }
}

static void print_tables(const vb_study_info *list, size_t n, bool solvers) {
  int width = name_width(list, n);
  for (int subject = 0; subject <= N_SUBJECTS + 1; subject++)
    print_subject(list, n, subject, width);
  if (!solvers)
    return;
  printf("Solvers (\"info SOLVER\" lists the options of one):\n");
  for (const vb_solver *const *p = vb_solver_table(); *p; p++) {
    const vb_solver_description *about = (*p)->describe(*p);
    vb_cli_print_named("  ", about->name, width, about->long_name);
  }
}

/// Moves the studies that are wanted to the front; their number.
static size_t choose(vb_study_info *list, size_t n, const char *only) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (is_wanted(&list[i], only)) {
      vb_study_info other = list[kept];
      list[kept++] = list[i];
      list[i] = other;
    }
  return kept;
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_study_info *list;
  size_t n, all;
  if (cli->n_arguments > 0)
    return vb_bad_input(error, "list takes no names; use info %s", cli->arguments[0]);
  if (s->names && (s->csv || s->json))
    return vb_bad_input(error, "list takes --names or --%s, not both", s->csv ? "csv" : "json");
  vb_status status = vb_study_list(!s->names || s->only, &list, &all, error);
  if (status)
    return status;
  n = choose(list, all, s->only);
  if (n == 0 && s->only) {
    status = vb_bad_input(
        error, "no study has \"%.100s\" in its name, title or folder; list shows all", s->only);
  } else if (s->json) {
    status = print_json(list, n, error);
  } else if (s->csv) {
    status = print_csv(list, n, error);
  } else if (s->names) {
    for (size_t i = 0; i < n; i++)
      puts(list[i].name);
  } else {
    print_tables(list, n, !s->only);
  }
  vb_study_list_destroy(list, all);
  return status;
}

VB_VERB(list, "", "list the available studies and solvers", .least = 0, .options = options,
        VB_SETTINGS(.json = false),
        .examples = "viperbench list\n"
                    "viperbench list -k muscle\n"
                    "viperbench list --csv\n");
