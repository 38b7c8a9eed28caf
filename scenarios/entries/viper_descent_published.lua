-- Damped motion to rest, by sweeps over nodes and frames of the published model, with its scales held and kv = 0.
return include("entry"){
  title = "viper, block descent, published: sweeps over nodes and frames, damped motion to rest",
  solver = "viper", options = { method = "block-descent" }, threads = true,
  model = "published", segments = { 8, 16, 32, 64 }, slender = 0.02,
  sweep = { { name = "s10", substeps = 10 }, { name = "s100", substeps = 100 } }, ramp = 50, hold = 100, step = 0.1, damping = 7,
  hold_spin = true,
  without = {
    lay = "tried: an error of 0.7 to 0.8", braid = "tried: it loses the braid",
    top = "the model has no part in it: see viper_descent_solid", ruck = "friction of sweeps lets it go: see viper_descent_solid",
    coil = "friction of sweeps lets it go: see viper_descent_solid", pile = "rods are rigid: the pile of viper_descent_solid",
    band = "a bundle of published rods is 29 times as stiff as the band: see viper_xpbd_published",
  },
  critical = { options = { method = "block-descent", substeps = 10 }, ramp = 20, hold = 180, step = 0.1, damping = 2 },
  motion = {
    options = { method = "block-descent", integrator = "bdf2", gyroscope = "on", iterations = 40 }, steps = 200,
  },
  modes = { options = { method = "block-descent", substeps = 10 }, steps = 10 },
  fall = { options = { method = "block-descent", substeps = 10 }, steps = 50 },
  contact = { options = { method = "block-descent", iterations = 20, substeps = 10 }, steps = 100 },
  follower = { options = { method = "block-descent", substeps = 10 }, steps = 100 },
  push = { options = { method = "block-descent", substeps = 10 }, steps = 800, damping = 20, radius = 0.02 },
  drift = { options = { method = "block-descent", integrator = "midpoint", iterations = 20 }, steps = 25000 },
  volume = { options = { method = "block-descent", substeps = 10 }, ramp = 50, hold = 100, step = 1, damping = 0.3 },
}
