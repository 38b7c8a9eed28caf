// SPDX-License-Identifier: GPL-3.0-or-later
/// What keeps capsules from passing through each other after the iterations of a substep
/// (contact/truncation.h).
///
/// Pairs that were found to be near are looked at, which takes little where they move as little
/// against each other as they mostly do. Segments that iterations moved far from where they were
/// predicted, and pairs that would pass, are suspect: all pairs of these are found anew and, in
/// rounds, their motions truncated, until no two axes pass.
#include "viper/cpu/contact/contact_real.h"

#include <omp.h>
#include <string.h>

/// Suspects up to which each is compared with all segments: that takes less than a grid.
#define FEW 64

/// Where node `i` is now.
static viper_vec4 place_of(const viper_contacts *c, int32_t i) {
  const viper_place *p = &c->place[i];
  const viper_scalar *x = p->node;
  return viper_vec4_make(x[0], x[p->stride], x[2 * p->stride], x[3 * p->stride]);
}

static void suspect(viper_contacts *c, int32_t j) {
#pragma omp atomic write
  c->truncation.suspect[j] = 1;
}

/// The pair of segments i and j with their nodes at `x`.
static viper_swept_pair pair_at(const viper_cpu *cpu, int32_t i, int32_t j, const viper_vec4 x[4]) {
  viper_swept_pair p;
  viper_swept_pair_make(cpu->contacts->node, cpu->model->segment[i].node,
                        cpu->model->segment[j].node, x, &p);
  return p;
}

/// Suspects segments that came far from where they were predicted; returns how many.
static int32_t suspect_moved(const viper_cpu *cpu, int32_t begin, int32_t end) {
  viper_contacts *c = cpu->contacts;
  int32_t n = 0;
  for (int32_t j = begin; j < end; j++) {
    const int32_t *node = cpu->model->segment[j].node;
    viper_scalar room = viper_truncation_room(&c->capsule[j], (viper_scalar)c->margin);
    if (!viper_truncation_is_outside(&c->capsule[j], place_of(c, node[0]), place_of(c, node[1]),
                                     room))
      continue;
    suspect(c, j);
    n++;
  }
  return n;
}

/// Suspects pairs that are near and would pass; returns how many.
static int32_t suspect_close(const viper_cpu *cpu, const viper_finds *finds) {
  viper_contacts *c = cpu->contacts;
  int32_t n = 0;
  for (size_t k = 0; k < finds->n_close; k++) {
    const viper_close_pair *close = &finds->close[k];
    const int32_t *a = cpu->model->segment[close->i].node, *b = cpu->model->segment[close->j].node;
    viper_vec4 x[4];
    for (int e = 0; e < 4; e++)
      x[e] = place_of(c, e < 2 ? a[e] : b[e - 2]);
    viper_swept_pair p = pair_at(cpu, close->i, close->j, x);
    if (viper_truncation_is_sure(&p, &c->capsule[close->i], &c->capsule[close->j], close->gap) ||
        !(viper_truncation_fraction(&p) < 1))
      continue;
    suspect(c, close->i);
    suspect(c, close->j);
    n++;
  }
  return n;
}

/// Whether anything is suspect after the iterations.
static bool find_suspects(const viper_cpu *cpu, int threads) {
  const viper_contacts *c = cpu->contacts;
  int64_t n = (int64_t)cpu->model->n_segments;
  int32_t found = 0;
#pragma omp parallel if (n > VIPER_CONTACT_PARALLEL) num_threads(threads) reduction(+ : found)
  {
    int64_t rank = omp_get_thread_num(), size = omp_get_num_threads();
    found += suspect_moved(cpu, (int32_t)(n * rank / size), (int32_t)(n * (rank + 1) / size));
    for (int64_t t = rank; t < c->n_finds; t += size)
      found += suspect_close(cpu, &c->finds[t]);
  }
  return found > 0;
}

