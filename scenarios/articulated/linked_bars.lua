-- Rigid bars on joints: a double pendulum and a tumbling box, compared with the motion integrated
-- by the reference multibody; a hundred skeletons of twenty bones each.
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

--- Trees of twenty bones, two on each but the last, in which every third joint is a hinge; each bone spins by itself.
local function skeleton(s, k)
  local bars = {}
  for j = 1, 20 do
    local parent = j // 2
    local spin = { 0, 2 * math.sin(j * k), 2 * math.cos(j + k) }
    bars[j] = s:bone{
      name = string.format("bone %d of %d", j, k), mass = 1, inertia = { 0.002, 0.084, 0.084, 0, 0, 0 }, center = { j - 0.5, k, 0 },
      angular_velocity = spin,
    }
    if j > 1 then
      local hinge = j % 3 == 0
      s:link{
        name = string.format("joint %d of %d", j - 1, k), kind = hinge and "hinge" or "ball", axis = hinge and { 0, 1, 0 } or nil,
        bones = { bars[j], bars[parent] }, at = { j - 1, k, 0 },
      }
    end
  end
end

--- A hundred of them: links alone couple bones, and only within each.
local function crowd(s)
  for k = 1, 100 do skeleton(s, k) end
  s:gate{ name = "iterations of a crowd", quantity = "joint_iterations", measure = "maximum", at_most = 10, reason = "quadratic convergence, in each skeleton" }
  s:gate{
    name = "the objective never rises, of a crowd", quantity = "objective_rise", measure = "maximum", at_most = 1e-9,
    reason = "of some 1e5 J: the projection is the minimum, and joints hold at the end of each step",
  }
  s:gate{
    name = "a crowd keeps its momentum", quantity = "momentum", component = "x", measure = "drift", at_most = 1e-8,
    reason = "nothing acts from outside: rounding of 2000 kg that move by some m/s",
  }
end

local function build(p)
  local s = vb.scene{ step = p.h, duration = p.duration, gravity = { 0, 0, p.kind == "pendulum" and -G or 0 } }
  if p.kind == "pendulum" then pendulum(s) end
  if p.kind == "tumble" then tumble(s) end
  if p.kind == "crowd" then crowd(s) end
  s:record{ every = 1, frames = 1, fields = { "bone_position", "bone_frame" } }
  s:solver{ solver = p.judged and "multibody" or "articulated" }
  return s
end

local SIZES = { quick = { 0.008, 0.004, 0.002, 0.001 }, full = { 0.008, 0.004, 0.002, 0.001, 0.0005 } }
local KINDS = { { name = "pendulum", duration = 0.8 }, { name = "tumble", duration = 0.4 } }
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
  list[#list + 1] = { name = "crowd", label = "a hundred skeletons", parameters = { kind = "crowd", h = 1 / 30, duration = 10 / 30 } }
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
  return list
end

return {
  title = "Linked bars: order toward the integrated motion; a crowd of skeletons",
  parameters = { kind = "pendulum", h = 0.008, duration = 0.8, judged = false },
  build = build,
  runs = runs,
  gates = gates,
  gold = { runs = { "pendulum.h0.008", "tumble.h0.008", "pendulum.exact" }, steps = 10, frames = 10 },
  figure = "linked_bars",
}
