-- A free top with three different moments of inertia against Euler's solution by elliptic
-- functions: a stiff wing of two flat pieces at an angle. With the option gyroscope, bdf2 is of
-- second order and implicit Euler of first. Without it, frames keep their angular velocities, and
-- at any step the wing turns about the wrong axis.
local euler_top = include("euler_top")

local length, radius, density, slope = 0.005, 0.1, 1000, math.pi / 6 -- m, m, kg/m^3, rad
local rate = { 0.5, 1.5 } -- rad/s, about the axes of the least and of the greatest moment; 1.58 in all
local duration = 2

--- Moments about the wing's y, z and x [kg m^2], which rise: of the nodes and of the two pieces' frames.
local function moments()
  local mass = density * math.pi * radius ^ 2 * length
  local disc = mass * radius ^ 2 / 4
  local x, z = mass * (length * math.cos(slope)) ^ 2, mass * (length * math.sin(slope)) ^ 2 / 2
  return { x + z + 2 * disc, x + 2 * disc * (1 + math.sin(slope) ^ 2), z + 2 * disc * (1 + math.cos(slope) ^ 2) }
end

--- The wing's point (x, z) in space `t` after it was let go.
local function place(x, z, t)
  local axes, out = euler_top.axes(moments(), rate, t), {}
  for k = 1, 3 do out[k] = x * axes[3][k] + z * axes[2][k] end
  return out
end

local function build()
  local s = vb.scene{ step = duration, steps = 1 }
  local axes, spin = euler_top.axes(moments(), rate, 0), {}
  for k = 1, 3 do spin[k] = rate[1] * axes[1][k] + rate[2] * axes[3][k] end
  local function curve(t)
    local side, high = (2 * t - 1) * length * math.cos(slope), (1 - 2 * math.abs(2 * t - 1)) * length * math.sin(slope) / 2
    local p = place(side, high, 0)
    return p[1], p[2], p[3]
  end
  s:rod{
    name = "wing", nodes = 3, radius = radius, density = density, curve = curve,
    -- So stiff that it is rigid: centrifugal strains are about 1e-9.
    material = { kx = 1e9, ky = 1e9, kz = 1e9, kv = 1e9 },
    velocity = function(t)
      local x, y, z = curve(t)
      return spin[2] * z - spin[3] * y, spin[3] * x - spin[1] * z, spin[1] * y - spin[2] * x
    end,
    angular_velocity = spin,
  }
  s:solver{ method = "direct", iterations = 4, tolerance = 0 }
  s:record{ every = 1, frames = 2 }
  return s
end

local lines = {
  { name = "bdf2", order = 2, sizes = { 1000, 2000, 4000 } },
  { name = "euler", order = 1, sizes = { 1000, 2000, 4000 } },
}

local function runs()
  local list = {}
  for _, line in ipairs(lines) do
    for _, n in ipairs(line.sizes) do
      list[#list + 1] = {
        name = line.name .. "." .. n, label = line.name .. ", " .. n .. " steps", integrator = line.name, substeps = n,
        gyroscope = "on",
      }
    end
  end
  list[#list + 1] = { name = "published", label = "without gyroscope", integrator = "bdf2", substeps = 2000, gyroscope = "off" }
  return list
end

local function gates()
  local list = {}
  local tip = { length * math.cos(slope), -length * math.sin(slope) / 2 }
  local arm = math.sqrt(tip[1] ^ 2 + tip[2] ^ 2)
  local right = place(tip[1], tip[2], duration)
  for c, axis in ipairs{ "x", "y", "z" } do
    for _, case in ipairs{ { "bdf2.2000", 1e-6, "1 ms" }, { "bdf2.4000", 2.5e-7, "0.5 ms" }, { "euler.4000", 4e-4, "0.5 ms" } } do
      list[#list + 1] = {
        run = case[1], name = "tip, " .. axis, quantity = "frames/position", node = 2, component = axis, measure = "final",
        near = right[c], tolerance = case[2] * arm, absolute = true,
        reason = string.format("Euler's solution; at steps of %s its phase is good to %g rad", case[3], case[2]),
      }
    end
    for _, line in ipairs(lines) do
      local names = {}
      for i, n in ipairs(line.sizes) do names[i] = line.name .. "." .. n end
      list[#list + 1] = {
        name = "order of " .. line.name .. ", " .. axis, runs = names, sizes = line.sizes, combine = "order",
        quantity = "frames/position", node = 2, component = axis, measure = "final", near = line.order, tolerance = 0.05,
        absolute = true, reason = "by differences of three resolutions; the next order is a hundredth of them",
      }
    end
  end
  local moment = moments()
  local energy = 0.5 * (moment[1] * rate[1] ^ 2 + moment[3] * rate[2] ^ 2)
  list[#list + 1] = {
    run = "bdf2.4000", name = "energy", quantity = "energy/kinetic", measure = "final", near = energy, tolerance = 1e-6,
    reason = "kept by a free body; bdf2 leaves (omega h)^2, 6e-7",
  }
  return list
end

return {
  title = "A free top, by elliptic functions",
  keywords = { "quick" },
  build = build,
  runs = runs,
  gates = gates,
  figure = "free_top",
  gold = { runs = { "bdf2.1000", "euler.1000", "published" } },
}
