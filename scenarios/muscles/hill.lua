-- A single fiber by Hill's law, held, against a load, and released while it is held: force and length over time against
-- the equations of its motion, integrated by the Runge-Kutta method. With tetrahedra in place of a rod by neohookean.
local forms = include("closed_forms")

local LENGTH, RADIUS, DENSITY = 0.1, 0.01, 1000 -- m, m, kg/m^3
local AREA = math.pi * RADIUS ^ 2
local STEP, ENDS = 2e-3, 0.6 -- s
local RELEASE, SHORT, QUICK = 0.3, 0.05, 0.004 -- s; part of the length; s
local TIMES = { 0.06, 0.3, 0.34, 0.6 } -- s, of the gates

local function law(p)
  return { stress = p.stress, velocity = 4, curvature = 0.25, eccentric = 1.4, optimum = 1, width = 0.5, passive = 0.6, damping = 1e3 }
end

--- The excitation: from 0.05 to 1 within 0.05 s.
local EXCITATION = { { 0, 0.05 }, { 0.05, 1 } }
local function excitation(t) return t < 0.05 and 0.05 + 0.95 * t / 0.05 or 1 end

--- The stretch of a held fiber, and how fast it changes.
local function held(p, t)
  if p.kind ~= "release" then return 1, 0 end
  local part = math.min(math.max((t - RELEASE) / QUICK, 0), 1)
  return 1 - SHORT * part, part > 0 and part < 1 and -SHORT / QUICK or 0
end

--- The rate of the contractile stretch `a` at which Hill's stress is `x`, by bisection.
local function rate_of(m, x, a, e)
  local off = a - m.optimum
  local part = m.stress * e * math.max(0, 1 - (off / m.width) ^ 2)
  local rest = x - m.stress * (off > 0 and (off / m.passive) ^ 2 or 0)
  local steep = (1 + 1 / m.curvature) / (m.eccentric - 1)
  local low, high = -1e3, 1e3
  for _ = 1, 45 do
    local rate = (low + high) / 2
    local v = rate / m.velocity
    local over = v > 0 and (1 + m.eccentric * steep * v) / (1 + steep * v) or math.max(0, (1 + v) / (1 - v / m.curvature))
    if part * over + m.damping * rate < rest then low = rate else high = rate end
  end
  return (low + high) / 2
end

--- The states at TIMES: stretch, pull over the section at rest [Pa], contractile stretch. The unknowns are the stretch, the
--- scale, their rates, and the contractile stretch.
local known = {}
local function motion(p)
  local key = table.concat({ p.kind, p.E, p.nu, p.stress, p.load, p.damping }, " ")
  if known[key] then return known[key] end
  local m, k, kv = law(p), forms.stiffness(p.E, p.nu)
  local free = p.kind == "concentric"
  local pull_of = p.load * p.stress
  local function stress(l, s, a) return k * (l - a) + kv * s ^ 2 * (s ^ 2 * l - 1) end
  local function rates(t, l, s, lt, st, a)
    if not free then l, lt = held(p, t) end
    local volume = kv * (s ^ 2 * l - 1)
    local x = k * (l - a) - k * a ^ -1.5 * (s - a ^ -0.5)
    -- Half of the mass is at the end that moves; the scale has all of its inertia.
    local ltt = (pull_of - stress(l, s, a)) / (DENSITY / 2 * LENGTH ^ 2) - p.damping * lt
    local stt = -(2 * k * (s - a ^ -0.5) + 2 * s * l * volume) / (DENSITY * RADIUS ^ 2 / 2) - p.damping * st
    return free and lt or 0, st, free and ltt or 0, stt, rate_of(m, x, a, excitation(t))
  end
  local l, s, lt, st, a, states = 1, 1, 0, 0, 1, {}
  local h, done = 1e-4, 0
  for _, time in ipairs(TIMES) do
    local n = math.floor((time - done) / h + 0.5)
    for i = 0, n - 1 do
      local t = done + i * h
      local a1, b1, c1, d1, e1 = rates(t, l, s, lt, st, a)
      local g = h / 2
      local a2, b2, c2, d2, e2 = rates(t + g, l + g * a1, s + g * b1, lt + g * c1, st + g * d1, a + g * e1)
      local a3, b3, c3, d3, e3 = rates(t + g, l + g * a2, s + g * b2, lt + g * c2, st + g * d2, a + g * e2)
      local a4, b4, c4, d4, e4 = rates(t + h, l + h * a3, s + h * b3, lt + h * c3, st + h * d3, a + h * e3)
      g = h / 6
      l, s, lt = l + g * (a1 + 2 * a2 + 2 * a3 + a4), s + g * (b1 + 2 * b2 + 2 * b3 + b4), lt + g * (c1 + 2 * c2 + 2 * c3 + c4)
      st, a = st + g * (d1 + 2 * d2 + 2 * d3 + d4), a + g * (e1 + 2 * e2 + 2 * e3 + e4)
    end
    done = time
    if not free then l = held(p, time) end
    states[#states + 1] = { stretch = l, pull = stress(l, s, a), a = a }
  end
  known[key] = states
  return states
end

local function add_gates(s, p, rod, wall)
  local states = motion(p)
  for i, time in ipairs(TIMES) do
    local state = states[i]
    local g = {
      name = string.format(p.kind == "concentric" and "length at %g s" or "pull at %g s", time), measure = "value", at = time,
      component = "z", absolute = true, tolerance = 1, reason = "x",
    }
    if p.kind == "concentric" then
      g.quantity, g.node, g.near = "frames/position", rod.last, LENGTH * state.stretch
    else
      g.quantity, g.driver, g.near = "reaction/force", wall, AREA * state.pull
    end
    s:gate(g)
  end
end

local function build(p)
  local s = vb.scene{ step = STEP, duration = ENDS, damping = p.damping }
  local rod = s:rod{
    name = "fiber", nodes = 2, from = { 0, 0, 0 }, to = { 0, 0, LENGTH }, radius = RADIUS, density = DENSITY,
    material = { E = p.E, nu = p.nu, model = p.model },
  }
  local short = { { 0, 0 }, { RELEASE, 0 }, { RELEASE + QUICK, -SHORT * LENGTH } }
  local wall = s:driver{ name = "wall", z = p.kind == "release" and short or nil }
  s:pin{ node = rod.first, components = "xyz" }
  s:pin{ segment = rod.first_segment }
  if p.kind == "concentric" then
    s:load{ node = rod.last, force = { 0, 0, p.load * p.stress * AREA }, name = "load" }
  else
    s:pin{ node = rod.last, components = "xyz", driver = wall }
  end
  s:activation{ segments = rod.segments, kind = "hill", amount = EXCITATION, law = law(p), name = "muscle" }
  s:record{ every = 1, frames = 1, residual = true }
  s:solver{ method = "direct", iterations = 20, tolerance = 1e-11, substeps = p.substeps }
  add_gates(s, p, rod, wall)
  return s
end
return {
  title = "A fiber by Hill's law: held, against a load, released",
  keywords = { "quick" },
  parameters = { kind = "isometric", stress = 1e5, load = 0.3, damping = 300.0, E = 1e6, nu = 0.45, model = "published", substeps = 1 },
  build = build,
  runs = function()
    local list = {}
    for _, kind in ipairs{ "isometric", "concentric", "release" } do
      for _, n in ipairs{ 1, 4, 16 } do
        list[#list + 1] = { name = kind .. "-" .. n, parameters = { kind = kind, substeps = n } }
      end
    end
    return list
  end,
}
