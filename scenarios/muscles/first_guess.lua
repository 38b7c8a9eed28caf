-- The initial guess of a step: an arm bends at 5 rad/s, its flesh a rod across the elbow. Nodes
-- start where the two bones move them, or by inertia (VIPER, section 8.2).
local forms = include("closed_forms")

local ELBOW, LENGTH, RADIUS = 0.3, 0.6, 0.03 -- m

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = p.after + 1 }
  local time = (p.after + 1) / 60
  local turn = p.speed * time
  local upper = s:driver{ name = "upper arm" }
  local lower = s:driver{ name = "forearm", origin = { ELBOW, 0, -0.05 }, axis = { 0, 1, 0 }, angle = { { 0, 0 }, { time, -turn } } }
  local rod = s:rod{
    name = "flesh", nodes = p.segments + 1, from = { 0, 0, 0 }, to = { LENGTH, 0, 0 }, radius = RADIUS, density = 1060,
    material = { E = p.E, nu = 0.45 },
  }
  s:pin{ node = rod.first, components = "xyzs", segment = rod.first_segment, driver = upper }
  s:pin{ node = rod.last, components = "xyzs", segment = rod.last_segment, driver = lower }
  s:gate{
    name = "the held end", quantity = "frames/position", node = rod.last, component = "z", measure = "final",
    near = -0.05 + (LENGTH - ELBOW) * math.sin(turn) + 0.05 * math.cos(turn), tolerance = 1e-12, reason = "held by its driver to rounding",
  }
  local kz = forms.stiffness(p.E, 0.45)
  s:gate{
    name = "energy of the bend", quantity = "energy/bend", measure = "final", at_least = 0.95 * 0.5 * kz * math.pi * RADIUS ^ 4 / 4 * turn ^ 2 / LENGTH,
    reason = "none is less than that of an even bend along the whole length; sines in place of angles take less than a twentieth",
  }
  local inner = {}
  for k = 2, #rod.nodes - 1 do inner[k - 1] = rod.nodes[k] end
  -- Beyond a tenth of the length around the elbow nodes are of one bone.
  s:follow{ nodes = inner, drivers = { upper, lower }, weights = function(t)
    local w = math.min(1, math.max(0, (t - 0.4) / 0.2))
    return 1 - w, w
  end }
  s:record{ every = 1, frames = p.after + 1, residual = true }
  s:solver{ iterations = p.iterations, tolerance = 0 }
  s:convergence{ after = p.after, iterations = { 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512 } }
  return s
end

--- Gates over the grid: the guess changes no result, and how many iterations it saves.
local function gates()
  local list = {
    {
      name = "the same step", where = { method = "direct", follow = "yes" }, against = { follow = "no" }, combine = "ratio",
      quantity = "energy/total", measure = "final", near = 1, tolerance = 1e-9,
      reason = "where iterations begin does not change the minimum: rounding of Newton's method",
    },
  }
  -- Without the guess 96 sweeps (of a body at rest) and 12 (in motion) came to these residuals; half as many with it should do.
  for after, half in pairs{ [0] = { 48, 0.0165 }, [10] = { 6, 0.0205 } } do
    list[#list + 1] = {
      name = "half the sweeps", where = { method = "block-descent", follow = "yes", after = after }, quantity = "convergence/residual",
      measure = "value", at = half[1], at_most = half[2], finding = true,
      reason = "the paper's claim, of a solver that begins at the old positions. Here a step without the guess begins where nodes drift, which "
        .. "has the motion to second order; and the guess, which moves nodes and not frames, leaves a smooth error in all of the flesh, "
        .. "where the jump of a pin is an error of its neighbors alone, and sweeps are slow on what is smooth",
    }
    list[#list + 1] = {
      name = "Newton's iterations", where = { method = "direct", after = after }, quantity = "convergence/residual", measure = "value", at = 4,
      at_most = 1e-9, reason = "it squares the error from either beginning: four iterations leave rounding",
    }
  end
  return list
end

return {
  title = "Where a step's iterations begin, in an arm that bends at 5 rad/s (VIPER, section 8.2)",
  parameters = { speed = 5, segments = 24, E = 5e4, after = 10, iterations = 500 },
  ranges = { speed = { least = 0 }, segments = { least = 6 }, E = { above = 0 }, after = { least = 0 }, iterations = { least = 1 } },
  build = build,
  grid = { method = { "direct", "block-descent" }, follow = { "yes", "no" }, after = { 0, 10 } },
  gates = gates,
  gold = { steps = 2, frames = 2 },
  figure = "first_guess",
}
