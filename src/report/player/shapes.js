// SPDX-License-Identifier: GPL-3.0-or-later
// What is seen of a run in one frame: pills, a surface, and arrows, with the values that color them.

/// Bodies whose surface is shown in place of their pills.
function skinnedBodies(run) {
  if (run.skinned) return run.skinned;
  const carrier = constant(run, "carrier"), body = constant(run, "body"), segment = constant(run, "segment");
  run.skinned = new Set();
  if (run.parts.vertices && run.parts.triangle)
    for (const j of carrier) if (j >= 0) run.skinned.add(body[segment[2 * j]]);
  return run.skinned;
}

/// The mean speed of each node from the frame before to the one behind.
function speedsAt(run, k) {
  const part = run.parts.position, n = part.n, row = 3 * n, out = new Float32Array(n);
  const from = Math.max(k - 1, 0), to = Math.min(k + 1, run.time.length - 1), span = run.time[to] - run.time[from];
  for (let i = 0; i < n && span > 0; i++) {
    let sum = 0;
    for (let c = 0; c < 3; c++) {
      const d = part.scale[c] * (part.values[to * row + 3 * i + c] - part.values[from * row + 3 * i + c]);
      sum += d * d;
    }
    out[i] = Math.sqrt(sum) / span;
  }
  return out;
}

const distanceOf = (x, a, b) => Math.hypot(x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]);

function volumeOf(x, list, t) {
  const [a, b, c, d] = [0, 1, 2, 3].map((i) => point(x, list[4 * t + i]));
  return dot(plus(b, -1, a), cross(plus(c, -1, a), plus(d, -1, a)));
}

/// The error of volume of each node's tetrahedra, in the mean.
function solidValues(run, x, out) {
  const list = constant(run, "tetrahedron"), rest = constant(run, "rest_position");
  const count = new Uint16Array(out.length);
  run.restVolume ??= Float64Array.from({ length: list.length / 4 }, (_, t) => volumeOf(rest, list, t));
  for (let t = 0; t < run.restVolume.length; t++) {
    const error = volumeOf(x, list, t) / run.restVolume[t] - 1;
    for (let i = 0; i < 4; i++) {
      out[list[4 * t + i]] += error;
      count[list[4 * t + i]]++;
    }
  }
  for (let i = 0; i < out.length; i++) if (count[i]) out[i] /= count[i];
}

/// Values of nodes and, at either end, of segments.
function valuesAt(run, k, coloring) {
  const x = fieldAt(run, "position", k), s = fieldAt(run, "scale", k), body = constant(run, "body");
  const segment = constant(run, "segment"), length = constant(run, "rest_length"), kz = constant(run, "stiffness");
  let node = new Float32Array(body.length);
  const ends = new Float32Array(segment.length);
  if (coloring === "body") node = Float32Array.from(body);
  if (coloring === "scale" && s) node = s;
  if (coloring === "speed" && x) node = speedsAt(run, k);
  if (coloring === "volume" && x && run.parts.tetrahedron) solidValues(run, x, node);
  for (let j = 0; j < segment.length / 2; j++) {
    const a = segment[2 * j], b = segment[2 * j + 1];
    ends[2 * j] = node[a];
    ends[2 * j + 1] = node[b];
    if (coloring === "volume" && x && s) {
      const mean = 0.5 * (s[a] + s[b]);
      ends[2 * j] = ends[2 * j + 1] = (mean * mean * distanceOf(x, a, b)) / length[j] - 1;
    } else if (coloring === "stress" && x) {
      ends[2 * j] = ends[2 * j + 1] = kz.length ? kz[3 * j + 2] * (distanceOf(x, a, b) / length[j] - 1) : NaN;
    }
  }
  if (coloring === "stress") node.fill(NaN);
  return { node, ends };
}

/// Pills as 14 numbers each: two balls, the frame's first axis and whether there is one, two values.
function pillsAt(run, k, values) {
  const x = fieldAt(run, "position", k), s = fieldAt(run, "scale", k), radius = constant(run, "rest_radius");
  const segment = constant(run, "segment"), body = constant(run, "body"), hidden = skinnedBodies(run), out = [];
  if (!x || !s) return new Float32Array(0);
  const touched = new Uint8Array(body.length);
  const add = (a, b, u, va, vb) => {
    const numbers = [...point(x, a), s[a] * radius[a], ...point(x, b), s[b] * radius[b]];
    if (numbers.every(Number.isFinite)) out.push(...numbers, ...u, va, vb);
  };
  for (let j = 0; j < segment.length / 2; j++) {
    const a = segment[2 * j], b = segment[2 * j + 1];
    touched[a] = touched[b] = 1;
    if (hidden.has(body[a])) continue;
    const u = run.parts.frame ? [...firstAxis(...rotationAt(run, "frame", k, j)), 1] : [0, 0, 0, 0];
    add(a, b, u, values.ends[2 * j], values.ends[2 * j + 1]);
  }
  for (let i = 0; i < body.length; i++)
    if (!touched[i] && radius[i] > 0) add(i, i, [0, 0, 0, 0], values.node[i], values.node[i]);
  return new Float32Array(out);
}

function normalsOf(x, triangle) {
  const out = new Float32Array(x.length);
  for (let t = 0; t < triangle.length; t += 3) {
    const a = 3 * triangle[t], b = 3 * triangle[t + 1], c = 3 * triangle[t + 2];
    const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
    const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    for (const i of [a, b, c]) {
      out[i] += nx;
      out[i + 1] += ny;
      out[i + 2] += nz;
    }
  }
  return out;
}

