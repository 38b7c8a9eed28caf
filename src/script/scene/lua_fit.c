// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/scene/lua_fit.h"

#include "script/runtime/lua_args.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>

/// A fit has converged when a step changes no parameter by more than this share of it, or the
/// gradient is that small (see gsl_multifit_nlinear_test).
#define CONVERGED 1e-10

#define MOST_ITERATIONS 200
#define MOST_PARAMETERS 64

/// Most of residuals times the square of the parameters: an iteration's factorization, during which
/// no one looks at the time, then takes less than a second.
#define MOST_WORK ((size_t)1 << 26)

/// A fit at work.
typedef struct fit {
  lua_State *L;
  int function; ///< place of `residuals` on the stack
  size_t n, p;
  bool failed;  ///< a Lua error waits on top of the stack
  bool changed; ///< the number of residuals is not what it was
} fit;

/// Pushes a list of the numbers of a vector.
static void push_vector(lua_State *L, const gsl_vector *x) {
  lua_createtable(L, (int)x->size, 0);
  for (size_t i = 0; i < x->size; i++) {
    lua_pushnumber(L, gsl_vector_get(x, i));
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
}

/// Calls residuals(p) and leaves its list on the stack; parameters are those of `x`. To be called
/// in protected mode: arguments are the function and the vector, a light userdata.
static int call_residuals(lua_State *L) {
  lua_pushvalue(L, 1);
  push_vector(L, lua_touserdata(L, 2));
  lua_call(L, 1, 1);
  vb_args args = {.L = L, .who = "fit"};
  if (!lua_istable(L, -1))
    vb_args_fail(&args, "\"residuals\" must return a list of numbers, not a %s",
                 luaL_typename(L, -1));
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, -1); i++) {
    lua_rawgeti(L, -1, i);
    if (lua_type(L, -1) != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1)))
      vb_args_fail(&args, "\"residuals\": element %d must be a finite number", (int)i);
    lua_pop(L, 1);
  }
  return 1;
}

/// Leaves the list of residuals at `x` on the stack, or an error message; false then.
static bool push_residuals(fit *f, const gsl_vector *x) {
  lua_pushcfunction(f->L, call_residuals);
  lua_pushvalue(f->L, f->function);
  lua_pushlightuserdata(f->L, (void *)(uintptr_t)x);
  f->failed = lua_pcall(f->L, 2, 1, 0) != LUA_OK;
  return !f->failed;
}

