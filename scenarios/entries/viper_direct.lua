-- The published model with its scales held and kv = 0, in statics.
return include("entry"){
  title = "viper, direct: the published model without its scales, statics",
  solver = "viper", options = { method = "direct", dynamics = "static", iterations = 50, tolerance = 1e-11 },
  segments = { 8, 16, 32, 64 }, ramp = 10, hold_spin = true,
}
