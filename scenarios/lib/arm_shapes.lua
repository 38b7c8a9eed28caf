-- Bones and muscles of a right arm, sculpted from round cones that are blended into each other: the arm hangs straight, with the palm
-- forward. Forward is x, z up, and y from the outer side of the arm to the body; the shoulder is at 0, the elbow at z = -0.3. Meters.
-- SPDX-License-Identifier: GPL-3.0-or-later
local implicit, shapes, vector = include("implicit"), include("muscle_shapes"), include("vector")

local arm = {}

arm.elbow = { 0, 0, -0.3 }

local SMOOTH = 2 -- cones between two points

--- A line of points { x, y, z, radius }, with further points on the smooth curve through them (Catmull and Rom 1974).
local function refine(points)
  local n, line = #points, { points[1] }
  for k = 2, n do
    local p, a, b, q = points[math.max(1, k - 2)], points[k - 1], points[k], points[math.min(n, k + 1)]
    for i = 1, SMOOTH do
      local t, x = i / SMOOTH, {}
      for c = 1, 4 do
        x[c] = a[c] + t / 2 * (b[c] - p[c] + t * (2 * p[c] - 5 * a[c] + 4 * b[c] - q[c] + t * (3 * (a[c] - b[c]) + q[c] - p[c])))
      end
      line[#line + 1] = x
    end
  end
  return line
end

--- The distance from such a line: the cones between its points.
local function strand(points)
  local list, line = {}, #points > 2 and refine(points) or points
  for k = 2, #line do
    local a, b = line[k - 1], line[k]
    list[#list + 1] = implicit.cone(a, b, a[4], b[4])
  end
  return implicit.union(list)
end

local function strands(lines)
  local list = {}
  for k, points in ipairs(lines) do list[k] = strand(points) end
  return list
end

--- The box of the strands' points, `room` larger than their radii.
local function box_of(lines, room)
  local from, to = { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }
  for _, points in ipairs(lines) do
    for _, x in ipairs(points) do
      for c = 1, 3 do from[c], to[c] = math.min(from[c], x[c] - x[4] - room), math.max(to[c], x[c] + x[4] + room) end
    end
  end
  return from, to
end

-- The bones by strands; the first of each is what muscles touch, as pills.
local BONES = {
  humerus = {
    blend = 0.012,
    { { 0, 0.002, -0.03, 0.0165 }, { 0, 0, -0.09, 0.0118 }, { 0, 0, -0.2, 0.0105 }, { 0.002, 0, -0.262, 0.0115 } },
    { { -0.004, 0.013, 0.0, 0.0235 }, { -0.003, 0.010, -0.006, 0.0225 } }, -- the head
    { { -0.002, -0.019, -0.004, 0.0125 }, { 0, -0.009, -0.035, 0.012 } }, -- the greater tubercle
    { { 0.018, -0.001, -0.010, 0.0085 }, { 0.008, 0, -0.035, 0.009 } }, -- the lesser one
    { { 0.001, 0, -0.235, 0.008 }, { -0.003, 0.028, -0.287, 0.0075 } }, -- to the inner epicondyle
    { { 0.001, 0, -0.235, 0.008 }, { 0.0, -0.025, -0.284, 0.0075 } }, -- to the outer one
    { { 0.001, 0, -0.24, 0.0085 }, { 0.001, 0.002, -0.288, 0.0065 } },
    { { 0.002, 0.019, -0.299, 0.0125 }, { 0.003, 0.006, -0.298, 0.0098 }, { 0.004, -0.014, -0.298, 0.0115 } }, -- trochlea, capitulum
  },
  ulna = {
    blend = 0.009,
    { { -0.016, 0.009, -0.322, 0.0105 }, { -0.010, 0.012, -0.36, 0.0092 }, { -0.005, 0.017, -0.45, 0.0072 }, { -0.002, 0.019, -0.54, 0.0068 } },
    { { -0.0215, 0.008, -0.291, 0.0098 }, { -0.020, 0.008, -0.315, 0.011 } }, -- the olecranon
    { { -0.008, 0.009, -0.328, 0.010 }, { 0.010, 0.009, -0.322, 0.0068 } }, -- the coronoid process
    { { -0.002, 0.019, -0.538, 0.0085 }, { -0.005, 0.024, -0.553, 0.0035 } }, -- head and styloid process
  },
  radius = {
    blend = 0.008,
    { { 0.004, -0.013, -0.339, 0.0066 }, { 0.004, -0.018, -0.40, 0.0072 }, { 0.004, -0.019, -0.47, 0.0078 }, { 0.004, -0.014, -0.53, 0.0105 } },
    { { 0.005, -0.014, -0.3225, 0.0092 }, { 0.005, -0.014, -0.326, 0.0096 } }, -- the head
    { { 0.007, -0.008, -0.346, 0.0062 }, { 0.006, -0.010, -0.358, 0.0058 } }, -- the tuberosity
    { { 0.004, -0.021, -0.543, 0.0098 }, { 0.004, 0.003, -0.543, 0.0092 } },
    { { 0.003, -0.023, -0.545, 0.007 }, { 0.002, -0.027, -0.558, 0.004 } }, -- the styloid process
  },
  carpus = {
    blend = 0.0022,
    { { 0.003, -0.012, -0.566, 0.0092 }, { 0.003, -0.004, -0.567, 0.0088 } },
    { { 0.002, 0.010, -0.566, 0.0088 }, { 0.001, 0.015, -0.568, 0.0080 } },
    { { 0.008, 0.015, -0.566, 0.0055 }, { 0.008, 0.016, -0.567, 0.0055 } },
    { { 0.008, -0.018, -0.577, 0.0068 }, { 0.004, -0.013, -0.579, 0.0070 } },
    { { 0.003, -0.004, -0.577, 0.0078 }, { 0.003, -0.004, -0.582, 0.0072 } },
    { { 0.004, 0.007, -0.579, 0.0078 }, { 0.003, 0.012, -0.577, 0.0074 } },
  },
  scapula = {
    blend = 0.008,
    { { -0.006, 0.052, 0.002, 0.011 }, { -0.010, 0.060, -0.004, 0.010 } },
    { { -0.006, 0.044, 0.016, 0.0045 }, { -0.006, 0.045, -0.014, 0.0050 } }, -- the rim of the glenoid
    { { -0.010, 0.060, -0.004, 0.007 }, { -0.034, 0.078, -0.115, 0.0055 } }, -- the lateral border
    { { -0.034, 0.078, -0.115, 0.0055 }, { -0.050, 0.148, 0.0, 0.0035 }, { -0.044, 0.130, 0.036, 0.0035 } }, -- the medial one
    { { -0.004, 0.055, 0.016, 0.0085 }, { 0.018, 0.042, 0.028, 0.0072 }, { 0.034, 0.030, 0.018, 0.0062 } }, -- the coracoid process
    { { -0.050, 0.140, 0.010, 0.0040 }, { -0.046, 0.085, 0.028, 0.0052 }, { -0.036, 0.030, 0.042, 0.0062 }, { -0.012, -0.010, 0.041, 0.0068 }, { 0.010, -0.006, 0.041, 0.0055 } }, -- spine, acromion
  },
  clavicle = {
    blend = 0.008,
    { { 0.014, 0.004, 0.044, 0.0068 }, { 0.016, 0.035, 0.049, 0.0062 }, { 0.034, 0.075, 0.050, 0.0055 }, { 0.052, 0.115, 0.046, 0.0060 }, { 0.056, 0.150, 0.043, 0.0085 } },
    { { 0.056, 0.150, 0.043, 0.0085 }, { 0.054, 0.158, 0.043, 0.0095 } },
  },
}

-- What is cut away: the notch in which the trochlea turns, and where muscles' blades are thin.
local NOTCH = { { 0.002, 0.040, -0.299 }, { 0.002, -0.020, -0.299 }, 0.0136 }

local PLATES = {
  { { -0.012, 0.062, -0.004 }, { -0.034, 0.078, -0.115 }, { -0.050, 0.148, 0.0 }, 0.0044 },
  { { -0.012, 0.062, 0.004 }, { -0.050, 0.148, 0.0 }, { -0.044, 0.130, 0.036 }, 0.0044 },
  { { -0.020, 0.066, 0.004 }, { -0.050, 0.140, 0.010 }, { -0.040, 0.050, 0.036 }, 0.0042 },
}

--- The distance from a bone.
local function bone_distance(name)
  local bone = BONES[name]
  local parts = strands(bone)
  if name == "scapula" then for _, p in ipairs(PLATES) do parts[#parts + 1] = implicit.plate(table.unpack(p)) end end
  local distance = implicit.blend(bone.blend, parts)
  if name == "ulna" then distance = implicit.carve(0.002, distance, implicit.cone(NOTCH[1], NOTCH[2], NOTCH[3], NOTCH[3])) end
  return distance
end

local FILLET = 0.0008 -- m, by which pills are thicker than strands, as blends are

--- The surface of a bone, and its pills: those that muscles come to lie on.
function arm.bone(name, side)
  local from, to = box_of(BONES[name], 0.006 + side)
  local surface, pills = implicit.net{ distance = bone_distance(name), from = from, to = to, side = side }, {}
  for k, points in ipairs(BONES[name]) do
    if k == 1 or name == "humerus" and k ~= 5 and k ~= 6 or name == "radius" and k == 2 or name == "ulna" and k < 4 then
      for i = 2, #points do
        local a, b = points[i - 1], points[i]
        pills[#pills + 1] = { a[1], a[2], a[3], a[4] + FILLET, b[1], b[2], b[3], b[4] + FILLET }
      end
    end
  end
  surface.pills = pills
  return surface
end

--- A bone of a hand: a shaft with a head at both ends, from a to b, `r` thick at its heads.
local function phalanx(a, b, r, fine)
  local axis = vector.minus(b, a)
  local length, along = math.sqrt(vector.dot(axis, axis)), vector.unit(axis)
  local u = vector.unit(vector.cross(along, { 1, 0.01, 0 }))
  local v = vector.cross(along, u)
  local function place(t) return 0.5 - 0.5 * math.cos(math.pi * t) end -- sections are near to each other at the ends
  local function radius(t)
    local s = place(t)
    local cap = math.min(1, math.min(s, 1 - s) * length / (0.6 * r))
    return r * math.max(0.02, math.sqrt(1 - (1 - cap) ^ 2)) * (0.62 + 0.38 * math.abs(2 * s - 1) ^ 3)
  end
  return shapes.surface(fine and 12 or 8, fine and 16 or 10, radius, function(t, y, z)
    local x, s = {}, place(t) * length
    for c = 1, 3 do x[c] = a[c] + s * along[c] + y * u[c] + z * v[c] end
    return x
  end)
end

-- Of the fingers: where their metacarpal is at the wrist and at the knuckle (y, z), the lengths of their three bones, and the radius.
local FINGERS = {
  { -0.0190, -0.5885, -0.0270, -0.651, { 0.042, 0.026, 0.019 }, 0.0072 },
  { -0.0060, -0.5905, -0.0085, -0.654, { 0.046, 0.030, 0.020 }, 0.0074 },
  { 0.0065, -0.5895, 0.0095, -0.648, { 0.042, 0.028, 0.020 }, 0.0070 },
  { 0.0180, -0.5865, 0.0255, -0.638, { 0.033, 0.021, 0.018 }, 0.0064 },
}
local CURL = { 0.35, 0.85, 1.15 } -- rad, by which a finger's bones are turned forward
local THUMB = { { 0.0125, -0.0245, -0.583 }, { 0.027, -0.0445, -0.617 }, { 0.038, -0.0525, -0.646 }, { 0.045, -0.0555, -0.669 } }

--- The surfaces of a hand's bones: a list.
function arm.hand(side)
  local list, fine = { arm.bone("carpus", side) }, side < 0.004
  for _, f in ipairs(FINGERS) do
    local a, b, gap = { 0.003, f[1], f[2] }, { 0.006, f[3], f[4] }, 0.0009
    list[#list + 1] = phalanx(a, b, 0.8 * f[6], fine)
    local spread = (f[3] - f[1]) / 0.063
    for k, length in ipairs(f[5]) do
      local dir = { math.sin(CURL[k]), 0.5 * spread, -math.cos(CURL[k]) }
      a, b = { b[1] + gap * dir[1], b[2], b[3] + gap * dir[3] }, {}
      for c = 1, 3 do b[c] = a[c] + length * dir[c] end
      list[#list + 1] = phalanx(a, b, f[6] * (1 - 0.12 * k), fine)
    end
  end
  for k = 2, #THUMB do
    local a, b = THUMB[k - 1], THUMB[k]
    local along = vector.scaled(vector.unit(vector.minus(b, a)), 0.0005) -- from joint to joint, but for a gap
    list[#list + 1] = phalanx(vector.minus(a, vector.scaled(along, -1)), vector.minus(b, along), 0.0080 - 0.0008 * k, fine)
  end
  return list
end

-- Muscles. `heads` are strands that begin at their origins; all of them are blended. From the end of the last, where the muscle is cut
-- off, the tendon goes on through `tendon` to the insertion, `thick` thick. `works` is how short the muscle
-- becomes, `turns` the part of the elbow's turn that its origin takes; `beside` is what it lies on.
local MUSCLES = {
  {
    name = "biceps", beside = { "humerus", "scapula", "radius" }, blend = 0.012, rods = 8, slices = 15, works = 0.74, to = "radius",
    heads = {
      { { 0.012, 0.004, 0.0285, 0.0042 }, { 0.0262, -0.004, 0.004, 0.0042 }, { 0.0285, -0.007, -0.035, 0.0048 }, { 0.036, -0.0105, -0.085, 0.0125 }, { 0.0395, -0.011, -0.13, 0.0185 }, { 0.0395, -0.006, -0.18, 0.0180 } },
      { { 0.0387, 0.029, 0.0072, 0.0042 }, { 0.0375, 0.024, -0.03, 0.0050 }, { 0.0385, 0.016, -0.075, 0.0125 }, { 0.041, 0.013, -0.13, 0.0185 }, { 0.0395, 0.008, -0.18, 0.0180 } },
      { { 0.0395, 0.001, -0.175, 0.0195 }, { 0.0380, 0.0, -0.215, 0.0155 }, { 0.0345, -0.001, -0.245, 0.0085 }, { 0.0315, -0.002, -0.264, 0.0054 } },
    },
    tendon = { { 0.0280, -0.004, -0.287 }, { 0.0245, -0.006, -0.312 }, { 0.0210, -0.0075, -0.336 }, { 0.0188, -0.008, -0.353 } }, thick = 0.0040,
  },
  {
    name = "triceps", beside = { "humerus", "scapula", "ulna" }, blend = 0.012, rods = 8, slices = 14, works = 1.14, to = "ulna",
    heads = {
      { { -0.012, 0.040, -0.022, 0.0048 }, { -0.023, 0.027, -0.065, 0.0125 }, { -0.034, 0.017, -0.115, 0.0195 }, { -0.034, 0.010, -0.175, 0.0185 } },
      { { -0.0165, -0.0135, -0.082, 0.0055 }, { -0.026, -0.018, -0.112, 0.0140 }, { -0.031, -0.017, -0.150, 0.0185 }, { -0.032, -0.008, -0.19, 0.0165 } },
      { { -0.033, 0.001, -0.18, 0.0180 }, { -0.0305, 0.003, -0.215, 0.0135 }, { -0.0280, 0.005, -0.24, 0.0078 }, { -0.0272, 0.006, -0.254, 0.0058 } },
    },
    tendon = { { -0.0290, 0.0065, -0.268 }, { -0.0335, 0.0075, -0.283 }, { -0.0370, 0.008, -0.296 } }, thick = 0.0046,
  },
  {
    name = "brachialis", beside = { "humerus", "ulna", "biceps" }, blend = 0.012, rods = 6, slices = 10, works = 0.78, to = "ulna",
    heads = {
      { { 0.0138, -0.0105, -0.125, 0.0045 }, { 0.0165, -0.0155, -0.17, 0.0090 }, { 0.0180, -0.0150, -0.225, 0.0110 }, { 0.0190, -0.005, -0.265, 0.0090 } },
      { { 0.0138, 0.0105, -0.130, 0.0045 }, { 0.0165, 0.0155, -0.17, 0.0085 }, { 0.0180, 0.0155, -0.225, 0.0105 }, { 0.0190, 0.006, -0.265, 0.0090 } },
      { { 0.0190, 0.001, -0.255, 0.0100 }, { 0.0200, 0.004, -0.285, 0.0070 }, { 0.0195, 0.006, -0.299, 0.0050 } },
    },
    tendon = { { 0.0205, 0.007, -0.311 }, { 0.0198, 0.008, -0.322 }, { 0.0168, 0.009, -0.3335 } }, thick = 0.0040,
  },
  {
    name = "brachioradialis", beside = { "humerus", "brachialis", "radius" }, blend = 0.01, rods = 5, slices = 14, works = 0.77, to = "radius", turns = 0.35,
    heads = {
      { { 0.004, -0.0225, -0.222, 0.0050 }, { 0.011, -0.032, -0.255, 0.0095 }, { 0.0195, -0.036, -0.305, 0.0135 }, { 0.0205, -0.036, -0.355, 0.0125 }, { 0.0165, -0.0335, -0.405, 0.0078 }, { 0.0145, -0.0325, -0.43, 0.0050 } },
    },
    tendon = { { 0.0130, -0.0315, -0.457 }, { 0.0115, -0.031, -0.485 }, { 0.0115, -0.0325, -0.515 }, { 0.0122, -0.0345, -0.545 } }, thick = 0.0042,
  },
  {
    name = "flexors", beside = { "humerus", "ulna", "radius", "carpus", "brachialis" }, blend = 0.01, rods = 5, slices = 13, to = "ulna", turns = 1,
    heads = {
      { { -0.001, 0.0407, -0.2935, 0.0055 }, { 0.006, 0.0365, -0.325, 0.0140 }, { 0.014, 0.029, -0.365, 0.0175 }, { 0.0185, 0.021, -0.415, 0.0145 }, { 0.0170, 0.013, -0.455, 0.0085 }, { 0.0150, 0.010, -0.478, 0.0054 } },
    },
    tendon = { { 0.0165, 0.007, -0.50 }, { 0.0178, 0.004, -0.525 }, { 0.0190, 0.002, -0.55 }, { 0.0160, 0.001, -0.575 } }, thick = 0.0042,
  },
  {
    name = "extensors", beside = { "humerus", "ulna", "radius", "carpus", "brachioradialis" }, blend = 0.01, rods = 5, slices = 13, to = "radius", turns = 1,
    heads = {
      { { -0.004, -0.0386, -0.289, 0.0052 }, { -0.0130, -0.0355, -0.327, 0.0128 }, { -0.0165, -0.024, -0.37, 0.0155 }, { -0.0155, -0.014, -0.42, 0.0125 }, { -0.0130, -0.008, -0.455, 0.0078 }, { -0.0120, -0.006, -0.477, 0.0052 } },
    },
    tendon = { { -0.0115, -0.005, -0.50 }, { -0.0115, -0.004, -0.525 }, { -0.0115, -0.003, -0.55 }, { -0.0102, -0.003, -0.578 } }, thick = 0.0040,
  },
  {
    name = "deltoid", beside = { "humerus", "scapula", "clavicle", "biceps", "triceps" }, blend = 0.016, rods = 10, slices = 11, to = "humerus",
    heads = {
      { { 0.0288, 0.007, 0.046, 0.0058 }, { 0.0355, -0.014, 0.024, 0.0088 }, { 0.0355, -0.0235, -0.012, 0.0092 }, { 0.0285, -0.0285, -0.05, 0.0095 }, { 0.013, -0.028, -0.085, 0.0085 } },
      { { 0.0182, -0.0148, 0.0455, 0.0055 }, { 0.022, -0.030, 0.026, 0.0090 }, { 0.0225, -0.0375, -0.012, 0.0100 }, { 0.0165, -0.0355, -0.05, 0.0105 }, { 0.009, -0.030, -0.085, 0.0090 } },
      { { -0.001, -0.0217, 0.0425, 0.0055 }, { 0.001, -0.038, 0.026, 0.0092 }, { 0.001, -0.0455, -0.012, 0.0105 }, { 0.001, -0.0405, -0.05, 0.0110 }, { 0.003, -0.031, -0.085, 0.0090 } },
      { { -0.0245, -0.0125, 0.0485, 0.0055 }, { -0.022, -0.031, 0.024, 0.0090 }, { -0.0205, -0.0385, -0.012, 0.0100 }, { -0.0135, -0.036, -0.05, 0.0105 }, { -0.002, -0.030, -0.085, 0.0088 } },
      { { -0.0392, 0.0070, 0.047, 0.0056 }, { -0.0385, -0.013, 0.022, 0.0088 }, { -0.0345, -0.0255, -0.012, 0.0092 }, { -0.0235, -0.030, -0.05, 0.0092 }, { -0.006, -0.028, -0.085, 0.0080 } },
      { { 0.003, -0.030, -0.08, 0.0095 }, { 0.003, -0.0235, -0.105, 0.0072 }, { 0.003, -0.0188, -0.121, 0.0052 } },
    },
    tendon = { { 0.0025, -0.0160, -0.130 }, { 0.002, -0.0120, -0.140 } }, thick = 0.0042,
  },
}

arm.muscles = MUSCLES

--- The strand of a muscle's tendon, from the last point of its last head on.
local function tendon_strand(m)
  local last = m.heads[#m.heads]
  local line = { last[#last] }
  for k, x in ipairs(m.tendon) do line[k + 1] = { x[1], x[2], x[3], m.thick } end
  return line
end

local GAP = 0.0012 -- m, between bodies that lie side by side

--- The distance from a muscle alone, with or without its tendon.
local function muscle_shape(m, with_tendon)
  local whole = implicit.blend(m.blend, strands(m.heads))
  return with_tendon and implicit.blend(0.006, { whole, strand(tendon_strand(m)) }) or whole
end

--- The same without what it lies on: bones, and muscles that come before it.
local function muscle_distance(m, with_tendon)
  local whole = muscle_shape(m, with_tendon)
  for _, name in ipairs(m.beside or {}) do
    local other = BONES[name] and bone_distance(name) or nil
    for _, muscle in ipairs(MUSCLES) do if muscle.name == name then other = muscle_shape(muscle, true) end end
    whole = implicit.carve(0.003, whole, other, GAP)
  end
  return whole
end

--- The plane at which a muscle ends and its tendon begins: a function of x, y, z, positive beyond it.
local function end_plane(m)
  local last = m.heads[#m.heads]
  local at = last[#last]
  local n = vector.unit(vector.minus(m.tendon[1], at))
  return function(x, y, z) return (x - at[1]) * n[1] + (y - at[2]) * n[2] + (z - at[3]) * n[3] end
end

--- A muscle's rods, as vb.viperize returns them: those in the surface of the muscle without its tendon.
function arm.viperize(m)
  local own, plane = muscle_distance(m, false), end_plane(m)
  local from, to = box_of(m.heads, 0.008)
  local belly = implicit.surface{
    distance = implicit.carve(0.001, own, function(x, y, z) return -plane(x, y, z) end), from = from, to = to, side = 0.005,
  }
  local mesh = vb.tetrahedralize{ outside = belly, size = 0.01 }
  local source, sink = {}, {}
  for i, x in ipairs(mesh.vertices) do
    for k = 1, math.max(1, #m.heads - 1) do
      local tip = m.heads[k][1]
      local from_tip = vector.minus(x, tip)
      if vector.dot(from_tip, from_tip) < (tip[4] * 1.1) ^ 2 then source[#source + 1] = i - 1 end
    end
    if plane(x[1], x[2], x[3]) > -0.0012 then sink[#sink + 1] = i - 1 end
  end
  return vb.viperize{ mesh = mesh, source = source, sink = sink, rods = m.rods, slices = m.slices }
end

--- The surface of a muscle and its tendon, of triangles with edges of about `side` [m].
function arm.skin(m, side)
  local from, to = box_of({ tendon_strand(m), table.unpack(m.heads) }, side + 0.003)
  return implicit.net{ distance = muscle_distance(m, true), from = from, to = to, side = side }
end

--- Prints rods as lib/arm_rods.lua has them.
function arm.print_rods(m, data)
  local lines = {}
  for i, rod in ipairs(data.rods) do
    local row = {}
    for j, x in ipairs(rod) do row[j] = string.format("{ %.5f, %.5f, %.5f, %.5f }", x[1], x[2], x[3], x[4]) end
    lines[i] = "      { " .. table.concat(row, ", ") .. " },"
  end
  print("  " .. m.name .. " = {\n    rods = {\n" .. table.concat(lines, "\n") .. "\n    },")
  if data.parts then
    local rows = {}
    for j, part in ipairs(data.parts) do rows[j] = "{ " .. table.concat(part, ", ") .. " }" end
    print("    parts = { " .. table.concat(rows, ", ") .. " },")
  end
  print("  },")
end

return arm
