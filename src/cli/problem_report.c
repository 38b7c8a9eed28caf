// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/problem_report.h"

#include "base/report_text.h"

#include <math.h>
#include <string.h>

/// Columns of what is printed beside the heads of lines.
enum { INDENT = 12 };

static void print_words(FILE *stream, const char *head, const char *words) {
  char before[INDENT + 1];
  snprintf(before, sizeof before, "%-*s", INDENT, head);
  vb_report_words(stream, before, words, INDENT, 100);
}

static void print_list(FILE *stream, const char *head, const char *const *list) {
  for (; *list; list++, head = "")
    print_words(stream, head, *list);
}

static void print_vector(FILE *stream, const char *name, const double *v, int n) {
  bool any = false;
  for (int k = 0; k < n; k++)
    any |= v[k] != 0;
  if (!any)
    return;
  fprintf(stream, "%-*s%s", INDENT, "", name);
  for (int k = 0; k < n; k++)
    fprintf(stream, "%s%.9g", k ? ", " : " (", v[k]);
  fputs(")\n", stream);
}

/// The letters of what is held.
static void list_held(unsigned held, char out[7]) {
  for (int k = 0; k < 6; k++)
    if (held >> k & 1)
      *out++ = "xyzuvw"[k];
  *out = '\0';
}

static void print_end(FILE *stream, const char *name, const cosserat_end *end) {
  char held[7];
  list_held(end->held, held);
  fprintf(stream, "%-*s%s: %s%s", INDENT, "", name, held[0] ? "held in " : "free", held);
  if (end->held)
    fprintf(stream, " at (%.9g, %.9g, %.9g), frame (%.9g, %.9g, %.9g, %.9g)", end->position[0],
            end->position[1], end->position[2], end->frame[0], end->frame[1], end->frame[2],
            end->frame[3]);
  fputc('\n', stream);
}

static const char *const stiffness_names[6] = {"shear_u", "shear_v", "stretch",
                                               "bend_u",  "bend_v",  "twist"};

static void print_rod(FILE *stream, const cosserat_rod *rod) {
  fprintf(stream, "%-*slength %.9g\n", INDENT, "", rod->length);
  for (int k = 0; k < 6; k++)
    if (rod->flexibility[k] > 0)
      fprintf(stream, "%-*sstiffness %s %.9g\n", INDENT, "", stiffness_names[k],
              1 / rod->flexibility[k]);
  print_end(stream, "start", &rod->start);
  print_end(stream, "finish", &rod->finish);
  print_vector(stream, "curvature at rest", rod->curvature, 3);
  print_vector(stream, "weight", rod->weight, 3);
  print_vector(stream, "force at the finish", rod->force, 3);
  print_vector(stream, "moment at the finish", rod->moment, 3);
  print_vector(stream, "turn of the finish about w", &rod->twist, 1);
}

static void print_given(FILE *stream, const vb_given *given) {
  fprintf(stream, "%-*s%s = %.12g, %s\n", INDENT, "", given->name, given->value, given->what);
}

static const char *const courses[] = {"hold", "pulse", "hat"};

static void print_motion(FILE *stream, const cosserat_motion *m) {
  fprintf(stream, "%-*smass per length %.9g\n", INDENT, "", m->mass);
  print_vector(stream, "rotary inertia per length about u, v, w", m->inertia, 3);
  fprintf(stream, "%-*sloads over time: %s, %.9g\n", INDENT, "", courses[m->course], m->pulse_time);
  print_vector(stream, "angular velocity to which the start is spun up", m->spin, 3);
}

static void print_value(FILE *stream, const char *how, cosserat_value v) {
  if (!isnan(v.value))
    fprintf(stream, "%-*s  %-12s %.12g +- %.1e\n", INDENT, "", how, v.value, v.error);
}

static void print_question(FILE *stream, const vb_question *q) {
  fprintf(stream, "  %-*s %s\n", INDENT - 3, q->name, q->what);
  if (q->seeds)
    fprintf(stream, "%-*s  a mean over %lld seeds; errors are statistical\n", INDENT, "",
            (long long)q->seeds);
  print_value(stream, "reference", q->reference);
  if (!isnan(q->exact))
    fprintf(stream, "%-*s  %-12s %.12g\n", INDENT, "", "closed form", q->exact);
  for (int k = 0; k < 2; k++)
    print_value(stream, q->method[k], q->answer[k]);
}

void vb_problem_print(FILE *stream, const vb_problem *problem) {
  fprintf(stream, "%s: %s (problems " VB_PROBLEMS_VERSION ", CC-BY 4.0)\n", problem->name,
          problem->title);
  print_words(stream, "", problem->text);
  print_list(stream, "formulas", problem->formulas);
  print_words(stream, "units", problem->units);
  print_list(stream, "groups", problem->groups);
  print_list(stream, "to model", problem->models);
  print_words(stream, "references", problem->made);
  if (problem->published)
    print_words(stream, "published", problem->published);
  for (size_t i = 0; i < problem->n_cases; i++) {
    fprintf(stream, "case %s\n", problem->cases[i].name);
    if (problem->cases[i].has_rod)
      print_rod(stream, &problem->cases[i].rod);
    for (size_t k = 0; k < problem->cases[i].n_given; k++)
      print_given(stream, &problem->cases[i].given[k]);
    if (problem->cases[i].moves)
      print_motion(stream, &problem->cases[i].motion);
    for (size_t k = 0; k < problem->cases[i].n_questions; k++)
      print_question(stream, &problem->cases[i].questions[k]);
  }
}

