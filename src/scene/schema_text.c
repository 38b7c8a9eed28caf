// SPDX-License-Identifier: GPL-3.0-or-later
/// The schema of a scene as text: the page SETS.md, and lines for other languages.
#include "scene/schema.h"

#include <ctype.h>

/// What a member is, for readers of the page.
static void write_kind(FILE *to, const vb_member *m) {
  static const char *const KINDS[VB_KIND_COUNT] = {
      [VB_KIND_REAL] = "real",         [VB_KIND_LONG] = "integer", [VB_KIND_NUMBER] = "integer",
      [VB_KIND_LOCATION] = "location", [VB_KIND_PLACE] = "index",  [VB_KIND_CHOICE] = "choice",
      [VB_KIND_FLAG] = "0 or 1",       [VB_KIND_MASK] = "mask",    [VB_KIND_NAME] = "name"};
  if (m->kind == VB_KIND_INDEX)
    fprintf(to, "%s", vb_schema[m->of].name);
  else
    fprintf(to, "%s", KINDS[m->kind]);
  if (m->rows)
    fprintf(to, "[%d][%d]", m->rows, m->n / m->rows);
  else if (m->n > 1 && m->kind != VB_KIND_NAME)
    fprintf(to, "[%d]", m->n);
  if (m->words && (m->kind == VB_KIND_CHOICE || m->kind == VB_KIND_MASK))
    fprintf(to, ": %s", m->words);
  if (m->key)
    fprintf(to, ", sorted");
}

static void write_rule(FILE *to, const vb_member *m) {
  static const char *const RULES[] = {[VB_RULE_POSITIVE] = "> 0",
                                      [VB_RULE_NOT_NEGATIVE] = ">= 0",
                                      [VB_RULE_UNIT] = "norm 1",
                                      [VB_RULE_FRICTION] = ">= 0",
                                      [VB_RULE_OWN] = NULL};
  const char *rule = RULES[m->rule];
  fprintf(to, "%s%s%s", m->unit ? m->unit : "", m->unit && rule ? ", " : "", rule ? rule : "");
}

static void write_datasets(FILE *to, const vb_member *m) {
  for (int k = 0; k < VB_MOST_DATASETS && m->datasets[k].name; k++)
    fprintf(to, "%s`%s`", k ? ", " : "", m->datasets[k].name);
}

void vb_schema_write_page(FILE *to) {
  fprintf(to, "# Sets of a scene\n\n"
              "The sets that a scene is made of, and the members of their elements, as "
              "[scene.h](scene.h) declares them. This page is\ngenerated from "
              "[members.h](members.h) by `make sets`. The last column names what the member is in "
              "the group `topology` of a\nresults file; members without one follow in the dataset "
              "of a member before them, or are recorded elsewhere. Scripts\nadd an element of any "
              "set by these members with `s:set`, Python with `scene.add`.\n");
  for (int tag = 1; tag < VB_SET_COUNT; tag++) {
    const vb_schema_set *set = &vb_schema[tag];
    fprintf(to, "\n## %s\n\n%c%s (`vb_scene_%s`, tag %d).\n\n", set->name,
            toupper((unsigned char)set->text[0]), set->text + 1, set->array, tag);
    fprintf(to, "| member | kind | unit, range | meaning | dataset |\n|---|---|---|---|---|\n");
    for (int i = 0; i < set->n_members; i++) {
      const vb_member *m = &set->members[i];
      if (m->kind == VB_KIND_RESERVED)
        continue;
      fprintf(to, "| `%s` | ", m->name);
      write_kind(to, m);
      fprintf(to, " | ");
      write_rule(to, m);
      fprintf(to, " | %s | ", vb_member_text(m));
      write_datasets(to, m);
      fprintf(to, " |\n");
    }
  }
}

static void write_member(FILE *to, const vb_member *m) {
  static const char *const KINDS[VB_KIND_COUNT] = {
      [VB_KIND_REAL] = "real",         [VB_KIND_LONG] = "long",        [VB_KIND_NUMBER] = "number",
      [VB_KIND_INDEX] = "index",       [VB_KIND_PLACE] = "place",      [VB_KIND_CHOICE] = "choice",
      [VB_KIND_LOCATION] = "location", [VB_KIND_FLAG] = "flag",        [VB_KIND_MASK] = "mask",
      [VB_KIND_NAME] = "name",         [VB_KIND_RESERVED] = "reserved"};
  fprintf(to, "%s\t%s\t%zu\t%d\t%d\t", m->name, KINDS[m->kind], m->offset, m->n, m->rows);
  for (int k = 0; k < m->n && m->kind != VB_KIND_NAME; k++)
    fprintf(to, "%s%.17g", k ? " " : "", vb_member_initial(m, k));
  fprintf(to, "\t%s\n", m->words ? m->words : "");
}

void vb_schema_write_lines(FILE *to) {
  for (int tag = 1; tag < VB_SET_COUNT; tag++) {
    const vb_schema_set *set = &vb_schema[tag];
    fprintf(to, "set\t%s\t%s\t%zu\n", set->name, set->array, set->size);
    for (int i = 0; i < set->n_members; i++)
      write_member(to, &set->members[i]);
  }
}
