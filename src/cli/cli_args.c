// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/nearest_word.h"
#include "base/version.h"
#include "cli/cli.h"
#include "results/provenance.h"

#include <argp.h>
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum key {
  KEY_SOLVER = 0x100,
  KEY_METHOD,
  KEY_BACKEND,
  KEY_PRECISION,
  KEY_THREADS,
  KEY_ITERATIONS,
  KEY_SUBSTEPS,
  KEY_OPTION,
  KEY_SET,
  KEY_SCRIPT_TIME,
  KEY_TIER,
  KEY_OUT,
  KEY_FRESH,
  KEY_QUIET,
  KEY_JSON,
  KEY_JOBS,
  KEY_SHARD,
  KEY_RUN,
  KEY_FRAME,
  KEY_PLANE,
  KEY_BODY,
  KEY_MEASURE,
  KEY_BASELINE,
  KEY_SELF_TEST,
  KEY_LAUNCH,
  KEY_SLOW,
  KEY_ALLOW,
  KEY_NAN,
  KEY_TIME,
  KEY_FIGURE,
  KEY_FRAMES,
  KEY_SIZE,
  KEY_COLOR,
  KEY_LIMITS,
  KEY_VIEW,
  KEY_LOOK_AT,
  KEY_SHOW,
  KEY_GROUND,
  KEY_PLAIN,
  KEY_END
};

static const struct argp_option OPTIONS[] = {
    {"solver", KEY_SOLVER, "NAME", 0, "run with this solver", 1},
    {"method", KEY_METHOD, "NAME", 0, "method of the solver", 1},
    {"backend", KEY_BACKEND, "NAME", 0, "where the solver runs (auto, cpu, cuda)", 1},
    {"precision", KEY_PRECISION, "NAME", 0, "of the solver's numbers (double, float)", 1},
    {"threads", KEY_THREADS, "N", 0, "threads of the solver", 1},
    {"iterations", KEY_ITERATIONS, "N", 0, "iterations in a substep, at most", 1},
    {"substeps", KEY_SUBSTEPS, "N", 0, "substeps in a step", 1},
    {"option", KEY_OPTION, "NAME=VALUE", 0, "any option of the solver", 1},
    {"set", KEY_SET, "NAME=VALUE", 0, "a parameter of the study", 2},
    {"script-time", KEY_SCRIPT_TIME, "SECONDS", 0, "processor time of a study's script (60)", 2},
    {"tier", KEY_TIER, "quick|full|gold", 0, "size of the studies (quick)", 2},
    {"out", KEY_OUT, "DIR", 0, "folder of the results (results); render: the picture", 2},
    {"fresh", KEY_FRESH, NULL, 0, "run again what is recorded already", 2},
    {"quiet", KEY_QUIET, NULL, 0, "no progress bar, no tables", 2},
    {"json", KEY_JSON, NULL, 0, "print one JSON document in place of the tables", 2},
    {"jobs", KEY_JOBS, "N", 0, "run: N runs at a time, each in a process of its own", 2},
    {"shard", KEY_SHARD, "K/N", 0, "run: the K-th of N parts of each study", 2},
    {"run", KEY_RUN, "NAME", 0, "outline, surface, render: run of an index file", 3},
    {"frame", KEY_FRAME, "K", 0, "outline, render: frame, negative from the last (-1)", 3},
    {"plane", KEY_PLANE, "xy|xz|yz", 0, "outline: plane to look at (xz)", 3},
    {"body", KEY_BODY, "B", 0, "outline: this body alone", 3},
    {"measure", KEY_MEASURE, "scale", 0, "outline: add each segment's mean scale", 3},
    {"baseline", KEY_BASELINE, "SETTING", 0, "bench: compare speeds with this setting's", 4},
    {"self-test", KEY_SELF_TEST, NULL, 0,
     "alone: run the tests of a portable folder; bench: can this machine tell 3 % from nothing?",
     4},
    {"launch", KEY_LAUNCH, "CASE", 0,
     "bench: time one case for a comparison of launches; compare: the command A, beside B", 4},
    {"slow", KEY_SLOW, "PERCENT", 0, "bench --launch: spin so much longer, to test the test", 4},
    {"allow", KEY_ALLOW, "WHAT,..", 0,
     "compare: though the scene, solver, options, arithmetic or hardware is another", 5},
    {"nan", KEY_NAN, "equal|never", 0, "compare: whether two NaNs agree (as the study declares)",
     5},
    {"figure", KEY_FIGURE, "NAME", 0, "compare: draw what differs most as NAME.svg and NAME.png",
     5},
    {"time", KEY_TIME, "process|reported", 0,
     "compare --launch: time whole processes, or the seconds they print (process)", 5},
    {"frames", KEY_FRAMES, "A:B[:STEP]", 0, "render: frames A to B, with --out NAME-%04d.png", 6},
    {"size", KEY_SIZE, "WxH", 0, "render: size in pixels (1000x800)", 6},
    {"color", KEY_COLOR, "scale|volume_error|body", 0, "render: what the colors mean (body)", 6},
    {"limits", KEY_LIMITS, "LOW,HIGH", 0, "render: limits of the colors", 6},
    {"view", KEY_VIEW, "AZ,EL[,ZOOM[,LENS]]", 0, "render: where to look from (30,20,1,30)", 6},
    {"look-at", KEY_LOOK_AT, "X,Y,Z", 0, "render: middle of the picture", 6},
    {"show", KEY_SHOW, "surface|pills", 0, "render: of rods with a surface (surface)", 6},
    {"ground", KEY_GROUND, "Z|none", 0, "render: a ground at this height", 6},
    {"plain", KEY_PLAIN, NULL, 0, "render: no legend", 6},
    {0}};

