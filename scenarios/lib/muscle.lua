-- A muscle of rods from the result of vb.viperize, or from a file of `viperbench viperize`, as
-- bundles with a skin. vb.muscle calls it.
-- SPDX-License-Identifier: GPL-3.0-or-later

local vector = include("vector")
local cross, dot, minus, unit = vector.cross, vector.dot, vector.minus, vector.unit

--- Whether the middle between two points is in a ball { x, y, z, radius }; anything is where there is none.
local function is_in(area, a, b)
  if not area then return true end
  local square = 0
  for c = 1, 3 do square = square + ((a[c] + b[c]) / 2 - area[c]) ^ 2 end
  return square <= area[4] ^ 2
end

--- The segments of section j by branch: those that begin in one part of slice j and end in one part of the next.
local function branches(data, section, j)
  if not data.parts then return { section } end
  local list, by = {}, {}
  for i, segment in ipairs(section) do
    local key = data.parts[j][i] .. " " .. data.parts[j + 1][i]
    if not by[key] then
      by[key] = {}
      list[#list + 1] = by[key]
    end
    table.insert(by[key], segment)
  end
  return list
end

--- v turned by the least rotation that takes the direction a to b.
local function transport(v, a, b)
  local axis, c = cross(a, b), dot(a, b)
  local once, along = cross(axis, v), dot(axis, v) / (1 + c)
  return { c * v[1] + once[1] + along * axis[1], c * v[2] + once[2] + along * axis[2], c * v[3] + once[3] + along * axis[3] }
end

--- Rods go on from the end of a muscle as thin ones, side by side along the line of `t.points`; they have the stiffness `t.E`
--- and together the area of a circle of `t.radius`. `ends` are the nodes they go on from, `j` and `before` the slices at the end
--- and before it. Sections are bundles, but for the last, so that it can be pinned. Returns the last nodes, and the sections.
local function add_tendon(s, data, t, o, ends, j, before)
  local k, middle, last = #data.rods, { 0, 0, 0 }, { 0, 0, 0 }
  for _, rod in ipairs(data.rods) do
    for c = 1, 3 do
      middle[c], last[c] = middle[c] + rod[j][c] / k, last[c] + rod[before][c] / k
    end
  end
  local along, radius, offsets, nodes, sections = unit(minus(middle, last)), t.radius / math.sqrt(k), {}, {}, {}
  for i, rod in ipairs(data.rods) do
    offsets[i], nodes[i] = minus(rod[j], middle), ends[i]
    for c = 1, 3 do offsets[i][c] = offsets[i][c] * radius / rod[j][4] end
  end
  local from = middle
  for m, at in ipairs(t.points) do
    local next, section = t.points[m + 1], {}
    local to = unit(minus(next or at, from))
    for i in ipairs(data.rods) do
      offsets[i] = transport(offsets[i], along, to)
      local off = offsets[i]
      local node = s:node{ position = { at[1] + off[1], at[2] + off[2], at[3] + off[3] }, radius = radius }
      section[i] = s:segment{ nodes = { nodes[i], node }, density = t.density or o.density, material = { E = t.E, nu = t.nu or o.nu, model = o.model } }
      nodes[i] = node
    end
    sections[m], along, from = section, to, at
    if next then s:bundle{ segments = section } end
  end
  return nodes, sections
end

--- Adds the muscle `data` to scene `s`. Options: E [Pa], nu, model (of the material), density [kg/m^3], name; activation (a
--- curve), with kind ("strain"), in the sections from `from` to `to` along the rods (0 to 1), and if `area` = { x, y, z, radius }
--- is given, only in segments whose middle is in this ball; skin = false for none. A section is a bundle, or one for each branch of a muscle
--- that branches (data.parts). The first and the last are not, so that they can be pinned. Tendons go on from an end: `tendon_first` and
--- `tendon_last` are { points = { { x, y, z }, .. }, radius [m], E, nu, density }; their sections follow the muscle's, outward.
--- Returns rods; the nodes first and last at the ends; the active segments; sections,
--- a list of segments each; and those of the tendons, tendon_first and tendon_last.
return function(s, data, o)
  local n, muscle = #data.rods[1], { rods = {}, first = {}, last = {}, active = {}, sections = {} }
  for i, points in ipairs(data.rods) do
    local line = {}
    for j, x in ipairs(points) do line[j] = { x[1], x[2], x[3] } end
    local rod = s:rod{
      points = line, radius = function(t) return points[math.floor(t * (n - 1) + 1.5)][4] end,
      density = o.density, material = { E = o.E, nu = o.nu, model = o.model }, name = (o.name or "muscle") .. i,
    }
    muscle.rods[i], muscle.first[i], muscle.last[i] = rod, rod.first, rod.last
  end
  local active = muscle.active
  for j = 1, n - 1 do
    local section, t = {}, (j - 0.5) / (n - 1)
    for i, rod in ipairs(muscle.rods) do
      section[i] = rod.segments[j]
      local inside = t >= (o.from or 0) and t <= (o.to or 1) and is_in(o.area, data.rods[i][j], data.rods[i][j + 1])
      if o.activation and inside then active[#active + 1] = section[i] end
    end
    muscle.sections[j] = section
    for _, branch in ipairs((j > 1 or o.tendon_first) and (j < n - 1 or o.tendon_last) and branches(data, section, j) or {}) do
      if #branch > 1 then s:bundle{ segments = branch } end
    end
  end
  if #active > 0 then
    s:activation{ segments = active, kind = o.kind or "strain", amount = o.activation, name = o.name or "muscle" }
  end
  if o.tendon_first then muscle.first, muscle.tendon_first = add_tendon(s, data, o.tendon_first, o, muscle.first, 1, 2) end
  if o.tendon_last then muscle.last, muscle.tendon_last = add_tendon(s, data, o.tendon_last, o, muscle.last, n, n - 1) end
  if o.skin ~= false then s:surface{ vertices = data.vertices, triangles = data.triangles } end
  return muscle
end
