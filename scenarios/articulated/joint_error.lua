-- Joint error over inner iterations (Li, Liu, Kavan 2019, fig. 8): a free chain of nine bars, a
-- closed ring of six, and a figure of flesh with nine bones on eight joints in a washing machine,
-- at three steps, with and without the curvature of rotations and joints.
local acrobat, forms = include("acrobat"), include("rigid_forms")

local STEPS = { 1 / 30, 0.01, 0.001 }
local LENGTH = { chain = 9, ring = 6, machine = 2 } -- of what is linked, m
local JOINTS = { chain = 8, ring = 6, machine = 8 }

--- A bar of 1 kg/m along x from (x, 0, 0), with its own spin.
local function bar(s, name, x, spin)
  local xx, yy, zz = forms.box(1, 1, 0.1, 0.1)
  return s:bone{ name = name, mass = 1, inertia = { xx, yy, zz, 0, 0, 0 }, center = { x + 0.5, 0, 0 }, angular_velocity = spin }
end

--- A ring of six bars in a plane, each with its own spin: a closed loop of ball joints with incompatible velocities.
local function ring(s)
  local bars, n, energy = {}, 6, 0 -- energy: of the spins, J
  local function corner(k) return math.cos(2 * math.pi * k / n), math.sin(2 * math.pi * k / n) end
  for k = 1, n do
    local x, y = corner(k - 1)
    local u, v = corner(k)
    local across, wide = forms.box(1, 1, 0.1, 0.1)
    -- The bar's axis is in the plane: its inertia is turned about z.
    local c, d = u - x, v - y -- of length 1
    local spin = { 3 * math.cos(k), 3 * math.sin(2 * k), math.cos(3 * k) }
    bars[k] = s:bone{
      name = "bar " .. k, mass = 1, center = { (x + u) / 2, (y + v) / 2, 0 },
      inertia = { across * c * c + wide * d * d, across * d * d + wide * c * c, wide, 0, 0, (across - wide) * c * d },
      angular_velocity = spin,
    }
    local along = spin[1] * c + spin[2] * d
    energy = energy + 0.5 * (across * along ^ 2 + wide * (spin[1] ^ 2 + spin[2] ^ 2 + spin[3] ^ 2 - along ^ 2))
  end
  s:gate{
    name = "energy of the spins", quantity = "energy/kinetic", measure = "first", near = energy, tolerance = 1e-12,
    reason = "moments of inertia along and across each bar: rounding",
  }
  for k = 1, n do
    local x, y = corner(k)
    s:link{ name = "joint " .. k, kind = "ball", bones = { bars[k % n + 1], bars[k] }, at = { x, y, 0 } }
  end
end

--- Nine bars in the air, each with its own spin; the initial velocities are incompatible with the joints.
local function chain(s)
  local bars = {}
  for k = 1, 9 do
    local spin = {}
    for c = 1, 3 do -- normal deviates of 6 rad/s
      spin[c] = 6 * math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
    end
    bars[k] = bar(s, "bar " .. k, k - 1, spin)
    if k > 1 then s:link{ name = "joint " .. k - 1, kind = "ball", bones = { bars[k], bars[k - 1] }, at = { k - 1, 0, 0 } } end
  end
end

--- The figure lies on its back across a drum that turns about y, 0.1 mm above it at hands and soles, and is carried along by friction.
local function machine(s, fine)
  acrobat.add(s, { E = 3e4, nu = 0.3, fine = fine, loose = true })
  local axis = { 1, 0, 0.6 }
  local radius = math.sqrt(axis[1] ^ 2 + (axis[3] + 0.075) ^ 2) + 1e-4
  local drum = s:driver{ name = "drum", origin = axis, axis = { 0, 1, 0 }, angle = { { 0, 0 }, { 10, 60 } } }
  s:collider{
    cylinder = { axis, { axis[1], 1, axis[3] } }, radius = radius, inside = true, friction = 0.6, driver = drum, name = "drum",
  }
