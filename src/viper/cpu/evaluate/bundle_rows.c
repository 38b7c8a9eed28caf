// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/bundle_rows.h"

#include "viper/bundle/bundle_shift.h"
#include "viper/cpu/evaluate/unknowns.h"

#include <math.h>
#include <string.h>

/// Where rows and unknowns of a member begin.
enum { ROW_SCALE = 3, ROW_FRAME = 4 };
enum { AT_B = 4, AT_FRAME = 8, AT_SHIFT = 11, AT_SCALE = 14, AT_TURN = 15 };

vb_status viper_bundle_rows_create(viper_bundle_rows *rows, const viper_model *model,
                                   const viper_bundles *rest, vb_error *error) {
  *rows = (viper_bundle_rows){.model = model, .rest = rest};
  if (!rest || rest->n == 0)
    return VB_OK;
  rows->n = rest->n;
  rows->n_members = rest->n_members;
  VB_TAKE(&rows->memory, rows->at, rows->n);
  VB_TAKE(&rows->memory, rows->from, rows->n);
  VB_TAKE(&rows->memory, rows->row, rows->n_members);
  VB_TAKE(&rows->memory, rows->now, rows->n_members);
  VB_TAKE(&rows->memory, rows->begin, VIPER_BUNDLE_ROWS * rows->n_members);
  return vb_arena_status(&rows->memory, error);
}

void viper_bundle_rows_clear(viper_bundle_rows *rows) {
  vb_arena_clear(&rows->memory);
}

static void weigh(viper_bundle_row *row, const viper_model_segment *s, const viper_bundle_member *m,
                  double inv_h2) {
  const double k = viper_bundle_stiffness(s);
  for (int r = 0; r < VIPER_BUNDLE_ROWS; r++) {
    const double inertia = r < ROW_SCALE ? m->mass : (r < ROW_FRAME ? 2 : 1) * m->mass * m->disc;
    const double stiffness = r < ROW_SCALE ? 4 * k * s->inv_l * s->inv_l : k;
    row->penalty[r] = VIPER_BUNDLE_PENALTY * (inertia * inv_h2 + stiffness);
  }
  row->reach = 2 * sqrt(m->disc);
}

void viper_bundle_rows_begin(viper_bundle_rows *rows, double h) {
  for (size_t i = 0; i < rows->n_members; i++) {
    const viper_bundle_member *m = &rows->rest->member[i];
    if (rows->h != h)
      weigh(&rows->row[i], &rows->model->segment[m->segment], m, 1 / (h * h));
    memcpy(rows->begin + VIPER_BUNDLE_ROWS * i, rows->row[i].multiplier,
           sizeof rows->row[i].multiplier);
  }
  rows->h = h;
}

void viper_bundle_rows_restore(viper_bundle_rows *rows) {
  for (size_t i = 0; i < rows->n_members; i++)
    memcpy(rows->row[i].multiplier, rows->begin + VIPER_BUNDLE_ROWS * i,
           sizeof rows->row[i].multiplier);
}

/// Reads where members are.
static void read_members(viper_bundle_rows *rows, const viper_cpu *cpu) {
  for (size_t i = 0; i < rows->n_members; i++) {
    const int32_t j = rows->rest->member[i].segment;
    const int32_t *node = rows->model->segment[j].node;
    rows->now[i] = viper_bundle_place_of(cpu->node[node[0]], cpu->node[node[1]], cpu->frame[j]);
  }
}

void viper_bundle_rows_fit(viper_bundle_rows *rows, const viper_cpu *cpu) {
  read_members(rows, cpu);
  for (size_t k = 0; k < rows->n; k++) {
    const viper_bundle *bundle = &rows->rest->bundle[k];
    rows->at[k] =
        viper_bundle_fit(bundle, rows->rest->member + bundle->first, rows->now + bundle->first);
  }
}

/// out = the product of the inverse of a rotation and a vector.
static void turn_back(const double q[4], const double v[3], double out[3]) {
  const double back[4] = {q[0], -q[1], -q[2], -q[3]};
  vb_quaternion_rotate(back, v, out);
}

static void place(viper_bundle_rows *rows, const viper_bundle_transform *t, int32_t i) {
  const viper_bundle_member *m = &rows->rest->member[i];
  const viper_bundle_place *now = &rows->now[i];
  viper_bundle_row *row = &rows->row[i];
  double arm[3], back[4];
  vb_subtract(now->middle, t->mean, arm);
  turn_back(t->rotation, arm, row->arm);
  vb_quaternion_multiply(t->rotation, m->rest_frame, back);
  for (int c = 1; c < 4; c++)
    back[c] = -back[c];
  vb_quaternion_multiply(back, now->frame, row->difference);
  const double sign = row->difference[0] < 0 ? -1 : 1;
  for (int c = 0; c < 4; c++)
    row->difference[c] *= sign;
  row->error[ROW_SCALE] = now->scale - t->scale;
  for (int c = 0; c < 3; c++) {
    row->error[c] = row->arm[c] - t->scale * m->rest_middle[c];
    row->error[ROW_FRAME + c] = 2 * row->difference[1 + c];
  }
}

