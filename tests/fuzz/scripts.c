// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario scripts, loaded and frozen within low limits. They are changed by tokens: words of the
// language, of vb and of its tables, and values at the edge of what numbers are.
#include "fuzz.h"
#include "solver/table.h"

#include "script/study/lua_study.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Whatever was frozen must be sound, and its solver must be able to say whether it takes it.
static void look_at(const vb_study *study) {
  for (size_t i = 0; i < study->n_runs; i++) {
    const vb_run_plan *run = &study->runs[i];
    const vb_solver *solver = NULL;
    vb_error error = {0};
    char hex[65];
    if (vb_scene_check(run->scene, vb_scene_bytes(run->scene), &error))
      __builtin_trap(); // was checked when it was frozen
    vb_scene_sha256(run->scene, hex);
    vb_status status = vb_solver_find(run->solver, &solver, &error);
    if (!status)
      status =
          vb_solver_check_options(solver->describe(solver), run->options, run->n_options, &error);
    if (!status)
      status = vb_solver_check_scene(solver->describe(solver), run->scene, &error);
    fuzz_expect(status, &error);
  }
}

static void run(const uint8_t *data, size_t size) {
  char path[FUZZ_PATH];
  vb_study *study = NULL;
  vb_error error = {0};
  vb_lua_limits limits = VB_LUA_LIMITS;
  limits.memory = (size_t)64 << 20;
  limits.instructions = 100000;
  limits.seconds = 0.2;
  limits.printed = 10000;
  fuzz_write("script.lua", data, size, path);
  vb_study_request request = {.name = path, .tier = size % 2 ? "quick" : "gold"};
  vb_status status = vb_lua_study_load(&request, ".", limits, &study, &error);
  fuzz_expect(status, &error);
  if (status)
    return;
  look_at(study);
  vb_study_destroy(study);
}

static const char *const VALUES[] = {
    "0",
    "1",
    "2",
    "3",
    "-1",
    "0.5",
    "-0.0",
    "1e308",
    "-1e308",
    "1e-320",
    "5e-324",
    "1/0",
    "-1/0",
    "0/0",
    "255",
    "32",
    "31",
    "65536",
    "1000000",
    "2^31",
    "-2^31",
    "2^32",
    "2^53",
    "2^61",
    "1 << 62",
    "math.maxinteger",
    "math.mininteger",
    "math.huge",
    "1e9",
    "nil",
    "true",
    "false",
    "{}",
    "{1}",
    "{0, 0, 1}",
    "{1, 2}",
    "{0, 1/0, 0}",
    "{ {0, 0}, {1, 1} }",
    "{ {0, 0, 'cubic'}, {1, 1} }",
    "{ {0, 0, 0}, {0, 0, 1} }",
    "{ [2] = 1 }",
    "{ 1, nil, 3 }",
    "{ 1, [4] = 4 }",
    "{ [0] = 1, 2 }",
    "{ [2^53] = 1 }",
    "{ [-1] = 1, [1.5] = 2 }",
    "{ [1e308] = {} }",
    "{ {0, nil, 0}, nil, {1, 1, 1} }",
    "{ x = 1, 1 }",
    "setmetatable({}, { __index = {1, 2, 3}, __len = function() return 3 end })",
    "function(...) return ... end",
    "function() return 0 end",
    "''",
    "'a'",
    "'../../sec/evil'",
    "'a\\0b'",
    "'\\27[31m'",
    "'x y'",
    "('x'):rep(1000)",
    "'xyz'",
    "'s'",
    "'direct'",
    "'xpbd'",
    "'neohookean'",
    "'check:viper'",
    "'octopus'",
    "print",
    "vb",
    "s",
    "a",
    "string.rep",
    "pcall",
    "error"};

