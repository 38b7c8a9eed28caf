-- The lower end, which is pushed, is the finish.
local ask = {}
for _, t in ipairs{ 2.5, 5 } do
  for _, place in ipairs{ { 0, "upper" }, { 1, "lower" } } do
    for _, component in ipairs{ "x", "y", "z" } do
      ask[#ask + 1] = {
        name = place[2] .. "_" .. component .. "_" .. string.format("%g", t),
        what = component .. " of the " .. place[2] .. " end at t = " .. string.format("%g", t), at = place[1], component = component, time = t,
      }
    end
  end
end

return {
  title = "Flying round rod",
  text = [[A straight rod of length 10 lies at rest from (0, 8, 0) to (6, 0, 0) and is free. At its lower end a force along x
and moments about y and z act for a time: it flies, turns over, bends and twists. The moment about z is 80 sin^2(pi t/2.5)
up to t = 2.5, that about y half of it, the force a tenth. Inertia, shear and stretch are those of a round section that does not change across. Where are the ends?]],
  formulas = {
    "A r_tt = n_s, n = R C (R^T r_s - e_z)", "(R J R^T w)_t = m_s + r_s x n, m = R B axial(R^T R_s)",
    "EA = 10^4, GA = 3/7 10^4, EI = GJ = 500, A = 1, J = 0.05, 0.05, 0.1",
  },
  units = "as stated; any consistent set", groups = { "F L^2/EI = 1.6", "r/L = 0.045", "EA L^2/EI = 2000" },
  models = { "large motion in space", "shear and extension" },
  made = "finite elements with the midpoint rule, and differences on a staggered grid with the Runge-Kutta method",
  sees = { "bending", "units", "mass" },
  cases = {
    {
      name = "pulse", elements = 8,
      rod = {
        length = 10, stiffness = { shear_u = 3e4 / 7, shear_v = 3e4 / 7, stretch = 1e4, bend_u = 500, bend_v = 500, twist = 500 },
        -- The frame turns e_z to (0.6, -0.8, 0) about (0.8, 0.6, 0).
        start = { position = { 0, 8, 0 }, frame = { math.sqrt(0.5), 0.8 * math.sqrt(0.5), 0.6 * math.sqrt(0.5), 0 } },
        force = { 8, 0, 0 }, moment = { 0, 40, 80 },
      },
      motion = { mass = 1, inertia = { 0.05, 0.05, 0.1 }, course = "pulse", pulse_time = 2.5, steps = 80, cells = 80 },
      ask = ask,
    },
  },
}
