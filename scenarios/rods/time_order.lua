-- The order in time of implicit Euler and of bdf2: a bent rod that flies, spins and precesses under
-- a steady force and a torque that is not in one plane, without damping and with. All substeps
-- resolve the fastest mode of the soft rod, 80 rad/s; the equations are solved to rounding, but by xpbd, whose fixed point
-- is not the minimizer: its order is a finding.
local duration = 0.2 -- s
local spin = { 3, -4, 6 } -- rad/s, about no principal axis

local function curve(t) return 0.3 * math.cos(4 * t), 0.3 * math.sin(4 * t), 0.5 * t end

local function build(p)
  local s = vb.scene{ step = duration, steps = 1, gravity = { 0, 0, -9.81 }, damping = p.damping }
  local rod = s:rod{
    name = "rod", nodes = 9, radius = 0.05, density = 1000,
    curve = curve,
    material = { kx = 400, ky = 500, kz = 600, kv = 3000, kbx = 0.4, kby = 0.5 },
    velocity = function(t)
      local x, y, z = curve(t)
      return spin[2] * z - spin[3] * y, spin[3] * x - spin[1] * z, spin[1] * y - spin[2] * x
    end,
    angular_velocity = spin,
  }
  s:load{ name = "push", node = rod.last, force = { 0.1, -0.2, 0.1 } }
  s:load{ name = "twist", segment = rod.first_segment + 3, torque = { 0.005, 0.008, -0.006 } }
  s:record{ every = 1, frames = 2 }
  return s
end

local cases = {
  { name = "free", damping = 0 },
  { name = "damped", damping = 5 },
}
local lines = {
  { name = "euler", integrator = "euler", method = "direct", iterations = 6, order = 1 },
  { name = "bdf2", integrator = "bdf2", method = "direct", iterations = 6, order = 2 },
  { name = "bdf2-descent", integrator = "bdf2", method = "block-descent", iterations = 100, order = 2 },
  { name = "bdf2-xpbd", integrator = "bdf2", method = "xpbd", iterations = 40, order = 2 },
}
local function sizes(tier)
  return tier == "full" and { 250, 500, 1000, 2000, 4000, 8000 } or { 500, 1000, 2000 }
end

local function name_of(case, line, n) return string.format("%s.%s.%d", case.name, line.name, n) end

local function runs(_, tier)
  local list = {}
  for _, case in ipairs(cases) do
    for _, line in ipairs(lines) do
      for _, n in ipairs(sizes(tier)) do
        list[#list + 1] = {
          name = name_of(case, line, n), label = name_of(case, line, n), method = line.method,
          integrator = line.integrator, iterations = line.iterations, substeps = n, tolerance = 0,
          parameters = { damping = case.damping },
        }
      end
    end
  end
  return list
end

local function gates(_, tier)
  local list = {}
  for _, case in ipairs(cases) do
    for _, line in ipairs(lines) do
      local names = {}
      for i, n in ipairs(sizes(tier)) do names[i] = name_of(case, line, n) end
      for _, axis in ipairs{ "x", "y", "z" } do
        list[#list + 1] = {
          name = string.format("order of %s, %s: %s of the tip", line.name, case.name, axis),
          runs = names, sizes = sizes(tier), combine = "order", quantity = "frames/position",
          node = 8, component = axis, measure = "final", near = line.order,
          tolerance = line.order == 1 and 0.25 or 0.1, absolute = true, finding = line.method == "xpbd",
          reason = line.order == 1
              and "implicit Euler is of first order; a second-order part of its larger errors is left"
            or "bdf2 is of second order; by differences of successive substeps, whose next order "
              .. "shows below a tenth",
        }
      end
    end
  end
  return list
end

return {
  title = "Order in time of implicit Euler and bdf2",
  parameters = { damping = 0 },
  ranges = { damping = { least = 0 } },
  build = build,
  runs = runs,
  gates = gates,
  gold = { runs = { "free.euler.500", "free.bdf2.500", "damped.bdf2-descent.500" } },
  figure = "time_order",
}
