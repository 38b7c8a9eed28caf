-- Newton's method for equilibria of the solid model, with its scales held and kv = 0.
return include("entry"){
  title = "viper, direct, solid: Newton's method, statics",
  solver = "viper", options = { method = "direct", dynamics = "static", iterations = 50, tolerance = 1e-11 }, threads = true,
  model = "solid", segments = { 8, 16, 32, 64 }, ramp = 10, hold_spin = true,
  motion = { options = { method = "direct", integrator = "bdf2", iterations = 30, tolerance = 1e-10 }, steps = 200 },
}