static const char DOC[] =
    "Runs studies of elastic rods, judges them by gates, records and draws them.\v"
    "Commands:\n"
    "  list                    studies and solvers at hand\n"
    "  info NAME...            what a study is made of\n"
    "  run [all | NAME...]     run studies (all of scenarios/ where none is named)\n"
    "  join [all | NAME...]    judge and index what processes recorded in shares (run --shard)\n"
    "  bench [all | NAME...]   measure speed (all of bench/ where none is named)\n"
    "  plot FILE|NAME...       draw the figures of index files, or of studies that were run\n"
    "  table FILE COLUMN...    print columns of a results or index file\n"
    "  outline FILE            print the rods of a frame as polygons\n"
    "  surface FILE            print volume and crossings of a run's surface\n"
    "  render FILE             draw frames as PNG pictures\n"
    "  distance FILE RUN RUN   print how far two runs' surfaces are apart\n"
    "  compare A B             tell what changed between two results files, indexes or folders\n"
    "  compare --launch 'A' 'B'  launch two commands in turn and tell which is faster\n"
    "  pack FILE...            keep of a study's records what compare needs, in one small file "
    "each\n"
    "\n"
    "Exit codes: 0 all gates passed, 1 a gate failed, a run diverged or crashed, 2 bad input, 3 "
    "not "
    "available "
    "here, 4 inconclusive, 5 output could not be written, 128 + n stopped by signal n.";

/// A command, how many arguments it wants at least, and the options it takes (bit key -
/// KEY_SOLVER).
typedef struct command_info {
  const char *name;
  vb_command *function;
  size_t least;
  uint64_t options;
  const char *wants;
} command_info;

#define BIT(key)        (UINT64_C(1) << ((key)-KEY_SOLVER))
#define STUDY_OPTIONS   (BIT(KEY_OUT) - 1)
#define RUN_OPTIONS     (BIT(KEY_RUN) - 1)
#define JOIN_OPTIONS    (STUDY_OPTIONS | BIT(KEY_OUT) | BIT(KEY_QUIET) | BIT(KEY_JSON))
#define OUTLINE_OPTIONS ((BIT(KEY_BASELINE) - 1) & ~RUN_OPTIONS)
#define BENCH_OPTIONS                                                                              \
  ((RUN_OPTIONS & ~BIT(KEY_FRESH) & ~BIT(KEY_SHARD)) |                                             \
   ((BIT(KEY_ALLOW) - 1) & ~(BIT(KEY_BASELINE) - 1)))
