local ask = {}
for _, t in ipairs{ 5, 10 } do
  for _, component in ipairs{ "x", "y" } do
    ask[#ask + 1] = {
      name = component .. "_" .. string.format("%g", t), what = component .. " of the tip at t = " .. string.format("%g", t), at = 1,
      component = component, time = t,
    }
  end
end

return {
  title = "Flexible spin-up: a rod that a motor turns ever faster",
  text = [[A straight rod of length 10 lies at rest along x, clamped to the shaft of a motor at the origin, which turns about z by
the angle 6/15 (t^2/2 + (15/(2 pi))^2 (cos(2 pi t/15) - 1)) up to t = 15, and then by 6 a second. The rod lags behind, and is
stiffened by its motion. Where is its tip as it lags, at t = 5, and as the shaft is fast, at t = 10?]],
  formulas = {
    "A r_tt = n_s, n = R C (R^T r_s - e_z)", "(R J R^T w)_t = m_s + r_s x n, m = R B axial(R^T R_s)",
    "EI = 1.4e4, EA = 2.8e7, GA = 1e7, A = 1.2, J = 6e-4",
  },
  units = "as stated; any consistent set", groups = { "Omega L^2 sqrt(A/EI) = 5.6" },
  models = { "large motion in the plane", "stiffening by rotation" },
  made = "finite elements with the midpoint rule, and differences on a staggered grid with the Runge-Kutta method",
  published = "Simo and Vu-Quoc 1986: the tip lags by up to 0.6, and is stretched by 5.14e-4 in the end; as a figure",
  sees = { "bending" },
  cases = {
    {
      name = "motor", elements = 4,
      rod = {
        length = 10, stiffness = { shear_u = 1e7, shear_v = 1e7, stretch = 2.8e7, bend_u = 1.4e4, bend_v = 1.4e4, twist = 1.4e4 },
        start = { frame = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 }, held = "xyzuvw" },
      },
      motion = {
        mass = 1.2, inertia = { 6e-4, 6e-4, 12e-4 }, course = "hold", pulse_time = 15, spin = { 0, 0, 6 }, steps = 40, cells = 10,
      },
      ask = ask,
    },
  },
}
