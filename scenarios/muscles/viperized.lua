-- Figures 11 and 12: four shapes of muscles filled with rods, and one of two heads, and the evenness
-- of the rods. One step follows, in which they must rest.
local shapes = include("muscle_shapes")

local HEADS = { length = 0.2, width = 0.1, thickness = 0.03, fine = 3 }

local SHAPES = {
  fusiform = { "fusiform", { length = 0.3, radius = 0.03, end_radius = 0.015 } },
  pennate = { "pennate", { length = 0.3, radius = 0.03, end_radius = 0.015, slope = 0.7 } },
  tube = { "tube", { length = 0.3, radius = 0.02, bend = 1.6 } },
  -- The paper's pectoral has 350 vertices and 1089 tetrahedra; this one 324 and 1000, and as many rods and elements.
  pectoral = { "fan", { length = 0.2, width = 0.2, end_width = 0.08, thickness = 0.012 }, rods = 8, slices = 9, across = 5, along = 8 },
  heads = { "branching", HEADS },
}

local function distance(a, b) return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2) end

--- The greatest deviation of a distance to the nearest of the points from their mean.
local function deviation(points)
  local near, mean, worst = {}, 0, 0
  for i, p in ipairs(points) do
    near[i] = math.huge
    for k, q in ipairs(points) do if k ~= i then near[i] = math.min(near[i], distance(p, q)) end end
    mean = mean + near[i] / #points
  end
  for _, d in ipairs(near) do worst = math.max(worst, math.abs(d / mean - 1)) end
  return worst
end

--- That of the worst connected part of a slice with more than two points.
local function spread_of(data)
  local worst = 0
  for j = 1, #data.rods[1] do
    local parts = {}
    for i, p in ipairs(data.rods) do
      local k = data.parts and data.parts[j][i] or 1
      parts[k] = parts[k] or {}
      table.insert(parts[k], p[j])
    end
    for _, points in ipairs(parts) do if #points > 2 then worst = math.max(worst, deviation(points)) end end
  end
  return worst
end

--- The longest segment over the shortest.
local function ratio_of(rods)
  local low, high = math.huge, 0
  for _, p in ipairs(rods) do
    for j = 2, #p do
      local l = distance(p[j - 1], p[j])
      low, high = math.min(low, l), math.max(high, l)
    end
  end
  return high / low
end

--- Length and volume of all rods, as frustums.
local function size_of(rods)
  local length, volume = 0, 0
  for _, p in ipairs(rods) do
    for j = 2, #p do
      local l, a, b = distance(p[j - 1], p[j]), p[j - 1][4], p[j][4]
      length, volume = length + l, volume + math.pi / 3 * l * (a * a + a * b + b * b)
    end
  end
  return length, volume
end

local function volume_of(mesh)
  local sum, v = 0, mesh.vertices
  for _, t in ipairs(mesh.tetrahedra) do
    local o, e = v[t[1] + 1], {}
    for i = 1, 3 do
      local x = v[t[i + 1] + 1]
      e[i] = { x[1] - o[1], x[2] - o[2], x[3] - o[3] }
    end
    local a, b, c = e[1], e[2], e[3]
    sum = sum + a[1] * (b[2] * c[3] - b[3] * c[2]) + a[2] * (b[3] * c[1] - b[1] * c[3]) + a[3] * (b[1] * c[2] - b[2] * c[1])
  end
  return sum / 6
end

--- The least sum of squared distances over all matchings of the points of slices j - 1 and j, from rod i on.
local function least_sum(rods, j, i, taken)
  if i > #rods then return 0 end
  local best = math.huge
  for k = 1, #rods do
    if not taken[k] then
      taken[k] = true
      best = math.min(best, distance(rods[i][j - 1], rods[k][j]) ^ 2 + least_sum(rods, j, i + 1, taken))
      taken[k] = false
    end
  end
  return best
end

--- The relative excess of the sum of squared distances over the least one, in the worst slice.
local function misjoined(rods)
  local worst = 0
  for j = 2, #rods[1] do
    local sum = 0
    for _, p in ipairs(rods) do sum = sum + distance(p[j - 1], p[j]) ^ 2 end
    worst = math.max(worst, sum / least_sum(rods, j, 1, {}) - 1)
  end
  return worst
end

--- The length of the rods over that of the best of `restarts` random initializations.
local function longer(asked, length, restarts)
  local best = math.huge
  for seed = 1, restarts do
    asked.seed = seed
    best = math.min(best, (size_of(vb.viperize(asked).rods)))
  end
  return length / best