#define RENDER_OPTIONS                                                                             \
  (BIT(KEY_RUN) | BIT(KEY_FRAME) | BIT(KEY_OUT) | BIT(KEY_QUIET) |                                 \
   ((BIT(KEY_END) - 1) & ~(BIT(KEY_FRAMES) - 1)))
#define COMPARE_OPTIONS                                                                            \
  (BIT(KEY_ALLOW) | BIT(KEY_NAN) | BIT(KEY_TIME) | BIT(KEY_FIGURE) | BIT(KEY_LAUNCH) |             \
   BIT(KEY_JSON) | BIT(KEY_QUIET))

static const command_info COMMANDS[] = {
    {"list", vb_cli_list, 0, 0, ""},
    {"info", vb_cli_info, 1, STUDY_OPTIONS, "the name of a study"},
    {"run", vb_cli_run, 0, RUN_OPTIONS, ""},
    {"join", vb_cli_join, 0, JOIN_OPTIONS, ""},
    {"bench", vb_cli_bench, 0, BENCH_OPTIONS, ""},
    {"plot", vb_cli_plot, 1, BIT(KEY_QUIET) | BIT(KEY_OUT), "an index file or the name of a study"},
    {"table", vb_cli_table, 2, 0, "a results file and a column"},
    {"compare", vb_cli_compare, 1, COMPARE_OPTIONS, "two results files or folders, or commands"},
    {"pack", vb_cli_pack, 1, BIT(KEY_OUT), "the index file of a study"},
    {"outline", vb_cli_outline, 1, OUTLINE_OPTIONS, "a results file"},
    {"surface", vb_cli_surface, 1, BIT(KEY_RUN), "a results file"},
    {"render", vb_cli_render, 1, RENDER_OPTIONS, "a results file"},
    {"distance", vb_cli_distance, 3, 0, "the index file of a study and two of its runs"},
};
/// What --self-test is where it stands alone.
static const command_info SELF_TEST = {"--self-test", vb_cli_self_test, 0,
                                       BIT(KEY_SELF_TEST) | BIT(KEY_OUT), ""};

#define N_COMMANDS (sizeof COMMANDS / sizeof *COMMANDS)
#define N_OPTIONS  (sizeof OPTIONS / sizeof *OPTIONS - 1)

/// What the parser fills.
typedef struct parse {
  vb_cli *cli;
  uint64_t used; ///< options given, by bit
  vb_error *error;
  vb_status status;
} parse;

static void fail(parse *p, vb_status status) {
  if (!p->status)
    p->status = status;
}

static void add_option(parse *p, const char *name, const char *value) {
  vb_cli *cli = p->cli;
  assert(cli);
  vb_option *grown = realloc(cli->options, (cli->n_options + 1) * sizeof *grown);
  if (!grown) {
    fail(p, vb_error_memory(p->error));
    return;
  }
  cli->options = grown;
  grown[cli->n_options++] = (vb_option){.name = name, .value = value};
}

// The settings own what they are given. NOLINTNEXTLINE(readability-non-const-parameter)
static void add_parameter(parse *p, char *name, char *value) {
  vb_cli *cli = p->cli;
  vb_setting *grown = realloc(cli->parameters, (cli->n_parameters + 1) * sizeof *grown);
  if (!grown) {
    fail(p, vb_error_memory(p->error));
    return;
  }
  cli->parameters = grown;
  grown[cli->n_parameters++] = (vb_setting){.name = name, .value = value};
}

/// Splits "NAME=VALUE" in place.
static void add_pair(parse *p, int key, char *text) {
  char *equals = strchr(text, '=');
  if (!equals || equals == text) {
    fail(p, vb_error_set(p->error, VB_BAD_INPUT, "--%s wants NAME=VALUE, not \"%s\"",
                         key == KEY_SET ? "set" : "option", text));
    return;
  }
  *equals = '\0';
  if (key == KEY_SET)
    add_parameter(p, text, equals + 1);
  else
    add_option(p, text, equals + 1);
}

static const char *option_name(int key) {
  for (size_t i = 0; i < N_OPTIONS; i++)
    if (OPTIONS[i].key == key)
      return OPTIONS[i].name;
  return NULL;
}