/// Spheres about the ways of all segments, to where they are now.
static void put_spheres(const viper_cpu *cpu, int threads) {
  viper_contacts *c = cpu->contacts;
  int32_t n = (int32_t)cpu->model->n_segments;
#pragma omp parallel for if (n > VIPER_CONTACT_PARALLEL) num_threads(threads) schedule(static)
  for (int32_t j = 0; j < n; j++) {
    const int32_t *node = cpu->model->segment[j].node;
    float about[4];
    viper_sphere_about(&c->node[node[0]], &c->node[node[1]], 0, about);
    c->truncation.sphere[j] = (viper_sphere){
        .radius = about[3],
        .body = c->filter.body[j],
        .groups = c->filter.groups[j],
        .meets = c->filter.meets[j],
    };
    memcpy(c->truncation.sphere[j].center, about, sizeof c->truncation.sphere[j].center);
  }
}

/// Lists the pair of segments i < j if it would pass; false without memory.
static bool list_if_unsafe(const viper_cpu *cpu, int32_t i, int32_t j) {
  viper_contacts *c = cpu->contacts;
  viper_truncation *g = &c->truncation;
  const int32_t *a = cpu->model->segment[i].node, *b = cpu->model->segment[j].node;
  if (!viper_filter_allows(&c->filter, i, j))
    return true;
  const viper_vec4 x[4] = {c->node[a[0]].x, c->node[a[1]].x, c->node[b[0]].x, c->node[b[1]].x};
  viper_swept_pair p = pair_at(cpu, i, j, x);
  viper_scalar part = viper_truncation_fraction(&p);
  if (!(part < 1))
    return true;
  if (!VB_GROW(g->unsafe, g->unsafe_capacity, g->n_unsafe + 1))
    return false;
  g->unsafe[g->n_unsafe++] = (viper_unsafe_pair){i, j, part};
  return true;
}

/// Compares suspect `s` with all segments, but earlier suspects.
static bool compare_suspect(const viper_cpu *cpu, int32_t s) {
  const viper_truncation *g = &cpu->contacts->truncation;
  const viper_sphere own = g->sphere[s];
  bool well = true;
  for (int32_t j = 0; j < (int32_t)cpu->model->n_segments && well; j++)
    if (j != s && !(j < s && g->suspect[j]) && viper_spheres_pair(&own, &g->sphere[j]))
      well = list_if_unsafe(cpu, s < j ? s : j, s < j ? j : s);
  return well;
}

/// The pairs of many suspects, by a grid.
static vb_status compare_by_grid(viper_cpu *cpu, int threads, vb_error *error) {
  const viper_truncation *g = &cpu->contacts->truncation;
  int32_t n = (int32_t)cpu->model->n_segments;
  viper_sphere_pairs pairs;
  bool well = true;
  vb_status status = viper_grid_pairs(g->grid, g->sphere, (size_t)n, threads, &pairs, error);
  for (int32_t i = 0; i < n && !status; i++)
    for (int32_t k = pairs.first[i]; k < pairs.first[i + 1] && well; k++)
      if (g->suspect[i] || g->suspect[pairs.other[k]])
        well = list_if_unsafe(cpu, i, pairs.other[k]);
  return status || well ? status : vb_error_memory(error);
}

/// Lists the pairs that would pass.
static vb_status list_unsafe(viper_cpu *cpu, int threads, vb_error *error) {
  viper_truncation *g = &cpu->contacts->truncation;
  int32_t n = (int32_t)cpu->model->n_segments, n_suspects = 0;
  g->n_unsafe = 0;
  put_spheres(cpu, threads);
  for (int32_t j = 0; j < n; j++)
    n_suspects += g->suspect[j];
  if (n_suspects > FEW)
    return compare_by_grid(cpu, threads, error);
  for (int32_t j = 0; j < n; j++)
    if (g->suspect[j] && !compare_suspect(cpu, j))
      return vb_error_memory(error);
  return VB_OK;
}

static void nodes_of(const viper_cpu *cpu, const viper_unsafe_pair *pair, int32_t out[4]) {
  memcpy(out, cpu->model->segment[pair->i].node, 2 * sizeof *out);
  memcpy(out + 2, cpu->model->segment[pair->j].node, 2 * sizeof *out);
}

