-- The characters of Li, Liu, Kavan 2019, made anew: closed surfaces of flesh and, within them, of bones. Their own meshes are not public.
-- SPDX-License-Identifier: GPL-3.0-or-later
local implicit = include("implicit")
local cone, blend = implicit.cone, implicit.blend
local characters = {}

--- A closed surface around the segment from a to b: two rings of six points and a tip at either end.
local function spindle(a, b, along_y, along_z)
  local d, length = {}, 0
  for c = 1, 3 do
    d[c] = b[c] - a[c]
    length = length + d[c] ^ 2
  end
  length = math.sqrt(length)
  for c = 1, 3 do d[c] = d[c] / length end
  -- Two directions across: u in the plane of d and y where that is possible, v orthogonal to both.
  local u = math.abs(d[2]) < 0.9 and { -d[2] * d[1], 1 - d[2] * d[2], -d[2] * d[3] } or { 1 - d[1] * d[1], -d[1] * d[2], -d[1] * d[3] }
  local norm = math.sqrt(u[1] ^ 2 + u[2] ^ 2 + u[3] ^ 2)
  for c = 1, 3 do u[c] = u[c] / norm end
  local v = { d[2] * u[3] - d[3] * u[2], d[3] * u[1] - d[1] * u[3], d[1] * u[2] - d[2] * u[1] }
  local s, inset = { vertices = { a, b }, triangles = {} }, math.min(0.35 * length, math.max(along_y, along_z))
  for ring = 0, 1 do
    local from = ring == 0 and a or b
    for k = 0, 5 do
      local x, p, q = {}, along_y * math.cos(k * math.pi / 3), along_z * math.sin(k * math.pi / 3)
      for c = 1, 3 do x[c] = from[c] + (ring == 0 and inset or -inset) * d[c] + p * u[c] + q * v[c] end
      s.vertices[#s.vertices + 1] = x
    end
  end
  local function add(i, j, k) s.triangles[#s.triangles + 1] = { i, j, k } end
  for k = 0, 5 do
    local p, q = 2 + k, 2 + (k + 1) % 6
    add(0, q, p)
    add(1, p + 6, q + 6)
    add(p, q, q + 6)
    add(p, q + 6, p + 6)
  end
  return s
end

local SIDES = { { "left", -1 }, { "right", 1 } }

--- An acrobat, stretched out along x from the hands at x = 0 to the toes at 2 m, with nine bones.
function characters.acrobat(side)
  local parts, bones = {
    cone({ 0.47, 0, 0 }, { 0.53, 0, 0 }, 0.085, 0.085), cone({ 0.55, 0, 0 }, { 0.68, 0, 0 }, 0.05, 0.06), -- head, neck
    cone({ 0.7, -0.06, 0 }, { 1.12, -0.05, 0 }, 0.1, 0.085), cone({ 0.7, 0.06, 0 }, { 1.12, 0.05, 0 }, 0.1, 0.085), -- trunk
  }, { { "trunk", spindle({ 0.66, 0, 0 }, { 1.16, 0, 0 }, 0.085, 0.045) } }
  for _, hand in ipairs(SIDES) do
    local name, s = hand[1], hand[2]
    local function limb(bone, from, to, first, last, thick)
      parts[#parts + 1] = cone(from, to, first, last)
      local a, b = {}, {}
      for c = 1, 3 do -- a bone ends before its joints
        a[c], b[c] = from[c] + 0.1 * (to[c] - from[c]), to[c] - 0.1 * (to[c] - from[c])
      end
      bones[#bones + 1] = { name .. "_" .. bone, spindle(a, b, thick, thick) }
    end
    limb("forearm", { 0.04, 0.175 * s, 0 }, { 0.325, 0.175 * s, 0 }, 0.036, 0.05, 0.017)
    limb("upper_arm", { 0.325, 0.175 * s, 0 }, { 0.64, 0.155 * s, 0 }, 0.05, 0.065, 0.022)
    limb("thigh", { 1.2, 0.09 * s, 0 }, { 1.575, 0.11 * s, 0 }, 0.09, 0.06, 0.025)
    limb("shank", { 1.575, 0.11 * s, 0 }, { 1.92, 0.12 * s, 0 }, 0.06, 0.036, 0.018)
    parts[#parts + 1] = cone({ 1.92, 0.12 * s, 0 }, { 1.97, 0.13 * s, 0.03 }, 0.034, 0.028) -- a foot
    parts[#parts + 1] = cone({ 0.03, 0.175 * s, 0 }, { 0.06, 0.175 * s, 0 }, 0.034, 0.04) -- a hand
  end
  return {
    outside = implicit.surface{
      distance = blend(0.04, parts), from = { -0.08, -0.36, -0.2 }, to = { 2.08, 0.36, 0.2 }, side = side,
    },
    bones = bones,
  }
end

--- A mermaid, upright along z from the fins to the head, bent, with nine bones.
function characters.mermaid(side)
  local bend, length = 1.1, 1.8
  local radius = length / bend
  --- The point of her middle at height t of 0 (fins) to 1 (crown), `away` from it across.
  local function at(t, across)
    local angle = (t - 0.5) * bend
    return { radius * math.cos(angle) - radius * (1 + math.cos(bend / 2)) / 2, across or 0, radius * (math.sin(angle) + math.sin(bend / 2)) }
  end
  local parts, bones = {
    cone(at(0.91), at(0.94), 0.1, 0.095), cone(at(0.82), at(0.9), 0.045, 0.045), -- head, neck
    cone(at(0.76, -0.06), at(0.6), 0.09, 0.09), cone(at(0.76, 0.06), at(0.6), 0.09, 0.09), -- chest
    cone(at(0.6), at(0.47), 0.095, 0.13), cone(at(0.47), at(0.3), 0.13, 0.095), cone(at(0.3), at(0.14), 0.095, 0.05), -- tail
  }, {
    { "head", spindle(at(0.87), at(0.98), 0.055, 0.055) }, { "chest", spindle(at(0.64), at(0.82), 0.08, 0.04) },
    { "hip", spindle(at(0.5), at(0.6), 0.06, 0.05) },
  }
  for k, t in ipairs{ 0.37, 0.26, 0.17, 0.09 } do
    local thick = ({ 0.05, 0.04, 0.03, 0.022 })[k]
    bones[#bones + 1] = { "tail " .. k, spindle(at(t), at(t + ({ 0.1, 0.09, 0.07, 0.06 })[k]), thick, thick) }
  end
  for _, hand in ipairs(SIDES) do
    local s = hand[2]
    parts[#parts + 1] = cone(at(0.79, 0.12 * s), at(0.66, 0.25 * s), 0.06, 0.058) -- an arm
    parts[#parts + 1] = cone(at(0.66, 0.25 * s), at(0.52, 0.29 * s), 0.058, 0.055)
    parts[#parts + 1] = cone(at(0.14), at(0.07, 0.08 * s), 0.06, 0.06) -- a fin
    parts[#parts + 1] = cone(at(0.07, 0.08 * s), at(0.03, 0.22 * s), 0.06, 0.055)
    bones[#bones + 1] = { hand[1] .. "_arm", spindle(at(0.76, 0.15 * s), at(0.67, 0.23 * s), 0.02, 0.02) }
  end
  return {
    outside = implicit.surface{
      distance = blend(0.05, parts), from = { -0.45, -0.4, -0.12 }, to = { 0.35, 0.4, 1.9 }, side = side,
    },
    bones = bones,
  }
end

--- A snail that looks along x, with its house, one bone. Flesh covers the house by a skin 25 mm thick.
function characters.snail(side)
  local turns = {}
  for k = 0, 11 do -- a spiral in the plane of x and z that narrows toward its middle
    local angle, shrink = 0.55 * k - 0.9, 0.88 ^ k
    turns[k] = { -0.08 + 0.24 * shrink * math.cos(angle), 0, 0.46 + 0.24 * shrink * math.sin(angle), r = 0.17 * shrink ^ 0.7 }
  end
  local function house(more)
    local parts = {}
    for k = 1, 11 do parts[k] = cone(turns[k - 1], turns[k], turns[k - 1].r + more, turns[k].r + more) end
    return blend(0.01, parts)
  end
  local parts = {
    house(0.025), cone({ -0.62, 0, 0.06 }, { -0.2, 0, 0.1 }, 0.03, 0.11), cone({ -0.2, 0, 0.1 }, { 0.3, 0, 0.1 }, 0.13, 0.13), -- foot
    cone({ 0.3, 0, 0.1 }, { 0.5, 0, 0.3 }, 0.12, 0.09), cone({ 0.5, 0, 0.3 }, { 0.58, 0, 0.36 }, 0.09, 0.08), -- neck, head
  }
  for _, eye in ipairs(SIDES) do
    local s = eye[2]
    parts[#parts + 1] = cone({ 0.58, 0.045 * s, 0.38 }, { 0.68, 0.1 * s, 0.58 }, 0.032, 0.028)
    parts[#parts + 1] = cone({ 0.68, 0.1 * s, 0.58 }, { 0.685, 0.102 * s, 0.59 }, 0.042, 0.042)
  end
  return {
    outside = implicit.surface{ distance = blend(0.05, parts), from = { -0.75, -0.33, -0.1 }, to = { 0.8, 0.33, 1 }, side = side },
    bones = { { "house", implicit.surface{ distance = house(0), from = { -0.6, -0.3, 0 }, to = { 0.45, 0.3, 0.95 }, side = side } } },
  }
end

return characters
