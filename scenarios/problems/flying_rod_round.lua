local flying = include("flying_rod")

return {
  title = "Flying round rod",
  text = [[A straight rod of length 10 lies at rest from (0, 8, 0) to (6, 0, 0) and is free. At its lower end a force along x
and moments about y and z act for a time: it flies, turns over, bends and twists. The moment about z is 80 sin^2(pi t/2.5)
up to t = 2.5, that about y half of it, the force a tenth. Inertia, shear and stretch are those of a round section that keeps its size. Where are the ends?]],
  formulas = {
    flying.formulas[1], flying.formulas[2],
    "EA = 10^4, GA = 3/7 10^4, EI = GJ = 500, A = 1, J = 0.05, 0.05, 0.1",
  },
  units = "as stated; any consistent set", groups = { "F L^2/EI = 1.6", "r/L = 0.045", "EA L^2/EI = 2000" },
  models = { "large motion in space", "shear and extension" },
  made = flying.made,
  sees = { "bending", "units", "mass" },
  cases = {
    flying.case{
      name = "pulse", shear = 3e4 / 7, moment = { 0, 40, 80 }, inertia = { 0.05, 0.05, 0.1 }, course = "pulse", time = 2.5,
      ask = flying.ends({ 2.5, 5 }, { "x", "y", "z" }),
    },
  },
}
