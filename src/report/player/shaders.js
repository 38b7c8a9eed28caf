// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of the GPU. The light is that of rendered pictures (src/render/draw.c), without shadows.

const LIGHT = `
uniform vec3 sun, eye, forward;
uniform bool parallel;
uniform vec3 stops[8];
uniform int palette;     // 0: five stops between limits, 1: eight categories, 2: the first stop
uniform vec2 limits;
uniform float opacity;
out vec4 pixel;
vec3 linear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
vec3 encoded(vec3 c) { return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }
vec3 paint(float value) {
  if (palette == 2) return linear(stops[0]);
  if (isnan(value)) return palette == 1 ? linear(vec3(0.894, 0.851, 0.753)) : vec3(0.214); // bone, gray
  if (palette == 1) return linear(stops[int(mod(floor(value + 0.5), 8.0))]);
  float t = clamp((value - limits.x) / (limits.y - limits.x), 0.0, 1.0) * 4.0;
  int i = min(int(t), 3);
  return linear(mix(stops[i], stops[i + 1], t - float(i)));
}
vec3 lit(vec3 color, vec3 normal, vec3 place) {
  vec3 ray = parallel ? forward : normalize(place - eye);
  if (dot(normal, ray) > 0.0) normal = -normal;
  float up = 0.5 * (1.0 + normal.z), head = max(0.0, -dot(normal, ray));
  return color * (0.72 * max(0.0, dot(normal, sun)) + 0.34 * up + 0.20 * (1.0 - up) + 0.12 * head * head);
}
`;

/// Capsules: each point of the mesh is (which ball, how far along its cap, angle around the axis).
const CAPSULE_VERTEX = `#version 300 es
precision highp float;
uniform mat4 camera;
in vec3 mesh;
in vec4 a, b, u;
in vec2 value;
out vec3 normal, place;
out float shade;
out vec3 around;
void main() {
  vec3 axis = b.xyz - a.xyz;
  float l = length(axis), inside = step(l, abs(a.w - b.w));
  axis = l > 0.0 ? axis / l : vec3(0, 0, 1);
  float wall = asin(clamp(inside > 0.5 ? sign(a.w - b.w) : (a.w - b.w) / l, -1.0, 1.0));
  if (l == 0.0 && a.w == b.w) wall = 0.0;
  float half_turn = 1.5707963;
  float latitude = mesh.x < 0.5 ? mix(-half_turn, wall, mesh.y) : mix(wall, half_turn, mesh.y);
  vec3 side = u.xyz - dot(u.xyz, axis) * axis;
  if (dot(side, side) < 1e-8) side = abs(axis.z) < 0.9 ? cross(axis, vec3(0, 0, 1)) : cross(axis, vec3(1, 0, 0));
  side = normalize(side);
  vec3 other = cross(axis, side);
  normal = sin(latitude) * axis + cos(latitude) * (cos(mesh.z) * side + sin(mesh.z) * other);
  place = mesh.x < 0.5 ? a.xyz + a.w * normal : b.xyz + b.w * normal;
  shade = mesh.x < 0.5 ? value.x : value.y;
  around = vec3(cos(mesh.z), sin(mesh.z), u.w);
  gl_Position = camera * vec4(place, 1.0);
}`;

const CAPSULE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 normal, place;
in float shade;
in vec3 around;
uniform bool stripe;
${LIGHT}
void main() {
  vec3 color = paint(shade);
  if (stripe && around.z > 0.5 && atan(abs(around.y), around.x) < 0.3) color *= 0.15;
  pixel = vec4(encoded(lit(color, normalize(normal), place)), opacity);
}`;

const SURFACE_VERTEX = `#version 300 es
precision highp float;
uniform mat4 camera;
in vec3 position, direction;
in float value;
out vec3 normal, place;
out float shade;
void main() {
  normal = direction;
  place = position;
  shade = value;
  gl_Position = camera * vec4(position, 1.0);
}`;

const SURFACE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 normal, place;
in float shade;
${LIGHT}
void main() { pixel = vec4(encoded(lit(paint(shade), normalize(normal), place)), opacity); }`;

const GROUND_VERTEX = `#version 300 es
precision highp float;
uniform mat4 camera;
uniform vec3 middle, along, across;
uniform float radius;
in vec2 corner;
out vec3 place;
void main() {
  place = middle + 3.2 * radius * (corner.x * along + corner.y * across);
  gl_Position = camera * vec4(place, 1.0);
}`;

const GROUND_FRAGMENT = `#version 300 es
precision highp float;
in vec3 place;
uniform vec3 along, across, middle;
uniform float radius, spacing;
out vec4 pixel;
void main() {
  vec2 at = vec2(dot(place, along), dot(place, across)) / spacing, off = abs(at - round(at));
  vec2 wide = max(fwidth(at), vec2(0.008));
  float line = max(1.0 - smoothstep(0.5 * wide.x, 1.2 * wide.x, off.x), 1.0 - smoothstep(0.5 * wide.y, 1.2 * wide.y, off.y));
  float fade = clamp(1.5 - 0.5 * distance(place, middle) / radius, 0.0, 1.0);
  pixel = vec4(vec3(mix(0.93, 0.70, line)), fade * fade * (3.0 - 2.0 * fade) * 0.9);
}`;