static const char *const FRAGMENTS[] = {
    " s:rod{ nodes = 4, to = {0, 0, 1}, radius = 1, density = 1, material = {E = 1, nu = 0} } ",
    " s:rod{ points = { {0, 0, 0}, {0, 0, 1} }, radius = 1, density = 1, material = {kx = 1} } ",
    " , curve = function(t) return t, t * t, 0 end ",
    " s:node{ position = {0, 0, 2}, radius = 0.1 } ",
    " s:segment{ nodes = {0, 1}, material = {E = 1, nu = 0}, density = 1 } ",
    " s:joint{ segments = {0, 1} } ",
    " s:hinge{ node = 1 } ",
    " s:name{ node = 0, name = 'b' } ",
    " s:pin{ node = 0, components = 'xyz', segment = 0 } ",
    " s:pin{ nodes = {0, 1}, driver = s:driver{ name = 'd', angle = { {0, 0}, {1, 1} } } } ",
    " s:load{ node = 0, force = {1, 0, 0}, amplitude = { {0, 0}, {1, 1, 'hold'} } } ",
    " s:load{ segment = 0, torque = {1, 0, 0} } ",
    " s:bundle{ segments = {0, 1} } ",
    " s:halfplane{ normal = {0, 0, 1}, offset = -1, friction = 0.5 } ",
    " s:contact{ friction = 0.1, margin = 0.1, self = true } ",
    " s:filter{ segments = {0}, groups = {0, 31}, meets = {1} } ",
    " s:record{ every = 1, frames = 2, fields = {'position', 'scale'}, residual = true } ",
    " s:convergence{ after = 1, iterations = {1, 2} } ",
    " s:bench{ after = 1, accuracy = true } ",
    " s:solver{ method = 'direct', iterations = 2, precision = 'float' } ",
    " s:gate{ name = 'g', quantity = 'energy/total', near = 1, tolerance = 1, reason = 'r' } ",
    " , quantity = 'frames/position', node = 0, component = 'z', measure = 'final' ",
    " s:surface{ vertices = { {0, 0, 0} }, triangles = { {0, 1, 2} }, segments = {-1} } ",
    " local m = vb.box{ to = {1, 1, 1}, cells = {1, 1, 1} } ",
    " local b = s:mesh{ mesh = m, material = {E = 1, nu = 0.3}, density = 1 } ",
    " s:pin{ nodes = vb.vertices_at{ mesh = m, x = 0 } } ",
    " vb.pill_surface{ pills = { {0, 0, 0, 1, 0, 0, 1, 1} }, faces = 100, blend = 0.1 } ",
    " vb.fit{ start = {1, 2}, residuals = function(q) return {q[1] - 1, q[2]} end } ",
    " vb.read_mesh{ file = 'a.msh' } ",
    " include('octopus')(s, { skin = 100 }) ",
    " for i = 1, 10 do ",
    " end ",
    " local t = {} for i = 1, 100 do t[i] = i end ",
    " table.insert(t, 1, 0) ",
    " table.sort(t, function(x, y) return x < y end) ",
    " table.concat({'a', 'b'}, ('x'):rep(100)) ",
    " print(('x'):rep(100)) ",
    " string.format('%5.2s %q %a', 'x', 1, 2) ",
    " utf8.char(65, 1114111) ",
    " pcall(function() error({}) end) ",
    " setmetatable({}, {}) ",
    " , grid = { n = {2, 3}, method = {'direct', 'xpbd'} } ",
    " , each = function(at, p) return {iterations = 1} end ",
    " , runs = function(p, tier) return { {name = 'a', parameters = {n = 3}, label = 'x'} } end ",
    " , gates = function(p) return { {name = 'o', over = 'n', where = {}} } end ",
    " , quantity = 'energy/total', at_most = 1, reason = 'r' ",
    " , figure = 'helix' ",
    " , compare = { energy = {relative = 1e-9, reason = 'r'}, nan = 'never' } ",
    " , gold = { steps = 1, frames = 1, runs = {'a'}, parameters = {n = 3} } ",
    " , includes = {'helix'} ",
    " , parameters = { n = 4, a = 'x', b = true } "};

/// Names of the interface of scripts: all words in quotes of the sources that make it, and of the
/// members of scenes. Read when they are first wanted.
enum { MOST_NAMES = 4096, NAME_SIZE = 32 };
static char names[MOST_NAMES][NAME_SIZE];
static size_t n_names;

static void add_name(const char *word, size_t n) {
  if (n < 1 || n >= NAME_SIZE || n_names == MOST_NAMES || !(isalpha(word[0]) || word[0] == '_'))
    return;
  for (size_t i = 0; i < n; i++)
    if (!isalnum(word[i]) && word[i] != '_')
      return;
  for (size_t i = 0; i < n_names; i++)
    if (strlen(names[i]) == n && memcmp(names[i], word, n) == 0)
      return;
  memcpy(names[n_names++], word, n);
}

static void read_names(const char *path) {
  char line[1024];
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file))
    for (char *begin = strchr(line, '"'), *end; begin && (end = strchr(begin + 1, '"'));
         begin = strchr(end + 1, '"'))
      add_name(begin + 1, (size_t)(end - begin) - 1);
  if (file)
    fclose(file);
}

