// SPDX-License-Identifier: GPL-3.0-or-later
// What a template writes: text with values in it, tables, and numbers as they are read.
#include "figure/plot_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Bytes of a page at most.
#define PAGE_SIZE ((size_t)16 << 20)

/// Longest name and format of a value in a text.
enum { NAME_SIZE = 64 };

static void put_bytes(lua_State *L, const char *text, size_t n) {
  vb_plot_page *page = vb_plot_page_of(L);
  page->put += n;
  if (page->put > PAGE_SIZE)
    vb_lua_fail(L, "a page has at most %zu bytes", PAGE_SIZE);
  if (fwrite(text, 1, n, page->out) != n)
    vb_lua_fail(L, "there is no memory for the page");
}

/// Whether a format is that of one number: "%", flags, width, precision, and one of e, f, g, d.
static bool is_format(const char *format) {
  size_t n = strlen(format);
  return n >= 2 && n < 12 && format[0] == '%' && strchr("efgd", format[n - 1]) &&
         1 + strspn(format + 1, "-+ 0123456789.") == n - 1;
}

/// Adds a number in a format.
static void add_number(luaL_Buffer *out, const char *format, double x) {
  char text[128];
  if (!isfinite(x)) {
    snprintf(text, sizeof text, "%s", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
  } else if (format[strlen(format) - 1] == 'd') {
    // The conversion becomes one of a whole number that is kept as a double.
    char whole[16];
    snprintf(whole, sizeof whole, "%.*s.0f", (int)strcspn(format, ".d"), format);
    snprintf(text, sizeof text, whole, x);
  } else {
    snprintf(text, sizeof text, format, x);
  }
  luaL_addstring(out, text);
}

/// Adds the value that the `n` letters between two braces name: NAME, or NAME:FORMAT.
static void add_value(lua_State *L, luaL_Buffer *out, const char *inner, size_t n) {
  char name[NAME_SIZE];
  if (n >= sizeof name)
    vb_lua_fail(L, "page: \"{%.40s..\" is too long; a brace that is text is written as {{", inner);
  snprintf(name, sizeof name, "%.*s", (int)n, inner);
  char *format = strchr(name, ':');
  if (format)
    *format++ = '\0';
  if (format && !is_format(format))
    vb_lua_fail(L, "page: {%s:%s} must have the format of one number, such as %%.3g", name, format);
  if (!lua_istable(L, 2))
    vb_lua_fail(L, "page: the text has {%s}, and there is no table of values", name);
  char *end;
  long i = strtol(name, &end, 10);
  int type = *name && !*end ? lua_rawgeti(L, 2, i) : lua_getfield(L, 2, name);
  if (type != LUA_TNUMBER && type != LUA_TSTRING)
    vb_lua_fail(L, "page: the text has {%s}, which is %s among its values", name,
                type == LUA_TNIL ? "not" : "neither a number nor a text");
  if (format && type != LUA_TNUMBER)
    vb_lua_fail(L, "page: {%s:%s} has the format of a number, and its value is a text", name,
                format);
  if (format) {
    double x = lua_tonumber(L, -1);
    lua_pop(L, 1);
    add_number(out, format, x);
  } else {
    luaL_addvalue(out);
  }
}

/// page.format(text, values): the text with each {NAME} or {NAME:FORMAT} replaced by that value.
static int format(lua_State *L) {
  const char *text = vb_plot_page_argument(L, 1, "page.format", "a text");
  luaL_Buffer out;
  lua_settop(L, 2);
  luaL_buffinit(L, &out);
  for (const char *c = text; *c;) {
    size_t plain = strcspn(c, "{}");
    luaL_addlstring(&out, c, plain);
    c += plain;
    if (!*c)
      break;
    if (c[1] == c[0]) { // two braces are one
      luaL_addchar(&out, *c);
      c += 2;
      continue;
    }
    const char *end = strchr(c, '}');
    if (*c == '}' || !end)
      vb_lua_fail(L, "page: a brace is alone in \"%.40s\"; one that is text is written twice", c);
    add_value(L, &out, c + 1, (size_t)(end - c - 1));
    c = end + 1;
  }
  luaL_pushresult(&out);
  return 1;
}

/// page.put(text, values): adds what page.format makes of them, and ends the line.
static int put(lua_State *L) {
  size_t n;
  vb_plot_page_argument(L, 1, "page.put", "a text");
  format(L);
  const char *text = lua_tolstring(L, -1, &n);
  put_bytes(L, text, n);
  put_bytes(L, "\n", 1);
  return 0;
}

/// Puts a row: the list on top of the stack between bars, which no cell may hold, on one line.
static void put_row(lua_State *L, lua_Integer width) {
  size_t n;
  for (lua_Integer i = 1; i <= width; i++) {
    int type = lua_rawgeti(L, -1, i);
    if (type != LUA_TSTRING && type != LUA_TNUMBER)
      vb_lua_fail(L, "page.table: cell %lld of a row is a %s, neither a text nor a number",
                  (long long)i, luaL_typename(L, -1));
    const char *cell = lua_tolstring(L, -1, &n);
    put_bytes(L, i == 1 ? "| " : " | ", i == 1 ? 2 : 3);
    for (size_t k = 0; k < n; k++)
      if (cell[k] == '|')
        put_bytes(L, "\\|", 2);
      else
        put_bytes(L, cell[k] == '\n' ? " " : cell + k, 1);
    lua_pop(L, 1);
  }
  put_bytes(L, " |\n", 3);
}

/// page.table(head, rows): a table of Markdown.
static int table(lua_State *L) {
  if (lua_gettop(L) != 2 || !lua_istable(L, 1) || !lua_istable(L, 2))
    vb_lua_fail(L, "page.table: takes the list of its heads and a list of rows");
  lua_Integer width = (lua_Integer)lua_rawlen(L, 1);
  lua_pushvalue(L, 1);
  put_row(L, width);
  lua_pop(L, 1);
  for (lua_Integer i = 0; i < width; i++)
    put_bytes(L, i == 0 ? "|---|" : "---|", i == 0 ? 5 : 4);
  put_bytes(L, "\n", 1);
  for (lua_Integer i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++) {
    if (!lua_istable(L, -1) || (lua_Integer)lua_rawlen(L, -1) != width)
      vb_lua_fail(L, "page.table: row %lld must be a list of %lld cells, as many as heads",
                  (long long)i, (long long)width);
    put_row(L, width);
    lua_pop(L, 1);
  }
  return 0;
}

/// page.si(x, unit, digits): a number of 1 to 1000 with the unit's prefix: "11.3 µs".
static int si(lua_State *L) {
  static const char *const prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
  enum { ONE = 4, MOST = 8 };
  double x = luaL_checknumber(L, 1);
  const char *unit = vb_plot_page_argument(L, 2, "page.si", "a unit");
  int digits = (int)luaL_optinteger(L, 3, 3), k = ONE;
  char text[64];
  if (digits < 1 || digits > 15)
    vb_lua_fail(L, "page.si: there are 1 to 15 digits, not %d", digits);
  double rounded = x;
  if (isfinite(x) && x != 0) {
    snprintf(text, sizeof text, "%.*e", digits - 1, x); // 999.96 is 1 k in three digits
    rounded = strtod(text, NULL);
    k = ONE + (int)floor(log10(fabs(rounded)) / 3 + 1e-12);
    k = k < 0 ? 0 : k > MOST ? MOST : k;
  }
  double scaled = rounded / pow(1000, k - ONE);
  int before = fabs(scaled) < 10 ? 1 : fabs(scaled) < 100 ? 2 : 3;
  if (!isfinite(x))
    snprintf(text, sizeof text, "%s", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
  else
    snprintf(text, sizeof text, "%.*f", digits > before ? digits - before : 0, scaled);
  lua_pushfstring(L, "%s %s%s", text, prefixes[k], unit);
  return 1;
}

/// page.within(error): a relative error, rounded up to one digit: "within 3 %".
static int within(lua_State *L) {
  double percent = 100 * fabs(luaL_checknumber(L, 1));
  char text[64];
  if (!isfinite(percent)) {
    lua_pushstring(L, "not a finite number");
    return 1;
  }
  if (percent < 1e-12) {
    lua_pushstring(L, "equal to rounding");
    return 1;
  }
  double unit = pow(10, floor(log10(percent)));
  // An error of 3 % whose digits are those of 3.0000000001 is still of 3 %.
  snprintf(text, sizeof text, "%.12g", ceil(percent / unit - 1e-9) * unit);
  lua_pushfstring(L, percent <= 50 ? "within %s %%" : "off by up to %s %%", text);
  return 1;
}

void vb_plot_page_add_text(lua_State *L, vb_plot_page *page) {
  static const luaL_Reg functions[] = {{"format", format}, {"put", put},       {"table", table},
                                       {"si", si},         {"within", within}, {NULL, NULL}};
  vb_plot_page_add(L, page, functions);
}
