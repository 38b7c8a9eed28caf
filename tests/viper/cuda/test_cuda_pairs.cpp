// SPDX-License-Identifier: GPL-3.0-or-later
/// The broad phase of the CUDA backend, on the host: its pairs against all pairs, at any spread and
/// any differences of size; the order of contacts; and their colors against those one by one, of so
/// many that bids have 64 bits, and of many at one node.
/// Covers: src/viper/cuda/contact/find.h src/viper/cuda/contact/order.h
#define VIPER_PRECISION 32
#include "viper/cuda/contact/find.h"

#include <algorithm>
#include <check.h>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>
#include <vector>

namespace {

double random_number(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/// Segments of no length, and all that finding their pairs takes.
struct cloud {
  explicit cloud(int32_t n)
      : n(n), node(n), segment_node(2 * (size_t)n), body(n), groups(n, 1), meets(n, ~0u),
        capsule(n), ball(n), suspect(n), first_touch((size_t)n + 1), bucket(8192),
        pair((size_t)n * (size_t)n) {
    for (int32_t i = 0; i < n; i++) {
      segment_node[2 * (size_t)i] = segment_node[2 * (size_t)i + 1] = i;
      body[(size_t)i] = i;
    }
  }

  void put(int32_t i, double x, double y, double z, double radius) {
    viper_contact_node *to = &node[(size_t)i];
    const double at[4] = {x, y, z, 1};
    for (int k = 0; k < 4; k++)
      to->x[k] = to->old[k] = (float)at[k];
    to->radius = (float)radius;
  }

  viper_contact_device device() {
    viper_contact_device c = {};
    c.n_segments = n;
    c.n_buckets = (int32_t)bucket.size();
    c.rooms.pairs = (int32_t)pair.size();
    c.segment_node = segment_node.data();
    c.body = body.data();
    c.groups = groups.data();
    c.meets = meets.data();
    c.node = node.data();
    c.count = &count;
    c.capsule = capsule.data();
    c.ball = ball.data();
    c.bucket = bucket.data();
    c.suspect = suspect.data();
    c.first_touch = first_touch.data();
    c.pair = pair.data();
    return c;
  }

  int32_t n;
  std::vector<viper_contact_node> node;
  std::vector<int32_t> segment_node, body;
  std::vector<uint32_t> groups, meets;
  std::vector<viper_moving_capsule> capsule;
  std::vector<viper_ball> ball;
  std::vector<int32_t> suspect, first_touch, bucket;
  std::vector<viper_segment_pair> pair;
  viper_contact_count count;
};

/// Finds the pairs as the kernels do, by so many threads for each sphere.
void find(cloud &s, const viper_contact_device *c, int32_t threads) {
  const viper_device none = {}; // no half-plane is driven
  for (int32_t i = 0; i < c->n_buckets; i++)
    viper_contact_clear(&none, c, i);
  for (int32_t j = 0; j < s.n; j++)
    viper_contact_fill_ball(c, j, &s.node[(size_t)j], &s.node[(size_t)j]);
  for (int32_t i = threads * s.n - 1; i >= 0; i--)
    viper_contact_find_pairs(c, i, threads);
}

/// Every pair that meets is found, once, and no other; returns how many.
int32_t check_pairs_of(cloud &s, int32_t threads) {
  viper_contact_device c = s.device();
  find(s, &c, threads);
  ck_assert_int_le(s.count.n_pairs, c.rooms.pairs);
  std::set<std::pair<int32_t, int32_t>> found;
  for (int32_t k = 0; k < s.count.n_pairs; k++)
    ck_assert(found.insert({c.pair[k].i, c.pair[k].j}).second);
  int32_t expected = 0;
  for (int32_t i = 0; i < s.n; i++)
    for (int32_t j = i + 1; j < s.n; j++)
      if (viper_spheres_overlap(&c, i, j)) {
        ck_assert_msg(found.count({i, j}), "%d threads: pair %d, %d is missing", threads, i, j);
        expected++;
      }
  ck_assert_int_eq(s.count.n_pairs, expected);
  return expected;
}

/// By as many threads for each sphere as few, many and very many segments have.
int32_t check_pairs(cloud &s) {
  check_pairs_of(s, 1);
  check_pairs_of(s, VIPER_OWN_CELL + 1);
  return check_pairs_of(s, VIPER_CELLS);
}

/// `n` spheres in a box, every 50th `larger` times as large.
cloud random_cloud(int32_t n, double extent, double shift, double larger, uint64_t seed) {
  cloud s(n);
  for (int32_t i = 0; i < n; i++) {
    double x = extent * random_number(&seed) + shift, y = extent * random_number(&seed);
    double z = extent * random_number(&seed) - shift;
    s.put(i, x, y, z, (0.2 + 0.1 * random_number(&seed)) * (i % 50 ? 1 : larger));
  }
  return s;
}

} // namespace

START_TEST(all_pairs_are_found_once) {
  struct {
    double extent, shift, larger;
  } const clouds[] = {
      {1, 0, 1},                                               // all in a few cells
      {4, 0, 1},      {4, 1000, 1}, {400, 0, 1},               // few pairs
      {7, 0, 7},      {20, 0, 300}, {3, 0, 1e7}, {3, 0, 1e-9}, // no bigger than a point
      {1e5, 1e6, 1e4} // coordinates that float rounds to a tenth of a meter
  };
  for (size_t k = 0; k < sizeof clouds / sizeof *clouds; k++) {
    cloud s = random_cloud(1200, clouds[k].extent, clouds[k].shift, clouds[k].larger, k + 1);
    int32_t n = check_pairs(s);
    ck_assert_msg(clouds[k].extent > 100 || n > 100, "cloud %zu: %d pairs", k, n);
  }
}
END_TEST

/// On a lattice spheres touch exactly, and lie on the borders of cells.
START_TEST(pairs_on_borders_are_found) {
  cloud s(1000);
  for (int32_t i = 0; i < s.n; i++)
    s.put(i, 0.25 * (i % 10) - 1, 0.25 * (i / 10 % 10) - 1, 0.25 * (i / 100) - 1, 0.125);
  ck_assert_int_ge(check_pairs(s), 3 * 900);
}
END_TEST

START_TEST(what_is_no_number_or_too_large_has_no_pairs) {
  cloud s = random_cloud(300, 2, 0, 3, 12);
  s.put(3, NAN, 0, 0, 0.2);
  s.put(100, INFINITY, 0, 0, 0.2);
  s.put(200, 0, -INFINITY, 0, 0.2);
  s.put(201, 0, 0, 0, NAN);
  s.put(202, 3e38, 0, 0, 0.2);
  viper_contact_device c = s.device();
  find(s, &c, viper_contact_search_threads(&c));
  for (int32_t k = 0; k < s.count.n_pairs; k++)
    for (int32_t bad : {3, 100, 200, 201, 202})
      ck_assert(c.pair[k].i != bad && c.pair[k].j != bad);
  ck_assert_int_gt(s.count.n_pairs, 100);
}
END_TEST

START_TEST(bodies_and_groups_that_do_not_meet_make_no_pairs) {
  cloud s = random_cloud(600, 2, 0, 1, 13);
  for (size_t i = 0; i < 600; i++) {
    s.body[i] = (int32_t)(i / 40);
    s.groups[i] = i % 7 ? 1 : 2;
    s.meets[i] = i % 5 ? 3 : 1;
  }
  ck_assert_int_gt(check_pairs(s), 100);
}
END_TEST

/// Contacts as they are found, in any order, of a segment that has a third of all, and few colors.
START_TEST(contacts_are_sorted_by_keys_and_colors) {
  enum { SEGMENTS = 40, TOUCHES = 1000 };
  std::vector<viper_touch_key> unsorted(TOUCHES), by_segment(TOUCHES), sorted(TOUCHES);
  std::vector<int32_t> first(SEGMENTS + 1), sum(2 * TOUCHES),
      of_color((size_t)VIPER_ALL_COLORS * (size_t)viper_color_parts(TOUCHES));
  std::vector<uint32_t> color(TOUCHES);
  std::vector<viper_touch_numbers> order(TOUCHES);
  viper_contact_count count = {};
  viper_contact_device c = {};
  c.n_segments = SEGMENTS;
  c.number_bits = 6;
  c.count = &count;
  c.key = unsorted.data();
  c.by_segment = by_segment.data();
  c.sorted = sorted.data();
  c.first_touch = first.data();
  c.order_sum = sum.data();
  c.of_color = of_color.data();
  c.color = color.data();
  c.order = order.data();
  count.n_touches = TOUCHES;
  for (uint64_t k = 0; k < TOUCHES; k++) {
    const uint64_t at = k * 617 % TOUCHES; // a permutation
    const uint64_t i = at % 3 ? at / 3 % SEGMENTS : 7;
    unsorted[k].key = (i << c.number_bits) << 10 | at;
    unsorted[k].number = 0;
  }
  c.number_bits += 9; // the numbers that make keys differ
  for (viper_touch_key &t : unsorted)
    t.number = first[(size_t)viper_touch_segment(&c, t.key)]++;
  const viper_coop_thread one = {0, 1, VIPER_SYNC_WARP, 1};
  viper_contact_sort(&c, &one);
  for (int32_t k = 0; k < TOUCHES; k++) {
    ck_assert(k == 0 || sorted[(size_t)k - 1].key < sorted[(size_t)k].key);
    ck_assert(unsorted[(size_t)sorted[(size_t)k].number].key == sorted[(size_t)k].key);
    color[(size_t)k] = (uint32_t)(k * 37 % 11 == 5 ? VIPER_TOUCH_COLORS : k * 37 % 11);
  }
  viper_contact_sort_colors(&c, &one, nullptr, 0);
  for (int32_t k = 0; k < TOUCHES; k++) {
    const viper_touch_numbers now = order[(size_t)k];
    const uint32_t own = color[(size_t)now.rank];
    ck_assert(
        k == 0 || color[(size_t)order[(size_t)k - 1].rank] < own ||
        (color[(size_t)order[(size_t)k - 1].rank] == own && order[(size_t)k - 1].rank < now.rank));
    ck_assert_int_eq(now.number, (int32_t)sorted[(size_t)now.rank].number);
    ck_assert(count.color_first[own] <= k && k < count.color_end[own]);
  }
}
END_TEST

namespace {

/// Contacts and what coloring them takes.
struct touching {
  touching(int32_t n_touches, int32_t n_nodes)
      : found(n_touches), sorted(n_touches), color(n_touches, VIPER_UNCOLORED), head(n_nodes),
        taken(n_nodes) {
    for (int32_t k = 0; k < n_touches; k++)
      sorted[(size_t)k].number = k;
    count.n_touches = c.rooms.touches = n_touches;
    c.n_nodes = n_nodes;
    c.count = &count;
    c.found = found.data();
    c.sorted = sorted.data();
    c.color = color.data();
    c.head = head.data();
    c.taken = taken.data();
  }

