-- The direct solver, one iteration in each of many substeps, as its authors advise; substeps grow with the segments. Loads
-- are changes of velocity before a substep: where moments act, a segment must not turn far by one, so that substeps grow
-- with their square.
local turning = { roll_up = true, helical_spring = true }
return include("peer"){
  title = "pypbd: position-based stiff rods, direct solver, damped until they rest", label = "pypbd, direct",
  segments = { 8, 16, 32 }, few = { roll_up = 2, helical_spring = 2 },
  without = { elastic_catenary = "its segments do not stretch" },
  settings = function(n, problem)
    return {
      ramp = 4, hold = 8, step = 0.5, slender = 1e-3, rates = { damping = 7 },
      options = { substeps = turning[problem] and 2 * n * n or 6 * n, time_limit = 900 },
    }
  end,
}
