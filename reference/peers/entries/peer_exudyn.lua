-- Statics. Cables where nothing twists and no moment acts; elsewhere beams, for which rods that a problem calls rigid get
-- thinner with the elements, so that both errors are of second order. Where a moment alone acts, nothing stretches or
-- shears whatever the section, and Newton's method converges better for a thick one. Motions are by the generalized-alpha method.
local cables = { elastica = true, heavy_cantilever = true, elastic_catenary = true, column = true }

local function resting(n, problem)
  return {
    ramp = problem == "roll_up" and 50 or 20, hold = 0, step = 1,
    slender = problem == "roll_up" and 0.1 or cables[problem] and 1e-3 or 0.16 / n,
    options = { element = cables[problem] and "cable" or "beam", time_limit = 900 },
  }
end

local function moving(steps, quick, element)
  local options = { dynamics = "trapezoidal", element = element or "beam", relative = 1e-8, absolute = 1e-11, time_limit = 900 }
  return {
    segments = { 8, 16, 32 }, quick = quick,
    settings = function(n) return { steps = steps * n // 8, model = "solid", options = options } end,
  }
end

--- A turned joint leaves residuals that do not fall below the tolerances of such small motions.
local turned = {
  segments = { 8, 16, 32 }, quick = 2,
  settings = function(n)
    return { steps = 100 * n, model = "solid", options = { dynamics = "alpha", spectral = 0.9, element = "beam", time_limit = 900 } }
  end,
}

return include("peer"){
  title = "Exudyn: ANCF cables and geometrically exact beams, statics and motions", label = "Exudyn", segments = { 8, 16, 32, 64 },
  settings = resting,
  without = {
    whip = "no entry of links with hinges", rolling = "no contact in the adapter", crossing = "no contact in the adapter", crowd = "the adapter takes one rod",
    capstan = "its contact of cables and circles is plane, and has no adapter", twist_under_tension = "the adapter clamps a beam at its start alone", michell_ring = "the adapter clamps a beam at its start alone",
  },
  sweep = { { name = "s05", ramp = 0.25, steps = 0.5 }, { name = "s2", ramp = 2, steps = 2, full = true } },
  others = {
    hanging_chain = moving(40, 3, "cable"), vibrating_cantilever = moving(40, 2), flying_rod_round = moving(200, 3),
    spin_up = turned, stretch_wave = moving(100, 2), twist_wave = moving(100, 2),
  },
}
