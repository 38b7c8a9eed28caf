-- Columns under a follower load: Ziegler's pendulum of two links, and Beck's column. The load is
-- not conservative. Beyond a critical load they do not buckle but flutter: two frequencies
-- coincide, and a vibration grows. Each run starts with the slowest mode of the discrete column in
-- steps of implicit Euler, whose growth and frequency are known, including the damping of these
-- steps.
local forms, column = include("closed_forms"), include("column")

local BECK, ZIEGLER = 20.0509536, 3.5 - math.sqrt(2) -- over B / L^2, and over B / l^2 with links l long
local PHASE = 0.02 -- angle of a step: it damps by 2e-4

--- The column: its first segment is held, so that of three the other two are Ziegler's links, with masses 2 : 1.
local function column_of(p)
  local k, kv = forms.stiffness(p.E, p.nu)
  local l, area = p.length / p.n, math.pi * p.radius ^ 2
  return {
    n = p.n, l = l, bending = (k + kv) * area * p.radius ^ 2 / 4, shear = (k + kv) * area, mass = p.density * area * l,
    turning = p.density * area * l * p.radius ^ 2 / 4, load = 0,
  }
end

--- The critical load, over B / L^2 [1], found once for each column.
local known = {}
local function critical(p)
  local c = column_of(p)
  local unit, key = c.bending / p.length ^ 2, string.format("%d %.17g %.17g", c.n, c.l, p.radius)
  if not known[key] then known[key] = column.critical_load(c, unit * BECK / 2, unit * 1.5 * BECK) / unit end
  return known[key]
end

local function add_gates(s, p, rod, motion, c)
  local exact = "exact for the discrete column in steps of implicit Euler and a small motion, of second order in its size"
  local function gate(g)
    g.quantity, g.node, g.component = g.quantity or "frames/position", g.node or rod.last, g.component or "x"
    s:gate(g)
  end
  gate{ name = "factor of a step", measure = "decay", near = motion.decay, tolerance = 1e-8, reason = exact }
  gate{ name = "frequency", measure = "frequency", near = motion.frequency, tolerance = 1e-7, reason = exact }
  for _, part in ipairs{ 0.5, 1 } do
    local steps = math.floor(part * p.steps)
    local near = p.size * motion.place(p.n, steps)
    gate{
      name = "tip after " .. steps .. " steps", measure = "value", at = steps * s.step, near = near, absolute = true,
      tolerance = 1e-6 * p.size * math.max(1, motion.decay ^ steps), reason = exact,
    }
  end
  if p.part > 1 then
    gate{ name = "it flutters", measure = "decay", at_least = 1, reason = "a vibration beyond the critical load grows" }
  elseif p.part > 0 then
    gate{ name = "it does not flutter", measure = "decay", at_most = 1, reason = "what implicit Euler damps, below the critical load" }
  end
  local k = forms.stiffness(p.E, p.nu)
  s:gate{
    name = "energy of the press", quantity = "energy/stretch", measure = "first", near = k * c.load ^ 2 * p.length * math.pi * p.radius ^ 2
      / c.shear ^ 2 / 2, tolerance = 4e-6, reason = "uniform; the small motion turns the segments, which takes up to the square of its size, 1e-5, of the length, "
      .. "from a shortening of at least 2e-4",
  }
end

--- The critical load that the runs refer to, against those of the literature.
local function add_critical(s, p)
  if p.n == 3 then
    s:gate{
      name = "critical load, over Ziegler's", number = critical(p) / (9 * ZIEGLER), near = 1, tolerance = 9 * p.radius ^ 2 / p.length ^ 2,
      reason = "his links neither shear nor resist turning by an inertia, which are (r / 2 l)^2 each here, with factors of some units",
    }
  else
    local finer = { n = 2 * p.n }
    for key, value in pairs(p) do finer[key] = finer[key] or value end
    s:gate{
      name = "order of the critical load toward Beck's", number = math.log((critical(p) - BECK) / (critical(finer) - BECK), 2), near = 1,
      tolerance = 0.2, absolute = true,
      reason = "the clamp holds half a segment more than its end: first order, with a second-order part of up to 3/n of that, of which "
        .. "the order loses 1.44 times 3 / (2 n)",
    }
  end
end

