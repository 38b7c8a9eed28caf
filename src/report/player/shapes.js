// SPDX-License-Identifier: GPL-3.0-or-later
// What is seen of a run in one frame: capsules, a surface, and arrows, with the values that color them.

/// Bodies whose surface is shown in place of their capsules.
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

/// Values of nodes and, at either end, of segments; no numbers where they have none.
function valuesAt(run, k, coloring) {
  const s = fieldAt(run, "scale", k), stretch = fieldAt(run, "stretch", k), body = constant(run, "body");
  const segment = constant(run, "segment"), kz = constant(run, "stiffness"), ends = new Float32Array(segment.length);
  let node = new Float32Array(body.length).fill(NaN);
  const bones = constant(run, "bone_node"); // which have their own color
  if (coloring === "body") node = Float32Array.from(body, (b, i) => (bones[i] ? NaN : b));
  if (coloring === "scale" && s) node = s;
  if (coloring === "speed" && run.parts.position) node = speedsAt(run, k);
  if (coloring === "volume" && run.parts.volume) node = fieldAt(run, "volume", k);
  for (let j = 0; j < segment.length / 2; j++) {
    const a = segment[2 * j], b = segment[2 * j + 1];
    ends[2 * j] = node[a];
    ends[2 * j + 1] = node[b];
    if (coloring === "volume" && stretch && s) ends[2 * j] = ends[2 * j + 1] = (0.5 * (s[a] + s[b])) ** 2 * (1 + stretch[j]) - 1;
    if (coloring === "stress") ends[2 * j] = ends[2 * j + 1] = stretch && kz.length ? kz[3 * j + 2] * stretch[j] : NaN;
  }
  return { node, ends };
}

/// Capsules as 14 numbers each: two balls, the frame's first axis and whether there is one, two values.
function capsulesAt(run, k, values) {
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

/// Numbers of the nodes whose balls are seen, and of the nodes or vertices of the surface.
function seenOf(run) {
  if (run.seen) return run.seen;
  const segment = constant(run, "segment"), radius = constant(run, "rest_radius"), body = constant(run, "body");
  const hidden = skinnedBodies(run), touched = new Set(segment), nodes = new Set();
  for (const i of touched) if (!hidden.has(body[i])) nodes.add(i);
  for (let i = 0; i < body.length; i++) if (!touched.has(i) && radius[i] > 0) nodes.add(i);
  const skin = run.parts.vertices && run.parts.triangle;
  run.seen = { nodes: Int32Array.from(nodes), corners: Int32Array.from(new Set(constant(run, skin ? "triangle" : "side"))) };
  return run.seen;
}

/// Calls back with all balls that a run shows in frame k. All frames are looked at before anything is drawn: it makes no
/// arrays.
function eachBallAt(run, k, ball) {
  const { nodes, corners } = seenOf(run), radius = constant(run, "rest_radius");
  const x = fieldAt(run, "position", k), s = fieldAt(run, "scale", k);
  const surface = run.parts.vertices && run.parts.triangle ? fieldAt(run, "vertices", k) : x;
  const give = (list, i, r) => {
    const a = list[3 * i], b = list[3 * i + 1], c = list[3 * i + 2];
    if (Number.isFinite(a + b + c + r)) ball(a, b, c, r);
  };
  if (x && s) for (let j = 0; j < nodes.length; j++) give(x, nodes[j], s[nodes[j]] * radius[nodes[j]]);
  if (surface) for (let j = 0; j < corners.length; j++) give(surface, corners[j], 0);
  eachBoneBall(run, k, ball);
}

/// The box around all balls in all frames.
function boundsOf(run) {
  if (run.bounds) return run.bounds;
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const take = (i, x, r) => {
    if (x - r < low[i]) low[i] = x - r;
    if (x + r > high[i]) high[i] = x + r;
  };
  for (let k = 0; k < run.time.length; k++)
    eachBallAt(run, k, (x, y, z, r) => {
      take(0, x, r);
      take(1, y, r);
      take(2, z, r);
    });
  run.bounds = { low, high };
  return run.bounds;
}
