-- A straight rod and a spring with held ends, one of which is turned until turns are lost (fig. 10
-- of the paper on position-based rods: 30 edges, ten iterations, no contact). The restoring moment
-- of a joint decreases beyond a quarter turn, and half a turn is no barrier: a joint flips. The
-- turns until the first flip depend on the order of visits, but hardly on iterations.
local strained = include("strained")
local edges, rate = 30, 0.25 -- turns a second

local function straight(t) return 0, 0, t end
local function spring(t)
  local a = 10 * math.pi * t
  return 0.06 * math.cos(a), 0.06 * math.sin(a), 0.5 * t
end

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = p.turns / rate, damping = 1 }
  local points = {} -- at the start, in the order of the nodes
  local function start(x, y, z)
    points[#points + 1] = { x, y, z }
    return x, y, z
  end
  local rod = s:rod{
    nodes = edges + 1, radius = 0.01, density = 1000, material = { E = 1e6, nu = 0.45 },
    curve = p.shape == "spring" and spring or straight,
    position = function(t, x, y, z)
      if t < 1.5 / edges or t > 1 - 1.5 / edges then return start(x, y, z) end
      return start(x + 1e-4 * math.sin(40 * t), y + 1e-4 * math.cos(40 * t), z)
    end,
  }
  local top = s:driver{ name = "top", axis = { 0, 0, 1 }, angle = { { 0, 0 }, { p.turns / rate, 2 * math.pi * p.turns } } }
  s:pin{ nodes = { rod.first, rod.first + 1 }, components = "xyz" }
  s:pin{ segment = rod.first_segment }
  s:pin{ nodes = { rod.last - 1, rod.last }, components = "xyz", driver = top }
  s:pin{ segment = rod.last_segment, driver = top }
  s:record{ every = 30, frames = 15, fields = { "position", "frame" } }
  s:solver{ solver = "umetani", order = p.order, iterations = p.iterations }
  if p.shape == "spring" then
    s:gate{
      name = "the end as it turns", quantity = "frames/position", node = rod.last, component = "x", measure = "value", at = 1,
      near = 0.06 * math.cos(2 * math.pi * rate), tolerance = 1e-12, absolute = true, reason = "at its driver's place: rounding",
    }
    return s
  end
  strained(s, 1e6 * math.pi * 0.01 ^ 2, straight, points, 1e-6)
  s:gate{
    name = "writhe + twist at one turn", quantity = "ribbon/linking", measure = "value", at = 1 / rate, near = 1, tolerance = 0.02,
    absolute = true, reason = "no joint is near a flip; the ends, which are held, are all that is not whole",
  }
  s:gate{
    name = "writhe + twist at the end", quantity = "ribbon/linking", measure = "final", near = p.turns, tolerance = 0.02,
    absolute = true, finding = true, reason = "joints flip or strands cross: half a turn of a joint is no wall",
  }
  return s
end

local function runs()
  local list = {}
  for _, shape in ipairs{ "straight", "spring" } do
    for _, order in ipairs{ "interleaved", "ends", "sequential", "random" } do
      list[#list + 1] = {
        name = shape .. "-" .. order, label = order, parameters = { shape = shape, order = order },
      }
    end
    for _, n in ipairs{ 5, 20 } do
      list[#list + 1] = {
        name = string.format("%s-%d", shape, n), label = string.format("%d iterations", n),
        parameters = { shape = shape, iterations = n },
      }
    end
  end
  return list
end

return {
  title = "Position-based rods under twist",
  parameters = { shape = "straight", order = "interleaved", iterations = 10, turns = 4 },
  build = build,
  runs = runs,
  planted = { must = { "slow-time" } },
  gold = { steps = 20, frames = 20, runs = { "straight-ends", "spring-interleaved" } },
  figure = "umetani_twist",
}
