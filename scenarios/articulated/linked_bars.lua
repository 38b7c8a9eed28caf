-- Rigid bars on joints: a double pendulum and a bar that tumbles, beside the motion that the reference multibody integrates; a
-- free chain of nine bars, and the iterations that its joints take (Li, Liu, Kavan 2019, fig. 8).
local forms = include("rigid_forms")

local G = 9.81

--- A bar of 1 kg/m along x from (x, 0, 0); `spin` in world axes, and `velocity` of its center.
local function bar(s, name, x, length, spin, velocity)
  local xx, yy, zz = forms.box(length, length, 0.1 * length, 0.1 * length)
  return s:bone{
    name = name, mass = length, inertia = { xx, yy, zz, 0, 0, 0 }, center = { x + length / 2, 0, 0 },
    angular_velocity = spin, velocity = velocity,
  }
end

--- The upper bar turns at (0, 1, 2) rad/s on a ball; the lower one is carried along, on a universal joint.
local function pendulum(s)
  local w = { 0, 1, 2 }
  local function velocity(x) return { 0, w[3] * x, -w[2] * x } end
  local upper = bar(s, "upper", 0, 1, w, velocity(0.5))
  local lower = bar(s, "lower", 1, 1, w, velocity(1.5))
  s:link{ name = "shoulder", kind = "ball", bones = { upper }, at = { 0, 0, 0 } }
  s:link{ name = "elbow", kind = "universal", bones = { lower, upper }, at = { 1, 0, 0 }, axes = { { 0, 1, 0 }, { 0, 0, 1 } } }
end

--- A free box that spins about its middle axis, a little off.
local function tumble(s)
  local xx, yy, zz = forms.box(1, 1, 0.6, 0.2)
  s:bone{ name = "box", mass = 1, inertia = { xx, yy, zz, 0, 0, 0 }, center = { 0, 0, 0 }, angular_velocity = { 0.3, 6, 0.1 } }
end

--- A ring of six bars in a plane, each of which spins by itself: a closed loop of balls, torn apart in velocity.
local function ring(s)
  local bars, n = {}, 6
  local function corner(k) return math.cos(2 * math.pi * k / n), math.sin(2 * math.pi * k / n) end
  for k = 1, n do
    local x, y = corner(k - 1)
    local u, v = corner(k)
    local across, wide = forms.box(1, 1, 0.1, 0.1)
    -- The bar's axis is in the plane: its inertia is turned about z.
    local c, d = u - x, v - y -- of length 1
    bars[k] = s:bone{
      name = "bar " .. k, mass = 1, center = { (x + u) / 2, (y + v) / 2, 0 },
      inertia = { across * c * c + wide * d * d, across * d * d + wide * c * c, wide, 0, 0, (across - wide) * c * d },
      angular_velocity = { 3 * math.cos(k), 3 * math.sin(2 * k), math.cos(3 * k) },
    }
  end
  for k = 1, n do
    local x, y = corner(k)
    s:link{ name = "joint " .. k, kind = "ball", bones = { bars[k % n + 1], bars[k] }, at = { x, y, 0 } }
  end
end

--- Nine bars in the air, each of which spins by itself; joints begin torn apart in velocity.
local function chain(s, judged)
  local bars = {}
  for k = 1, 9 do
    local spin = {}
    for c = 1, 3 do -- normal deviates of 6 rad/s
      spin[c] = 6 * math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
    end
    bars[k] = bar(s, "bar " .. k, k - 1, 1, spin)
    if k > 1 then s:link{ name = "joint " .. k - 1, kind = "ball", bones = { bars[k], bars[k - 1] }, at = { k - 1, 0, 0 } } end
  end
  for k = 0, judged and 7 or -1 do
    s:gate{
      name = "joint " .. k + 1 .. " holds", quantity = "frames/joint_error", link = k, measure = "maximum", at_most = 9e-12,
      reason = "1e-12 of the chain's length; the tolerance is 1e-13",
    }
  end
end

local function build(p)
  local s = vb.scene{ step = p.h, duration = p.duration, gravity = { 0, 0, p.kind == "pendulum" and -G or 0 } }
  local fields = { "bone_position", "bone_frame" }
  if p.kind == "pendulum" then pendulum(s) end
  if p.kind == "tumble" then tumble(s) end
  if p.kind == "ring" then ring(s) end
  if p.kind == "chain" then
    chain(s, p.newton)
    fields[3] = "joint_error"
  end
  s:record{ every = 1, frames = 1, fields = fields }
  s:solver{ solver = p.judged and "multibody" or "articulated" }
  return s
end

local SIZES = { quick = { 0.008, 0.004, 0.002, 0.001 }, full = { 0.008, 0.004, 0.002, 0.001, 0.0005 } }
local KINDS = { { name = "pendulum", duration = 0.8 }, { name = "tumble", duration = 0.4 } }
local CHAINS = { 1 / 30, 0.01, 0.001 }

