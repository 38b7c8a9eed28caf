-- The direct solver, one iteration in each of many substeps, as its authors advise; substeps grow with the segments. Loads
-- are changes of velocity before a substep: where they turn segments, these must not turn far by one, so that substeps grow
-- with the square of the segments.
return include("peer"){
  title = "pypbd: position-based stiff rods, direct solver, damped until they rest", label = "pypbd, direct",
  segments = { 8, 16, 32 }, few = { helical_spring = 2 },
  without = {
    elastic_catenary = "its segments do not stretch",
    roll_up = "it takes moments only as changes of velocity, by which a rod that is rolled up does not come to rest",
  },
  settings = function(n, problem)
    return {
      ramp = 4, hold = 8, step = 0.5, slender = 1e-3, rates = { damping = 7 },
      options = { substeps = problem == "helical_spring" and 2 * n * n or 6 * n, time_limit = 900 },
    }
  end,
}