static json_t *describe_list(const char *const *list) {
  json_t *out = json_array();
  for (; *list; list++)
    json_array_append_new(out, json_string(*list));
  return out;
}

static json_t *describe_end(const cosserat_end *end) {
  char held[7];
  list_held(end->held, held);
  return json_pack("{s:o, s:o, s:s}", "position", vb_report_numbers(end->position, 3), "frame",
                   vb_report_numbers(end->frame, 4), "held", held);
}

/// Stiffnesses by name; null is rigid.
static json_t *describe_stiffness(const cosserat_rod *rod) {
  json_t *out = json_object();
  for (int k = 0; k < 6; k++)
    json_object_set_new(out, stiffness_names[k],
                        rod->flexibility[k] > 0 ? vb_report_number(1 / rod->flexibility[k])
                                                : json_null());
  return out;
}

static json_t *describe_rod(const cosserat_rod *rod) {
  return json_pack("{s:f, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:f}", "length", rod->length,
                   "stiffness", describe_stiffness(rod), "curvature",
                   vb_report_numbers(rod->curvature, 3), "string", rod->string, "start",
                   describe_end(&rod->start), "finish", describe_end(&rod->finish), "weight",
                   vb_report_numbers(rod->weight, 3), "force", vb_report_numbers(rod->force, 3),
                   "moment", vb_report_numbers(rod->moment, 3), "twist", rod->twist);
}

static json_t *describe_motion(const vb_problem_case *of) {
  const cosserat_motion *m = &of->motion;
  if (!of->moves)
    return json_null();
  return json_pack("{s:f, s:o, s:s, s:f, s:o}", "mass", m->mass, "inertia",
                   vb_report_numbers(m->inertia, 3), "course", courses[m->course], "pulse_time",
                   m->pulse_time, "spin", vb_report_numbers(m->spin, 3));
}

static json_t *describe_value(cosserat_value v) {
  return isnan(v.value) ? json_null() : json_pack("{s:f, s:f}", "value", v.value, "error", v.error);
}

static json_t *describe_question(const vb_problem_case *of, const vb_question *q) {
  json_t *out = json_pack("{s:s, s:s, s:o, s:o, s:f}", "name", q->name, "what", q->what,
                          "reference", describe_value(q->reference), "closed_form",
                          vb_report_number(q->exact), "scale", q->scale);
  for (int k = 0; k < 2 && q->method[k]; k++)
    json_object_set_new(out, q->method[k], describe_value(q->answer[k]));
  if (q->seeds)
    json_object_set_new(out, "seeds", json_integer(q->seeds));
  if (q->critical) {
    json_object_set_new(out, "critical", vb_report_numbers(q->range, 2));
  } else if (of->has_rod) {
    json_object_set_new(out, "at", json_real(q->place.at));
    if (of->moves)
      json_object_set_new(out, "time", json_real(q->place.time));
    json_object_set_new(
        out, "component",
        json_string((const char *const[]){"x", "y", "z", "ux", "uy", "uz"}[q->place.component]));
  }
  return out;
}

/// What a case gives besides a rod, by name.
static json_t *describe_given(const vb_problem_case *of) {
  json_t *out = json_object();
  for (size_t i = 0; i < of->n_given; i++)
    json_object_set_new(
        out, of->given[i].name,
        json_pack("{s:f, s:s}", "value", of->given[i].value, "what", of->given[i].what));
  return out;
}

static json_t *describe_case(const vb_problem_case *of) {
  json_t *asked = json_array();
  for (size_t k = 0; k < of->n_questions; k++)
    json_array_append_new(asked, describe_question(of, &of->questions[k]));
  return json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", of->name, "given", describe_given(of),
                   "rod", of->has_rod ? describe_rod(&of->rod) : json_null(), "motion",
                   describe_motion(of), "asked", asked);
}

static json_t *describe_problem(const vb_problem *p) {
  json_t *cases = json_array();
  for (size_t i = 0; i < p->n_cases; i++)
    json_array_append_new(cases, describe_case(&p->cases[i]));
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?, s:o, s:o, s:o, s:o, s:o}", "name", p->name,
                   "title", p->title, "text", p->text, "units", p->units, "made", p->made,
                   "published", p->published, "formulas", describe_list(p->formulas), "groups",
                   describe_list(p->groups), "models", describe_list(p->models), "sees",
                   describe_list(p->sees), "cases", cases);
}

vb_status vb_problems_print_json(FILE *stream, const vb_problems *problems, vb_error *error) {
  json_t *list = json_array();
  for (size_t i = 0; i < problems->n; i++)
    json_array_append_new(list, describe_problem(&problems->list[i]));
  return vb_report_document(stream,
                            json_pack("{s:s, s:s, s:o}", "version", VB_PROBLEMS_VERSION, "license",
                                      "CC-BY-4.0", "problems", list),
                            error);
}
