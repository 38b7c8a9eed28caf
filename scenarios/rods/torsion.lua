-- A bar whose ends are twisted against each other, against its exact discrete torque.
local forms = include("closed_forms")

local function twist_stiffness(p)
  local k = forms.stiffness(p.E, p.nu)
  return 2 * k * math.pi * p.radius ^ 4 / 4
end

local function build(p)
  -- Steps much longer than the slowest motion, first turning the end, then holding it.
  local s = vb.scene{ step = 10, steps = 10 }
  local bar = s:rod{
    name = "bar", nodes = p.n + 1, from = { 0, 0, 0 }, to = { 0, 0, p.length }, radius = p.radius,
    density = 1000, material = { E = p.E, nu = p.nu },
  }
  local turn = s:driver{ name = "turn", axis = { 0, 0, 1 }, angle = { { 0, 0 }, { 40, p.angle } } }
  s:pin{ nodes = { bar.first, bar.last }, components = "xyz" }
  s:pin{ nodes = bar.nodes, components = "s" }
  s:pin{ segment = bar.first_segment }
  s:pin{ segment = bar.last_segment, driver = turn }
  s:record{ every = 1, frames = 1, residual = true }
  -- The torque of the gate is one of the forces that balance but for this part of them: rounding.
  s:solver{ iterations = 30, tolerance = 1e-12 }
  s:gate{
    name = "torque", quantity = "reaction/torque", driver = turn, component = "z", measure = "final",
    near = twist_stiffness(p) * math.sin(p.angle / (p.n - 1)) * p.n / p.length, tolerance = 1e-6,
    reason = "exact for the discrete bar with held scales, at any angle",
  }
  s:gate{
    name = "energy", quantity = "energy/twist", measure = "final",
    near = twist_stiffness(p) * (1 - math.cos(p.angle / (p.n - 1))) * p.n * (p.n - 1) / p.length, tolerance = 1e-6,
    reason = "the integral of the torque over the angle",
  }
  s:gate{
    name = "the turned end", quantity = "frames/frame", segment = bar.last_segment, component = 1, measure = "value", at = s.step,
    near = math.cos(math.pi / 4 - p.angle / 8), tolerance = 1e-12,
    reason = "a quarter of the angle after a quarter of the time, from a frame at -pi/2 about z; held by its driver to rounding",
  }
  return s
end

local resolutions = include("resolutions"){ quick = { 8, 16, 32, 64 }, full = { 16, 32, 64, 128, 256 } }

local function gates(p, tier)
  return {
    {
      name = "order toward the continuum", runs = resolutions.names(tier),
      sizes = resolutions.sizes(tier), combine = "order",
      limit = twist_stiffness(p) * p.angle / p.length,
      quantity = "reaction/torque", driver = 0, component = "z", measure = "final",
      near = 1, tolerance = 0.1, absolute = true,
      reason = "the held frames stand half a segment inside the ends: first order, with a "
        .. "second-order part of about 1/n",
    },
  }
end

return {
  title = "Torsion of a bar with held scales",
  keywords = { "quick" },
  parameters = { n = 32, length = 1.0, radius = 0.05, E = 1e6, nu = 0.49, angle = 2.0 },
  ranges = { n = { least = 2 }, length = { above = 0 }, radius = { above = 0 }, E = { above = 0 }, nu = { above = -1, most = 0.5 } },
  build = build,
  runs = function(_, tier) return resolutions.runs(tier) end,
  gates = gates,
  gold = { runs = { "n8", "n16" } },
  figure = "torsion",
}
