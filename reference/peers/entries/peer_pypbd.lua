-- The direct solver, one iteration in each of many substeps, as its authors advise; substeps grow with the segments. Loads
-- are changes of velocity before a substep: where they turn segments, these must not turn far by one, so that substeps grow
-- with the square of the segments. Chains have joints, which are solved one by one, in many short steps, too.
local function resting(n, problem)
  local column = problem == "column" -- near its critical load it moves half as fast, so that it is damped half as much, and longer
  return {
    ramp = 4, hold = column and 16 or 8, step = 0.5, slender = 1e-3, rates = { damping = column and 3.5 or 7 },
    options = { substeps = problem == "helical_spring" and 2 * n * n or 6 * n, time_limit = 900 },
  }
end

return include("peer"){
  title = "pypbd: position-based stiff rods, direct solver, damped until they rest; chains in motion", label = "pypbd, direct",
  segments = { 8, 16, 32 }, few = { helical_spring = 2 },
  without = {
    elastic_catenary = "its segments do not stretch",
    roll_up = "it takes moments only as changes of velocity, by which a rod that is rolled up does not come to rest",
    hanging_chain = "its segments do not stretch", vibrating_cantilever = "its segments do not stretch or shear",
    flying_rod_round = "its segments do not stretch or shear", spin_up = "its segments do not stretch",
    stretch_wave = "its segments do not stretch", twist_wave = "its segments do not stretch or shear",
    rolling = "contact is not to be had from Python", crossing = "contact is not to be had from Python",
    capstan = "contact is not to be had from Python", twist_under_tension = "the adapter holds segments where they are", michell_ring = "the adapter holds segments where they are",
  },
  sweep = { { name = "s05", substeps = 0.5 }, { name = "s2", substeps = 2, full = true } },
  settings = resting,
  others = {
    whip = {
      segments = { 8, 16, 32 }, quick = 3,
      settings = function(n) return { steps = 100 * n // 8, options = { substeps = 10, iterations = 5, time_limit = 900 } } end,
    },
    ["crowd-1"] = { segments = { 8, 16, 32 }, quick = 2, settings = resting },
    ["crowd-100"] = { segments = { 8 }, quick = 0, settings = resting },
  },
}
