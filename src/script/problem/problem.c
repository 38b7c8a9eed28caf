// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/problem/problem.h"

#include "base/nearest_word.h"
#include "script/runtime/lua_args.h"
#include "script/runtime/lua_include.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A file that is kept beside the problems.
#define REFERENCES "references"

/// What is being read.
typedef struct reading {
  vb_sandbox *sandbox;
  vb_problems *problems;
  vb_problem *problem;
  bool compute;
} reading;

static const char *keep(reading *r, const char *text) {
  return vb_arena_text(&r->problems->memory, text);
}

/// A text of several lines as one paragraph.
static const char *keep_paragraph(reading *r, const char *text) {
  char *out = vb_arena_text(&r->problems->memory, text);
  for (char *c = out; c && *c; c++)
    if (*c == '\n')
      *c = ' ';
  return out;
}

/// A list of texts, ended by a null.
static const char **read_texts(reading *r, const vb_args *args, const char *key) {
  size_t n = (size_t)vb_args_length(args, key);
  const char **out;
  VB_TAKE(&r->problems->memory, out, n + 1);
  for (size_t i = 0; out && i < n; i++)
    out[i] = keep(r, vb_args_text_at(args, key, (int64_t)i));
  return out;
}

static bool open_table(const vb_args *args, const char *key, const char *keys, vb_args *out) {
  if (vb_args_push(args, key) == LUA_TNIL) {
    lua_pop(args->L, 1);
    return false;
  }
  *out = vb_args_open(args->L, -1, key, keys);
  return true;
}

/// A stiffness as a flexibility: rigid where it is not said.
static double flexibility(const vb_args *args, const char *key) {
  return vb_args_has(args, key) ? 1 / vb_args_positive(args, key, "") : 0;
}

static void read_stiffness(const vb_args *rod, cosserat_rod *out) {
  static const char *const names[6] = {"shear_u", "shear_v", "stretch",
                                       "bend_u",  "bend_v",  "twist"};
  vb_args args;
  if (!open_table(rod, "stiffness", "shear_u shear_v stretch bend_u bend_v twist", &args))
    vb_args_fail(rod, "has no \"stiffness\"");
  for (int k = 0; k < 6; k++)
    out->flexibility[k] = flexibility(&args, names[k]);
  lua_pop(rod->L, 1);
}

static void read_end(const vb_args *rod, const char *key, cosserat_end *out) {
  static const char letters[] = "xyzuvw";
  vb_args args;
  out->frame[0] = 1;
  if (!open_table(rod, key, "position frame held", &args))
    return;
  vb_args_vector(&args, "position", 3, out->position);
  vb_args_vector(&args, "frame", 4, out->frame);
  const char *held = vb_args_string(&args, "held", false);
  for (; held && *held; held++) {
    const char *letter = strchr(letters, *held);
    if (!letter)
      vb_args_fail(&args, "\"held\" is of the letters %s, not \"%c\"", letters, *held);
    out->held |= 1U << (letter - letters);
  }
  lua_pop(rod->L, 1);
}

/// Reads the rod of a case; false where it has none.
static bool read_rod(const vb_args *of, cosserat_rod *out) {
  vb_args args;
  if (!open_table(of, "rod",
                  "length stiffness curvature string start finish weight force moment twist bent "
                  "middle_plane",
                  &args))
    return false;
  out->length = vb_args_positive(&args, "length", "");
  out->string = vb_args_boolean_or(&args, "string", false);
  out->middle_plane = vb_args_boolean_or(&args, "middle_plane", false);
  out->twist = vb_args_number_or(&args, "twist", 0);
  read_stiffness(&args, out);
  read_end(&args, "start", &out->start);
  read_end(&args, "finish", &out->finish);
  vb_args_vector(&args, "curvature", 3, out->curvature);
  memcpy(out->bent, out->curvature, sizeof out->bent);
  vb_args_vector(&args, "bent", 3, out->bent);
  vb_args_vector(&args, "weight", 3, out->weight);
  vb_args_vector(&args, "force", 3, out->force);
  vb_args_vector(&args, "moment", 3, out->moment);
  lua_pop(of->L, 1);
  return true;
}

