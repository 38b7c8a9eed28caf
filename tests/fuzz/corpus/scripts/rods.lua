return { title = "rods", parameters = { n = 4 }, build = function(p)
  local s = vb.scene{ step = 0.01, steps = 2, gravity = {0, 0, -9.81}, damping = 0.1 }
  local a = s:rod{ nodes = p.n, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1, density = 1000, material = {E = 1e6, nu = 0.4}, name = "a", turn = {0, 0, 1}, velocity = {0, 0, 1}, twist = 0.5 }
  s:rod{ points = { {1, 0, 0}, {1, 0, 0.5}, {1, 0.1, 1} }, radius = function(t) return 0.1 + t end, density = 1, material = {kx = 1, kbx = 2, kv = 3}, scale = 0.9 }
  s:pin{ node = a.first, segment = a.first_segment, driver = s:driver{ name = "d", axis = {0, 1, 0}, x = { {0, 0}, {1, 1, "cubic"}, {2, 0} }, angle = { {0, 0, "hold"}, {1, 1} } } }
  s:load{ node = a.last, force = {1, 0, 0}, scale_force = 1, amplitude = { {0, 0}, {1, 1} }, name = "l" }
  s:load{ segment = 0, torque = {1, 0, 0} }
  s:record{ every = 1, frames = 2, fields = {"position", "scale"}, residual = true }
  s:convergence{ after = 1, iterations = {1, 2} }
  s:bench{ after = 1, accuracy = true }
  s:solver{ method = "direct", iterations = 2, precision = "float" }
  s:gate{ name = "z", quantity = "frames/position", node = a.last, component = "z", measure = "value", at = 0.01, near = 1, tolerance = 1, reason = "r" }
  return s end }