void viper_bundle_rows_place(viper_bundle_rows *rows, const viper_cpu *cpu) {
  read_members(rows, cpu);
  for (size_t k = 0; k < rows->n; k++) {
    const viper_bundle *bundle = &rows->rest->bundle[k];
    for (int32_t i = bundle->first; i < bundle->first + bundle->n; i++)
      place(rows, &rows->at[k], i);
  }
  viper_bundle_rows_press(rows);
}

void viper_bundle_rows_press(viper_bundle_rows *rows) {
  for (size_t i = 0; i < rows->n_members; i++) {
    viper_bundle_row *row = &rows->row[i];
    for (int r = 0; r < VIPER_BUNDLE_ROWS; r++)
      row->force[r] = row->multiplier[r] + row->penalty[r] * row->error[r];
  }
}

void viper_bundle_rows_hold(viper_bundle_rows *rows) {
  for (size_t i = 0; i < rows->n_members; i++)
    memcpy(rows->row[i].force, rows->row[i].multiplier, sizeof rows->row[i].force);
}

void viper_bundle_rows_take(viper_bundle_rows *rows) {
  for (size_t i = 0; i < rows->n_members; i++)
    memcpy(rows->row[i].multiplier, rows->row[i].force, sizeof rows->row[i].force);
}

double viper_bundle_rows_error(const viper_bundle_rows *rows) {
  double most = 0;
  for (size_t i = 0; i < rows->n_members; i++) {
    const viper_bundle_row *row = &rows->row[i];
    for (int r = 0; r < VIPER_BUNDLE_ROWS; r++)
      most = fmax(most, fabs(row->error[r]) / (r < ROW_SCALE ? row->reach : 1));
  }
  return most;
}

double viper_bundle_rows_objective(const viper_bundle_rows *rows) {
  double sum = 0;
  for (size_t i = 0; i < rows->n_members; i++) {
    const viper_bundle_row *row = &rows->row[i];
    for (int r = 0; r < VIPER_BUNDLE_ROWS; r++)
      sum += row->error[r] * (row->multiplier[r] + 0.5 * row->penalty[r] * row->error[r]);
  }
  return sum;
}

/// out += factor [v]x, the matrix of the product v x.
static void add_cross(double factor, const double v[3], double out[3][3]) {
  for (int c = 0; c < 3; c++) {
    const int d = (c + 1) % 3, e = (c + 2) % 3;
    out[d][e] -= factor * v[c];
    out[e][d] += factor * v[c];
  }
}

/// The first derivatives of the rows of member `i` over its unknowns.
static void slopes(const viper_bundle_rows *rows, const viper_bundle_transform *t, int32_t i,
                   double out[VIPER_BUNDLE_ROWS][VIPER_MEMBER_UNKNOWNS]) {
  const viper_bundle_member *m = &rows->rest->member[i];
  const viper_bundle_row *row = &rows->row[i];
  const double w = row->difference[0], *im = row->difference + 1;
  double turn[3][3], rest[3][3], arm[3][3] = {{0}}, own[3][3] = {{w, 0, 0}, {0, w, 0}, {0, 0, w}};
  viper_rotation_matrix(t->rotation, turn);
  viper_rotation_matrix(m->rest_frame, rest);
  add_cross(1, row->arm, arm);
  add_cross(1, im, own); // a turn of the frame; that of the section is minus its transpose
  memset(out, 0, VIPER_BUNDLE_ROWS * sizeof *out);
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      out[r][c] = out[r][AT_B + c] = 0.5 * turn[c][r];
      out[r][AT_TURN + c] = arm[r][c];
      out[ROW_FRAME + r][AT_FRAME + c] = own[r][c];
      for (int d = 0; d < 3; d++)
        out[ROW_FRAME + r][AT_TURN + c] -= own[d][r] * rest[c][d];
    }
    out[r][AT_SHIFT + r] = -1;
    out[r][AT_SCALE] = -m->rest_middle[r];
  }
  out[ROW_SCALE][3] = out[ROW_SCALE][AT_B + 3] = 0.5;
  out[ROW_SCALE][AT_SCALE] = -1;
}