  viper_contact_device c = {};
  viper_contact_count count = {};
  std::vector<viper_touch> found;
  std::vector<viper_touch_key> sorted;
  std::vector<uint32_t> color;
  std::vector<uint64_t> head, taken;
};

/// Colors all contacts in rounds, in which they come in descending order: threads may come in any.
/// Returns how many it takes.
uint32_t color_in_rounds(touching &t) {
  std::vector<uint64_t> own(viper_coloring_bytes(&t.c) / sizeof(uint64_t) + 1);
  const bool near = viper_coloring_bytes(&t.c) > 0;
  const viper_coloring w = viper_coloring_in(&t.c, near ? own.data() : NULL);
  int32_t colored = 0;
  uint32_t round = 0;
  while (colored < t.count.n_touches) {
    const int32_t before = colored;
    round++;
    for (int32_t r = t.count.n_touches - 1; r >= 0; r--) {
      viper_uncolored u = viper_uncolored_of(&t.c, r);
      if (u.number >= 0 && round > VIPER_TOUCH_COLORS)
        colored += viper_color_none_left(&t.c, &w, &u);
      if (u.number >= 0)
        viper_color_offer(&w, &u, round, near);
    }
    for (int32_t r = t.count.n_touches - 1; r >= 0; r--) {
      viper_uncolored u = viper_uncolored_of(&t.c, r);
      colored += u.number >= 0 && viper_color_touch(&t.c, &w, &u, round, near);
    }
    ck_assert_msg(colored > before, "round %u colors none of %d contacts", round,
                  t.count.n_touches);
  }
  return round;
}

/// The least color that no contact before has at one of the nodes, contact by contact.
std::vector<uint32_t> color_one_by_one(const touching &t) {
  std::vector<uint64_t> taken((size_t)t.c.n_nodes);
  std::vector<uint32_t> out(t.found.size()), order(t.found.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [](uint32_t a, uint32_t b) { return viper_color_turn(a) < viper_color_turn(b); });
  for (uint32_t r : order) {
    uint64_t all = 0;
    for (int32_t node : t.found[r].node)
      all |= taken[(size_t)node];
    while (out[r] < VIPER_TOUCH_COLORS && (all >> out[r] & 1))
      out[r]++;
    for (int32_t node : t.found[r].node)
      if (out[r] < VIPER_TOUCH_COLORS)
        taken[(size_t)node] |= (uint64_t)1 << out[r];
  }
  return out;
}

/// All contacts have these.
void check_colors(const touching &t) {
  const std::vector<uint32_t> expected = color_one_by_one(t);
  for (size_t r = 0; r < expected.size(); r++)
    ck_assert_msg(t.color[r] == expected[r], "contact %zu of %zu has color %u, not %u", r,
                  expected.size(), t.color[r], expected[r]);
}

} // namespace

/// Colors do not depend on the order of threads: few contacts, whose bids are words in shared
/// memory, as many as have room there, and one more than have. Contacts r and r + 2^16 meet at a
/// node: their turns differ in the lower half of a word alone.
START_TEST(many_contacts_are_colored_in_order) {
  static const int32_t sizes[] = {600, UINT16_MAX, 0x10000 + 0x400};
  for (int32_t n : sizes) {
    touching t(n, n);
    uint64_t seed = 5;
    for (int32_t r = 0; r < n; r++)
      for (int k = 0; k < 4; k++)
        t.found[(size_t)r].node[k] =
            k == 0 ? r & 0xffff : (int32_t)(n * (0.4999 + 0.4999 * random_number(&seed)));
    ck_assert_int_eq(viper_coloring_bytes(&t.c) > 0, n <= UINT16_MAX);
    color_in_rounds(t);
    check_colors(t);
  }
}
END_TEST

/// All contacts have one node in common, so that most get no color, which takes few rounds; or each
/// has one with the next in turn, which takes as many rounds as contacts, and all get a color: the
/// first 40 and the last 20 have one in common, too.
START_TEST(many_contacts_of_a_node_take_few_rounds) {
  enum { TOUCHES = 600 };
  std::vector<uint32_t> turn(TOUCHES);
  std::iota(turn.begin(), turn.end(), 0);
  std::sort(turn.begin(), turn.end(),
            [](uint32_t a, uint32_t b) { return viper_color_turn(a) < viper_color_turn(b); });
  for (bool path : {false, true}) {
    touching t(TOUCHES, TOUCHES + 2);
    for (int32_t place = 0; place < TOUCHES; place++) {
      const bool common = !path || place < 40 || place >= TOUCHES - 20;
      const int32_t node[] = {place, place, path ? place + 1 : place, common ? TOUCHES + 1 : place};
      std::copy(node, node + 4, t.found[turn[(size_t)place]].node);
    }
    const uint32_t rounds = color_in_rounds(t);
    check_colors(t);
    if (path)
      ck_assert_uint_eq(rounds, TOUCHES);
    else
      ck_assert_uint_le(rounds, VIPER_TOUCH_COLORS + 1);
  }
}
END_TEST

int main() {
  Suite *suite = suite_create("cuda pairs");
  TCase *test = tcase_create("pairs");
  tcase_set_timeout(test, 60);
  tcase_add_test(test, all_pairs_are_found_once);
  tcase_add_test(test, pairs_on_borders_are_found);
  tcase_add_test(test, what_is_no_number_or_too_large_has_no_pairs);
  tcase_add_test(test, contacts_are_sorted_by_keys_and_colors);
  tcase_add_test(test, bodies_and_groups_that_do_not_meet_make_no_pairs);
  tcase_add_test(test, many_contacts_are_colored_in_order);
  tcase_add_test(test, many_contacts_of_a_node_take_few_rounds);
  suite_add_tcase(suite, test);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
