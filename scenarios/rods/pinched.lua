-- Figure 15: a rod with free ends between two closing planes, without friction. All its nodes
-- touch, so it stays uniform: its scale is that of the gap, and its length and the force on the
-- planes have closed forms. A rod whose radius follows from its length cannot be compressed by such
-- planes; it reaches the same radius only when it is pulled.
local forms = include("closed_forms")

--- Stretch of the pinched rod of scale s, force on each plane, and elastic energy: without axial force,
--- kz (e - 1) + kv s^2 (s^2 e - 1) = 0; and planes that come nearer by r ds each do the work 2 F r ds, which is the change of
--- U = area length / 2 (kz (e - 1)^2 + (kx + ky) (s - 1)^2 + kv (s^2 e - 1)^2).
local function held(p, s)
  local e = (p.k + p.kv * s ^ 2) / (p.k + p.kv * s ^ 4)
  local slope = math.pi * p.radius ^ 2 * p.length * (2 * p.k * (s - 1) + 2 * p.kv * s * e * (s ^ 2 * e - 1))
  local energy = math.pi * p.radius ^ 2 * p.length / 2 * (p.k * (e - 1) ^ 2 + 2 * p.k * (s - 1) ^ 2 + p.kv * (s ^ 2 * e - 1) ^ 2)
  return e, -slope / (2 * p.radius), energy
end

local function rod(s, p)
  return s:rod{
    name = "rod", nodes = p.n + 1, from = { 0, 0, -p.length / 2 }, to = { 0, 0, p.length / 2 }, radius = p.radius,
    density = p.density, material = { kx = p.k, ky = p.k, kz = p.k, kv = p.kv },
  }
end

--- Why a run of each model misses the closed form by so much. Numbers are of length and force.
local reasons = {
  xpbd = "constraints are linearized once a substep: 3.6e-4 and 1.9e-3 were seen with 20 substeps, 1.3e-4 and 6e-4 with 40, "
    .. "3.5e-5 and 1.7e-4 with 80, whatever the number of iterations",
  direct = "what is left of the iterations: 4e-10 and 2e-9 were seen with 8 substeps, 4e-5 and 2e-4 with 4",
  light = "what is left of the iterations. The forces of contact grow by what a node's inertia asks for in each of them, and "
    .. "sections of usual density are 750 times as stiff as their inertia in a substep of 4 ms, where the rod crumples: with 40 "
    .. "substeps 1e-5 and 4e-5 were seen after 60 iterations, 1e-9 and 6e-9 after 120. "
    .. "Of the work 1e-4 is lost to Euler's method; forces at the ends of substeps alone would do 5e-4 more",
  published = "the published solver averages what its constraints ask for, and its multiplied inertia leaves it behind: with ten "
    .. "times the iterations the force is the same",
}

--- Pressed within a second, then held.
local function pressed(p, s)
  local bar, way = rod(s, p), (1 - p.pinch) * p.radius
  local press
  for _, side in ipairs{ -1, 1 } do
    press = s:driver{ name = side < 0 and "left" or "right", x = { { 0, 0 }, { 1, -side * way } } }
    s:halfplane{ normal = { -side, 0, 0 }, offset = -p.radius, driver = press }
  end
  local e, force, energy = held(p, p.pinch)
  local function gate(g)
    g.finding, g.reason = p.model == "published", "the closed form of a uniform section; " .. reasons[p.model]
    s:gate(g)
  end
  gate{ name = "scale", quantity = "frames/scale", node = bar.nodes[p.n // 2 + 1], near = p.pinch, tolerance = p.within / 10 }
  gate{ name = "length", quantity = "frames/position", node = bar.last, apart_from = bar.first, near = e * p.length, tolerance = p.within }
  gate{ name = "energy", quantity = "energy/total", near = energy, tolerance = 5 * p.within }
  gate{ name = "force of a plane", quantity = "reaction/force", driver = press, component = "x", measure = "maximum_abs", from = 2.9,
    near = force, tolerance = 5 * p.within }
  if p.model == "light" then
    gate{ name = "work of the planes", quantity = "balance/unaccounted", measure = "final", near = 0, tolerance = 2e-4, absolute = true }
  end
end

--- Pulled within a second until its radius fits the gap, then held.
local function pulled(p, s)
  local bar, e = rod(s, p), p.pinch ^ -2
  local pull = s:driver{ name = "pull", z = { { 0, 0 }, { 1, (e - 1) * p.length } } }
  s:pin{ node = bar.first, components = "xyz" }
  s:pin{ node = bar.last, components = "xyz", driver = pull }
  s:gate{ name = "the pulled end, half way", quantity = "frames/position", node = bar.last, component = "z", measure = "value", at = 0.5,
    near = p.length / 2 * e, tolerance = 1e-12, reason = "held by its driver to rounding" }
  local reason = "its volume is kept; what is left of the motion"
  s:gate{ name = "scale", quantity = "frames/scale", node = bar.nodes[p.n // 2 + 1], near = p.pinch, tolerance = 1e-6, reason = reason }
  s:gate{ name = "force of the pull", quantity = "reaction/force", driver = pull, component = "z", tolerance = 1e-3, reason = reason,
    near = math.pi * p.radius ^ 2 * forms.matched_kz{ kx = p.k, ky = p.k, kz = p.k, kv = p.kv } * (e - 1) }
end

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = 3, damping = p.damping }
  s:record{ every = 1, frames = 6, fields = { "position", "scale", "frame" } }
  local model = p.model == "bergou" and pulled or pressed
  model(p, s)
  return s
end

local function runs(p)
  --- What is the run's own unless it is set.
  local function effort(iterations, substeps, run)
    run.iterations = p.iterations > 0 and p.iterations or iterations
    run.substeps = p.substeps > 0 and p.substeps or substeps
    return run
  end
  return {
    effort(20, 20, { name = "viper", label = "VIPER", method = "xpbd", tolerance = 0 }),
    effort(50, 8, { name = "direct", label = "VIPER, direct", method = "direct", parameters = { model = "direct", within = 1e-8 } }),
    effort(60, 40, { name = "light", label = "VIPER, direct, 1000 kg/m^3", method = "direct",
      parameters = { model = "light", density = 1000, within = 1e-4 } }),
    effort(100, 20, { name = "published", label = "jacobi-published", method = "jacobi-published", tolerance = 0,
      parameters = { model = "published" } }),
    { name = "bergou", label = "updated radius, pulled", solver = "bergou", parameters = { model = "bergou" } },
  }
end

return {
  title = "A rod pinched between two planes that close",
  keywords = { "paper", "contact" },
  parameters = {
    model = "xpbd", within = 1e-3, n = 16, length = 1.0, radius = 0.05, k = 1e6, kv = 1e7, pinch = 0.8,
    density = 1e5, -- kg/m^3: heavy, and slow, which changes no state at rest; see the run "light"
    damping = 40.0,
    iterations = 0, substeps = 0, -- 0: as many as each run of VIPER has
  },
  ranges = {
    model = { "xpbd", "direct", "light", "published", "bergou" }, within = { above = 0 }, n = { least = 2 }, length = { above = 0 }, radius = { above = 0 }, k = { above = 0 },
    kv = { least = 0 }, pinch = { above = 0.5, most = 1 }, density = { above = 0 }, damping = { least = 0 },
    iterations = { least = 0 }, substeps = { least = 0 },
  },
  build = build,
  runs = runs,
  gold = { runs = { "viper", "bergou" }, steps = 15, frames = 15 },
  figure = "pinched",
}
