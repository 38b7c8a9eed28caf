// SPDX-License-Identifier: GPL-3.0-or-later
/// Curves of keys.
#include "scene/scene.h"
#include "scene/sets.h"

#include <math.h>

/// Mean slope from a key to the next; that of a held value is 0.
static double secant(const vb_key *key) {
  if (key[0].interpolation == VB_HOLD)
    return 0;
  return (key[1].value - key[0].value) / (key[1].time - key[0].time);
}

/// Slope of a cubic curve at key `i` of `n`: the weighted harmonic mean of Fritsch and Butland
/// (1984), which never overshoots, because it is at most three times the smaller of its neighbors.
static double slope(const vb_key *key, size_t n, size_t i) {
  if (i == 0 || i == n - 1)
    return 0;
  double before = secant(&key[i - 1]);
  double after = secant(&key[i]);
  if (!(before * after > 0))
    return 0;
  double h_before = key[i].time - key[i - 1].time;
  double h_after = key[i + 1].time - key[i].time;
  double weight = (h_before + 2 * h_after) / (3 * (h_before + h_after));
  return before / (weight + (1 - weight) * (before / after));
}

/// The cubic from key `i` to the next, at the fraction `x` of the way.
static double cubic(const vb_key *key, size_t n, size_t i, double x) {
  double h = key[i + 1].time - key[i].time;
  double y0 = key[i].value;
  double y1 = key[i + 1].value;
  double rise = x * x * (3 - 2 * x);
  double from = x * (1 - x) * (1 - x) * h * slope(key, n, i);
  double to = x * x * (1 - x) * h * slope(key, n, i + 1);
  double y = y0 + rise * (y1 - y0) + from - to;
  // Monotone in exact arithmetic: what goes beyond the keys is rounding.
  return fmin(fmax(y, fmin(y0, y1)), fmax(y0, y1));
}

/// The last of `n` keys that is not after `time`, which is not before the first.
static size_t last_key(const vb_key *key, size_t n, double time) {
  size_t low = 0;
  size_t high = n;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (key[middle].time <= time)
      low = middle;
    else
      high = middle;
  }
  return low;
}

double vb_curve_at(const vb_key *key, size_t n, double time) {
  if (!(time > key[0].time))
    return key[0].value;
  size_t i = last_key(key, n, time);
  if (i == n - 1 || key[i].interpolation == VB_HOLD)
    return key[i].value;
  double x = (time - key[i].time) / (key[i + 1].time - key[i].time);
  if (key[i].interpolation == VB_CUBIC)
    return cubic(key, n, i, x);
  return key[i].value + x * (key[i + 1].value - key[i].value);
}

double vb_scene_curve(const vb_scene *scene, int32_t curve, double time, double otherwise) {
  if (curve < 0)
    return otherwise;
  size_t n;
  const vb_curve *curves = vb_scene_set(scene, VB_SET_CURVE, &n);
  const vb_key *keys = vb_scene_set(scene, VB_SET_KEY, &n);
  return vb_curve_at(keys + curves[curve].first_key, (size_t)curves[curve].n_keys, time);
}