/// Where the text of an option that is only noted goes.
static const char **target(vb_cli *cli, int key) {
  switch (key) {
  case KEY_SOLVER:
    return &cli->solver;
  case KEY_TIER:
    return &cli->tier;
  case KEY_OUT:
    return &cli->folder;
  case KEY_JOBS:
    return &cli->jobs;
  case KEY_SHARD:
    return &cli->shard;
  case KEY_RUN:
    return &cli->run;
  case KEY_FRAME:
    return &cli->frame;
  case KEY_PLANE:
    return &cli->plane;
  case KEY_BODY:
    return &cli->body;
  case KEY_MEASURE:
    return &cli->measure;
  case KEY_BASELINE:
    return &cli->baseline;
  case KEY_LAUNCH:
    return &cli->launch;
  case KEY_SLOW:
    return &cli->slow;
  case KEY_ALLOW:
    return &cli->allow;
  case KEY_FIGURE:
    return &cli->figure;
  case KEY_TIME:
    return &cli->time;
  case KEY_NAN:
    return &cli->nan;
  case KEY_FRAMES:
    return &cli->frames;
  case KEY_SIZE:
    return &cli->size;
  case KEY_COLOR:
    return &cli->color;
  case KEY_LIMITS:
    return &cli->limits;
  case KEY_VIEW:
    return &cli->view;
  case KEY_LOOK_AT:
    return &cli->look_at;
  case KEY_SHOW:
    return &cli->show;
  case KEY_GROUND:
    return &cli->ground;
  default:
    return NULL;
  }
}

static void take_script_time(parse *p, const char *text) {
  char *end;
  p->cli->script_time = strtod(text, &end);
  if (end == text || *end || !(p->cli->script_time > 0) || !isfinite(p->cli->script_time))
    fail(p, vb_error_set(p->error, VB_BAD_INPUT,
                         "--script-time wants a positive number of seconds, not \"%s\"", text));
}

static void take_option(parse *p, int key, char *text) {
  vb_cli *cli = p->cli;
  const char **place = target(cli, key);
  p->used |= BIT(key);
  if (key == KEY_OUT)
    cli->folder = cli->out = text;
  else if (place)
    *place = text;
  else if (key == KEY_FRESH)
    cli->fresh = true;
  else if (key == KEY_QUIET)
    cli->quiet = true;
  else if (key == KEY_JSON)
    cli->json = true;
  else if (key == KEY_SELF_TEST)
    cli->self_test = true;
  else if (key == KEY_PLAIN)
    cli->plain = true;
  else if (key == KEY_SCRIPT_TIME)
    take_script_time(p, text);
  else if (key == KEY_SET || key == KEY_OPTION)
    add_pair(p, key, text);
  else
    add_option(p, option_name(key), text);
}

static error_t take(int key, char *text, struct argp_state *state) {
  parse *p = state->input;
  if (key >= KEY_SOLVER && key < KEY_END) {
    take_option(p, key, text);
    return 0;
  }
  if (key != ARGP_KEY_ARG)
    return ARGP_ERR_UNKNOWN;
  if (!p->cli->command)
    p->cli->command = text;
  else
    p->cli->arguments[p->cli->n_arguments++] = text;
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

/// Refuses long options that argp does not know, with the nearest one; argp would not name it.
static vb_status check_options(int argc, char **argv, vb_error *error) {
  const char *known[N_OPTIONS + 3] = {"help", "usage", "version"};
  for (size_t i = 0; i < N_OPTIONS; i++)
    known[3 + i] = OPTIONS[i].name;
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    char name[64];
    if (strncmp(argv[i], "--", 2) != 0)
      continue;
    size_t length = strcspn(argv[i] + 2, "="), k = 0;
    while (k < N_OPTIONS + 3 && strncmp(known[k], argv[i] + 2, length) != 0)
      k++;
    if (k < N_OPTIONS + 3)
      continue;
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), argv[i] + 2);
    const char *near = vb_nearest_word(name, known, N_OPTIONS + 3);
    return vb_error_set(error, VB_BAD_INPUT, "unknown option --%s; %s%s%s", name,
                        near ? "did you mean --" : "see --help", near ? near : "", near ? "?" : "");
  }
  return VB_OK;
}

