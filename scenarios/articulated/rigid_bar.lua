-- A rigid bar that spins, hangs, falls, or is driven by a torque. The projective step of the
-- reference articulated against its own recursions, and against the motion integrated by the
-- reference multibody (Li, Liu, Kavan 2019, fig. 9).
local forms = include("rigid_forms")

local G, MASS, LENGTH, THICK = 9.81, 10, 1, 0.1

--- Half the period of a bar that is let go at the level.
local function half_period()
  local _, inertia = forms.box(MASS, LENGTH, THICK, THICK)
  local w = math.sqrt(MASS * G * LENGTH / 2 / (inertia + MASS * LENGTH ^ 2 / 4))
  return forms.period(w, math.pi / 2) / 2
end

local function add_bar(s, p)
  local x, y, z = forms.box(MASS, LENGTH, THICK, THICK)
  return s:bone{
    name = "bar", mass = MASS, inertia = { x, y, z, 0, 0, 0 }, center = { LENGTH / 2, 0, 0 },
    angular_velocity = { 0, p.rate, 0 }, velocity = p.kind == "swing" and { 0, 0, -p.rate * LENGTH / 2 } or { 0, 0, 0 },
  }, y
end

--- The bar's axis turned by `angle` in the plane of x and z.
local function gate_direction(s, name, angle, reason)
  for _, part in ipairs{ { "w", 1, math.cos(angle / 2) }, { "y", 3, -math.sin(angle / 2) } } do
    s:gate{
      name = name .. ", " .. part[1] .. " of the quaternion", quantity = "frames/bone_frame", bone = 0, component = part[2],
      near = part[3], tolerance = 1e-10, absolute = true, reason = reason,
    }
  end
end

local function spin(s, p, steps)
  local _, inertia = add_bar(s, p)
  -- Bones turn about +y from x to -z: the angle in the plane falls.
  local angles = forms.steps(inertia, p.h, steps, 0, -p.rate)
  gate_direction(s, "spin", angles[steps + 1], "the recursion of a free spin about a principal axis; rounding")
end

local function fall(s, p, steps)
  add_bar(s, p)
  s:gate{
    name = "free fall", quantity = "frames/bone_position", bone = 0, component = "z", near = -forms.fall(G, p.h, steps),
    tolerance = 1e-11, reason = "backward Euler's sum; rounding",
  }
  s:gate{
    name = "energy of the fall", quantity = "energy/kinetic", near = 0.5 * MASS * (G * p.h * steps) ^ 2, tolerance = 1e-11, reason = "backward Euler's sum; rounding",
  }
  for c, axis in ipairs{ "x", "y" } do
    s:gate{
      name = "momentum along " .. axis, quantity = "momentum", component = c, measure = "drift", at_most = 1e-12 * MASS,
      reason = "kept",
    }
  end
end

local function swing(s, p, steps)
  local bar, inertia = add_bar(s, p)
  local about = inertia + MASS * LENGTH * LENGTH / 4
  s:link{ name = "pivot", kind = p.link, bones = { bar }, at = { 0, 0, 0 }, axis = p.link == "hinge" and { 0, 1, 0 } or nil }
  if p.torque ~= 0 then s:load{ link = 0, torque = p.torque, name = "motor" } end
  if p.level then
    for c, near in pairs{ x = -LENGTH / 2, y = 0, z = 0 } do
      s:gate{
        name = "level after half a period, " .. c, quantity = "frames/bone_position", bone = 0, component = c, near = near,
        tolerance = 1e-9, absolute = true, reason = "the period by the arithmetic-geometric mean; the tolerance of a second",
      }
    end
  end
  if p.judged then return end
  local angles = forms.steps(about, p.h, steps, 0, -p.rate,
    { moment = MASS * LENGTH / 2, gravity = p.gravity, torque = -p.torque })
  gate_direction(s, "turn", angles[steps + 1], "the recursion of a bar on a pivot; rounding")
  s:gate{
    name = "the bone is rigid", quantity = "frames/bone_error", bone = 0, measure = "maximum", at_most = 1e-14,
    reason = "rounding",
  }
  s:gate{
    name = "the joint holds", quantity = "frames/joint_error", link = 0, measure = "maximum", at_most = 1e-12 * LENGTH,
    reason = "its tolerance is 1e-13 of the size",
  }
end

--- At rest: the bar hangs down from its end.
local function hang(s)
  local x, y, z = forms.box(MASS, THICK, THICK, LENGTH)
  local bar = s:bone{ name = "bar", mass = MASS, inertia = { x, y, z, 0, 0, 0 }, center = { 0, 0, -LENGTH / 2 } }
  s:link{ name = "hook", kind = "ball", bones = { bar }, at = { 0, 0, 0 } }
  for c, axis in ipairs{ "x", "y", "z" } do
    s:gate{
      name = "force of the joint along " .. axis, quantity = "frames/joint_force", link = 0, component = axis,
      near = c == 3 and MASS * G or 0, tolerance = 1e-9 * MASS * G, absolute = true, reason = "the bar's weight; rounding",
    }
  end
