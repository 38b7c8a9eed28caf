-- Damped motion to rest, by constraints of the published model, with its scales held and kv = 0.
return include("entry"){
  title = "viper, jacobi-published, published: constraints, damped motion to rest",
  solver = "viper", options = { method = "jacobi-published" }, threads = true,
  model = "published", segments = { 8, 16, 32, 64 }, slender = 0.02,
  sweep = { { name = "s10", substeps = 10 }, { name = "s100", substeps = 100 } }, ramp = 50, hold = 100, step = 0.1, damping = 7,
  hold_spin = true,
  without = {
    critical = "with 10 substeps a column falls over at 0.65 of its load, and 100 take too long for the score",
    fall = "tried at 8 links with 5000 substeps: an error of 2e-3, by implicit Euler; not swept",
    top = "tried: an error of 0.7, because it multiplies inertia", contact = "tried: errors of 1 (rolling) and 5 (capstan)",
    push = "friction of its sweeps does not hold: see contact", lay = "friction of its sweeps does not hold: see contact",
    ruck = "tried at 8 segments: the ruck falls flat", coil = "tried at 8 segments: an error of 0.36", braid = "tried: it loses the braid",
    pile = "friction of its sweeps does not hold: see contact", drift = "it multiplies inertia, which changes momentum of rods whose motion is not uniform",
    band = "tried at 8 segments: an error of 0.9",
  },
  motion = { options = { method = "jacobi-published", integrator = "bdf2", gyroscope = "on", substeps = 10 }, steps = 200 },
  modes = { options = { method = "jacobi-published", substeps = 10 }, steps = 40 },
  follower = { options = { method = "jacobi-published", substeps = 10 }, steps = 100 },
  volume = { options = { method = "jacobi-published", substeps = 10 }, ramp = 50, hold = 100, step = 1, damping = 0.3 },
}
