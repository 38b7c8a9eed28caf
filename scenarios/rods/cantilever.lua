-- A bar clamped at one end with a lateral force at the other, against its exact discrete
-- deflection.
local forms = include("closed_forms")

local function stiffness(p)
  local k, kv = forms.stiffness(p.E, p.nu)
  return (k + kv) * math.pi * p.radius ^ 4 / 4, (k + kv) * math.pi * p.radius ^ 2
end

--- Force that moves the tip by about a ten-thousandth of the length: small enough for the straight
--- bar's formula to hold to 1e-8, large enough for rounding not to matter.
local function tip_force(p)
  local bending, shear = stiffness(p)
  return 1e-4 * p.length / (p.length ^ 3 / (3 * bending) + p.length / shear)
end

local function build(p)
  -- Steps much longer than the slowest motion (about 0.5 s): each takes away all but 1/100 of it.
  local s = vb.scene{ step = 10, steps = 6 }
  -- From the tip, node 0, to the clamp.
  local bar = s:rod{
    name = "bar", nodes = p.n + 1, from = { 0, 0, p.length }, to = { 0, 0, 0 }, radius = p.radius,
    density = 1000, material = { E = p.E, nu = p.nu },
  }
  s:pin{ node = bar.last, components = "xyz" }
  s:pin{ segment = bar.last_segment }
  local force = tip_force(p)
  s:load{ node = bar.first, force = { force, 0, 0 }, name = "tip" }
  s:record{ every = 1, frames = 1, residual = true }
  -- A residual r leaves up to r of the length (residual_truth): a hundredth of the gate's 1e-10.
  s:solver{ iterations = 30, tolerance = 1e-12 }
  local bending, shear = stiffness(p)
  local n, l = p.n, p.length / p.n
  s:gate{
    name = "deflection of the tip", quantity = "frames/position", node = bar.first, component = "x",
    measure = "final", tolerance = 1e-6,
    near = force * l ^ 3 * n * (n - 1) * (2 * n - 1) / (6 * bending) + force * n * l / shear,
    reason = "exact for the discrete bar and a small force; second order in the slope is 1e-8",
  }
  local deflection = force * l ^ 3 * n * (n - 1) * (2 * n - 1) / (6 * bending) + force * n * l / shear
  s:gate{
    name = "energy", quantity = "energy/total", measure = "final", near = 0.5 * force * deflection, tolerance = 1e-6,
    reason = "half of the force times the deflection; second order in the slope is 1e-8",
  }
  -- Of the first mode, 0.97 of the tip's deflection, implicit Euler's first step leaves 1 / (1 + (w h)^2).
  local w = 1.8751 ^ 2 * math.sqrt(bending / (1000 * math.pi * p.radius ^ 2)) / p.length ^ 2
  s:gate{
    name = "what the first step leaves", quantity = "frames/position", node = bar.first, component = "x", measure = "value", at = s.step,
    origin = deflection, near = -0.9707 * deflection / (w * s.step) ^ 2, tolerance = 0.02 + 2.5 / n,
    reason = "the slowest mode of a clamped bar; the clamp holds half a segment more, which changes the square of its frequency by "
      .. "2 / n, and shear by 1 %",
  }
  return s
end

local resolutions = include("resolutions"){ quick = { 8, 16, 32, 64 }, full = { 16, 32, 64, 128, 256 } }

local function gates(p, tier)
  local bending, shear = stiffness(p)
  return {
    {
      name = "order toward the continuum", runs = resolutions.names(tier),
      sizes = resolutions.sizes(tier), combine = "order",
      limit = tip_force(p) * (p.length ^ 3 / (3 * bending) + p.length / shear),
      quantity = "frames/position", node = 0, component = "x", measure = "final",
      near = 1, tolerance = 0.1, absolute = true,
      reason = "the clamp holds half a segment more than its end: first order, with a second-order "
        .. "part of a third of 1/n",
    },
  }
end

return {
  title = "Cantilever under a small force at its tip",
  keywords = { "quick" },
  parameters = { n = 32, length = 1.0, radius = 0.05, E = 1e6, nu = 0.49 },
  ranges = { n = { least = 2 }, length = { above = 0 }, radius = { above = 0 }, E = { above = 0 }, nu = { above = -1, most = 0.5 } },
  build = build,
  runs = function(_, tier) return resolutions.runs(tier) end,
  gates = gates,
  planted = { must = { "bending", "term-missing", "noise" } },
  gold = { runs = { "n8", "n16" } },
  figure = "cantilever",
}
