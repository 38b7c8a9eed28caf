-- Motions in contact with closed forms: a capsule that rolls down a slope, one that spins and
-- begins to roll, a bar that bounces between two planes, bars that collide in a row, a rope on a
-- moving plane.
local GRAVITY, RADIUS, SPIN, SLOPE = 10, 0.1, 3, 0.3 -- m/s^2, m, rad/s, rad

--- A capsule whose axis is along y, on a plane whose gravity is tilted by an angle about y. Its inertia is a cylinder's.
local function capsule(s, p, spin)
  local rod = s:rod{
    name = "capsule", nodes = 2, from = { 0, -0.25, RADIUS }, to = { 0, 0.25, RADIUS }, radius = RADIUS, density = 1000,
    material = { E = 1e6, nu = 0.3 }, angular_velocity = { 0, spin, 0 },
  }
  s:pin{ nodes = rod.nodes, components = "s" }
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.5 }
  return rod
end

local function moves(s, p, rod, speed, spin, reason)
  local function gate(g)
    g.finding = p.contact == "averaged"
    g.tolerance, g.reason = 1e-3, reason .. (g.finding and "; contacts that are averaged turn no frames" or "")
    s:gate(g)
  end
  gate{ name = "velocity", quantity = "frames/velocity", node = rod.first, component = "x", near = speed }
  gate{ name = "spin", quantity = "frames/angular_velocity", segment = rod.first_segment, component = "y", near = spin }
end

local cases = {}

function cases.rolling(p)
  local s = vb.scene{ step = 1e-3, steps = 400, gravity = { GRAVITY * math.sin(SLOPE), 0, -GRAVITY * math.cos(SLOPE) } }
  local speed = 2 / 3 * GRAVITY * math.sin(SLOPE) * 0.4
  moves(s, p, capsule(s, p, 0), speed, speed / RADIUS, "a cylinder's inertia leaves 2/3 of g sin; implicit Euler takes "
    .. "(h omega)^2 / 24 of the spin in a step, 2e-5 at the end")
  s:gate{ name = "friction does no work", quantity = "contact_work", component = 2, measure = "maximum_abs", at_most = 1e-8,
    reason = "what holds does none; the capsule gains 1e-2 J in the mean step, and slides by rounding and what iterations leave, 1e-9 as published" }
  return s
end

function cases.spinning(p)
  local s = vb.scene{ step = 1e-3, steps = 400, gravity = { 0, 0, -GRAVITY } }
  local rod = capsule(s, p, SPIN)
  moves(s, p, rod, SPIN * RADIUS / 3, SPIN / 3, "momentum about the line of contact is kept, so a third of the spin is left")
  s:gate{ name = "velocity as it slides", quantity = "frames/velocity", node = rod.first, component = "x", measure = "value", at = 0.01,
    near = 0.5 * GRAVITY * 0.01, tolerance = 1e-9, finding = p.contact == "averaged",
    reason = "the coefficient of friction times the weight accelerates it, until it rolls after 0.02 s; rounding" }
  s:gate{ name = "friction takes", quantity = "contact_work", component = 2, measure = "maximum", at_most = 1e-14,
    reason = "friction does no work in any step, but for rounding" }
  return s
end

--- A bar that flies along its axis between two planes and bounces by its elasticity.
function cases.bouncing(p)
  local s = vb.scene{ step = 1e-3, duration = p.bounces }
  local rod = s:rod{
    name = "bar", nodes = 17, from = { 0.2, 0, 0 }, to = { 1.2, 0, 0 }, radius = 0.05, density = 1000,
    material = { E = 1e6, nu = 0.3 }, velocity = { 1, 0, 0 },
  }
  s:halfplane{ normal = { 1, 0, 0 }, offset = 0 }
  s:halfplane{ normal = { -1, 0, 0 }, offset = -1.4 }
  local before = math.pi * 0.05 ^ 2 * 1000 / 2
  s:gate{ name = "it flies back", quantity = "momentum", component = "x", measure = "minimum", near = -0.802 * 2 * before,
    tolerance = 1e-3, finding = p.contact == "averaged", reason = "all but what implicit Euler takes, with this step, from the wave that goes along the "
      .. "bar and back: 0.8020 to 0.8022 by three methods" }
  s:gate{ name = "no gain of energy", quantity = "energy/total", measure = "maximum", at_most = before * (1 + 1e-9),
    finding = p.contact == "averaged", reason = "nothing drives it: its energy at the beginning, and rounding" }
  return s
end

local BARS, GAP = 13, 0.02

