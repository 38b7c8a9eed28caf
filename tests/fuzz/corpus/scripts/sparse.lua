return { title = "sparse", build = function()
  local s = vb.scene{ step = 1, steps = 1 }
  local h = {}
  for i = 0, 62 do h[1 << i] = {0, 0, 0} end
  h[3], h[5] = {0, 0, 0}, {0, 0, 0}
  local m = { vertices = h, triangles = h, tetrahedra = h }
  pcall(vb.pills, { mesh = m, count = 1 })
  pcall(vb.tetrahedralize, { outside = m })
  pcall(vb.tetrahedralize, { outside = m, inside = h })
  pcall(vb.viperize, { mesh = m, source = h, sink = h, rods = 1, slices = 2 })
  pcall(vb.fibers, { mesh = m, source = h, sink = h })
  pcall(vb.pill_surface, { pills = h, faces = 100, blend = 1 })
  pcall(vb.vertices_at, { mesh = m, x = 0 })
  pcall(vb.inside, { mesh = m, pill = {0, 0, 0, 1, 0, 0, 1, 1} })
  pcall(vb.fit, { start = {1}, residuals = function() return h end })
  pcall(s.rod, s, { points = h, radius = 1, density = 1, material = {kx = 1} })
  pcall(s.mesh, s, { mesh = m, density = 1, material = {E = 1, nu = 0} })
  pcall(s.surface, s, { vertices = h, triangles = h, segments = h })
  pcall(s.pin, s, { nodes = h })
  pcall(s.driver, s, { x = h })
  for _, name in ipairs{'string', 'table'} do print(_ENV[name], name) end
  print(vb.box, s.rod, s, pcall(string.format, '%s %p', vb, s))
  s:rod{ points = h, radius = 1, density = 1, material = {kx = 1} }
  return s end }
