// SPDX-License-Identifier: GPL-3.0-or-later
// Unpacks runs (src/report/pack.h describes what a pack is).

const MISSING = 65535;

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/// 16-bit numbers of frames: sums of changes, whose upper bytes come before the lower ones.
function numbersOf(bytes, at, row, frames) {
  const total = row * frames, out = new Uint16Array(total);
  for (let i = 0; i < total; i++) {
    const change = (bytes[at + i] << 8) | bytes[at + total + i];
    out[i] = change + (i < row ? 0 : out[i - row]);
  }
  return out;
}

function partOf(bytes, part, frames) {
  const row = part.n * part.width, from = bytes.byteOffset + part.at;
  if (part.type === "f32") return new Float32Array(bytes.buffer.slice(from, from + 4 * row));
  if (part.type === "i32") return new Int32Array(bytes.buffer.slice(from, from + 4 * row));
  return numbersOf(bytes, part.at, row, frames);
}

/// A run: its facts, and its parts by name. `frames` parts are read by `fieldAt`.
async function decodeRun(facts, base64) {
  const bytes = await inflate(bytesOf(base64)), parts = {};
  if (bytes.length !== facts.bytes) throw new Error("a run of this page is damaged");
  for (const part of facts.parts)
    parts[part.name] = { ...part, values: partOf(bytes, part, facts.time.length) };
  const series = facts.series.map((s) => ({ ...s, x: parts[s.x].values, y: parts[s.y].values }));
  return { ...facts, parts, series, cache: new Map() };
}

/// The numbers of a part that do not change; empty where there is none.
const constant = (run, name) => run.parts[name]?.values ?? [];

/// The rows of frame k in a part of floats that has as many for each frame.
function rowsAt(run, name, k) {
  const { values } = run.parts[name], length = values.length / run.time.length;
  return values.subarray(k * length, (k + 1) * length);
}

/// A field of frame k as floats, kept while that frame is shown; null where it was not recorded.
function fieldAt(run, name, k) {
  const part = run.parts[name];
  if (!part) return null;
  const kept = run.cache.get(name);
  if (kept && kept.k === k) return kept.values;
  const row = part.n * part.width, from = k * row;
  const values = kept ? kept.values : new Float32Array(row);
  for (let c = 0; c < part.width; c++) {
    const low = part.low[c], scale = part.scale[c];
    for (let i = c; i < row; i += part.width) {
      const number = part.values[from + i];
      values[i] = number === MISSING ? NaN : low + scale * number;
    }
  }
  run.cache.set(name, { k, values });
  return values;
}

/// The rotation of element i of frame k as (w, x, y, z).
function rotationAt(run, name, k, i) {
  const part = run.parts[name], at = (k * part.n + i) * 3, v = part.values;
  const greatest = ((v[at] >> 15) << 1) | (v[at + 1] >> 15), q = [0, 0, 0, 0];
  let sum = 0;
  for (let j = 0, c = 0; j < 4; j++) {
    if (j === greatest) continue;
    q[j] = ((v[at + c++] & 32767) / 32767 - 0.5) * Math.SQRT2;
    sum += q[j] * q[j];
  }
  q[greatest] = Math.sqrt(Math.max(0, 1 - sum));
  return q;
}

/// The last frame up to a time.
function frameAtTime(run, time) {
  let low = 0, high = run.time.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (run.time[middle] <= time * (1 + 1e-12)) low = middle;
    else high = middle - 1;
  }
  return low;
}
