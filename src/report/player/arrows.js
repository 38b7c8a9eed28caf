// SPDX-License-Identifier: GPL-3.0-or-later
// Arrows: loads with the factors of their curves, and forces of contact.

/// Arrows from points along vectors, the longest `most` long, as capsules: a shaft, and a head that is shorter where the
/// arrow is.
function arrowCapsules(arrows, largest, most, thickness) {
  const out = [];
  for (const { at, vector } of arrows) {
    const length = (most * size(vector)) / largest;
    if (!(length > 1e-3 * most) || !at.every(Number.isFinite)) continue;
    const unit = vector.map((c) => c / size(vector)), neck = Math.max(0.4 * length, length - 12 * thickness);
    out.push(...at, thickness, ...plus(at, neck, unit), thickness, 0, 0, 0, 0, 0, 0);
    out.push(...plus(at, neck, unit), 2.5 * thickness, ...plus(at, length, unit), 0.01 * thickness, 0, 0, 0, 0, 0, 0);
  }
  return new Float32Array(out);
}

/// Where a load acts: on a node (0), segment (1), bone (10) or link (11). Null where that is not recorded.
function loadPlace(run, kind, i, k) {
  const x = fieldAt(run, "position", k), bone = fieldAt(run, "bone_position", k), segment = constant(run, "segment");
  if (kind === 0 && x && 3 * i < x.length) return point(x, i);
  if (kind === 10 && bone && 3 * i < bone.length) return point(bone, i);
  if (kind === 11) return linkPlace(run, i, k);
  if (kind !== 1 || !x || 2 * i >= segment.length) return null;
  const a = point(x, segment[2 * i]);
  return plus(a, 0.5, plus(point(x, segment[2 * i + 1]), -1, a));
}

/// The segment that each load turns with, by the load's number.
function turningOf(run) {
  if (!run.turning) {
    const pairs = constant(run, "turning_load");
    run.turning = new Map();
    for (let i = 0; i < pairs.length; i += 2) run.turning.set(pairs[i], pairs[i + 1]);
  }
  return run.turning;
}

/// A vector, turned as the frame of segment j has turned since the first frame; null where frames are not recorded.
function turnedWith(run, j, k, vector) {
  if (!run.parts.frame || j >= run.parts.frame.n) return null;
  const [w, x, y, z] = rotationAt(run, "frame", 0, j);
  return turned(rotationAt(run, "frame", k, j), turned([w, -x, -y, -z], vector));
}

/// What loads exert in frame k, of their part "load_force" or "load_torque". That on a link is about its axis.
function loadsAt(run, name, k) {
  const element = constant(run, "load_element"), list = constant(run, name), out = [];
  const factor = run.parts.load_factor ? rowsAt(run, "load_factor", k) : null, turning = turningOf(run);
  for (let i = 0; i < list.length / 3; i++) {
    let vector = point(list, i);
    const kind = element[2 * i], at = size(vector) > 0 ? loadPlace(run, kind, element[2 * i + 1], k) : null;
    if (!at) continue;
    if (kind === 11) vector = linkAxis(run, element[2 * i + 1], k).map((c) => c * list[3 * i]);
    if (turning.has(i)) vector = turnedWith(run, turning.get(i), k, vector);
    if (vector) out.push({ at, vector: factor ? vector.map((c) => c * factor[i]) : vector });
  }
  return out;
}

/// Forces of contact on bodies, at the middle of each.
function contactsAt(run, k) {
  const force = fieldAt(run, "contact_force", k), x = fieldAt(run, "position", k), body = constant(run, "body");
  if (!force || !x) return [];
  const sum = new Float64Array(force.length), count = new Float64Array(force.length / 3);
  body.forEach((b, i) => {
    for (let c = 0; c < 3; c++) sum[3 * b + c] += x[3 * i + c];
    count[b]++;
  });
  return Array.from(count, (n, b) => ({ at: point(sum, b).map((c) => c / n), vector: point(force, b) }));
}

/// The largest of what `arrowsAt` gives in all frames, kept by name.
function largestOf(run, name, arrowsAt) {
  run.largest ??= new Map();
  if (!run.largest.has(name)) {
    let most = 0;
    for (let k = 0; k < run.time.length; k++) for (const { vector } of arrowsAt(k)) most = Math.max(most, size(vector) || 0);
    run.largest.set(name, most);
  }
  return run.largest.get(name);
}
