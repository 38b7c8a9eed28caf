-- Equilibria of rods by load steps: the elastica, the convergence of load steps, and the work of
-- load steps compared with the energy that they add.
local forms = include("closed_forms")

local cases = {
  { name = "bent", label = "bent by a force at its end" },
  { name = "pressed", label = "pressed until it buckles" },
  { name = "pulled", label = "pulled and turned by drivers" },
}
local counts = { quick = { 5, 10, 20, 40 }, full = { 5, 10, 20, 40, 80, 160 } }

local function bending(p)
  local k, kv = forms.stiffness(p.E, p.nu)
  return (k + kv) * math.pi * p.radius ^ 4 / 4
end

--- The end of an inextensible rod that stands clamped and is pushed at its free end by forces of `along` (down) and
--- `across` times B / L^2: theta'' = -across cos(theta) - along sin(theta) over the length, theta(0) = 0, theta'(1) = 0.
--- Shoots backward from the angle at the free end, which lies in (low, high). Returns its way across, over L, and the
--- points { across, 0, height } over L from the free end to the clamp.
local function elastica(along, across, low, high)
  local n = 1000
  local function shoot(tip, points)
    local theta, rate, x, z, h = tip, 0, 0, 0, -1 / n
    local function bend(t) return -across * math.cos(t) - along * math.sin(t) end
    for i = 1, n do -- Runge and Kutta; x and z by Simpson's rule
      if points and i % 10 == 1 then points[#points + 1] = { -x, 0, -z } end
      local r1, t1 = bend(theta), rate
      local r2, t2 = bend(theta + h / 2 * t1), rate + h / 2 * r1
      local r3, t3 = bend(theta + h / 2 * t2), rate + h / 2 * r2
      local r4, t4 = bend(theta + h * t3), rate + h * r3
      local next = theta + h / 6 * (t1 + 2 * t2 + 2 * t3 + t4)
      local middle = theta + h / 4 * (t1 + t2)
      x = x - h / 6 * (math.sin(theta) + 4 * math.sin(middle) + math.sin(next))
      z = z - h / 6 * (math.cos(theta) + 4 * math.cos(middle) + math.cos(next))
      theta, rate = next, rate + h / 6 * (r1 + 2 * r2 + 2 * r3 + r4)
    end
    return theta, x, z
  end
  local sign = shoot(low) < 0
  for _ = 1, 50 do
    local middle = (low + high) / 2
    if (shoot(middle) < 0) == sign then low = middle else high = middle end
  end
  local points = {}
  local _, x, z = shoot(low, points)
  points[#points + 1] = { -x, 0, -z }
  for _, point in ipairs(points) do point[1], point[3] = point[1] + x, point[3] + z end
  return x, points
end

--- Loads of a case: along the rod downward and across it, in B / L^2, and where the angle at its end lies.
local function loads_of(case, side)
  if case == "bent" then return 0, 3, 0.5, 1.5 end
  local press = 1.5 * math.pi ^ 2 / 4
  return press, side * press, 1.2, 2.5
end

--- The elastica that a case comes to: its way across and its points, over L, each computed once.
local known = {}
local function elastica_of(case, side)
  local key = case .. side
  if not known[key] then known[key] = { elastica(loads_of(case, side)) } end
  return table.unpack(known[key])
end

local function build(p)
  local s = vb.scene{ step = 1 / p.steps, steps = p.steps }
  -- From the tip, node 0, to the clamp.
  local rod = s:rod{
    name = "rod", nodes = p.n + 1, from = { 0, 0, p.length }, to = { 0, 0, 0 }, radius = p.radius,
    density = 1000, material = { E = p.E, nu = p.nu },
  }
  local ramp, reference = { { 0, 0 }, { 1, 1 } }, nil
  s:pin{ node = rod.last, components = "xyz" }
  s:pin{ segment = rod.last_segment }
  if p.case == "pulled" then
    local hand = s:driver{
      name = "hand", origin = { 0, 0, p.length }, axis = { 0, 0.6, 0.8 }, z = { { 0, 0 }, { 1, 0.3 * p.length } },
      angle = { { 0, 0 }, { 1, 1.5 } },
    }
    s:pin{ node = rod.first, components = "xyz", driver = hand }
    s:pin{ segment = rod.first_segment, driver = hand }
  else
    local along, across = loads_of(p.case, p.side)
    local unit = bending(p) / p.length ^ 2
    s:load{ node = rod.first, force = { across * unit, 0, -along * unit }, amplitude = ramp, name = "push" }
    reference = {}
    for i, point in ipairs(select(2, elastica_of(p.case, p.side))) do
      reference[i] = { point[1] * p.length, 0, point[3] * p.length }
    end
  end
  s:record{ every = 1, frames = math.max(1, p.steps // 5), residual = true, reference = reference }
  s:solver{ dynamics = "static", method = "direct", iterations = p.iterations, tolerance = 0 }
  if p.steps == 1 then s:convergence{ after = 0, iterations = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 } } end
  return s
end

local function name_of(case, steps) return string.format("%s.%d", case, steps) end

local function runs(p, tier)
  local list = {}
  for _, case in ipairs(cases) do
    if case.name ~= "pulled" then -- its loads are taken in one step
      list[#list + 1] = {
        name = name_of(case.name, 1), label = case.label, parameters = { case = case.name, steps = 1 },
      }
    end
    for _, steps in ipairs(counts[tier] or counts.quick) do
      -- One of many small load steps ends just past the load that buckles, where Newton's method leaves the saddle slowly.
      local more = case.name == "pressed" and steps > 40 and 2 * p.iterations or nil
      list[#list + 1] = {
        name = name_of(case.name, steps), label = case.label,
        parameters = { case = case.name, steps = steps, iterations = more },
      }
    end
  end
  for _, n in ipairs{ 2 * p.n, 4 * p.n } do
    for _, case in ipairs{ "bent", "pressed" } do
      list[#list + 1] = {
        name = string.format("%s.n%d", case, n), label = n .. " segments",
        parameters = { case = case, steps = 5, n = n },
      }
    end
  end
  return list
end

local function gates(p, tier)
  local list = {}
  local function add(gate) list[#list + 1] = gate end
  for _, case in ipairs(cases) do
    local at = case.name == "pressed" and 12 or 10
    if case.name ~= "pulled" then add{
      name = "one load step, " .. case.name, run = name_of(case.name, 1), quantity = "convergence/residual",
      measure = "value", at = at, at_most = 1e-8,
      reason = "Newton's method from the straight rod, whose last steps double the digits; a rod that buckles has to "
        .. "leave a saddle first, which takes seven",
    } end
    for _, steps in ipairs(counts[tier] or counts.quick) do
      add{
        name = string.format("in equilibrium, %s, %d load steps", case.name, steps), run = name_of(case.name, steps),
        quantity = "residual", measure = "maximum", at_most = 1e-8,
        reason = "20 iterations are enough in each load step, 40 in each of more than 40",
      }
    end
  end
  for _, case in ipairs{ "bent", "pressed" } do
    add{
      name = "toward the elastica, " .. case,
      runs = { name_of(case, 5), string.format("%s.n%d", case, 2 * p.n), string.format("%s.n%d", case, 4 * p.n) },
      sizes = { p.n, 2 * p.n, 4 * p.n }, combine = "order", limit = elastica_of(case, p.side) * p.length,
      quantity = "frames/position", node = 0, component = "x", measure = "final",
      near = 1, tolerance = 0.15, absolute = true,
      reason = "the clamp holds half a segment: first order, with a second order part of some 1/n",
    }
  end
  local sizes = counts[tier] or counts.quick
  for _, case in ipairs{ "bent", "pulled" } do
    local list_of = {}
    for k, steps in ipairs(sizes) do list_of[k] = name_of(case, steps) end
    add{
      name = "work of load steps, " .. case, runs = list_of, sizes = sizes, combine = "order",
      quantity = case == "bent" and "work/push" or "work/hand", measure = "final",
      near = 2, tolerance = 0.2, absolute = true,
      reason = "each load step counts the mean of the forces before and after it: the trapezoid rule",
    }
  end
  for _, case in ipairs{ "bent", "pulled" } do
    local list_of = {}
    for k, steps in ipairs(sizes) do list_of[k] = name_of(case, steps) end
    add{
      name = "work is energy, " .. case, runs = list_of, sizes = sizes, combine = "order", limit = 0,
      quantity = "balance/unaccounted", measure = "final", near = 2, tolerance = 0.2, absolute = true,
      reason = "the work that load steps count comes to the energy gained as the trapezoid rule converges",
    }
  end
  for _, steps in ipairs(sizes) do
    add{
      name = string.format("the hand is there, %d load steps", steps), run = name_of("pulled", steps), quantity = "frames/position",
      node = 0, component = "z", measure = "final", near = 1.3 * p.length, tolerance = 1e-12,
      reason = "the tip lies on the axis of its driver, which has lifted it by 0.3 of the length; rounding",
    }
  end
  return list
end

return {
  title = "Rods in equilibrium, by load steps",
  parameters = {
    case = "bent", n = 32, steps = 1, iterations = 20, length = 1.0, radius = 0.01, E = 1e6, nu = 0.3, side = 1e-3,
  },
  build = build,
  runs = runs,
  gates = gates,
  planted = { must = { "term-missing", "bending", "noise" } },
  gold = { runs = { "bent.5", "pulled.5" } },
  figure = "statics",
}
