-- Sweeps, damped until they rest, with the settings of scenarios/entries/viper_xpbd_published.lua; the more segments, the more substeps.
return include("peer"){
  title = "viper, xpbd: constraints of the published model, damped until they rest", label = "viper, xpbd", solver = "viper", segments = { 8, 16, 32 }, quick = 2, hold_spin = true,
  settings = function(n, problem)
    local column = problem == "column" -- near its critical load it moves half as fast, so that it is damped half as much, and longer
    return {
      ramp = 50, hold = column and 200 or 100, step = 0.1, slender = 0.02, damping = column and 3.5 or 7,
      options = { method = "xpbd", substeps = n == 8 and 10 or 100, threads = 1 },
    }
  end,
}
