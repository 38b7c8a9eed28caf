// SPDX-License-Identifier: GPL-3.0-or-later
// What bodies are seen against: half-planes and colliders, where their drivers have moved them, and a reference curve.

/// Half-planes of frame k: normal and offset of each.
const planesAt = (run, k) => (run.parts.plane_at ? rowsAt(run, "plane_at", k) : constant(run, "plane"));

/// Colliders of frame k as capsules; a cylinder has no ends and is shown `reach` beyond its points.
function colliderCapsules(run, k, reach) {
  const kind = constant(run, "collider"), radius = constant(run, "collider_radius"), out = [];
  const at = run.parts.collider_at ? rowsAt(run, "collider_at", k) : constant(run, "collider_point");
  for (let i = 0; i < radius.length; i++) {
    let a = point(at, 2 * i), b = kind[3 * i] === 0 ? a : point(at, 2 * i + 1);
    const axis = plus(b, -1, a), length = size(axis);
    if (kind[3 * i] === 1 && length > 0) [a, b] = [plus(a, -reach / length, axis), plus(b, reach / length, axis)];
    out.push(...a, radius[i], ...b, radius[i], 0, 0, 0, 0, 0, 0);
  }
  return new Float32Array(out);
}

/// The curve that the study gives as a reference, as capsules.
function curveCapsules(run, thickness) {
  const curve = constant(run, "reference"), out = [];
  for (let i = 0; i + 1 < curve.length / 3; i++) out.push(...point(curve, i), thickness, ...point(curve, i + 1), thickness, 0, 0, 0, 0, 0, 0);
  return new Float32Array(out);
}