--- Rigid bars side by side; the first strikes the second, both the third, and so on. Contacts have no restitution.
function cases.row(p)
  local s = vb.scene{ step = 5e-3, steps = 200 }
  for i = 0, BARS - 1 do
    local x = i * (2 * RADIUS + GAP)
    local bar = s:rod{
      name = "bar" .. i, nodes = 2, from = { x, -0.25, 0 }, to = { x, 0.25, 0 }, radius = RADIUS, density = 1000,
      material = { E = 1e6, nu = 0.3 }, velocity = { i == 0 and 2 or 0, 0, 0 },
    }
    s:pin{ nodes = bar.nodes, components = "s" }
  end
  s:contact{}
  local mass = math.pi * RADIUS ^ 2 * 0.5 * 1000
  local finding = p.contact == "averaged"
  s:gate{ name = "momentum", quantity = "momentum", component = "x", measure = "minimum", near = 2 * mass, tolerance = 1e-12,
    finding = finding, reason = "contacts between capsules conserve it, but for the rounding of half a million of their visits, 1e-13" }
  s:gate{ name = "energy after 12 impacts", quantity = "energy/kinetic", near = 2 * mass / BARS, tolerance = 1e-6,
    finding = finding, reason = "all move on together, with a thirteenth of the velocity; what iterations leave" }
  for _, k in ipairs{ 3, 6, 9 } do
    s:gate{ name = "energy after " .. k .. " impacts", quantity = "energy/kinetic", measure = "value",
      at = GAP / 2 * (k * (k + 1) / 2 + (k + 1) / 2), near = 2 * mass / (k + 1), tolerance = 1e-6, finding = finding,
      reason = "midway to the next impact " .. k + 1 .. " bars move on together" }
  end
  s:gate{ name = "no gain of energy", quantity = "energy/total", measure = "maximum", at_most = 2 * mass * (1 + 1e-12),
    finding = finding, reason = "an impact takes; rounding" }
  return s
end

local BELT, LIFT = 0.5, 0.3 -- m/s, rad

--- A rope that a moving plane carries up a slope.
function cases.belt(p)
  local duration = 1.5
  local s = vb.scene{ step = 1 / 120, duration = duration, gravity = { -GRAVITY * math.sin(LIFT), 0, -GRAVITY * math.cos(LIFT) } }
  local belt = s:driver{ name = "belt", x = { { 0, 0 }, { duration, BELT * duration } } }
  local rod = s:rod{
    name = "rope", nodes = 21, from = { 0, 0, 0.02 }, to = { 1, 0, 0.02 }, radius = 0.02, density = 1000,
    material = { E = 1e6, nu = 0.3 },
  }
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0.8, driver = belt }
  local mass = math.pi * 0.02 ^ 2 * 1000
  local finding = p.contact == "averaged"
  s:gate{ name = "work of the belt", quantity = "work/belt", near = mass * BELT * (BELT + GRAVITY * math.sin(LIFT) * duration),
    tolerance = 1e-6, finding = finding,
    reason = "its force is what changes the rope's momentum and holds its weight, at each time; what iterations leave" }
  s:gate{ name = "friction takes", quantity = "contact_work", component = 2, measure = "maximum", at_most = 1e-14,
    finding = finding, reason = "friction does no work in any step, but for rounding" }
  s:gate{ name = "the rope's velocity", quantity = "frames/velocity", node = rod.first, component = "x", near = BELT, tolerance = 1e-6,
    finding = finding, reason = "friction holds, and what vibrates along the rope is damped by it; what iterations leave" }
  return s
end

local function build(p)
  local s = cases[p.case](p)
  s:record{ every = 1, frames = p.case == "spinning" and 1 or s.steps, fields = { "position", "scale", "frame", "velocity", "angular_velocity" } }
  s:solver{ iterations = p.case == "row" and 200 or 30 }
  return s
end

return {
  title = "Motions in contact that have closed forms",
  keywords = { "contact" },
  parameters = { case = "rolling", contact = "colors", bounces = 3.0 },
  ranges = { case = { "rolling", "spinning", "bouncing", "row", "belt" }, contact = { "colors", "averaged" }, bounces = { above = 0 } },
  build = build,
  grid = function()
    return {
      case = { "rolling", "spinning", "bouncing", "row", "belt" },
      method = { "direct", "xpbd", "block-descent", "jacobi-published" },
    }
  end,
  each = function(at)
    return { parameters = { contact = at.method == "jacobi-published" and "averaged" or "colors" } }
  end,
  figure = "contact_laws",
  planted = { must = { "friction", "slow-time", "no-contact" } },
  gold = { steps = 10, frames = 10, runs = { "direct-spinning", "xpbd-row", "block-descent-belt" } },
}