end

--- Segments in the heads of `shapes.branching` that cross the gap between these, and rods that one head has more than the other.
local function misled(rods)
  local crossing, more, middle = 0, 0, HEADS.width / 2
  for _, p in ipairs(rods) do
    for j = 2, #p do
      local inside = math.min(p[j - 1][1], p[j][1]) > HEADS.length / 2
      if inside and (p[j - 1][2] < middle) ~= (p[j][2] < middle) then crossing = crossing + 1 end
    end
    more = more + (p[#p][2] < middle and -1 or 1)
  end
  return crossing, math.abs(more)
end

local function add_gates(s, p, asked, data)
  local length, volume = size_of(data.rods)
  local function gate(name, number, most, reason) s:gate{ name = name, number = number, at_most = most, reason = reason } end
  gate("distances of neighbors", spread_of(data), 0.1, "what was asked of the points: a tenth of their mean")
  gate("volume of the rods", math.abs(volume / volume_of(asked.mesh) - 1), 1e-9, "radii are scaled to it; 2 % were asked")
  gate("longest over shortest segment", ratio_of(data.rods), 2, "slices are equally far apart along the fibers; a factor of two is left for fans")
  if p.shape == "heads" then
    local crossing, more = misled(data.rods)
    gate("segments from head to head", crossing, 0, "rods go through connected parts of slices alone")
    gate("rods that one head has more", more, 0, "both have half of the area")
  end
  if p.rods <= 6 then gate("joined as by trying all ways", misjoined(data.rods), 1e-12, "rounding of the sums") end
  if p.restarts > 0 then
    gate("length over the best of others", longer(asked, length, p.restarts), 1.01, "1 %, of as many random beginnings")
  end
  s:gate{
    name = "rests", quantity = "energy/stretch", measure = "maximum", at_most = 1e-15, reason = "rods rest as they are made: rounding, J",
  }
end

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = 1 }
  local shape = SHAPES[p.shape]
  local size = { rods = shape.rods or p.rods, slices = shape.slices or p.slices, restarts = p.restarts, shape = p.shape }
  local o = { across = shape.across or p.across, along = shape.along or p.along }
  for key, value in pairs(shape[2]) do o[key] = value end
  local mesh, source, sink = shapes.solid(shape[1], o)
  local asked = { mesh = mesh, source = source, sink = sink, rods = size.rods, slices = size.slices }
  local data = vb.viperize(asked)
  vb.muscle{ scene = s, data = data, E = 5e4, nu = 0.49, density = 1060, skin = false }
  add_gates(s, size, asked, data)
  s:record{ every = 1, frames = 1, fields = { "position", "scale", "frame" } }
  return s
end

return {
  title = "Muscles as rods: how evenly four shapes are filled (VIPER, figures 11 and 12)",
  parameters = { shape = "fusiform", rods = 16, slices = 24, across = 12, along = 26, restarts = 0 },
  ranges = {
    shape = { "fusiform", "pennate", "tube", "pectoral", "heads" }, rods = { least = 3, most = 100 }, slices = { least = 3, most = 100 },
    across = { least = 2, most = 40 }, along = { least = 2, most = 100 }, restarts = { least = 0, most = 100 },
  },
  build = build,
  runs = function()
    return {
      { name = "fusiform", label = "fusiform, as the biceps" },
      { name = "pennate", label = "pennate, as the deltoid", parameters = { shape = "pennate" } },
      { name = "tube", label = "a bent tube", parameters = { shape = "tube" } },
      { name = "pectoral", label = "a fan, as the pectoral", parameters = { shape = "pectoral" } },
      {
        name = "few", label = "few rods, against all ways and 50 beginnings",
        parameters = { rods = 6, slices = 8, across = 6, along = 12, restarts = 50 },
      },
      { name = "heads", label = "two heads", parameters = { shape = "heads" } },
    }
  end,
  gold = { steps = 1, runs = { "fusiform" }, parameters = { rods = 5, slices = 5, across = 4, along = 8 } },
  figure = "viperized",
  planted = {
    exempt = {
      still = "rods rest as they are made: standing still is the answer",
      ["free-fall"] = "there is no gravity: what falls freely stands still, which is the answer",
      ["half-step"] = "rods that rest do so for any time",
      stale = "rods that rest are where they were a step before",
      ["zero-energies"] = "the energies of rods that rest are 0",
    },
  },
}