local function build(p)
  local c = column_of(p)
  local unit = c.bending / p.length ^ 2
  c.load = unit * (p.part > 0 and p.part * critical(p) or p.load)
  -- A first guess of the step by Beck's frequency at flutter, 11.02, which is near enough for any of the columns.
  local h = PHASE / 11.02 * math.sqrt(c.mass * c.n * p.length ^ 3 / c.bending)
  local motion = column.motion(c, h)
  local s = vb.scene{ step = h, steps = p.steps }
  local pressed = 1 - c.load / c.shear -- stretch under the load
  local function node(t) return math.floor(t * p.n + 0.5) end
  local function segment(t) return math.floor(t * p.n) + 1 end
  local function rate(of, j) return p.size * (of(j, 0) - of(j, -1)) / h end
  local rod = s:rod{
    name = "column", nodes = p.n + 1, from = { 0, 0, 0 }, to = { 0, 0, p.length }, radius = p.radius, density = p.density,
    material = { E = p.E, nu = p.nu }, frame = function() return 1, 0, 0, 0 end,
    position = function(t, x, y, z) return node(t) > 0 and p.size * motion.place(node(t), 0) or 0, y, z * pressed end,
    velocity = function(t) return node(t) > 0 and rate(motion.place, node(t)) or 0, 0, 0 end,
    turn = function(t) return 0, p.size * motion.angle(segment(t), 0), 0 end,
    angular_velocity = function(t) return 0, rate(motion.angle, segment(t)), 0 end,
  }
  s:pin{ node = rod.first, components = "xyz" }
  s:pin{ nodes = rod.nodes, components = "s" }
  s:pin{ segment = rod.first_segment }
  -- Turns with the last segment, whose turn at time 0 the direction has already.
  local angle = p.size * motion.angle(p.n, 0)
  s:load{
    name = "follower", node = rod.last, turns_with = rod.last_segment,
    force = { -c.load * math.sin(angle), 0, -c.load * math.cos(angle) },
  }
  s:record{ every = 1, frames = 1 }
  s:solver{ method = "direct", iterations = 5, tolerance = 0 }
  add_gates(s, p, rod, motion, c)
  if p.part > 1 then add_critical(s, p) end
  return s
end

local function name_of(n, part) return string.format("%s%d.%s", n == 3 and "ziegler" or "beck", n, part < 1 and "below" or "above") end
local sizes = { quick = { 8, 16, 32 }, full = { 8, 16, 32, 64, 128 } }

local function runs(p, tier)
  local list = {}
  for _, n in ipairs{ 3, p.n } do
    for _, part in ipairs{ 0.97, 1.03 } do
      local name = (n == 3 and "Ziegler" or "Beck") .. ", " .. part .. " of the critical load"
      list[#list + 1] = { name = name_of(n, part), label = name, parameters = { n = n, part = part } }
    end
  end
  for _, n in ipairs(sizes[tier] or sizes.quick) do
    list[#list + 1] = { name = "n" .. n, label = n .. " segments, half of the load", parameters = { n = n, part = 0 } }
  end
  return list
end

--- Of all that moves: the tip is another node in each run.
local function gates(p, tier)
  local ns, names, c = sizes[tier] or sizes.quick, {}, column_of(p)
  for i, n in ipairs(ns) do names[i] = "n" .. n end
  return {
    {
      name = "order toward Beck's column", runs = names, sizes = ns, combine = "order", quantity = "momentum", component = "x",
      measure = "frequency", limit = column.continuum(p.load) * math.sqrt(c.bending / (c.mass * c.n * p.length ^ 3)),
      near = 1, tolerance = 0.1, absolute = true,
      reason = "the clamp holds half a segment more than its end: first order, with a second-order part of some 1/n; the steps "
        .. "take 1e-4 of a frequency",
    },
  }
end

return {
  title = "Columns under loads that turn with their tips: Ziegler's and Beck's flutter",
  parameters = {
    n = 16, length = 1.0, radius = 0.01, E = 1e6, nu = 0.3, density = 1000, part = 0.97, load = 10.0, size = 1e-5, steps = 600,
  },
  ranges = {
    n = { least = 3 }, length = { above = 0 }, radius = { above = 0 }, E = { above = 0 }, nu = { above = -1, most = 0.5 },
    density = { above = 0 }, part = { least = 0 }, load = { least = 0 }, size = { above = 0 }, steps = { least = 10 },
  },
  build = build,
  runs = runs,
  gates = gates,
  figure = "follower_loads",
  planted = { must = { "bending" } },
  gold = { runs = { "ziegler3.above", "beck16.below" } },
}
