local octopus = include("octopus")
return { title = "fit", build = function()
  local s = vb.scene{ step = 1, steps = 1 }
  local f = vb.fit{ start = {1, 2}, residuals = function(q) return {q[1] - 1, q[2] * q[1], 3} end }
  octopus(s, { turn = f.parameters[1] })
    return s end }
