-- An octopus of 38 nodes and 38 segments: root, head of three spheres in a triangle, two eyes, and eight
-- arms of hip, knee, ankle and foot. Its head is along z, its eyes look along -y. Meters.
-- SPDX-License-Identifier: GPL-3.0-or-later

-- Of an arm's joints: distance from the axis, height, radius.
local arm = {
  { 0.520, 0.067, 0.148 }, -- hip
  { 0.888, 0.017, 0.148 }, -- knee
  { 1.273, -0.254, 0.115 }, -- ankle
  { 1.885, -0.636, 0.077 }, -- foot
}
local root = { 0, 0, 0.179, 0.358 } -- x, y, z, radius
local head = { { 0, 0, 0.844, 0.513 }, { 0, -0.019, 1.148, 0.592 }, { 0, 0.187, 1.202, 0.592 } }
local eyes = { { 0.235, -0.388, 0.881, 0.249 }, { -0.235, -0.388, 0.881, 0.249 } }

local defaults = {
  origin = { 0, 0, 0 }, turn = 0, scale_size = 1, E = 2e5, E_tip = 2e4, nu = 0.45, rho = 1000, loop = true,
}
local optional = {
  name = true, position = true, start_scale = true, velocity = true, angular_velocity = true,
  skin = true,
}

