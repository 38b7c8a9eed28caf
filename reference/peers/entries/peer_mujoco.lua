-- Joints are damped as much as the slowest motion of a cantilever needs to die fastest; so are substeps long. Motions of chains
-- are not damped, by RK4 in steps of the scene; contact by steps of the scene.
local function resting(_, problem)
  local column = problem == "column" -- which moves half as fast near its critical load
  return {
    ramp = 8, hold = column and 24 or 12, step = 0.5, slender = 1e-3, times = { damping_time = column and 0.3 or 0.6, substep = 0.05 },
  }
end

--- Its compiler takes a minute for a thousand rods.
local function many(n, problem)
  local set = resting(n, problem)
  set.options = { time_limit = 900 }
  return set
end

local function moving(steps, options)
  return {
    segments = { 8, 16, 32, 64 }, quick = 4,
    settings = function(n) return { steps = steps * n // 8, options = options, times = { substep = 1 } } end,
  }
end

--- Joints are damped within two steps, without which the twist of so thin a rope needs shorter ones.
local function rope(n)
  return { steps = 500 * n // 8, options = { time_limit = 900 }, times = { substep = 1, damping_time = 2 * 7.5 / (500 * n / 8) } }
end

return include("peer"){
  title = "MuJoCo: cables, damped until they rest; chains and rigid bodies in motion", label = "MuJoCo", segments = { 8, 16, 32, 64 }, quick = 4,
  without = {
    elastic_catenary = "its joints do not stretch", hanging_chain = "its joints do not stretch", stretch_wave = "its joints do not stretch",
    twist_wave = "no entry", vibrating_cantilever = "its joints do not stretch or shear",
    flying_rod_round = "its joints do not stretch or shear", spin_up = "the adapter has no motors",
    twist_under_tension = "the adapter holds a cable at its start alone", michell_ring = "the adapter holds a cable at its start alone",
  },
  sweep = { { name = "s2", substep = 2, steps = 0.5 }, { name = "s05", substep = 0.5, steps = 2, full = true } },
  settings = resting,
  others = {
    whip = moving(100, { integrator = "RK4" }), rolling = moving(100), crossing = moving(100),
    capstan = { segments = { 32, 48 }, quick = 1, settings = rope }, -- 64 segments take two minutes
    crowd = { segments = { 8, 16, 32 }, quick = 2, settings = resting }, ["crowd-1000"] = { segments = { 8 }, quick = 0, settings = many },
  },
}
