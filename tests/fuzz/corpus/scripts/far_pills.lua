return { title = "pills", build = function()
  local s = vb.scene{ step = 1, steps = 1 }
  local m = vb.pill_surface{ pills = { {10, 0, 1e308, 1, 0, 0, 1, 0.9} }, faces = 500, blend = 0.1 }
  s:rod{ nodes = 2, from = {0, 0, 0}, to = {0, 0, 1}, radius = 1, density = 1, material = {E = 1, nu = 0} }
  local fastened = {}
  for i = 1, #m.vertices do fastened[i] = -1 end
  s:surface{ vertices = m.vertices, triangles = m.triangles, segments = fastened }
  return s end }
