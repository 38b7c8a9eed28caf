-- The material model solid: a rod of E A, E I, G J and k G A, in statics; motions by the midpoint rule, or by bdf2.
local static = { method = "direct", dynamics = "static", iterations = 50, tolerance = 1e-11, threads = 1 }
local midpoint = { method = "direct", integrator = "midpoint", iterations = 20, tolerance = 1e-10, threads = 1 }
local bdf2 = { method = "direct", integrator = "bdf2", iterations = 30, tolerance = 1e-10, threads = 1 }
local euler = { method = "direct", iterations = 30, tolerance = 1e-10, threads = 1 }

--- Steps for the first number of segments, 8, which grow with the segments; the settings of scenarios/entries/viper_direct_solid.lua.
local function moving(steps, options, quick, stretch)
  return {
    segments = { 8, 16, 32, 64 }, quick = quick or 3,
    settings = function(n) return { steps = steps * n // 8, options = options, stretch = stretch } end,
  }
end

local still = { segments = { 8, 16, 32 }, quick = 3 }
return include("peer"){
  title = "viper, direct: the material model solid, statics and motions", label = "viper, solid", solver = "viper", model = "solid",
  hold_spin = true, segments = { 8, 16, 32, 64, 128 }, quick = 4,
  settings = function() return { ramp = 10, hold = 0, step = 1, slender = 1e-3, options = static } end,
  others = {
    hanging_chain = moving(40, midpoint), vibrating_cantilever = moving(40, midpoint), flying_rod_round = moving(200, bdf2),
    spin_up = moving(200, bdf2), stretch_wave = moving(200, bdf2), twist_wave = moving(200, bdf2), whip = moving(500, bdf2, 2, 1e7),
    twist_under_tension = { segments = { 8, 16, 32, 64 }, quick = 4 }, michell_ring = { segments = { 16, 32, 64, 128 }, quick = 3 }, rolling = moving(100, euler), crossing = moving(100, euler), crowd = still,
    capstan = { segments = { 32, 64 }, quick = 2, settings = moving(100, euler).settings },
  },
}