end

local function build(p)
  local s = vb.scene{ step = p.h, steps = p.steps, gravity = { 0, 0, p.kind == "machine" and -9.81 or 0 } }
  if p.kind == "chain" then chain(s) end
  if p.kind == "ring" then ring(s) end
  if p.kind == "machine" then machine(s, p.fine) end
  s:record{ every = 1, frames = 1, fields = { "bone_position", "bone_frame", "joint_error" } }
  s:solver{ solver = "articulated", iterations = 20 }
  return s
end

local KINDS = { "chain", "ring", "machine" }
local INNER = { "newton", "gauss_newton" }

--- Number of steps of a run: at its end the limbs in the machine are in motion at any step length. Long steps have several
--- iterations of contact with the drum, each with a projection.
local function count(kind, h) return kind == "machine" and (h > 0.02 and 5 or h > 0.005 and 12 or 60) or 20 end

local function name_of(kind, inner, h) return string.format("%s.%s.h%.3g", kind, inner, h) end

local function runs(_, tier)
  local list = {}
  for _, kind in ipairs(KINDS) do
    for _, inner in ipairs(INNER) do
      for _, h in ipairs(STEPS) do
        list[#list + 1] = {
          name = name_of(kind, inner, h), label = string.format("%s, %s, h = %.3g s", kind, inner, h), inner = inner,
          parameters = { kind = kind, h = h, steps = count(kind, h), fine = tier == "full" and 2 or 1 },
        }
      end
    end
  end
  return list
end

local function gates()
  local list = {}
  for _, kind in ipairs(KINDS) do
    for _, h in ipairs(STEPS) do
      local run = name_of(kind, "newton", h)
      list[#list + 1] = {
        name = "iterations, " .. run, run = run, quantity = "joint_iterations", measure = "maximum", at_most = 10,
        reason = "the paper's under 10; quadratic convergence doubles the digits in each",
      }
      list[#list + 1] = {
        name = "joint error after one iteration, " .. run, run = run, quantity = "joint_gaps", component = 1, measure = "maximum",
        at_least = 1e-10, reason = "joints are torn apart in each step: an error of nothing would be that of nothing recorded",
      }
      list[#list + 1] = {
        name = "joint error after eight iterations, " .. run, run = run, quantity = "joint_gaps", component = 8, measure = "maximum",
        at_most = 1e-12 * LENGTH[kind], reason = "1e-12 of the length; the tolerance is 1e-13",
      }
      for k = 1, JOINTS[kind] do
        list[#list + 1] = {
          name = "joint " .. k .. " holds, " .. run, run = run, quantity = "frames/joint_error", link = k - 1, measure = "maximum",
          at_most = 1e-12 * LENGTH[kind], reason = "likewise, at the end of each step",
        }
      end
    end
    list[#list + 1] = {
      name = "iterations as published, " .. kind, run = name_of(kind, "gauss_newton", 1 / 30), quantity = "joint_iterations",
      measure = "maximum", at_most = 10, finding = true, reason = "the paper's under 10; without curvature convergence is linear",
    }
  end
  list[#list + 1] = {
    name = "the machine's figure falls freely at first", run = name_of("machine", "newton", 0.001), quantity = "frames/bone_position", bone = 0,
    component = "z", measure = "value", at = 0.001, near = -9.81 * 0.001 ^ 2, tolerance = 1e-6,
    reason = "implicit Euler's first step, from the middle's height of 0; the drum is ten times further away",
  }
  return list
end

return {
  title = "Joint error over inner iterations: a chain, a ring, a washing machine",
  parameters = { kind = "chain", h = 1 / 30, steps = 20, fine = 1 },
  build = build,
  runs = runs,
  gates = gates,
  gold = { runs = { "chain.newton.h0.0333", "ring.newton.h0.0333", "machine.newton.h0.0333" }, steps = 3, frames = 3 },
  figure = "joint_error",
}
