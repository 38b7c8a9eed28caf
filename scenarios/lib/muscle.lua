-- A muscle of rods from the result of vb.viperize, or from a file of `viperbench viperize`, as
-- bundles with a skin. vb.muscle calls it.
-- SPDX-License-Identifier: GPL-3.0-or-later

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

--- Adds the muscle `data` to scene `s`. Options: E [Pa], nu, model (of the material), density [kg/m^3], name; activation (a
--- curve), with kind ("strain"), in the sections from `from` to `to` along the rods (0 to 1), and if `area` = { x, y, z, radius }
--- is given, only in segments whose middle is in this ball; skin = false for none. A section is a bundle, or one for each branch of a muscle
--- that branches (data.parts). The first and the last are not, so that they can be pinned. Returns rods; the nodes first and last at the ends; the active segments; and sections,
--- a list of segments each.
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
    for _, branch in ipairs(j > 1 and j < n - 1 and branches(data, section, j) or {}) do
      if #branch > 1 then s:bundle{ segments = branch } end
    end
  end
  if #active > 0 then
    s:activation{ segments = active, kind = o.kind or "strain", amount = o.activation, name = o.name or "muscle" }
  end
  if o.skin ~= false then s:surface{ vertices = data.vertices, triangles = data.triangles } end
  return muscle
end
