return { title = "names", parameters = { n = 3 }, build = function(p)
  local s = vb.scene{ step = 1, steps = 1 }
  s:rod{ nodes = p.n, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1, density = 1, material = {E = 1, nu = 0}, name = "\27[2J" }
  return s end,
  runs = function() return { { name = "x';touch${IFS}pwned;'" }, { name = "../a", label = "\27[31m" } } end }
