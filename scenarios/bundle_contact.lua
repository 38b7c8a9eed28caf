-- Two bundles of seven rods that meet: thrown at each other in free flight, across each other; and pressed together by
-- walls that drivers move, side by side.
local RADIUS, LENGTH, SEGMENTS = 0.02, 0.4, 8 -- m, m
local DENSE, SPEED = 1000, 1.0 -- kg/m^3, m/s of each
local AROUND = 6
local ring = 2.02 * RADIUS -- m; rods of a section do not overlap
local far = ring + RADIUS -- m, from a bundle's axis to its surface

--- Adds seven rods along x or y around an axis at height z as a bundle; they touch those of the other bundle alone.
local function add_bundle(s, p, number, along, z, vz)
  local bundle, segments = { rods = {} }, {}
  for i = 0, AROUND do
    local a = 2 * math.pi * i / AROUND
    local off, up = i > 0 and ring * math.cos(a) or 0, i > 0 and ring * math.sin(a) or 0
    local from, to = { -LENGTH / 2, off, z + up }, { LENGTH / 2, off, z + up }
    if along == "y" then from, to = { off, -LENGTH / 2, z + up }, { off, LENGTH / 2, z + up } end
    local rod = s:rod{
      nodes = SEGMENTS + 1, from = from, to = to, radius = RADIUS, density = DENSE, material = { E = p.E, nu = 0.45 },
      velocity = { 0, 0, vz }, name = string.format("rod%d.%d", number, i),
    }
    bundle.rods[i + 1] = rod
    for _, segment in ipairs(rod.segments) do segments[#segments + 1] = segment end
  end
  for j = 1, SEGMENTS do
    local section = {}
    for i, rod in ipairs(bundle.rods) do section[i] = rod.segments[j] end
    s:bundle{ segments = section }
  end
  table.sort(segments)
  s:filter{ segments = segments, groups = { number }, meets = { 1 - number } }
  return bundle
end

local function thrown(p)
  local s = vb.scene{ step = 1 / 600, duration = p.duration }
  local gap = 0.01
  add_bundle(s, p, 0, "x", far + gap / 2, -SPEED)
  add_bundle(s, p, 1, "y", -far - gap / 2, SPEED)
  s:contact{ friction = 0.3 }
  s:record{ every = 1, frames = 10, fields = { "position", "scale", "frame", "contact_force" } }
  s:solver{ iterations = p.iterations, substeps = p.substeps }
  return s
end

return {
  title = "Two bundles meet",
  parameters = { E = 1e5, duration = 0.1, iterations = 20, substeps = 4 },
  build = thrown,
  runs = function()
    local list = {}
    for _, m in ipairs{ "direct", "block-descent", "xpbd", "jacobi-published" } do
      list[#list + 1] = { name = m, method = m }
    end
    return list
  end,
}
