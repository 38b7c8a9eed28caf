// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether every number, choice and flag of a scene is by itself what the schema says.
#include "base/text.h"
#include "base/time_limit.h"
#include "scene/checks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

vb_place vb_place_of(const vb_sets *sets, vb_tag tag, size_t index) {
  vb_place p;
  if (tag == VB_SET_WORLD)
    return (vb_place){"scene"};
  int n = snprintf(p.text, sizeof p.text, "%s %zu", vb_tag_name(tag), index);
  int32_t node = tag == VB_SET_NODE      ? (int32_t)index
                 : tag == VB_SET_SEGMENT ? sets->segments[index].node[0]
                                         : -1;
  if (node < 0)
    return p;
  char given_by_default[VB_NAME_SIZE];
  int32_t body = sets->nodes[node].body;
  snprintf(given_by_default, sizeof given_by_default, "body%d", body);
  const char *name = sets->bodies[body].name;
  if (strcmp(name, given_by_default) != 0)
    snprintf(p.text + n, sizeof p.text - (size_t)n, " of %s", name);
  return p;
}

vb_status vb_check_number(const vb_sets *sets, vb_tag tag, size_t index, const char *title,
                          vb_rule rule, const double *value, int n, vb_error *error) {
  const char *wrong = NULL;
  double square = 0, worst = 0;
  for (int i = 0; !wrong && i < n; i++) {
    wrong = !isfinite(value[i])                            ? "not a finite number"
            : rule == VB_RULE_POSITIVE && value[i] <= 0    ? "not positive"
            : rule == VB_RULE_NOT_NEGATIVE && value[i] < 0 ? "negative"
                                                           : NULL;
    worst = value[i];
    square += value[i] * value[i];
  }
  if (wrong)
    return vb_bad_input(error, "%s: %s %g is %s", vb_place_of(sets, tag, index).text, title, worst,
                        wrong);
  if (rule == VB_RULE_UNIT && !(fabs(sqrt(square) - 1) <= VB_UNIT_TOLERANCE))
    return vb_bad_input(error, "%s: %s has the norm %.12g; it should be 1",
                        vb_place_of(sets, tag, index).text, title, sqrt(square));
  return VB_OK;
}

/// Checks static and kinetic friction.
static vb_status check_friction(vb_tag tag, size_t i, const double friction[2], vb_error *error) {
  double at_rest = friction[0], sliding = friction[1];
  if (!(isfinite(at_rest) && at_rest >= 0))
    return vb_bad_input(error, "%s %zu: static friction %g is not a number from 0 on",
                        vb_tag_name(tag), i, at_rest);
  if (!(sliding >= 0 && sliding <= at_rest))
    return vb_bad_input(error,
                        "%s %zu: kinetic friction %g is not between 0 and the static friction %g",
                        vb_tag_name(tag), i, sliding, at_rest);
  return VB_OK;
}

static vb_status check_real(const vb_sets *sets, vb_tag tag, size_t index, const vb_member *m,
                            const double *value, vb_error *error) {
  if (m->rule == VB_RULE_FRICTION)
    return check_friction(tag, index, value, error);
  if (!m->words)
    return vb_check_number(sets, tag, index, vb_member_title(m).text, m->rule, value, m->n, error);
  vb_status status = VB_OK;
  char title[24];
  for (int k = 0; status == VB_OK && k < m->n && vb_member_word(m, k, title); k++)
    status = vb_check_number(sets, tag, index, title, m->rule, value + k, 1, error);
  return status;
}

static vb_status check_long(const vb_sets *sets, vb_tag tag, size_t index, const vb_member *m,
                            int64_t value, vb_error *error) {
  if (m->rule == VB_RULE_NOT_NEGATIVE && value < 0)
    return vb_bad_input(error, "%s: %s %lld is negative", vb_place_of(sets, tag, index).text,
                        vb_member_title(m).text, (long long)value);
  return VB_OK;
}

static vb_status check_choice(const vb_sets *sets, vb_tag tag, size_t index, const vb_member *m,
                              int32_t value, vb_error *error) {
  char word[24], words[96] = "";
  int n = 0;
  while (vb_member_word(m, n, word))
    n++;
  if (value >= 0 && value < n)
    return VB_OK;
  for (int k = 0; k < n && vb_member_word(m, k, word); k++)
    vb_text_add(words, sizeof words, "%s%s", k == 0 ? "" : k + 1 == n ? " and " : ", ", word);
  const char *element = vb_sets_get(sets, tag, &(size_t){0});
  const char *name = vb_schema_find(tag, VB_KIND_NAME) ? element + index * vb_schema[tag].size : "";
  vb_title title = vb_member_title(m);
  return vb_bad_input(error, "%s%s%s%s: %s%s%d is none of %s (0 to %d)",
                      vb_place_of(sets, tag, index).text, *name ? " (" : "", name, *name ? ")" : "",
                      title.text, *title.text ? " " : "", value, words, n - 1);
}

static vb_status check_member(const vb_sets *sets, vb_tag tag, size_t index, const vb_member *m,
                              const char *element, vb_error *error) {
  const void *at = element + m->offset;
  if (m->rule == VB_RULE_OWN)
    return VB_OK;
  if (m->kind == VB_KIND_REAL)
    return check_real(sets, tag, index, m, at, error);
  if (m->kind == VB_KIND_LONG)
    return check_long(sets, tag, index, m, *(const int64_t *)at, error);
  if (m->kind == VB_KIND_CHOICE)
    return check_choice(sets, tag, index, m, *(const int32_t *)at, error);
  if (m->kind == VB_KIND_FLAG && *(const int32_t *)at != 0 && *(const int32_t *)at != 1)
    return vb_bad_input(error, "%s: %s is %d; it should be 0 or 1",
                        vb_place_of(sets, tag, index).text, vb_member_title(m).text,
                        *(const int32_t *)at);
  return VB_OK;
}

vb_status vb_check_numbers(const vb_sets *sets, vb_tag first, vb_tag end, vb_error *error) {
  vb_status status = VB_OK;
  for (vb_tag tag = first; tag < end; tag++) {
    const vb_schema_set *set = &vb_schema[tag];
    size_t n;
    const char *element = vb_sets_get(sets, tag, &n);
    for (size_t i = 0; status == VB_OK && i < n; i++, element += set->size) {
      for (int k = 0; status == VB_OK && k < set->n_members; k++)
        status = check_member(sets, tag, i, &set->members[k], element, error);
      if (status == VB_OK && i % VB_CHECK_LOOK == 0)
        status = vb_time_limit_check(error);
    }
  }
  return status;
}
