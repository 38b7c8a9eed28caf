-- A muscle of rods along a curve, such as a biceps between two bones, as input of lib/muscle.lua.
-- SPDX-License-Identifier: GPL-3.0-or-later

local shapes, vector = include("muscle_shapes"), include("vector")
local cross, unit = vector.cross, vector.unit

--- The middle of the section at t, and two directions across it: the first as near to `side` as there is.
local function section(o, t)
  local a, b, along = { o.path(t) }, { o.path(t + 1e-6) }, {}
  for c = 1, 3 do along[c] = b[c] - a[c] end
  along = unit(along)
  local v = unit(cross(along, o.side))
  return { middle = a, u = cross(v, along), v = v }
end

local function point(at, r, angle)
  local x, p, q = {}, r * math.cos(angle), r * math.sin(angle)
  for c = 1, 3 do x[c] = at.middle[c] + p * at.u[c] + q * at.v[c] end
  return x
end

--- Its surface: `around` x `along` quadrangles, and flat ends.
local function surface(o)
  local function place(t, y, z)
    local at, x = section(o, t), {}
    for c = 1, 3 do x[c] = at.middle[c] + y * at.u[c] + z * at.v[c] end
    return x
  end
  local mesh = shapes.surface(o.around or 16, o.along or 24, o.radius, place)
  return mesh.vertices, mesh.triangles
end

--- A rod along the middle and `ring` around it, of `segments` segments. `path(t)` returns x, y, z from t = 0 to a little
--- past 1, `radius(t)` that of the muscle; `side` is a direction that the path never has. All rods of a section are
--- equally thick, and together have the muscle's area. Returns rods, vertices, triangles and volume, as vb.viperize does.
return function(o)
  local data, n = { rods = {} }, o.ring + 1
  for i = 0, o.ring do
    local rod = {}
    for j = 0, o.segments do
      local t = j / o.segments
      local r = o.radius(t)
      local x = point(section(o, t), i == 0 and 0 or r * (1 - 0.9 / math.sqrt(n)), 2 * math.pi * i / o.ring)
      x[4] = r / math.sqrt(n)
      rod[j + 1] = x
    end
    data.rods[i + 1] = rod
  end
  data.vertices, data.triangles = surface(o)
  data.volume = shapes.volume(data)
  return data
end