/// One of the names.
static const char *any_name(uint64_t *state) {
  static const char *const SOURCES[] = {"src/script/*/*.c", "src/scene/members.h"};
  for (size_t i = 0; n_names == 0 && i < 2; i++) {
    glob_t found;
    if (glob(SOURCES[i], 0, NULL, &found) != 0)
      continue;
    for (size_t k = 0; k < found.gl_pathc; k++)
      read_names(found.gl_pathv[k]);
    globfree(&found);
  }
  return n_names ? names[fuzz_random(state) % n_names] : "nodes";
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

/// A piece of the text.
typedef struct token {
  size_t begin, end;
} token;

enum { MOST_TOKENS = 4096 };

/// Where the token at `at` ends: a word or number, a text, or one other character.
static size_t end_of(const uint8_t *text, size_t size, size_t at) {
  size_t end = at + 1;
  if (isalnum(text[at]) || text[at] == '_')
    while (end < size && (isalnum(text[end]) || text[end] == '_' || text[end] == '.'))
      end++;
  else if (text[at] == '\'' || text[at] == '"') {
    while (end < size && text[end] != text[at] && text[end] != '\n')
      end++;
    end += end < size;
  }
  return end;
}

static size_t split(const uint8_t *text, size_t size, token *out) {
  size_t n = 0;
  for (size_t at = 0; at < size && n < MOST_TOKENS; at++)
    if (!isspace(text[at])) {
      out[n++] = (token){at, end_of(text, size, at)};
      at = out[n - 1].end - 1;
    }
  return n;
}

/// Puts `n` bytes in place of those from `begin` to `end`.
static size_t replace(uint8_t *data, size_t size, size_t room, size_t begin, size_t end,
                      const void *bytes, size_t n) {
  if (size - (end - begin) + n > room)
    return size;
  memmove(data + begin + n, data + end, size - end);
  memcpy(data + begin, bytes, n);
  return size - (end - begin) + n;
}

static size_t put(uint8_t *data, size_t size, size_t room, size_t begin, size_t end,
                  const char *text) {
  return replace(data, size, room, begin, end, text, strlen(text));
}

/// One change of the tokens.
static size_t change(uint8_t *data, size_t size, size_t room, uint64_t *state) {
  static token tokens[MOST_TOKENS];
  static uint8_t kept[1 << 16];
  char pair[256];
  size_t n = split(data, size, tokens);
  if (n == 0)
    return put(data, size, room, 0, size, "return { title = 't', build = function(p) end }");
  token one = tokens[fuzz_random(state) % n], other = tokens[fuzz_random(state) % n];
  const char *value = VALUES[fuzz_random(state) % COUNT(VALUES)];
  const char *key = any_name(state);
  switch (fuzz_random(state) % 8) {
  case 0:
    return put(data, size, room, one.begin, one.end, "");
  case 1: // a word or a value by another
    return put(data, size, room, one.begin, one.end, isalpha(data[one.begin]) ? key : value);
  case 2:
  case 3:
    return put(data, size, room, one.begin, one.end, value);
  case 4:
    return put(data, size, room, one.end, one.end,
               FRAGMENTS[fuzz_random(state) % COUNT(FRAGMENTS)]);
  case 5: // another entry of a table, where one ends
    snprintf(pair, sizeof pair, "%s%s = %s", data[one.begin] == '{' ? "" : ", ", key, value);
    snprintf(pair + strlen(pair), sizeof pair - strlen(pair), "%s",
             data[one.begin] == '{' ? "," : "");
    return put(data, size, room, one.end, one.end, pair);
  default: // a token, or all up to another, once more elsewhere
    if (other.end <= one.begin || fuzz_random(state) % 2)
      other = one;
    if (other.end - one.begin > sizeof kept)
      return size;
    memcpy(kept, data + one.begin, other.end - one.begin);
    n = fuzz_random(state) % n;
    return replace(data, size, room, tokens[n].end, tokens[n].end, kept, other.end - one.begin);
  }
}

static size_t mutate(uint8_t *data, size_t size, size_t room, unsigned seed) {
  uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  for (uint64_t n = 1 + fuzz_random(&state) % 4; n > 0; n--)
    size = change(data, size, room, &state);
  return size;
}

const fuzz_target fuzz_scripts = {"scripts", run, mutate};
