-- Joints are damped as much as the slowest motion of a cantilever needs to die fastest; so are substeps long.
return include("peer"){
  title = "MuJoCo: cables, damped until they rest", label = "MuJoCo", segments = { 8, 16, 32, 64 }, quick = 4,
  without = { elastic_catenary = "its joints do not stretch" },
  settings = function()
    return { ramp = 8, hold = 12, step = 0.5, slender = 1e-3, times = { damping_time = 0.6, substep = 0.05 } }
  end,
}
