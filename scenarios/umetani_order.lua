-- The order in which constraints are visited (the solver umetani, method pbd): in sequential order a curved rod excites
-- itself. A spring of three turns whose first segment is held, in disorder of 1e-3 m at first, no damping. It grows fastest
-- where visits go from the free end to the clamp, as here (segments stored against the rod); and does not in 8000 steps where
-- they go from a clamp of two held nodes. Beside it a ring of a rod that is straight by nature: interleaved order leaves
-- the bending of neighbors unequal where few iterations are done.
local orders = { "interleaved", "ends", "sequential", "random" }

-- Numbers in [-1, 1) that are the same on every machine.
local function noise()
  local state = 12345
  return function()
    state = (1103515245 * state + 12345) % 2147483648
    return state / 1073741824 - 1
  end
end

local function spring(s)
  local random = noise()
  local rod = s:rod{
    nodes = 31, reverse = true, radius = 0.01, density = 1000, material = { E = 1e6, nu = 0.45 },
    curve = function(t)
      local a = 6 * math.pi * t
      return 0.06 * math.cos(a), 0.06 * math.sin(a), 0.5 * t
    end,
    position = function(t, x, y, z)
      if t < 1.5 / 30 then return x, y, z end
      return x + 1e-3 * random(), y + 1e-3 * random(), z + 1e-3 * random()
    end,
  }
  s:pin{ node = rod.first, components = "xyz" }
  s:pin{ segment = rod.first_segment }
end

local function ring(s)
  local r = 1 / (2 * math.pi)
  local nodes, segments = {}, {}
  for i = 1, 40 do
    local a = 2 * math.pi * (i - 1) / 40
    nodes[i] = s:node{ position = { r * math.cos(a), r * math.sin(a), 0 }, radius = 0.01 }
  end
  for i = 1, 40 do
    segments[i] = s:segment{
      nodes = { nodes[i], nodes[i % 40 + 1] }, density = 1000, material = { E = 1e6, nu = 0.45 },
    }
  end
  for i = 1, 40 do
    s:joint{ segments = { segments[i], segments[i % 40 + 1] }, rest_curvature = { 0, 0, 0 } }
  end
end

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = p.case == "ring" and 600 or 2000, damping = p.case == "ring" and 2 or 0 }
  if p.case == "ring" then ring(s) else spring(s) end
  s:record{ every = 10, frames = p.case == "ring" and 600 or 1000, fields = { "position", "darboux" } }
  s:solver{ solver = "umetani", order = p.order }
  return s
end

local function runs()
  local list = {}
  for _, case in ipairs{ "spring", "ring" } do
    for _, order in ipairs(orders) do
      list[#list + 1] = {
        name = case .. "-" .. order, label = case .. ", " .. order,
        parameters = { case = case, order = order },
      }
    end
  end
  return list
end

local function gates()
  local list = {}
  for _, order in ipairs(orders) do
    local gate = {
      name = "kinetic energy at the end", run = "spring-" .. order, quantity = "energy/kinetic", measure = "mean",
      from = 30, to = 34,
    }
    if order == "sequential" then
      gate.at_least, gate.reason = 1e-3, "1e4 times that after 1 s: the rod flails"
    else
      gate.at_most, gate.reason = 1e-7, "below that after 1 s: the disorder dies out"
    end
    list[#list + 1] = gate
  end
  return list
end

return {
  title = "The order of visits of position-based rods",
  parameters = { case = "spring", order = "interleaved" },
  build = build,
  runs = runs,
  gates = gates,
  gold = { steps = 20, frames = 20, runs = { "spring-interleaved", "spring-random", "ring-ends" } },
  figure = "umetani_order",
}
