-- Damped motion to rest, by constraints on points and ghost points.
return include("entry"){
  title = "umetani, xpbd: constraints on points and ghost points, damped motion to rest",
  solver = "umetani", options = { method = "xpbd" }, threads = true,
  segments = { 8, 16, 32, 64 }, slender = 0.02,
  sweep = { { name = "s10", substeps = 10 }, { name = "s100", substeps = 100 } }, ramp = 50, hold = 100, step = 0.1, damping = 7, hold_spin = true,
  without = { critical = "with 10 substeps a column of more than 8 segments falls over at 0.65 of its load, and 100 take too long for the score" },
  follower = { options = { method = "xpbd", substeps = 10 }, steps = 100 },
}
