-- Statics. Cables where nothing twists and no moment acts; elsewhere beams, for which rods that a problem calls rigid get
-- thinner with the elements, so that both errors are of second order. Where a moment alone acts, nothing stretches or
-- shears whatever the section, and Newton's method converges better for a thick one.
local cables = { elastica = true, heavy_cantilever = true, elastic_catenary = true }
return include("peer"){
  title = "Exudyn: ANCF cables and geometrically exact beams, statics", label = "Exudyn", segments = { 8, 16, 32, 64 },
  settings = function(n, problem)
    return {
      ramp = problem == "roll_up" and 50 or 20, hold = 0, step = 1,
      slender = problem == "roll_up" and 0.1 or cables[problem] and 1e-3 or 0.16 / n,
      options = { element = cables[problem] and "cable" or "beam", time_limit = 900 },
    }
  end,
}
