-- Growth of the cost of a step: with the number of rods, and with the nodes in one rod.

local settings = {
  { name = "direct-float-fast", method = "direct", precision = "float", arithmetic = "fast", iterations = 2 },
  { name = "block-float-fast", method = "block-descent", precision = "float", arithmetic = "fast", iterations = 10 },
  { name = "xpbd-float-fast", method = "xpbd", precision = "float", arithmetic = "fast", iterations = 10 },
}

local function build(p)
  -- Weak gravity, so that few sweeps hold a rod of any length: the work of a step does not depend on it.
  local s = vb.scene{ step = 1 / 60, steps = 60, gravity = { 0, 0, -1 } }
  -- As the rods of the timed scene: 1/32 between nodes whatever their number, so that a node's work is
  -- the same; a long rod is a helix, a rod of 33 nodes the better part of a turn.
  local length = (p.nodes - 1) / 32
  local radius = 1 / p.bend
  local pitch = 0.2 -- climbed in a unit of length
  local around = math.sqrt(1 - pitch * pitch)
  local side = math.ceil(math.sqrt(p.bodies))
  for k = 0, p.bodies - 1 do
    local x, y = 4 * (k % side), 4 * (k // side)
    local rod = s:rod{
      nodes = p.nodes, radius = 0.02, density = 1000, material = { E = 1e6, nu = 0.49 },
      curve = function(t)
        local angle = t * length * around * p.bend
        return x + radius * math.sin(angle), y + radius * (1 - math.cos(angle)), t * length * pitch
      end,
    }
    s:pin{ node = rod.first, components = "xyz" }
    s:pin{ segment = rod.first_segment }
  end
  s:record{ every = 50, frames = 60, fields = {} }
  s:bench{ after = 5 }
  s:gate{
    name = "stretch", quantity = "stretch_error/rms", measure = "maximum", at_most = 1,
    reason = "a rod that hangs twice as long as it is has nothing to do with it any more",
  }
  return s
end

-- The largest scenes take a minute and 4 GB to build: ask for them by --set most_bodies=100000.
local sizes = {
  quick = { bodies = { 1, 16, 256 }, nodes = { 8, 33, 1024 } },
  full = {
    bodies = { 1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000 },
    nodes = { 8, 16, 33, 100, 300, 1000, 3000, 10000, 30000, 100000 },
  },
}

local function runs(p, tier)
  local list = {}
  local function add(setting, bodies, nodes)
    local run = {
      name = string.format("%s.%dx%d", setting.name, bodies, nodes), label = setting.name,
      parameters = { bodies = bodies, nodes = nodes }, tolerance = 0,
    }
    for key, value in pairs(setting) do
      if key ~= "name" then run[key] = value end
    end
    list[#list + 1] = run
  end
  for _, setting in ipairs(settings) do
    for _, bodies in ipairs(sizes[tier].bodies) do
      if bodies <= p.most_bodies then add(setting, bodies, 33) end
    end
    for _, nodes in ipairs(sizes[tier].nodes) do
      if nodes ~= 33 then add(setting, 1, nodes) end
    end
  end
  return list
end

return {
  title = "Cost over the number of rods, and over the nodes in one rod",
  parameters = { bodies = 1, nodes = 33, bend = 1.0, most_bodies = 10000 },
  build = build,
  runs = runs,
  gold = { runs = { "direct-float-fast.1x8", "direct-float-fast.1x33" } },
}