local function chain_name(inner, h) return string.format("chain.%s.h%.3g", inner, h) end

local function runs(_, tier)
  local list = {}
  for _, kind in ipairs(KINDS) do
    for _, h in ipairs(SIZES[tier]) do
      list[#list + 1] = {
        name = string.format("%s.h%g", kind.name, h), label = string.format("h = %g s", h),
        parameters = { kind = kind.name, h = h, duration = kind.duration },
      }
    end
    list[#list + 1] = {
      name = kind.name .. ".exact", label = "integrated", solver = "multibody",
      parameters = { kind = kind.name, h = 0.008, duration = kind.duration, judged = true },
    }
  end
  for _, inner in ipairs{ "newton", "gauss_newton" } do
    for _, h in ipairs(CHAINS) do
      list[#list + 1] = {
        name = chain_name(inner, h), label = string.format("%s, h = %.3g s", inner, h), inner = inner,
        parameters = { kind = "chain", h = h, duration = 20 * h, newton = inner == "newton" },
      }
    end
  end
  for _, h in ipairs(CHAINS) do
    list[#list + 1] = {
      name = string.format("ring.h%.3g", h), label = string.format("ring, h = %.3g s", h), parameters = { kind = "ring", h = h, duration = 20 * h },
    }
  end
  return list
end

local function gates(_, tier)
  local list = {}
  for _, kind in ipairs(KINDS) do
    local names, sizes = {}, {}
    for k, h in ipairs(SIZES[tier]) do
      names[k], sizes[k] = string.format("%s.h%g", kind.name, h), 1 / h
    end
    list[#list + 1] = {
      name = "order in the step, " .. kind.name, runs = names, sizes = sizes, combine = "order",
      quantity = kind.name == "tumble" and "frames/bone_frame" or "frames/bone_position",
      bone = kind.name == "tumble" and 0 or 1, component = kind.name == "tumble" and 3 or 1, near = 1, tolerance = 0.15,
      absolute = true, reason = "backward Euler is of first order; what is of second order at the coarsest steps",
    }
  end
  for _, h in ipairs(CHAINS) do
    list[#list + 1] = {
      name = string.format("iterations, h = %.3g s", h), run = chain_name("newton", h), quantity = "joint_iterations",
      measure = "maximum", at_most = 8, reason = "quadratic convergence: each doubles the digits",
    }
  end
  for _, h in ipairs(CHAINS) do -- fig. 8: the joints' error after so many inner iterations
    for _, run in ipairs{ chain_name("newton", h), string.format("ring.h%.3g", h) } do
      list[#list + 1] = {
        name = "joint error after eight iterations, " .. run, run = run, quantity = "joint_gaps", component = 8, measure = "maximum", at_most = 9e-12,
        reason = "1e-12 of the chain's length; the tolerance is 1e-13",
      }
      list[#list + 1] = {
        name = "joint error after one iteration, " .. run, run = run, quantity = "joint_gaps", component = 1, measure = "maximum", at_least = 1e-10,
        reason = "joints are torn apart in each step: an error of nothing would be that of nothing recorded",
      }
    end
  end
  list[#list + 1] = {
    name = "the lower bar after a step", run = "pendulum.exact", quantity = "frames/bone_position", bone = 1, component = "y", measure = "value",
    at = 0.008, near = 1.5 * 2 * 0.008, tolerance = 1e-3,
    reason = "its velocity of 1.5 m times 2 rad/s; the angle's square is 3e-4, of which a path bends by a sixth",
  }
  local xx, yy, zz = forms.box(1, 1, 0.6, 0.2)
  list[#list + 1] = {
    name = "energy of a free box", run = "tumble.exact", quantity = "energy/kinetic", measure = "final",
    near = 0.5 * (xx * 0.3 ^ 2 + yy * 6 ^ 2 + zz * 0.1 ^ 2), tolerance = 1e-9, reason = "kept; the tolerance of the integration",
  }
  list[#list + 1] = {
    name = "iterations as published", run = chain_name("gauss_newton", 1 / 30), quantity = "joint_iterations", measure = "maximum",
    at_most = 10, finding = true, reason = "the paper's under 10; without curvature convergence is linear",
  }
  return list
end

return {
  title = "Linked bars: order toward the integrated motion, iterations of a chain's joints",
  parameters = { kind = "pendulum", h = 0.008, duration = 0.8, judged = false, newton = true },
  build = build,
  runs = runs,
  gates = gates,
  gold = { runs = { "pendulum.h0.008", "tumble.h0.008", "pendulum.exact", "chain.newton.h0.0333" }, steps = 10, frames = 10 },
  figure = "linked_bars",
}
