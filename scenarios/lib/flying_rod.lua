-- The flying rods of Simo and Vu-Quoc: a straight, free rod of length 10 from (0, 8, 0) to (6, 0,
-- 0), pushed and turned at its lower end, which is the finish.
local flying = {}

--- Where both ends are at some times: `components` of each.
function flying.ends(times, components)
  local ask = {}
  for _, t in ipairs(times) do
    for _, place in ipairs{ { 0, "upper" }, { 1, "lower" } } do
      for _, component in ipairs(components) do
        ask[#ask + 1] = {
          name = place[2] .. "_" .. component .. "_" .. string.format("%g", t),
          what = component .. " of the " .. place[2] .. " end at t = " .. string.format("%g", t), at = place[1], component = component, time = t,
        }
      end
    end
  end
  return ask
end

--- A case with `name`, `ask`, `shear` (stiffness), maximum `moment`, `inertia` per length, and the `course` of the loads over
--- `time`. The force along x is a tenth of the moment about z.
function flying.case(of)
  return {
    name = of.name, elements = 8,
    rod = {
      length = 10, stiffness = { shear_u = of.shear, shear_v = of.shear, stretch = 1e4, bend_u = 500, bend_v = 500, twist = 500 },
      -- The frame turns e_z to (0.6, -0.8, 0) about (0.8, 0.6, 0).
      start = { position = { 0, 8, 0 }, frame = { math.sqrt(0.5), 0.8 * math.sqrt(0.5), 0.6 * math.sqrt(0.5), 0 } },
      force = { of.moment[3] / 10, 0, 0 }, moment = of.moment,
    },
    motion = { mass = 1, inertia = of.inertia, course = of.course, pulse_time = of.time, steps = 80, cells = 80 },
    ask = of.ask,
  }
end

flying.formulas = { "A r_tt = n_s, n = R C (R^T r_s - e_z)", "(R J R^T w)_t = m_s + r_s x n, m = R B axial(R^T R_s)" }
flying.made = "finite elements with the midpoint rule, and differences on a staggered grid with the Runge-Kutta method"

return flying
