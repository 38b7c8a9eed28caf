// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of three numbers, as arrays, and rotations.

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const size = (a) => Math.hypot(a[0], a[1], a[2]);
const point = (list, i) => [list[3 * i], list[3 * i + 1], list[3 * i + 2]];
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

/// The first axis of a rotation's frame: the vector (1, 0, 0), turned by (w, x, y, z).
const firstAxis = (w, x, y, z) =>
  [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)];

/// Rounds a length down to 1, 2 or 5 times a power of ten.
function roundLength(x) {
  const power = 10 ** Math.floor(Math.log10(x)), lead = x / power;
  return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

/// A vector, turned by a rotation (w, x, y, z).
function turned([w, x, y, z], v) {
  const t = cross([x, y, z], v).map((c) => 2 * c);
  return plus(plus(v, w, t), 1, cross([x, y, z], t));
}