local function known_keys()
  local keys = {}
  for key in pairs(defaults) do keys[#keys + 1] = key end
  for key in pairs(optional) do keys[#keys + 1] = key end
  table.sort(keys)
  return table.concat(keys, ", ")
end

--- The options with their defaults; an unknown one is an error.
local function resolve(options)
  local o = {}
  for key, value in pairs(defaults) do o[key] = value end
  for key, value in pairs(options or {}) do
    if defaults[key] == nil and not optional[key] then
      error("octopus: unknown key \"" .. tostring(key) .. "\"; known: " .. known_keys(), 3)
    end
    o[key] = value
  end
  return o
end

--- A function that returns the position of a point after the octopus is scaled, turned and moved.
local function placer(o)
  local c, sn, k = math.cos(o.turn), math.sin(o.turn), o.scale_size
  return function(x, y, z)
    return {
      o.origin[1] + k * (c * x - sn * y), o.origin[2] + k * (sn * x + c * y), o.origin[3] + k * z,
    }
  end
end

--- Length of each piece of an arm from the root outward, and their sum.
local function arm_lengths()
  local lengths, sum, r, z = {}, 0, 0, root[3]
  for i, joint in ipairs(arm) do
    lengths[i] = math.sqrt((joint[1] - r) ^ 2 + (joint[2] - z) ^ 2)
    sum = sum + lengths[i]
    r, z = joint[1], joint[2]
  end
  return lengths, sum
end

--- The volume of all segments, cylinders as long as they are with the mean radius of their nodes; and for each node half
--- of those of its segments.
local function volume(t)
  local sum, shares = 0, {}
  for i in ipairs(t.nodes) do shares[i] = 0 end
  for _, seg in ipairs(t.segments) do
    local a, b = t.nodes[seg[1] + 1], t.nodes[seg[2] + 1]
    local length = math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
    local own = math.pi * ((a[4] + b[4]) / 2) ^ 2 * length
    sum = sum + own
    for c = 1, 2 do shares[seg[c] + 1] = shares[seg[c] + 1] + own / 2 end
  end
  return sum, shares
end

--- The parts of an octopus before it is placed: nodes as x, y, z, radius; segments as the indexes of two
--- nodes, and a material; and the indexes of its parts.
local function make_template(o)
  local t = { nodes = {}, segments = {}, arms = {}, parts = { hips = {}, knees = {}, ankles = {}, feet = {} } }
  local function node(x, y, z, radius)
    t.nodes[#t.nodes + 1] = { x, y, z, radius }
    return #t.nodes - 1
  end
  local function segment(a, b, E) t.segments[#t.segments + 1] = { a, b, { E = E, nu = o.nu } } end

  t.root = node(table.unpack(root))
  local heads, eye_nodes = {}, {}
  for i, sphere in ipairs(head) do heads[i] = node(table.unpack(sphere)) end
  for i, sphere in ipairs(eyes) do eye_nodes[i] = node(table.unpack(sphere)) end
  t.parts.head, t.parts.eyes = heads, eye_nodes
  local kinds = { t.parts.hips, t.parts.knees, t.parts.ankles, t.parts.feet }
  local lengths, whole = arm_lengths()
  for a = 1, 8 do
    local angle = (a - 1) * math.pi / 4
    local chain, along = { t.root }, 0
    for i, joint in ipairs(arm) do
      chain[i + 1] = node(joint[1] * math.cos(angle), joint[1] * math.sin(angle), joint[2], joint[3])
      kinds[i][a] = chain[i + 1]
      local middle = (along + lengths[i] / 2) / whole
      along = along + lengths[i]
      segment(chain[i], chain[i + 1], o.E + (o.E_tip - o.E) * middle)
    end
    t.arms[a] = chain
  end
  segment(t.root, heads[1], o.E)
  for i = 1, o.loop and 3 or 2 do segment(heads[i], heads[i % 3 + 1], o.E) end
  for i = 1, 2 do segment(eye_nodes[i], heads[1], o.E) end
  t.volume, t.shares = volume(t)
  return t
end

local templates = {} -- by their materials: crowds are large

local function template_of(o)
  local key = string.format("%.17g %.17g %.17g %s", o.E, o.E_tip, o.nu, tostring(o.loop))
  templates[key] = templates[key] or make_template(o)
  return templates[key]
end

local skins = {} -- meshes by their numbers of faces and pills: all octopuses have the same, placed

--- Adds a surface around the pills of an octopus before it is placed; returns its first vertex.
local function add_skin(s, o, t)
  local key = string.format("%d %d", o.skin, #t.segments)
  if not skins[key] then
    local pills = {}
    for i, seg in ipairs(t.segments) do
      local from, to = t.nodes[seg[1] + 1], t.nodes[seg[2] + 1]
      pills[i] = { from[1], from[2], from[3], from[4], to[1], to[2], to[3], to[4] }
    end
    skins[key] = vb.pill_surface{ pills = pills, faces = o.skin, blend = 0.03 }
  end
  local mesh, place, vertices = skins[key], placer(o), {}
  for i, x in ipairs(mesh.vertices) do vertices[i] = place(x[1], x[2], x[3]) end
  return s:surface{ vertices = vertices, triangles = mesh.triangles }
end

--- Adds the nodes of an octopus; returns the first and all of them.
local function add_nodes(s, o, t)
  local k, place, nodes = o.scale_size, placer(o), {}
  for i, x in ipairs(t.nodes) do
    local at = place(x[1], x[2], x[3])
    local start = o.position and { o.position(at[1], at[2], at[3]) } or at
    local velocity = o.velocity and { o.velocity(start[1], start[2], start[3]) }
    nodes[i] = s:node{
      position = at, radius = k * x[4], start = start, scale = o.start_scale, velocity = velocity,
    }
  end
  return nodes[1], nodes
end

--- The numbers of a list, each plus `base`.
local function shifted(list, base)
  local out = {}
  for i, number in ipairs(list) do out[i] = base + number end
  return out
end

--- Adds an octopus to scene `s`. Options: origin, turn (angle about z, rad), scale_size (factor on all
--- lengths), E (Pa, of head and root), E_tip (Pa, at the feet; linear in between along an arm), nu, rho
--- (kg/m^3), name, position(x, y, z) (position at time 0 of a node at rest there), start_scale,
--- velocity(x, y, z) (of a node that is there at time 0), angular_velocity (of all segments), skin (a
--- surface around it of about so many faces; 13000 are good), loop (false leaves out the third segment
--- of the head's triangle: 37 segments, a tree, as in the paper).
--- Returns zero-based indexes: root, head (3), eyes (2), hips, knees, ankles, feet (8 each), nodes and
--- segments (all), arms (8 lists of root, hip, knee, ankle, foot), skin (first vertex, where it has one); and its
--- mass (kg), and the shares of the nodes in it, to be divided by their sum.
return function(s, options)
  local o = resolve(options)
  local t = template_of(o)
  local base, nodes = add_nodes(s, o, t)
  local out = { nodes = nodes, segments = {}, root = base + t.root, arms = {} }
  for name, list in pairs(t.parts) do out[name] = shifted(list, base) end
  for a, chain in ipairs(t.arms) do out.arms[a] = shifted(chain, base) end
  for i, seg in ipairs(t.segments) do
    out.segments[i] = s:segment{
      nodes = { base + seg[1], base + seg[2] }, density = o.rho, material = seg[3],
      angular_velocity = o.angular_velocity,
    }
  end
  out.mass, out.shares = o.rho * o.scale_size ^ 3 * t.volume, t.shares
  if o.skin then out.skin = add_skin(s, o, t) end
  if o.name then s:name{ node = out.root, name = o.name } end
  return out
end