/// Reads what the statement gives besides a rod.
static void read_given(reading *r, const vb_args *of, vb_problem_case *out) {
  lua_State *L = r->sandbox->lua;
  out->n_given = (size_t)vb_args_length(of, "given");
  VB_TAKE(&r->problems->memory, out->given, out->n_given);
  vb_args_push(of, "given");
  for (size_t i = 0; out->given && i < out->n_given; i++) {
    lua_geti(L, -1, (lua_Integer)i + 1);
    vb_args args = vb_args_open(L, -1, "given", "name what value");
    out->given[i].name = keep(r, vb_args_string(&args, "name", true));
    out->given[i].what = keep(r, vb_args_string(&args, "what", true));
    out->given[i].value = vb_args_number(&args, "value");
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/// Reads where a rod is asked about.
static void read_place(const vb_args *args, cosserat_place *out) {
  static const char *const components[] = {"x", "y", "z", "ux", "uy", "uz", NULL};
  out->at = vb_args_number(args, "at");
  if (out->at < 0 || out->at > 1 || fmod(4 * out->at, 1) != 0)
    vb_args_fail(args, "\"at\" is a quarter of the length or a multiple");
  out->time = vb_args_number_or(args, "time", 0);
  out->component =
      vb_args_choice(args, "component", vb_args_string(args, "component", true), components);
}

/// Reads computation `k` of a script, { NAME, FUNCTION }, at the top of the stack, and calls it
/// where that is asked for: it returns the value and its error.
static void read_method(reading *r, const vb_args *args, int k, vb_question *out) {
  lua_State *L = r->sandbox->lua;
  lua_geti(L, -1, 1);
  lua_geti(L, -2, 2);
  if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TFUNCTION)
    vb_args_fail(args, "each of \"methods\" is a name and a function that returns value and error");
  out->method[k] = keep(r, lua_tostring(L, -2));
  if (r->compute) {
    lua_call(L, 0, 2);
    if (!lua_isnumber(L, -2) || !lua_isnumber(L, -1))
      vb_args_fail(args, "\"%s\" must return a value and its error", out->method[k]);
    out->answer[k] = (cosserat_value){lua_tonumber(L, -2), lua_tonumber(L, -1)};
    lua_pop(L, 1);
  }
  lua_pop(L, 2);
}

/// Reads the computations that the script of a case without a rod makes.
static void read_methods(reading *r, const vb_args *args, vb_question *out) {
  int64_t n = vb_args_length(args, "methods");
  if (n < 1 || n > 2 || (n == 1 && isnan(out->exact)))
    vb_args_fail(args,
                 "without a rod, \"methods\" lists two computations, or one beside \"exact\"");
  vb_args_push(args, "methods");
  for (int k = 0; k < n; k++) {
    lua_geti(args->L, -1, k + 1);
    read_method(r, args, k, out);
    lua_pop(args->L, 1);
  }
  lua_pop(args->L, 1);
}

static void read_question(reading *r, const vb_problem_case *of, vb_question *out) {
  const cosserat_value unknown = {NAN, NAN};
  lua_State *L = r->sandbox->lua;
  vb_args args = vb_args_open(L, -1, "ask",
                              of->has_rod ? "name what at component time critical exact"
                                          : "name what scale exact methods seeds");
  out->name = keep(r, vb_args_string(&args, "name", true));
  out->what = keep(r, vb_args_string(&args, "what", true));
  out->exact = vb_args_number_or(&args, "exact", NAN);
  out->reference = out->answer[0] = out->answer[1] = unknown;
  if (!of->has_rod) {
    out->seeds = vb_args_integer_or(&args, "seeds", 2, 1000000, 0);
    if (out->seeds && (vb_args_length(&args, "methods") < 2 || !isnan(out->exact)))
      vb_args_fail(&args, "a mean over \"seeds\" has two \"methods\" and no \"exact\"");
    out->scale = vb_args_has(&args, "scale") ? vb_args_positive(&args, "scale", "") : 1;
    read_methods(r, &args, out);
    return;
  }
  out->method[0] = of->moves ? "staggered" : "collocation";
  out->method[1] = "elements";
  out->critical = vb_args_vector(&args, "critical", 2, out->range);
  if (!out->critical)
    read_place(&args, &out->place);
  out->scale = !out->critical && out->place.component < 3 ? of->rod.length : 1;
}

static void read_motion(const vb_args *of, vb_problem_case *out) {
  static const char *const courses[] = {"hold", "pulse", "hat", NULL};
  vb_args args;
  cosserat_motion *m = &out->motion;
  out->moves = open_table(of, "motion", "mass inertia course pulse_time spin steps cells", &args);
  if (!out->moves)
    return;
  m->mass = vb_args_positive(&args, "mass", "");
  vb_args_vector(&args, "inertia", 3, m->inertia);
  m->course = vb_args_choice(&args, "course", vb_args_string(&args, "course", true), courses);
  m->pulse_time = vb_args_positive(&args, "pulse_time", "");
  vb_args_vector(&args, "spin", 3, m->spin);
  m->steps = vb_args_positive(&args, "steps", "");
  out->n_cells = 2 * (size_t)vb_args_integer_or(&args, "cells", 4, 4096, 40) / 2;
  for (int k = 0; k < 3; k++)
    if (!(m->inertia[k] > 0))
      vb_args_fail(&args, "\"inertia\" is three positive numbers");
  lua_pop(of->L, 1);
}

/// Times of a motion do not fall from one question to the next, and a motion is asked at none but
/// these.
static void check_times(const vb_args *args, const vb_problem_case *of) {
  double before = 0;
  for (size_t i = 0; !of->moves && i < of->n_questions; i++)
    if (of->questions[i].place.component > 2)
      vb_args_fail(args, "\"component\" ux, uy and uz are of motions");
  for (size_t i = 0; i < of->n_questions; before = of->questions[i++].place.time)
    if (of->moves ? !(of->questions[i].place.time > 0 && of->questions[i].place.time >= before)
                  : of->questions[i].place.time != 0)
      vb_args_fail(args, "\"time\" is of motions; it is positive and does not fall");
}

static void read_case(reading *r, vb_problem_case *out) {
  lua_State *L = r->sandbox->lua;
  vb_args args = vb_args_open(L, -1, "case", "name given shape rod motion elements collocated ask");
  out->name = keep(r, vb_args_string(&args, "name", true));
  out->n_elements = 2 * (size_t)vb_args_integer_or(&args, "elements", 4, 4096, 128) / 2;
  out->collocated = vb_args_boolean_or(&args, "collocated", true);
  out->has_rod = read_rod(&args, &out->rod);
  if (out->has_rod)
    read_motion(&args, out);
  else
    read_given(r, &args, out);
  out->n_questions = (size_t)vb_args_length(&args, "ask");
  VB_TAKE(&r->problems->memory, out->questions, out->n_questions);
  vb_args_push(&args, "ask");
  for (size_t i = 0; out->questions && i < out->n_questions; i++) {
    lua_geti(L, -1, (lua_Integer)i + 1);
    read_question(r, out, &out->questions[i]);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  check_times(&args, out);
}

/// Puts the value of a question that the table at the top of the stack keeps under `key`.
static void read_value(const vb_args *args, const char *key, cosserat_value *out) {
  double pair[2];
  if (key && vb_args_vector(args, key, 2, pair))
    *out = (cosserat_value){pair[0], pair[1]};
}

/// Puts what references.lua, whose table is at the top of the stack, keeps of a question.
static void read_reference(const reading *r, const vb_problem_case *of, vb_question *question) {
  lua_State *L = r->sandbox->lua;
  lua_pushfstring(L, "%s/%s/%s", r->problem->name, of->name, question->name);
  if (lua_gettable(L, -2) == LUA_TTABLE) {
    vb_args args = vb_args_of(L, -1, "reference");
    read_value(&args, "reference", &question->reference);
    for (int k = 0; k < 2 && !(r->compute && !of->has_rod); k++)
      read_value(&args, question->method[k], &question->answer[k]);
  }
  lua_pop(L, 1);
}

/// Calls include("problems/NAME"), whose table it leaves on the stack.
static void push_included(lua_State *L, const char *name) {
  lua_getglobal(L, "include");
  lua_pushfstring(L, "problems/%s", name);
  lua_call(L, 1, 1);
}

static void read_references(reading *r) {
  lua_State *L = r->sandbox->lua;
  push_included(L, REFERENCES);
  for (size_t c = 0; c < r->problem->n_cases; c++)
    for (size_t q = 0; q < r->problem->cases[c].n_questions; q++)
      read_reference(r, &r->problem->cases[c], &r->problem->cases[c].questions[q]);
  lua_pop(L, 1);
}

/// Reads one problem; raises Lua errors.
static int read_problem(lua_State *L) {
  reading *r = lua_touserdata(L, 1);
  vb_problem *p = r->problem;
  luaL_checkstack(L, 100, "the problem's own tables");
  vb_lua_include_define(L);
  push_included(L, p->name);
  vb_args args = vb_args_open(L, -1, "problem",
                              "title text formulas units groups models made published sees cases");
  p->title = keep(r, vb_args_string(&args, "title", true));
  p->text = keep_paragraph(r, vb_args_string(&args, "text", true));
  p->units = keep(r, vb_args_string(&args, "units", true));
  p->made = keep(r, vb_args_string(&args, "made", true));
  p->published = keep(r, vb_args_string(&args, "published", false));
  p->formulas = read_texts(r, &args, "formulas");
  p->groups = read_texts(r, &args, "groups");
  p->models = read_texts(r, &args, "models");
  p->sees = read_texts(r, &args, "sees");
  p->n_cases = (size_t)vb_args_length(&args, "cases");
  VB_TAKE(&r->problems->memory, p->cases, p->n_cases);
  vb_args_push(&args, "cases");
  for (size_t i = 0; p->cases && i < p->n_cases; i++) {
    lua_geti(L, -1, (lua_Integer)i + 1);
    read_case(r, &p->cases[i]);
    lua_pop(L, 1);
  }
  read_references(r);
  return 0;
}

/// Reads problem number `i`, whose name is known, in a sandbox of its own.
static vb_status read_one(const char *home, vb_problems *problems, size_t i, bool compute,
                          vb_error *error) {
  char shown[512];
  reading r = {.problems = problems, .problem = &problems->list[i], .compute = compute};
  vb_lua_limits limits = VB_LUA_LIMITS;
  if (compute) { // means over many random starts take a minute
    limits.instructions *= 20;
    limits.seconds *= 20;
  }
  vb_status status = vb_sandbox_open(home, limits, &r.sandbox, error);
  if (status)
    return status;
  snprintf(shown, sizeof shown, "scenarios/problems/%s.lua", r.problem->name);
  vb_sandbox_name_script(r.sandbox, shown);
  status = vb_sandbox_run(r.sandbox, read_problem, &r, error);
  vb_sandbox_close(r.sandbox);
  return status ? status : vb_arena_status(&problems->memory, error);
}

/// Lists the names of all problems, in their order.
static vb_status list_names(const char *home, vb_problems *out, vb_error *error) {
  char pattern[4200];
  glob_t found = {0};
  snprintf(pattern, sizeof pattern, "%.4096s/scenarios/problems/*.lua", home);
  if (glob(pattern, 0, NULL, &found) != 0)
    return vb_bad_input(error, "there are no problems: no file matches %s", pattern);
  VB_TAKE(&out->memory, out->list, found.gl_pathc);
  for (size_t i = 0; out->list && i < found.gl_pathc; i++) {
    char *name = vb_arena_text(&out->memory, strrchr(found.gl_pathv[i], '/') + 1);
    if (name)
      *strrchr(name, '.') = '\0';
    if (name && strcmp(name, REFERENCES) != 0)
      out->list[out->n++].name = name;
  }
  globfree(&found);
  return vb_arena_status(&out->memory, error);
}

static vb_status refuse_name(const char *name, const vb_problems *all, vb_error *error) {
  const char **names = calloc(all->n + 1, sizeof *names);
  const char *near = NULL;
  for (size_t i = 0; names && i < all->n; i++)
    names[i] = all->list[i].name;
  if (names)
    near = vb_nearest_word(name, names, all->n);
  vb_status status =
      near ? vb_bad_input(error, "there is no problem \"%.100s\"; did you mean \"%s\"?", name, near)
           : vb_bad_input(error, "there is no problem \"%.100s\"; \"problem\" lists all", name);
  free(names);
  return status;
}

/// Keeps the problems of these names alone, in their order.
static vb_status choose(vb_problems *all, char *const *name, size_t n, vb_error *error) {
  vb_problem *list;
  VB_TAKE(&all->memory, list, n);
  for (size_t i = 0; list && i < n; i++) {
    size_t k = 0;
    while (k < all->n && strcmp(all->list[k].name, name[i]) != 0)
      k++;
    if (k == all->n)
      return refuse_name(name[i], all, error);
    list[i] = all->list[k];
  }
  all->list = list;
  all->n = n;
  return vb_arena_status(&all->memory, error);
}

vb_status vb_problems_read(const char *home, char *const *name, size_t n, bool compute,
                           vb_problems *out, vb_error *error) {
  *out = (vb_problems){0};
  vb_status status = list_names(home, out, error);
  if (!status && n > 0)
    status = choose(out, name, n, error);
  for (size_t i = 0; !status && i < out->n; i++)
    status = read_one(home, out, i, compute, error);
  return status;
}

void vb_problems_free(vb_problems *problems) {
  vb_arena_clear(&problems->memory);
  *problems = (vb_problems){0};
}
