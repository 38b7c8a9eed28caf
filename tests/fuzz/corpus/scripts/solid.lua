return { title = "solid", build = function()
  local s = vb.scene{ step = 1, steps = 1 }
  local m = vb.box{ from = {0, 0, 0}, to = {1, 1, 2}, cells = {1, 1, 2}, tetrahedra = 6 }
  local b = s:mesh{ mesh = m, material = {E = 1e6, nu = 0.3}, density = 1000, name = "b", position = function(x, y, z) return x, y, 2 * z end }
  s:pin{ nodes = b.faces.z0, components = "xy" }
  s:pin{ nodes = vb.vertices_at{ mesh = m, z = 2, tolerance = 1e-6 } }
  s:solver{ solver = "neohookean", dynamics = "static" }
  return s end }
