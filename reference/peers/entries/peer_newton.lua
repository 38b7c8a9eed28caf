-- Vertex block descent, with the iterations of the package's examples. Rods that a problem calls rigid are thick, for thin
-- ones are stiff, and stiff ones need more iterations or shorter substeps. A problem that bends joints far, or has a stiff
-- section of its own, has substeps of a quarter. Motions have the problem's section, in steps of the scene.
local short = { roll_up = true, bend_45 = true, helical_spring = true }

local function resting(n, problem)
  local column = problem == "column" -- near its critical load it moves half as fast, so that it is damped half as much, and longer
  return {
    ramp = 4, hold = column and 16 or 8, step = 0.5, slender = 0.4 / n, rates = { damping = column and 3.5 or 7 },
    times = { substep = (short[problem] and 0.01 or 0.04) / n }, options = { iterations = 10, time_limit = 900 },
  }
end

local function moving(steps, segments)
  return {
    segments = segments, quick = 1,
    settings = function(n)
      return { steps = steps * n // 8, model = "solid", times = { substep = 1 }, options = { iterations = 10, time_limit = 900 } }
    end,
  }
end

local touching = {
  segments = { 8, 16, 32, 64 }, quick = 3,
  settings = function(n) return { steps = 100 * n // 8, times = { substep = 1 }, options = { iterations = 10, time_limit = 900 } } end,
}

return include("peer"){
  title = "Newton: rods by vertex block descent on the CPU, damped until they rest, and in motion", label = "Newton, VBD",
  segments = { 8, 16 }, quick = 1, few = { bend_45 = 0 }, -- which takes minutes to rest; 32 segments take minutes at every problem
  most = { roll_up = 1, bend_45 = 1, helical_spring = 1, column = 1, heavy_cantilever = 2, vibrating_cantilever = 2, flying_rod_round = 1 },
  without = {
    elastic_catenary = "the adapter holds rods at their start alone", hanging_chain = "the adapter takes rods at rest, clamped or free",
    stretch_wave = "no entry", twist_wave = "no entry",
    spin_up = "the adapter has no motors", whip = "no hinges in the adapter",
    capstan = "no contact of cables in the adapter", twist_under_tension = "the adapter holds rods at their start alone", michell_ring = "the adapter holds rods at their start alone",
  },
  sweep = { { name = "i5", iterations = 0.5 }, { name = "i20", iterations = 2, full = true } },
  settings = resting,
  others = {
    vibrating_cantilever = moving(40, { 8, 16 }), flying_rod_round = moving(800, { 8 }), rolling = touching, crossing = touching,
    ["crowd-1"] = { segments = { 8, 16 }, quick = 1, settings = resting },
    ["crowd-100"] = { segments = { 8 }, quick = 1, settings = resting }, ["crowd-1000"] = { segments = { 8 }, quick = 0, settings = resting },
  },
}