static vb_status find_command(const char *name, const command_info **out, vb_error *error) {
  const char *known[N_COMMANDS];
  if (!name)
    return vb_error_set(error, VB_BAD_INPUT,
                        "no command; use list, info, run, join, bench, plot, table, compare, pack, "
                        "outline, surface, render or distance (see --help)");
  for (size_t i = 0; i < N_COMMANDS; i++) {
    known[i] = COMMANDS[i].name;
    if (strcmp(name, known[i]) == 0) {
      *out = &COMMANDS[i];
      return VB_OK;
    }
  }
  const char *near = vb_nearest_word(name, known, N_COMMANDS);
  return vb_error_set(error, VB_BAD_INPUT, "unknown command \"%s\"; %s%s%s", name,
                      near ? "did you mean \"" : "see --help", near ? near : "", near ? "\"?" : "");
}

/// Whether the command takes what was given.
static vb_status check_use(const parse *p, const command_info *command) {
  for (int key = KEY_SOLVER; key < KEY_END; key++)
    if (p->used & BIT(key) & ~command->options)
      return vb_error_set(p->error, VB_BAD_INPUT, "%s does not take --%s", command->name,
                          option_name(key));
  if (p->cli->n_arguments < command->least)
    return vb_error_set(p->error, VB_BAD_INPUT, "%s wants %s", command->name, command->wants);
  if (command->function == vb_cli_list && p->cli->n_arguments > 0)
    return vb_error_set(p->error, VB_BAD_INPUT, "list takes no names; use info %s",
                        p->cli->arguments[0]);
  if (!vb_is_tier(p->cli->tier))
    return vb_error_set(p->error, VB_BAD_INPUT, "unknown tier \"%s\"; use quick, full or gold",
                        p->cli->tier);
  if (command->function == vb_cli_bench && strcmp(p->cli->tier, "gold") == 0)
    return vb_error_set(p->error, VB_BAD_INPUT, "speed is never gold; use quick or full");
  return VB_OK;
}

vb_status vb_cli_parse(int argc, char **argv, vb_cli *out, vb_command **command, vb_error *error) {
  static const struct argp ARGP = {OPTIONS, take, "COMMAND [ARGUMENT...]", DOC, NULL, NULL, NULL};
  *out = (vb_cli){.tier = "quick", .folder = "results", .frame = "-1", .plane = "xz"};
  parse p = {.cli = out, .error = error};
  const command_info *info = NULL;
  out->arguments = calloc((size_t)argc + 1, sizeof *out->arguments);
  if (!out->arguments)
    return vb_error_memory(error);
  vb_status status = check_options(argc, argv, error);
  if (status)
    return status;
  argp_program_version_hook = print_version;
  argp_err_exit_status = VB_BAD_INPUT;
  if (argp_parse(&ARGP, argc, argv, 0, NULL, &p))
    return vb_error_set(error, VB_BAD_INPUT, "the command line cannot be understood; see --help");
  if (p.status)
    return p.status;
  if (out->self_test && !out->command)
    info = &SELF_TEST;
  else
    status = find_command(out->command, &info, error);
  if (!status)
    status = check_use(&p, info);
  if (!status)
    *command = info->function;
  return status;
}

vb_study_request vb_cli_request(const vb_cli *cli, const char *name) {
  return (vb_study_request){.name = name,
                            .tier = cli->tier,
                            .parameters = cli->parameters,
                            .n_parameters = cli->n_parameters,
                            .solver = cli->solver,
                            .options = cli->options,
                            .n_options = cli->n_options,
                            .script_time = cli->script_time};
}

vb_status vb_cli_jobs(const vb_cli *cli, int *out, vb_error *error) {
  char *end = NULL;
  long jobs = cli->jobs ? strtol(cli->jobs, &end, 10) : 0;
  if (cli->jobs && (end == cli->jobs || *end || jobs < 1 || jobs > 1024))
    return vb_error_set(error, VB_BAD_INPUT,
                        "--jobs wants a whole number from 1 to 1024, not \"%s\"", cli->jobs);
  *out = (int)jobs;
  return VB_OK;
}

void vb_cli_free(vb_cli *cli) {
  free(cli->arguments);
  free(cli->parameters);
  free(cli->options);
  *cli = (vb_cli){0};
}
