return { title = "graph", figure = "helix", build = function()
  local s = vb.scene{ step = 0.1, duration = 0.3 }
  for i = 0, 3 do s:node{ position = {i, 0, i * i / 10}, radius = 0.1, start = {i, 1, 0}, scale = 1.1, velocity = {0, 0, 0}, scale_rate = 0.1 } end
  for i = 0, 2 do s:segment{ nodes = {i, i + 1}, material = {E = 1, nu = 0}, density = 1, angular_velocity = {0, 0, 1} } end
  s:joint{ segments = {0, 1} }
  s:hinge{ node = 2 }
  s:name{ node = 0, name = "b" }
  s:bundle{ segments = {0, 2} }
  s:halfplane{ normal = {0, 0, 1}, point = {0, 0, -1}, static_friction = 0.5, kinetic_friction = 0.4 }
  s:contact{ friction = 0.1, margin = 0.01, self = true }
  s:filter{ segments = {0, 2}, groups = {0, 31}, meets = {1} }
  s:surface{ vertices = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1} }, triangles = { {0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3} }, segments = {-1, 0, 1, -1} }
  return s end,
  compare = { nan = "never", energy = { relative = 1e-9, reason = "r" } },
  gold = { steps = 1, frames = 1 } }
