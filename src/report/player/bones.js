// SPDX-License-Identifier: GPL-3.0-or-later
// Bones, each as the bar of its mass and inertia, and the arms from it to its links.

/// Principal moments and axes of a symmetric matrix (xx, yy, zz, yz, xz, xy), by Jacobi's rotations.
function principal([xx, yy, zz, yz, xz, xy]) {
  const m = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const turn = (a, b, c, s) => [a.map((x, i) => c * x - s * b[i]), a.map((x, i) => s * x + c * b[i])];
  for (let round = 0; round < 12; round++)
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (Math.abs(m[p][q]) <= 1e-15 * (m[0][0] + m[1][1] + m[2][2])) continue;
      const angle = 0.5 * Math.atan2(2 * m[p][q], m[q][q] - m[p][p]), c = Math.cos(angle), s = Math.sin(angle);
      for (const row of m) [row[p], row[q]] = [c * row[p] - s * row[q], s * row[p] + c * row[q]];
      [m[p], m[q]] = turn(m[p], m[q], c, s);
      [axes[p], axes[q]] = turn(axes[p], axes[q], c, s);
    }
  return [0, 1, 2].map((i) => ({ moment: m[i][i], axis: axes[i] }));
}

/// Of each bone half its axis at rest and its radius: the box of its mass and inertia has the edges
/// sqrt(6 (I2 + I3 - I1)/m); the longest is the axis.
function barsOf(run) {
  if (run.bars) return run.bars;
  const mass = constant(run, "bone_mass"), inertia = constant(run, "bone_inertia");
  run.bars = Array.from({ length: inertia.length / 6 }, (_, i) => {
    const list = principal(inertia.subarray(6 * i, 6 * i + 6)), sum = list.reduce((s, p) => s + p.moment, 0);
    const edges = list.map((p) => ({ axis: p.axis, edge: Math.sqrt(Math.max(0, (6 * (sum - 2 * p.moment)) / mass[i])) }));
    const [thin, thick, long] = edges.sort((a, b) => a.edge - b.edge), radius = 0.25 * (thin.edge + thick.edge);
    return { half: long.axis.map((c) => c * Math.max(0, 0.5 * long.edge - radius)), radius };
  });
  return run.bars;
}

/// Both ends of bone i in frame k, and its radius; null where it is nowhere.
function barAt(run, i, k) {
  const x = fieldAt(run, "bone_position", k), bar = barsOf(run)[i];
  if (!x || !bar || !run.parts.bone_frame) return null;
  const at = point(x, i), half = turned(rotationAt(run, "bone_frame", k, i), bar.half);
  return [...at, ...half, bar.radius].every(Number.isFinite) ? { a: plus(at, -1, half), b: plus(at, 1, half), radius: bar.radius } : null;
}

/// Where a point that bone i has at rest is in frame k.
function bonePoint(run, i, rest, k) {
  const arm = turned(rotationAt(run, "bone_frame", k, i), plus(rest, -1, point(constant(run, "bone_center"), i)));
  return plus(point(fieldAt(run, "bone_position", k), i), 1, arm);
}

/// Where link j is in frame k: it moves with its first bone.
function linkPlace(run, j, k) {
  const side = constant(run, "link_side"), at = constant(run, "link_point");
  return run.parts.bone_frame && run.parts.bone_position && 3 * j < at.length ? bonePoint(run, side[3 * j], point(at, j), k) : null;
}

function linkAxis(run, j, k) {
  const axis = point(constant(run, "link_axis"), 2 * j);
  return turned(rotationAt(run, "bone_frame", k, constant(run, "link_side")[3 * j]), axis);
}

/// Bones, and arms of this thickness from the center of each to its links.
function boneCapsules(run, k, thickness) {
  const side = constant(run, "link_side"), at = constant(run, "link_point"), x = fieldAt(run, "bone_position", k), out = [];
  for (let i = 0; x && i < x.length / 3; i++) {
    const bar = barAt(run, i, k);
    if (bar) out.push(...bar.a, bar.radius, ...bar.b, bar.radius, 0, 0, 0, 0, 0, 0);
  }
  for (let j = 0; x && run.parts.bone_frame && j < at.length / 3; j++)
    for (const bone of [side[3 * j], side[3 * j + 1]])
      if (bone >= 0) out.push(...point(x, bone), thickness, ...bonePoint(run, bone, point(at, j), k), thickness, 0, 0, 0, 0, 0, 0);
  return new Float32Array(out);
}

function eachBoneBall(run, k, ball) {
  const n = run.parts.bone_position?.n ?? 0;
  for (let i = 0; i < n; i++) {
    const bar = barAt(run, i, k);
    if (bar) for (const end of [bar.a, bar.b]) ball(...end, bar.radius);
  }
}