end

local function build(p)
  local steps = math.floor(p.duration / p.h + 0.5)
  local s = vb.scene{ step = p.h, steps = steps, gravity = { 0, 0, -p.gravity } }
  if p.kind == "spin" then spin(s, p, steps) end
  if p.kind == "fall" then fall(s, p, steps) end
  if p.kind == "swing" then swing(s, p, steps) end
  if p.kind == "hang" then hang(s) end
  local fields = { "bone_position", "bone_frame" }
  if p.kind == "swing" then fields[3] = "joint_angle" end
  if p.kind == "hang" then fields[3] = "joint_force" end
  if p.kind ~= "hang" and not p.judged then fields[#fields + 1] = "bone_error" end
  if p.kind == "swing" then fields[#fields + 1] = "joint_error" end
  s:record{ every = 1, frames = math.max(1, steps // 300), fields = fields }
  -- One iteration is exact: there is no flesh.
  s:solver{ solver = p.judged and "multibody" or "articulated" }
  return s
end

local SIZES = { quick = { 0.02, 0.01, 0.005, 0.0025 }, full = { 0.02, 0.01, 0.005, 0.0025, 0.00125 } }

local function swing_name(h) return string.format("swing.h%g", h) end

local function runs(_, tier)
  local list = {}
  local function add(name, label, parameters, options)
    local run = { name = name, label = label, parameters = parameters }
    for key, value in pairs(options or {}) do run[key] = value end
    list[#list + 1] = run
  end
  add("spin", "free spin", { kind = "spin", rate = 3, gravity = 0 })
  add("fall", "free fall", { kind = "fall" })
  add("hang", "hung at rest", { kind = "hang" })
  add("torque", "a torque about a hinge", { kind = "swing", gravity = 0, torque = 2 })
  add("ball", "on a ball", { kind = "swing", link = "ball" })
  for _, h in ipairs(SIZES[tier]) do
    add(swing_name(h), string.format("h = %g s", h), { kind = "swing", h = h, duration = 0.5 })
  end
  local judge = { solver = "multibody" }
  add("swing.exact", "integrated", { kind = "swing", duration = 0.5, judged = true }, judge)
  add("level", "integrated, half a period",
    { kind = "swing", h = half_period() / 50, duration = half_period(), judged = true, level = true }, judge)
  for _, speed in ipairs{ { "fast", 9.81, 0 }, { "slow", 0, 1 } } do
    local p = { kind = "swing", gravity = speed[2], rate = speed[3], duration = 3 }
    for _, h in ipairs{ 0.01, 0.001 } do
      local q = { h = h }
      for key, value in pairs(p) do q[key] = value end
      add(string.format("%s.h%g", speed[1], h), string.format("h = %g s", h), q)
    end
    p.judged, p.h = true, 0.01
    add(speed[1] .. ".exact", "integrated", p, judge)
  end
  add("fast.rk4", "RK4, h = 0.01 s", { kind = "swing", duration = 3, judged = true }, { solver = "multibody", integrator = "rk4" })
  return list
end

local function gates(_, tier)
  local names, list = {}, {}
  for k, h in ipairs(SIZES[tier]) do names[k] = swing_name(h) end
  local sizes = {}
  for k, h in ipairs(SIZES[tier]) do sizes[k] = 1 / h end
  list[#list + 1] = {
    name = "order in the step", runs = names, sizes = sizes, combine = "order", quantity = "frames/joint_angle", link = 0,
    near = 1, tolerance = 0.1, absolute = true, reason = "backward Euler is of first order",
  }
  list[#list + 1] = {
    name = "slow, h = 0.001 s, beside the integrated motion", runs = { "slow.h0.001", "slow.exact" }, combine = "difference",
    quantity = "frames/bone_position", bone = 0, component = "z", near = 0, tolerance = 0.01, absolute = true,
    reason = "a spin of 1 rad/s slows down as omega/sqrt(1 + 2 omega^2 h t): an angle of omega^3 h t^2/2 = 0.0045 after 3 s",
  }
  list[#list + 1] = {
    name = "fast, h = 0.001 s, beside the integrated motion", runs = { "fast.h0.001", "fast.exact" }, combine = "difference",
    quantity = "frames/bone_position", bone = 0, component = "z", near = 0, tolerance = 0.01, absolute = true, finding = true,
    reason = "nearly identical, as the paper has it",
  }
  return list
end

return {
  title = "A rigid bar: recursions of backward Euler, order, and the integrated motion",
  parameters = { kind = "swing", link = "hinge", h = 0.01, duration = 1, rate = 0, gravity = 9.81, torque = 0, judged = false, level = false },
  build = build,
  runs = runs,
  gates = gates,
  gold = { runs = { "spin", "torque", "ball", "swing.exact" }, steps = 10, frames = 10 },
  figure = "rigid_bar",
}