/// Truncates the motions of the pairs that bid most at their nodes.
static void truncate_winners(viper_cpu *cpu) {
  viper_contacts *c = cpu->contacts;
  viper_truncation *g = &c->truncation;
  int32_t at[4];
  memset(g->bid, 0, cpu->model->n_nodes * sizeof *g->bid);
  for (size_t k = 0; k < g->n_unsafe; k++) {
    uint64_t bid = viper_truncation_bid(g->unsafe[k].i, g->unsafe[k].j);
    nodes_of(cpu, &g->unsafe[k], at);
    for (int e = 0; e < 4; e++)
      g->bid[at[e]] = bid > g->bid[at[e]] ? bid : g->bid[at[e]];
  }
  for (size_t k = 0; k < g->n_unsafe; k++) {
    uint64_t bid = viper_truncation_bid(g->unsafe[k].i, g->unsafe[k].j);
    bool wins = true;
    nodes_of(cpu, &g->unsafe[k], at);
    for (int e = 0; e < 4; e++)
      wins = wins && g->bid[at[e]] == bid;
    if (wins)
      viper_truncate(c->node, c->still, at, g->unsafe[k].part);
    for (int e = 0; e < 4 && wins; e++)
      g->truncated[at[e]] = 1;
  }
}

/// Puts the nodes of all pairs that would pass back to where they were; whether any was elsewhere.
static bool stop_unsafe(viper_cpu *cpu) {
  viper_contacts *c = cpu->contacts;
  bool any = false;
  int32_t at[4];
  for (size_t k = 0; k < c->truncation.n_unsafe; k++) {
    nodes_of(cpu, &c->truncation.unsafe[k], at);
    for (int e = 0; e < 4; e++) {
      any = viper_truncation_stop(&c->node[at[e]], &c->still[at[e]]) || any;
      c->truncation.truncated[at[e]] = 1;
    }
  }
  return any;
}

/// All segments at nodes whose motion was truncated are suspect, too.
static void suspect_truncated(const viper_cpu *cpu) {
  const viper_truncation *g = &cpu->contacts->truncation;
  for (size_t j = 0; j < cpu->model->n_segments; j++) {
    const int32_t *node = cpu->model->segment[j].node;
    g->suspect[j] |= g->truncated[node[0]] | g->truncated[node[1]];
  }
}

/// Truncates motions until no pair would pass.
static vb_status truncate_in_rounds(viper_cpu *cpu, int threads, vb_error *error) {
  const viper_truncation *g = &cpu->contacts->truncation;
  vb_status status = VB_OK;
  bool goes_on = true;
  for (int round = 0; goes_on && round < VIPER_TRUNCATION_ROUNDS + VIPER_TRUNCATION_STOP_ROUNDS;
       round++) {
    status = list_unsafe(cpu, threads, error);
    if (status || g->n_unsafe == 0)
      break;
    if (round < VIPER_TRUNCATION_ROUNDS)
      truncate_winners(cpu);
    else
      goes_on = stop_unsafe(cpu);
    suspect_truncated(cpu);
  }
  return status;
}

/// Writes truncated nodes to where they are, and counts them.
static void write_truncated(viper_cpu *cpu) {
  viper_contacts *c = cpu->contacts;
  for (size_t i = 0; i < cpu->model->n_nodes; i++) {
    const viper_place *p = &c->place[i];
    viper_scalar *to = p->node;
    if (!c->truncation.truncated[i])
      continue;
    for (int k = 0; k < 3; k++)
      to[(size_t)k * p->stride] = c->node[i].x[k];
    c->any_truncated = true;
    c->truncated++;
    c->truncated_since++;
  }
}

vb_status viper_contact_truncation(viper_cpu *cpu, int threads, vb_error *error) {
  viper_contacts *c = cpu->contacts;
  c->any_truncated = false;
  if (!c->settings || !find_suspects(cpu, threads))
    return VB_OK;
  for (size_t i = 0; i < cpu->model->n_nodes; i++)
    c->node[i].x = place_of(c, (int32_t)i);
  vb_status status = truncate_in_rounds(cpu, threads, error);
  if (!status)
    write_truncated(cpu);
  memset(c->truncation.suspect, 0, cpu->model->n_segments * sizeof *c->truncation.suspect);
  memset(c->truncation.truncated, 0, cpu->model->n_nodes * sizeof *c->truncation.truncated);
  return status;
}
