-- Newton's method for equilibria of the published model, with its scales held and kv = 0.
return include("entry"){
  title = "viper, direct, published: Newton's method, statics",
  solver = "viper", options = { method = "direct", dynamics = "static", iterations = 50, tolerance = 1e-11 }, threads = true,
  model = "published", segments = { 8, 16, 32, 64 }, ramp = 10, hold_spin = true,
  without = {
    pile = "rods are rigid: the pile of viper_direct_solid", band = "a bundle of published rods is 29 times as stiff as the band: see viper_xpbd_published",
  },
  motion = {
    options = { method = "direct", integrator = "bdf2", gyroscope = "on", iterations = 30, tolerance = 1e-10 }, steps = 200,
  },
  volume = { options = { method = "direct", dynamics = "static", iterations = 50, tolerance = 1e-11 }, ramp = 5 },
  critical = { options = { method = "direct", dynamics = "static", iterations = 50, tolerance = 1e-12 }, slender = 3e-4 },
  modes = { options = { method = "direct", integrator = "midpoint", iterations = 20, tolerance = 1e-10 }, steps = 40 },
  follower = { options = { method = "direct", iterations = 20, tolerance = 1e-10 }, steps = 100 },
  top = { options = { method = "direct", integrator = "bdf2", gyroscope = "on", iterations = 6, tolerance = 0 }, steps = 250 },
  fall = { options = { method = "direct", integrator = "bdf2", iterations = 30, tolerance = 1e-10 }, steps = 500, stretch = 1e7 },
  contact = { options = { method = "direct", iterations = 30, tolerance = 1e-10 }, steps = 100 },
  push = { options = { method = "direct", contact_solve = "newton", iterations = 60, tolerance = 1e-8 }, steps = 800, damping = 20 },
  lay = { options = { method = "direct", contact_solve = "newton", iterations = 60, tolerance = 1e-8 }, steps = 3200, damping = 20 },
  ruck = { options = { method = "direct", contact_solve = "newton", iterations = 60, tolerance = 1e-8 }, steps = 25, damping = 1 },
  coil = { options = { method = "direct", contact_solve = "newton", iterations = 60, tolerance = 1e-8 }, steps = 400, each = 16, most = { fed = 16 }, damping = 20 },
  braid = { options = { method = "direct", contact_solve = "newton", iterations = 60, tolerance = 1e-9 }, steps = 100, damping = 1 },
  drift = { options = { method = "direct", integrator = "midpoint", iterations = 10, tolerance = 1e-10 }, steps = 25000 },
}
