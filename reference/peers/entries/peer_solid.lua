-- The material model solid: a rod of E A, E I, G J and k G A, in statics.
local options = { method = "direct", dynamics = "static", iterations = 50, tolerance = 1e-11, threads = 1 }
return include("peer"){
  title = "viper, direct: the material model solid, statics", label = "viper, solid", solver = "viper", model = "solid",
  hold_spin = true, segments = { 8, 16, 32, 64, 128 }, quick = 4,
  settings = function() return { ramp = 10, hold = 0, step = 1, slender = 1e-3, options = options } end,
}
