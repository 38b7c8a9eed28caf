-- The order of visits of constraints (solver umetani, method pbd). Sequential order excites a
-- curved rod: a spring of three turns with its first segment held, an initial perturbation of 1e-3
-- m, and no damping. The perturbation grows fastest if visits go from the free end to the clamp, as
-- here (segments are stored in opposite order), and does not grow in 8000 steps if they go from a
-- clamp of two held nodes. Interleaved order makes the bending of neighbors unequal after few
-- iterations: a ring of a naturally straight rod. Also a spring with both ends held, one turned
-- once: it is strained, and in some orders does not come to rest (it flickers).
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

-- The spring between its ends, of which one is turned in a second, and damped.
local function twisted(s)
  local rod = s:rod{
    nodes = 31, radius = 0.01, density = 1000, material = { E = 1e6, nu = 0.45 },
    curve = function(t)
      local a = 6 * math.pi * t
      return 0.06 * math.cos(a), 0.06 * math.sin(a), 0.5 * t
    end,
  }
  local top = s:driver{ name = "top", angle = { { 0, 0, "cubic" }, { 1, 2 * math.pi } } }
  s:pin{ nodes = { rod.first, rod.first + 1 }, components = "xyz" }
  s:pin{ segment = rod.first_segment }
  s:pin{ nodes = { rod.last - 1, rod.last }, components = "xyz", driver = top }
  s:pin{ segment = rod.last_segment, driver = top }
  local u = 50 / 60
  s:gate{
    name = "the end as it turns", quantity = "frames/position", node = rod.last, component = "y", measure = "value", at = u,
    near = 0.06 * math.sin(2 * math.pi * u ^ 2 * (3 - 2 * u)), tolerance = 1e-12, absolute = true,
    reason = "at its driver's place: rounding",
  }
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
  local damping = { spring = 0, ring = 2, twisted = 1 }
  local steps = { spring = 2000, ring = 600, twisted = 1200 }
  local s = vb.scene{ step = 1 / 60, steps = steps[p.case], damping = damping[p.case] }
  if p.case == "ring" then ring(s) elseif p.case == "spring" then spring(s) else twisted(s) end
  s:record{ every = 10, frames = ({ spring = 100, ring = 600, twisted = 50 })[p.case], fields = { "position", "darboux" } }
  s:solver{ solver = "umetani", order = p.order }
  return s
end

local function runs()
  local list = {}
  for _, case in ipairs{ "spring", "ring", "twisted" } do
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
    local random = order == "random"
    list[#list + 1] = {
      name = "flicker at the end", run = "twisted-" .. order, quantity = "energy/kinetic", measure = "mean", from = 19, to = 20,
      at_most = 1e-6, finding = random,
      reason = random and "a permutation for each iteration: a strained rod has no rest that all of them keep"
        or "below 1e-6 of the bending energy, 19 s after the turn",
    }
  end
  return list
end

return {
  title = "The order of visits of position-based rods",
  parameters = { case = "spring", order = "interleaved" },
  build = build,
  runs = runs,
  gates = gates,
  planted = { must = { "slow-time" } },
  gold = { steps = 20, frames = 20, runs = { "spring-interleaved", "spring-random", "ring-ends" } },
  figure = "umetani_order",
}
