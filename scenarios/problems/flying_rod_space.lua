local flying = include("flying_rod")

return {
  title = "Flying rod in space",
  text = [[A straight rod of length 10 lies at rest from (0, 8, 0) to (6, 0, 0) and is free. At its lower end a force along x
and moments about y and z act for a time: it flies, turns over, bends and twists. The moment about z is 80 sin^2(pi t/2.5)
up to t = 2.5 (case pulse), or grows to 200 up to t = 2.5 and falls to 0 up to t = 5 (case hat, of Simo and Vu-Quoc 1988,
whose kinks leave wave fronts). The moment about y is half of it, the force a tenth. Rotary inertia does not depend on the
area. In case pulse, the shear stiffness is that of a round section that keeps its size when the rod is stretched. Where are
the ends?]],
  formulas = {
    flying.formulas[1], flying.formulas[2],
    "EA = 10^4, GA = 3/7 10^4 (pulse), 10^4 (hat), EI = GJ = 500, A = 1, J = 10",
  },
  units = "as stated; any consistent set", groups = { "F L^2/EI = 1.6, 4", "J/(A L^2) = 0.1", "EA L^2/EI = 2000" },
  models = { "large motion in space", "shear and extension", "independent rotary inertia (frame_inertia)" },
  made = flying.made,
  published = "Simo and Vu-Quoc 1988 show the hat as figures",
  sees = { "bending", "twist", "units", "mass" },
  cases = {
    flying.case{
      name = "pulse", shear = 3e4 / 7, moment = { 0, 40, 80 }, inertia = { 10, 10, 10 }, course = "pulse", time = 2.5,
      ask = flying.ends({ 2.5, 5 }, { "x", "y", "z" }),
    },
    flying.case{
      name = "hat", shear = 1e4, moment = { 0, 100, 200 }, inertia = { 10, 10, 10 }, course = "hat", time = 5,
      ask = flying.ends({ 2.5, 5 }, { "x", "y", "z" }),
    },
  },
}