void viper_bundle_rows_unknowns(const viper_bundle_rows *rows, size_t k, int32_t i,
                                int32_t at[VIPER_MEMBER_UNKNOWNS]) {
  const viper_model *m = rows->model;
  const int32_t j = rows->rest->member[i].segment;
  const int32_t own = (int32_t)viper_count_unknowns(m) + VIPER_TRANSFORM_UNKNOWNS * (int32_t)k;
  for (int u = 0; u < VIPER_MEMBER_UNKNOWNS; u++)
    at[u] = u < AT_FRAME   ? viper_unknown_of_node(m->segment[j].node[u / AT_B], u % AT_B)
            : u < AT_SHIFT ? viper_unknown_of_frame(m, j, u - AT_FRAME)
                           : own + u - AT_SHIFT;
}

void viper_bundle_rows_gradient(const viper_bundle_rows *rows, double *gradient) {
  for (size_t k = 0; k < rows->n; k++) {
    const viper_bundle *bundle = &rows->rest->bundle[k];
    for (int32_t i = bundle->first; i < bundle->first + bundle->n; i++) {
      double slope[VIPER_BUNDLE_ROWS][VIPER_MEMBER_UNKNOWNS];
      int32_t at[VIPER_MEMBER_UNKNOWNS];
      slopes(rows, &rows->at[k], i, slope);
      viper_bundle_rows_unknowns(rows, k, i, at);
      for (int u = 0; u < VIPER_MEMBER_UNKNOWNS; u++)
        for (int r = 0; r < VIPER_BUNDLE_ROWS; r++)
          gradient[at[u]] += slope[r][u] * rows->row[i].force[r];
    }
    if (bundle->rigid)
      gradient[viper_count_unknowns(rows->model) + VIPER_TRANSFORM_UNKNOWNS * k + AT_SCALE -
               AT_SHIFT] = 0;
  }
}

double viper_bundle_rows_norm2(const viper_bundle_rows *rows, const double *gradient) {
  const double *g = gradient + viper_count_unknowns(rows->model);
  double sum = 0;
  for (size_t k = 0; k < rows->n; k++)
    for (int u = 0; u < VIPER_TRANSFORM_UNKNOWNS; u++, g++)
      sum +=
          *g * *g /
          (u < AT_SCALE - AT_SHIFT ? rows->rest->bundle[k].mass : rows->rest->bundle[k].rest_norm);
  return sum;
}

/// Adds a 3 x 3 block and, to where it is mirrored, its transpose.
static void add_pair(const double block[3][3], int row, int column,
                     double h[VIPER_MEMBER_UNKNOWNS][VIPER_MEMBER_UNKNOWNS]) {
  for (int c = 0; c < 3; c++)
    for (int d = 0; d < 3; d++) {
      h[row + c][column + d] += block[c][d];
      h[column + d][row + c] += block[c][d];
    }
}

/// The second derivatives of the rows of middles, times their forces y: over the turn alone, half
/// of a y^T + y a^T less a.y; between the turn and R^T (c - t), [y]x.
static void add_second_middle(const viper_bundle_row *row, const double turn[3][3],
                              double h[VIPER_MEMBER_UNKNOWNS][VIPER_MEMBER_UNKNOWNS]) {
  const double *a = row->arm, *y = row->force;
  double cross[3][3] = {{0}}, shift[3][3] = {{0}}, node[3][3] = {{0}};
  add_cross(1, y, cross);
  add_cross(-1, y, shift);
  for (int c = 0; c < 3; c++)
    for (int d = 0; d < 3; d++) {
      h[AT_TURN + c][AT_TURN + d] +=
          0.5 * (a[c] * y[d] + y[c] * a[d]) - (c == d ? vb_dot(a, y) : 0);
      for (int e = 0; e < 3; e++)
        node[c][d] += 0.5 * cross[c][e] * turn[d][e];
    }
  add_pair(shift, AT_TURN, AT_SHIFT, h);
  add_pair(node, AT_TURN, 0, h);
  add_pair(node, AT_TURN, AT_B, h);
}

