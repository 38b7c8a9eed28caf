-- The order in time of implicit Euler and bdf2: a bent rod that flies, spins and precesses under a
-- constant force and a torque out of plane, with and without damping. All substeps resolve the
-- fastest mode of the soft rod, 80 rad/s. Equations are solved to rounding, except by xpbd, whose
-- fixed point is not the minimizer: its order is a finding.
local duration, gravity = 0.2, 9.81 -- s, m/s^2
local spin = { 3, -4, 6 } -- rad/s, about no principal axis
local push = { 0.1, -0.2, 0.1 } -- N, at the tip
local segments, radius, density = 8, 0.05, 1000

local function curve(t) return 0.3 * math.cos(4 * t), 0.3 * math.sin(4 * t), 0.5 * t end

local function velocity(x, y, z)
  return spin[2] * z - spin[3] * y, spin[3] * x - spin[1] * z, spin[1] * y - spin[2] * x
end

--- Mass of the rod [kg], the height of its center of mass at first [m], and its momentum then [kg m/s].
local function body()
  local mass, height, momentum = 0, 0, { 0, 0, 0 }
  local function add(part, x, y, z)
    mass, height = mass + part, height + part * z
    for c, v in ipairs{ velocity(x, y, z) } do momentum[c] = momentum[c] + part * v end
  end
  for j = 1, segments do
    local a, b = { curve((j - 1) / segments) }, { curve(j / segments) }
    local length = math.sqrt((b[1] - a[1]) ^ 2 + (b[2] - a[2]) ^ 2 + (b[3] - a[3]) ^ 2)
    local half = density * math.pi * radius ^ 2 * length / 2
    add(half, table.unpack(a))
    add(half, table.unpack(b))
  end
  return mass, height / mass, momentum
end

local function build(p)
  local s = vb.scene{ step = duration, steps = 1, gravity = { 0, 0, -gravity }, damping = p.damping }
  local rod = s:rod{
    name = "rod", nodes = segments + 1, radius = radius, density = density,
    curve = curve,
    material = { kx = 400, ky = 500, kz = 600, kv = 3000, kbx = 0.4, kby = 0.5 },
    velocity = function(t) return velocity(curve(t)) end,
    angular_velocity = spin,
  }
  s:load{ name = "push", node = rod.last, force = push }
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

--- Gates of the center of mass, which gravity and the push alone move, however the rod bends and turns.
local function center_gates(list, tier)
  local mass, height, momentum = body()
  local function add(case, line, n, gate)
    gate.run = name_of(case, line, n)
    list[#list + 1] = gate
  end
  for _, line in ipairs(lines) do
    for c, axis in ipairs{ "x", "y", "z" } do
      local force = push[c] - (axis == "z" and mass * gravity or 0)
      add(cases[1], line, sizes(tier)[1], {
        name = "momentum along " .. axis, quantity = "momentum", component = axis, near = momentum[c] + force * duration,
        tolerance = 1e-9 * mass, absolute = true,
        reason = "exact for steady forces in every scheme; rounding of stiff forces over some thousand substeps",
      })
    end
  end
  for _, n in ipairs(sizes(tier)) do
    local h, a, damped = duration / n, push[3] / mass - gravity, momentum[3]
    for _ = 1, n do damped = (damped + h * mass * a) / (1 + cases[2].damping * h) end
    add(cases[2], lines[1], n, {
      name = "momentum along z", quantity = "momentum", component = "z", near = damped, tolerance = 1e-9 * mass, absolute = true,
      reason = "a substep adds the forces and then divides by 1 + damping h; rounding, likewise",
    })
    local now = height + momentum[3] / mass * duration + a * h * h * n * (n + 1) / 2
    add(cases[1], lines[1], n, {
      name = "height of the center of mass", quantity = "energy/gravity", near = mass * gravity * now, tolerance = 1e-8,
      reason = "implicit Euler's own fall; rounding of places, 1e-16 m, adds up to n^1.5 of it, 7e-11 m of some 0.1 m after 8000 substeps",
    })
  end
end

local function gates(_, tier)
  local list = {}
  center_gates(list, tier)
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
  planted = { must = { "slow-time", "double-damping" } },
}
