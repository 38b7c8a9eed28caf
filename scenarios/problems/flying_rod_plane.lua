-- The lower end, which is pushed, is the finish.
local function case(name, course, time, shear, at)
  local ask = {}
  for _, t in ipairs(at) do
    for _, end_ in ipairs{ { 0, "upper" }, { 1, "lower" } } do
      for _, component in ipairs{ "x", "y" } do
        ask[#ask + 1] = {
          name = end_[2] .. "_" .. component .. "_" .. string.format("%g", t),
          what = component .. " of the " .. end_[2] .. " end at t = " .. string.format("%g", t), at = end_[1], component = component, time = t,
        }
      end
    end
  end
  return {
    name = name, elements = 8,
    rod = {
      length = 10, stiffness = { shear_u = shear, shear_v = shear, stretch = 1e4, bend_u = 500, bend_v = 500, twist = 500 },
      -- The frame turns e_z to (0.6, -0.8, 0) about (0.8, 0.6, 0).
      start = { position = { 0, 8, 0 }, frame = { math.sqrt(0.5), 0.8 * math.sqrt(0.5), 0.6 * math.sqrt(0.5), 0 } },
      force = { 8, 0, 0 }, moment = { 0, 0, 80 },
    },
    motion = { mass = 1, inertia = { 10, 10, 10 }, course = course, pulse_time = time, steps = 80, cells = 80 },
    ask = ask,
  }
end

return {
  title = "Flying rod in the plane",
  text = [[A straight rod of length 10 lies at rest from (0, 8) to (6, 0) and is free. At its lower end a force along x and a
moment about z act for a time: it flies, turns over and bends. The moment is 80 sin^2(pi t/2.5) up to t = 2.5 (case pulse),
or grows to 80 up to t = 2.5 and falls to 0 up to t = 5 (case hat, of Simo and Vu-Quoc 1986, whose kinks leave wave fronts).
The force is a tenth of it. Rotary inertia does not depend on the area. The pulse's rod resists shear as a round section does
that does not change across as it is stretched. Where are the ends?]],
  formulas = {
    "A r_tt = n_s, n = R C (R^T r_s - e_z)", "(R J R^T w)_t = m_s + r_s x n, m = R B axial(R^T R_s)",
    "EA = 10^4, GA = 3/7 10^4 (pulse), 10^4 (hat), EI = 500, A = 1, J = 10",
  },
  units = "as stated; any consistent set", groups = { "F L^2/EI = 1.6", "J/(A L^2) = 0.1", "EA L^2/EI = 2000" },
  models = { "large motion in the plane", "shear and extension", "rotary inertia by itself, frame_inertia" },
  made = "finite elements with the midpoint rule, and differences on a staggered grid with the Runge-Kutta method",
  published = "Simo and Vu-Quoc 1986 show the hat as a figure, by ten linear elements and steps of 0.1",
  sees = { "bending", "units", "mass" },
  cases = { case("pulse", "pulse", 2.5, 3e4 / 7, { 5 }), case("hat", "hat", 5, 1e4, { 5 }) },
}
