return { title = 'muscle', build = function()
  local s = vb.scene{ step = 1, steps = 1 }
  local m = vb.box{ to = {1, 1, 4}, cells = {2, 2, 4} }
  m.regions = { {0, 1, math.maxinteger}, {} }
  local v = vb.viperize{ mesh = m, source = m.faces.z0, sink = m.faces.z1, rods = 2, slices = 3 }
  vb.fibers{ mesh = m, source = m.faces.z0, sink = m.faces.z1 }
  pcall(vb.viperize, { mesh = m, source = m.faces.z0, sink = m.faces.z1, rods = 2000, slices = 2000 })
  vb.muscle{ scene = s, data = v, E = 1e5, nu = 0.3, density = 1000, name = 'm', skin = false }
  pcall(vb.pills, { mesh = m, count = 3 })
  pcall(vb.inside, { mesh = m, pill = {0, 0, 0, 1, 0, 0, 1, 1} })
  pcall(s.mesh, s, { mesh = m, density = 1, material = {E = 1, nu = 0} })
  return s end }