/// For GSL: no Lua error may pass through it.
static int residuals(const gsl_vector *x, void *context, gsl_vector *out) {
  fit *f = context;
  lua_State *L = f->L;
  if (f->failed || f->changed || !push_residuals(f, x))
    return GSL_EFAILED;
  if (lua_rawlen(L, -1) != f->n) {
    f->changed = true;
    lua_pop(L, 1);
    return GSL_EFAILED;
  }
  for (size_t i = 0; i < f->n; i++) {
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    gsl_vector_set(out, i, lua_tonumber(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return GSL_SUCCESS;
}

/// Iterates as gsl_multifit_nlinear_driver does, which would go on after a failure; whether it
/// converged.
static bool iterate(const fit *f, gsl_multifit_nlinear_workspace *w) {
  int info = 0, status = GSL_CONTINUE;
  for (int i = 0; i < MOST_ITERATIONS && status == GSL_CONTINUE; i++) {
    int moved = gsl_multifit_nlinear_iterate(w);
    if (f->failed || f->changed || (moved == GSL_ENOPROG && i == 0))
      return false;
    status = gsl_multifit_nlinear_test(CONVERGED, CONVERGED, CONVERGED, &info, w);
  }
  return status == GSL_SUCCESS || status == GSL_ETOLF || status == GSL_ETOLX || status == GSL_ETOLG;
}

/// Runs the solver; whether it converged. Writes the iterations.
static bool solve(fit *f, const gsl_vector *start, gsl_multifit_nlinear_workspace *w) {
  gsl_multifit_nlinear_fdf problem = {.f = residuals, .n = f->n, .p = f->p, .params = f};
  return gsl_multifit_nlinear_init(start, &problem, w) == GSL_SUCCESS && iterate(f, w) &&
         !f->failed && !f->changed;
}

/// Pushes what came of it.
static void push_result(const fit *f, const gsl_multifit_nlinear_workspace *w) {
  lua_State *L = f->L;
  const gsl_vector *r = gsl_multifit_nlinear_residual(w);
  double sum = 0;
  for (size_t i = 0; i < f->n; i++)
    sum += gsl_vector_get(r, i) * gsl_vector_get(r, i);
  lua_createtable(L, 0, 3);
  push_vector(L, gsl_multifit_nlinear_position(w));
  lua_setfield(L, -2, "parameters");
  lua_pushnumber(L, sqrt(sum / (double)f->n));
  lua_setfield(L, -2, "rms");
  lua_pushinteger(L, (lua_Integer)gsl_multifit_nlinear_niter(w));
  lua_setfield(L, -2, "iterations");
}

/// Fits from `start`, which it frees. Leaves the result, or an error message where it returns
/// false.
static bool run(fit *f, gsl_vector *start) {
  gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
  gsl_multifit_nlinear_workspace *w =
      gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, f->n, f->p);
  bool good = w && solve(f, start, w);
  if (good)
    push_result(f, w); // small tables; where even they do not fit, little is lost
  else if (!f->failed)
    lua_pushstring(f->L, !w           ? "fit: out of memory"
                         : f->changed ? "fit: \"residuals\" must return as many numbers each time"
                                      : "fit: it does not converge");
  gsl_multifit_nlinear_free(w);
  gsl_vector_free(start);
  return good;
}

/// vb.fit{...}
static int do_fit(lua_State *L) {
  vb_args args = vb_args_open(L, 1, "fit", "start residuals");
  int64_t p = vb_args_length(&args, "start");
  if (p < 1 || p > MOST_PARAMETERS)
    vb_args_fail(&args, "needs \"start\", a list of 1 to %d numbers", MOST_PARAMETERS);
  double value[MOST_PARAMETERS];
  for (int64_t i = 0; i < p; i++)
    value[i] = vb_args_number_at(&args, "start", i);
  if (vb_args_push(&args, "residuals") != LUA_TFUNCTION)
    vb_args_fail(&args, "needs \"residuals\", a function of the list of parameters");
  fit f = {.L = L, .function = lua_gettop(L), .p = (size_t)p};
  gsl_vector_view at = gsl_vector_view_array(value, f.p);
  if (!push_residuals(&f, &at.vector))
    return lua_error(L);
  f.n = (size_t)lua_rawlen(L, -1);
  lua_pop(L, 1);
  if (f.n < f.p)
    vb_args_fail(&args, "%d residuals do not determine %d parameters", (int)f.n, (int)p);
  if (f.n > MOST_WORK / (f.p * f.p))
    vb_args_fail(&args, "%zu residuals are too many for %zu parameters (maximum %zu)", f.n, f.p,
                 MOST_WORK / (f.p * f.p));
  vb_sandbox_charge(L, (2 * f.n * f.p + 8 * (f.n + f.p)) * sizeof(double));
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  gsl_vector *start = gsl_vector_alloc(f.p);
  for (size_t i = 0; start && i < f.p; i++)
    gsl_vector_set(start, i, value[i]);
  bool good = start && run(&f, start);
  gsl_set_error_handler(handler);
  if (!start)
    vb_args_fail(&args, "out of memory");
  if (!good && f.failed)
    return lua_error(L);
  if (!good)
    vb_lua_fail(L, "%s", lua_tostring(L, -1));
  return 1;
}

void vb_lua_fit_define(lua_State *L) {
  lua_pushcfunction(L, do_fit);
  lua_setfield(L, -2, "fit");
}
