-- The published model with its scales held and kv = 0, in statics.
local options = { method = "direct", dynamics = "static", iterations = 50, tolerance = 1e-11, threads = 1 }
return include("peer"){
  title = "viper, direct: the published model without its scales, statics", label = "viper, direct", solver = "viper",
  hold_spin = true, segments = { 8, 16, 32, 64, 128 }, quick = 4,
  settings = function() return { ramp = 10, hold = 0, step = 1, slender = 1e-3, options = options } end,
  others = { twist_under_tension = { segments = { 8, 16, 32, 64 }, quick = 4 }, michell_ring = { segments = { 16, 32, 64, 128 }, quick = 3 } },
}
