local flying = include("flying_rod")

local function case(name, time, shear)
  return flying.case{
    name = name, shear = shear, moment = { 0, 0, 80 }, inertia = { 10, 10, 10 }, course = name, time = time, ask = flying.ends({ 5 }, { "x", "y" }),
  }
end

return {
  title = "Flying rod in the plane",
  text = [[A straight rod of length 10 lies at rest from (0, 8) to (6, 0) and is free. At its lower end a force along x and a
moment about z act for a time: it flies, turns over and bends. The moment is 80 sin^2(pi t/2.5) up to t = 2.5 (case pulse),
or grows to 80 up to t = 2.5 and falls to 0 up to t = 5 (case hat, of Simo and Vu-Quoc 1986, whose kinks leave wave fronts).
The force is a tenth of it. Rotary inertia does not depend on the area. In case pulse, the shear stiffness is that of a round
section that keeps its size when the rod is stretched. Where are the ends?]],
  formulas = {
    flying.formulas[1], flying.formulas[2],
    "EA = 10^4, GA = 3/7 10^4 (pulse), 10^4 (hat), EI = 500, A = 1, J = 10",
  },
  units = "as stated; any consistent set", groups = { "F L^2/EI = 1.6", "J/(A L^2) = 0.1", "EA L^2/EI = 2000" },
  models = { "large motion in the plane", "shear and extension", "independent rotary inertia (frame_inertia)" },
  made = flying.made,
  published = "Simo and Vu-Quoc 1986 show the hat as a figure, by ten linear elements and steps of 0.1",
  sees = { "bending", "units", "mass" },
  cases = { case("pulse", 2.5, 3e4 / 7), case("hat", 5, 1e4) },
}