/// The surface: of a skin, colored by the segments that carry it, or around tetrahedra.
function surfaceAt(run, k, values) {
  const skin = run.parts.vertices && run.parts.triangle;
  const x = fieldAt(run, skin ? "vertices" : "position", k), triangle = constant(run, skin ? "triangle" : "side");
  if (!x || !triangle.length) return null;
  let value = values.node;
  if (skin) {
    const carrier = constant(run, "carrier"), at = constant(run, "carrier_at");
    value = new Float32Array(x.length / 3);
    for (let i = 0; i < carrier.length; i++)
      value[i] = (1 - at[i]) * values.ends[2 * carrier[i]] + at[i] * values.ends[2 * carrier[i] + 1];
  }
  return { position: x, normal: normalsOf(x, triangle), value, triangle };
}

/// Arrows from points along vectors, the longest `most` long, as pills: a shaft and a head.
function arrowPills(arrows, largest, most, thickness) {
  const out = [];
  for (const { at, vector } of arrows) {
    const length = (most * size(vector)) / largest;
    if (!(length > 1e-3 * most) || !at.every(Number.isFinite)) continue;
    const unit = vector.map((c) => c / size(vector)), neck = Math.max(0, length - 4 * thickness);
    out.push(...at, thickness, ...plus(at, neck, unit), thickness, 0, 0, 0, 0, 0, 0);
    out.push(...plus(at, neck, unit), 2.5 * thickness, ...plus(at, length, unit), 0.05 * thickness, 0, 0, 0, 0, 0, 0);
  }
  return new Float32Array(out);
}

/// Loads on nodes and segments, at their full size, whatever their curve.
function loadsAt(run, k) {
  const element = constant(run, "load_element"), force = constant(run, "load_force"), out = [];
  const x = fieldAt(run, "position", k), segment = constant(run, "segment");
  for (let i = 0; x && i < element.length / 2; i++) {
    const [kind, index] = [element[2 * i], element[2 * i + 1]];
    if (kind === 0 && index < x.length / 3) out.push({ at: point(x, index), vector: point(force, i) });
    else if (kind === 1 && index < segment.length / 2) {
      const a = point(x, segment[2 * index]), b = point(x, segment[2 * index + 1]);
      out.push({ at: plus(a, 0.5, plus(b, -1, a)), vector: point(force, i) });
    }
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

/// Colliders that do not move, as pills; a cylinder has no ends and is shown `reach` beyond its points.
function colliderPills(run, reach) {
  const kind = constant(run, "collider"), at = constant(run, "collider_point"), radius = constant(run, "collider_radius");
  const out = [];
  for (let i = 0; i < radius.length; i++) {
    let a = point(at, 2 * i), b = kind[3 * i] === 0 ? a : point(at, 2 * i + 1);
    if (kind[3 * i + 2] >= 0) continue; // a driver moves it
    const axis = plus(b, -1, a), length = size(axis);
    if (kind[3 * i] === 1 && length > 0) [a, b] = [plus(a, -reach / length, axis), plus(b, reach / length, axis)];
    out.push(...a, radius[i], ...b, radius[i], 0, 0, 0, 0, 0, 0);
  }
  return new Float32Array(out);
}

/// Bones: from the center of each to the links and ends that it has.
function bonePills(run, k, thickness) {
  const x = fieldAt(run, "bone_position", k), center = constant(run, "bone_center");
  const side = constant(run, "link_side"), at = constant(run, "link_point"), out = [];
  for (let i = 0; x && i < x.length / 3; i++)
    out.push(...point(x, i), 1.6 * thickness, ...point(x, i), 1.6 * thickness, 0, 0, 0, 0, 0, 0);
  for (let j = 0; x && run.parts.bone_frame && j < at.length / 3; j++)
    for (const bone of [side[3 * j], side[3 * j + 1]]) {
      if (bone < 0) continue;
      const arm = turned(rotationAt(run, "bone_frame", k, bone), plus(point(at, j), -1, point(center, bone)));
      out.push(...point(x, bone), thickness, ...plus(point(x, bone), 1, arm), thickness, 0, 0, 0, 0, 0, 0);
    }
  return new Float32Array(out);
}

/// Calls back with all balls that a run shows in frame k.
function eachBallAt(run, k, ball) {
  const x = fieldAt(run, "position", k), s = fieldAt(run, "scale", k), radius = constant(run, "rest_radius");
  const segment = constant(run, "segment"), body = constant(run, "body"), hidden = skinnedBodies(run);
  const skin = run.parts.vertices && run.parts.triangle, triangle = constant(run, skin ? "triangle" : "side");
  if (!run.seen) {
    const nodes = new Set(), touched = new Set(segment), corners = new Set(triangle);
    for (const i of touched) if (!hidden.has(body[i])) nodes.add(i);
    for (let i = 0; i < body.length; i++) if (!touched.has(i) && radius[i] > 0) nodes.add(i);
    run.seen = { nodes: [...nodes], corners: [...corners] };
  }
  const add = (list, i, r) => {
    const p = point(list, i);
    if (p.every(Number.isFinite) && Number.isFinite(r)) ball(p[0], p[1], p[2], r);
  };
  if (x && s) for (const i of run.seen.nodes) add(x, i, s[i] * radius[i]);
  const surface = skin ? fieldAt(run, "vertices", k) : x;
  if (surface) for (const i of run.seen.corners) add(surface, i, 0);
}
