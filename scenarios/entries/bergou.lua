-- Implicit Euler in steps so long that inertia is negligible: loads grow, and the motion decays in
-- the steps that follow.
return include("entry"){
  title = "bergou: stretch, bending and twist, by long steps of implicit Euler",
  solver = "bergou", options = { iterations = 100, tolerance = 1e-11 }, threads = true,
  segments = { 8, 16, 32, 64 }, ramp = 10, hold = 5, step = 100,
  without = { roll_up = "a torque acts by the inertia of frames, which is next to none in so long a step", pinch = "its radius follows from its length alone" },
  critical = { options = { iterations = 100, tolerance = 1e-11 }, hold = 5, step = 100 },
  modes = { options = { iterations = 30, tolerance = 1e-10 }, steps = 40 },
  drift = { options = { iterations = 20, tolerance = 1e-10 }, steps = 25000 },
  volume = { options = { iterations = 100, tolerance = 1e-11 }, ramp = 10, hold = 5, step = 1000 },
}
