-- Vertex block descent, with the iterations of the package's examples. Rods that a problem calls rigid are thick, for thin
-- ones are stiff, and stiff ones need more iterations or shorter substeps. A problem that bends joints far, or has a stiff
-- section of its own, has substeps of a quarter.
local short = { roll_up = true, bend_45 = true, helical_spring = true }
return include("peer"){
  title = "Newton: rods by vertex block descent on the CPU, damped until they rest", label = "Newton, VBD",
  segments = { 8, 16, 32 }, quick = 1, few = { bend_45 = 0 }, -- which takes minutes to rest
  without = { elastic_catenary = "the adapter holds rods at their start alone" },
  settings = function(n, problem)
    return {
      ramp = 4, hold = 8, step = 0.5, slender = 0.4 / n, rates = { damping = 7 },
      times = { substep = (short[problem] and 0.01 or 0.04) / n }, options = { iterations = 10, time_limit = 900 },
    }
  end,
}
