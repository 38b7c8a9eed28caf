-- Newton's method for equilibria of the published model, with its scales held and kv = 0.
return include("entry"){
  title = "viper, direct, published: Newton's method, statics",
  solver = "viper", options = { method = "direct", dynamics = "static", iterations = 50, tolerance = 1e-11 }, threads = true,
  model = "published", segments = { 8, 16, 32, 64 }, ramp = 10, hold_spin = true,
}
