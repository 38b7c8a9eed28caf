-- Damped motion to rest, by sweeps over nodes and frames of the solid model, with its scales held and kv = 0.
return include("entry"){
  title = "viper, block descent, solid: sweeps over nodes and frames, damped motion to rest",
  solver = "viper", options = { method = "block-descent" }, threads = true,
  model = "solid", segments = { 8, 16, 32, 64 }, slender = 0.02,
  sweep = { { name = "s10", substeps = 10 }, { name = "s100", substeps = 100 } }, ramp = 50, hold = 100, step = 0.1, damping = 7,
  hold_spin = true,
  without = {
    lay = "tried: an error of 0.7 to 0.8", braid = "tried: it loses the braid",
    top = "tried with 10 substeps: an error of 1.3", ruck = "tried at 8 segments: an error of 0.22", coil = "tried at 8 segments: an error of 0.39",
    band = "tried at 8 segments: an error of 6e-2 in 2.4 s, as xpbd, whose bundles it shares; not swept",
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
  pile = { options = { method = "block-descent", substeps = 10 }, steps = 80, damping = 0.2 },
  drift = { options = { method = "block-descent", integrator = "midpoint", iterations = 20 }, steps = 25000 },
  surface_bend = 0,
  volume = { options = { method = "block-descent", substeps = 10 }, ramp = 50, hold = 100, step = 1, damping = 0.3 },
}
