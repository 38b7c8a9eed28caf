return { title = "no triangles", build = function()
  local m = vb.box{ to = {1, 1, 1}, cells = {1, 1, 1} }
  m.triangles = {}
  local s = vb.scene{ step = 1, steps = 1 }
  s:mesh{ mesh = m, material = {E = 1, nu = 0.3}, density = 1 }
  vb.read_mesh{ file = "none.msh" }
  return s end }
