-- The entries of umetani, which differ in their method: motion to rest, damped, by constraints on points and ghost points.

--- The entry of a method, with its options.
return function(method, options)
  local fewer = include("copy")(options)
  fewer.substeps = 10
  return include("entry"){
    title = "umetani, " .. method .. ": constraints on points and ghost points, damped motion to rest",
    solver = "umetani", options = options, threads = true,
    segments = { 8, 16, 32, 64 }, slender = 0.02,
    sweep = { { name = "s10", substeps = 10 }, { name = "s100", substeps = 100 } }, ramp = 50, hold = 100, step = 0.1, damping = 7, hold_spin = true,
    without = {
      critical = "with 10 substeps a column of more than 8 segments falls over at 0.65 of its load, and 100 take too long for the score",
      motion = "frames have no inertia but that of ghost points, so not the rotary inertia that is asked for; spin_up was tried by xpbd at 8 segments: an error of 4e-2",
      modes = "radius_wave was tried by xpbd at 8 segments: 1e-2 to 8e-2 ; not swept: implicit Euler, its only integrator, damps the fifty periods of vibrating_cantilever",
      fall = "tried by xpbd at 8 links: an error of 7e-2; not swept", top = "tried by xpbd: an error of 5.8, because a frame is a ghost point",
      contact = "tried by xpbd: capsules do not roll, and friction acts on center lines; errors of 1 (rolling) and 5 (capstan)",
      push = "it does not tell the force on a half-plane", lay = "it does not tell the force on a half-plane",
      ruck = "tried by xpbd at 8 segments: the ruck falls flat", coil = "held frames have multipliers in its state, so they cannot leave a nozzle",
      braid = "tried by xpbd at 8 segments: an error of 0.17", pile = "capsules do not roll", drift = "implicit Euler, its only integrator, loses energy in every step",
      volume = "its points have no radius that changes", band = "it has no bundles",
    },
    follower = { options = fewer, steps = 100 },
  }
end