/// Likewise of the rows of the frame: with D = conj(R q0) q, i = Im D and w = Re D, over each turn
/// alone -y.i / 2; between the section's, in the axes of the rest frame, and the frame's half of
/// i y^T + y i^T + w [y]x less y.i.
static void add_second_frame(const viper_bundle_member *m, const viper_bundle_row *row,
                             double h[VIPER_MEMBER_UNKNOWNS][VIPER_MEMBER_UNKNOWNS]) {
  const double *im = row->difference + 1, *y = row->force + ROW_FRAME, along = vb_dot(y, im);
  double rest[3][3], own[3][3] = {{0}}, between[3][3] = {{0}};
  viper_rotation_matrix(m->rest_frame, rest);
  add_cross(0.5 * row->difference[0], y, own);
  for (int c = 0; c < 3; c++) {
    h[AT_FRAME + c][AT_FRAME + c] -= 0.5 * along;
    h[AT_TURN + c][AT_TURN + c] -= 0.5 * along;
    for (int d = 0; d < 3; d++)
      own[c][d] += 0.5 * (im[c] * y[d] + y[c] * im[d]) - (c == d ? 0.5 * along : 0);
  }
  for (int c = 0; c < 3; c++)
    for (int d = 0; d < 3; d++)
      for (int e = 0; e < 3; e++)
        between[c][d] += rest[c][e] * own[e][d];
  add_pair(between, AT_TURN, AT_FRAME, h);
}

void viper_bundle_rows_block(const viper_bundle_rows *rows, size_t k, int32_t i, bool second,
                             double h[VIPER_MEMBER_UNKNOWNS][VIPER_MEMBER_UNKNOWNS]) {
  const viper_bundle_row *row = &rows->row[i];
  double slope[VIPER_BUNDLE_ROWS][VIPER_MEMBER_UNKNOWNS], turn[3][3];
  slopes(rows, &rows->at[k], i, slope);
  memset(h, 0, VIPER_MEMBER_UNKNOWNS * sizeof *h);
  for (int r = 0; r < VIPER_BUNDLE_ROWS; r++)
    for (int u = 0; u < VIPER_MEMBER_UNKNOWNS; u++) {
      const double weighed = slope[r][u] * row->penalty[r];
      for (int v = 0; weighed != 0 && v < VIPER_MEMBER_UNKNOWNS; v++)
        h[u][v] += weighed * slope[r][v];
    }
  if (second) {
    viper_rotation_matrix(rows->at[k].rotation, turn);
    add_second_middle(row, turn, h);
    add_second_frame(&rows->rest->member[i], row, h);
  }
  for (int u = 0; rows->rest->bundle[k].rigid && u < VIPER_MEMBER_UNKNOWNS; u++)
    if (u != AT_SCALE)
      h[u][AT_SCALE] = h[AT_SCALE][u] = 0;
}

void viper_bundle_rows_note(viper_bundle_rows *rows) {
  if (rows->n > 0)
    memcpy(rows->from, rows->at, rows->n * sizeof *rows->at);
}

void viper_bundle_rows_back(viper_bundle_rows *rows) {
  if (rows->n > 0)
    memcpy(rows->at, rows->from, rows->n * sizeof *rows->at);
}

void viper_bundle_rows_move(viper_bundle_rows *rows, const double *move, double part) {
  const double *d = move + viper_count_unknowns(rows->model);
  for (size_t k = 0; k < rows->n; k++, d += VIPER_TRANSFORM_UNKNOWNS) {
    const viper_bundle_transform *from = &rows->from[k];
    viper_bundle_transform *to = &rows->at[k];
    double shift[3], turn[3];
    vb_quaternion_rotate(from->rotation, d, shift);
    vb_quaternion_rotate(from->rotation, d + AT_TURN - AT_SHIFT, turn);
    for (int c = 0; c < 3; c++) {
      to->mean[c] = from->mean[c] + part * shift[c];
      turn[c] *= part;
    }
    to->scale = fmax(from->scale + part * d[AT_SCALE - AT_SHIFT], VIPER_MINIMUM_SCALE);
    viper_turn_by(from->rotation, turn, to->rotation);
  }
}

void viper_bundle_rows_forces(const viper_bundle_rows *rows, double *node, double *torque) {
  for (size_t k = 0; k < rows->n; k++) {
    const viper_bundle *bundle = &rows->rest->bundle[k];
    for (int32_t i = bundle->first; i < bundle->first + bundle->n; i++) {
      const int32_t j = rows->rest->member[i].segment, *end = rows->model->segment[j].node;
      double slope[VIPER_BUNDLE_ROWS][VIPER_MEMBER_UNKNOWNS], sum[AT_SHIFT] = {0};
      slopes(rows, &rows->at[k], i, slope);
      for (int u = 0; u < AT_SHIFT; u++)
        for (int r = 0; r < VIPER_BUNDLE_ROWS; r++)
          sum[u] -= slope[r][u] * rows->row[i].multiplier[r];
      for (int u = 0; u < AT_FRAME; u++)
        node[4 * end[u / AT_B] + u % AT_B] += sum[u];
      memcpy(torque + 3 * j, sum + AT_FRAME, 3 * sizeof *sum);
    }
  }
}
