-- Implicit Euler in steps so long that inertia is negligible: loads grow, and the motion decays in
-- the steps that follow.
return include("entry"){
  title = "bergou: stretch, bending and twist, by long steps of implicit Euler",
  solver = "bergou", options = { iterations = 100, tolerance = 1e-11 }, threads = true,
  segments = { 8, 16, 32, 64 }, ramp = 10, hold = 5, step = 100,
  without = {
    roll_up = "a torque acts by the inertia of frames, which is next to none in so long a step", pinch = "its radius follows from its length alone",
    motion = "frames have the inertia of a disc, and implicit Euler alone is of order 1; spin_up was tried at 8 segments: an error of 0.36",
    fall = "tried at 8 links: an error of 2e-2 in 500 steps, by implicit Euler, which is of order 1; not swept",
    follower = "it has no follower loads", top = "tried: an error of 1.6, because frames do not keep their angular momentum",
    contact = "it has no contact", push = "it has no half-planes", lay = "it has no half-planes", ruck = "it has no half-planes",
    coil = "it has no half-planes", braid = "it has no contact", pile = "it has no contact", band = "it has no bundles",
  },
  critical = { options = { iterations = 100, tolerance = 1e-11 }, hold = 5, step = 100 },
  modes = { options = { iterations = 30, tolerance = 1e-10 }, steps = 40 },
  drift = { options = { iterations = 20, tolerance = 1e-10 }, steps = 25000 },
  volume = { options = { iterations = 100, tolerance = 1e-11 }, ramp = 10, hold = 5, step = 1000 },
}
