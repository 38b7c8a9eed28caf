-- An arm bends and straightens: biceps, triceps and brachialis as bundles of rods on driven bones,
-- with skins.
local spindle, add_muscle, add_bone = include("spindle"), include("muscle"), include("bone")

local FLEXED = 0.9 -- s, the time of the greatest flexion
local ELBOW = { 0, 0, -0.3 } -- m; the shoulder is at 0, forward is x

-- Of each muscle where it begins (on the upper arm) and ends (on the forearm) with the arm straight, in m; a point that its
-- middle bends towards; radii of belly and ends; and how short it becomes as it works.
local MUSCLES = {
  {
    name = "biceps", from = { 0.030, 0, -0.02 }, to = { 0.027, 0, -0.355 }, over = { 0.100, 0, -0.17 }, belly = 0.022, ends = 0.010,
    works = 0.75, turns = 0.9,
  },
  {
    name = "brachialis", from = { 0.027, 0, -0.11 }, to = { 0.018, 0, -0.318 }, over = { 0.033, 0, -0.215 }, belly = 0.0115,
    ends = 0.0085, works = 0.80, turns = 0.95,
  },
  {
    name = "triceps", from = { -0.028, 0, -0.02 }, to = { -0.026, 0, -0.290 }, over = { -0.074, 0, -0.15 }, belly = 0.022, ends = 0.010,
    works = 1.06, turns = 0.95,
  },
}

--- A parabola from one end to the other.
local function path_of(m)
  return function(t)
    local x, a, b, c = {}, (1 - t) ^ 2, 2 * t * (1 - t), t ^ 2
    for k = 1, 3 do x[k] = a * m.from[k] + b * m.over[k] + c * m.to[k] end
    return x[1], x[2], x[3]
  end
end

--- Bones are driven along their curves, at any load. Returns their segments.
local function add_bones(s, upper, lower)
  local segments = {}
  local function add(pills, driver)
    for _, segment in ipairs(add_bone(s, { pills = pills }, { driver = driver, density = 1 }).segments) do
      segments[#segments + 1] = segment
    end
  end
  add({ { 0, 0, -0.01, 0.014, 0, 0, -0.285, 0.011 } }, upper)
  add({ { -0.012, -0.008, -0.304, 0.009, 0, -0.016, -0.55, 0.007 }, { -0.003, 0.010, -0.310, 0.008, 0.004, 0.016, -0.55, 0.008 } }, lower)
  return segments
end

--- A curve that goes to `value` in the first of three parts and back by the end.
local function there_and_back(from, value)
  return { { 0, from, "cubic" }, { FLEXED, value, "cubic" }, { 2 * FLEXED, from } }
end

local function radius_of(m)
  return function(t) return m.ends + (m.belly - m.ends) * math.sin(math.pi * math.min(t, 1)) ^ 2 end
end

--- One skin over muscles and bones: a closed surface around pills that are thicker than these.
local function add_skin(s)
  local pills = { { 0, 0, -0.005, 0.034, 0, 0, -0.3, 0.032 }, { 0, 0, -0.3, 0.032, 0, 0, -0.40, 0.036 }, { 0, 0, -0.40, 0.036, 0, 0, -0.555, 0.027 } }
  for _, m in ipairs(MUSCLES) do
    local path, radius = path_of(m), radius_of(m)
    for k = 0, 7 do
      local pill = {}
      for e = 0, 1 do
        local t = (k + e) / 8
        local x, y, z = path(t)
        for _, value in ipairs{ x, y, z, radius(t) + 0.005 } do pill[#pill + 1] = value end
      end
      pills[#pills + 1] = pill
    end
  end
  local skin = vb.pill_surface{ pills = pills, faces = 6000, blend = 0.02 }
  s:surface{ vertices = skin.vertices, triangles = skin.triangles }
end

--- A muscle between the drivers of its two ends; returns its rest volume. Its rods, including fastened ends, are in contact
--- with other muscles and bones, but not with each other, because bundles hold them side by side.
local function add(s, p, m, number, upper, lower)
  local data = spindle{
    path = path_of(m), side = { 1, 0, 0 }, ring = p.ring, segments = p.segments,
    radius = radius_of(m),
  }
  local muscle = add_muscle(s, data, {
    E = p.E, nu = 0.45, density = 1060, name = m.name, activation = there_and_back(1, m.works), skin = not p.skin,
  })
  -- The tendon rotates where it is fastened, so that it stays in line with the muscle.
  local tendon = s:driver{
    name = m.name .. " tendon", parent = lower, origin = m.to, axis = { 0, -1, 0 },
    angle = there_and_back(0, -m.turns * p.flexion),
  }
  local sections = muscle.sections
  s:pin{ nodes = muscle.first, components = "xyzs", segments = sections[1], driver = upper }
  s:pin{ nodes = muscle.last, components = "xyzs", segments = sections[#sections], driver = tendon }
  if p.contact then
    local others = { 0 }
    for k = 1, #MUSCLES do if k ~= number then others[#others + 1] = k end end
    for _, rod in ipairs(muscle.rods) do s:filter{ segments = rod.segments, groups = { number }, meets = others } end
  end
  return data.volume
end

local function add_gates(s, p, volume)
  local function skin_gate(name, quantity, most, reason, finding)
    s:gate{ name = name, quantity = "surface/" .. quantity, measure = "maximum_abs", at_most = most, finding = finding, reason = reason }
  end
  skin_gate("skins that cross themselves", "crossings_within", 0, "a skin does not go through itself")
  if p.contact then skin_gate("skins that cross others", "crossings_between", 0, "muscles in contact; where there is one skin, there is no other") end
  skin_gate("volume in skins", "volume_change", 0.02, "2 %; one skin over bones and muscles at an elbow is not bound to keep it", p.skin)
  if not p.skin then s:gate{
    name = "volume of the muscles", quantity = "enclosed_volume", measure = "drift", at_most = 0.03 * volume,
    reason = "what muscles should keep, 3 %, also while they sway as the arm starts and stops",
  } end
  s:gate{
    name = "balance of energies", quantity = "balance/unaccounted", measure = "maximum_abs", at_most = 0.01,
    reason = "of all work: what drivers and activations put in is elastic, kinetic, or taken by damping. The rest is due to bundles, which "
      .. "three sweeps leave a little soft, and to the time step: 0.4 % was seen, 1.4 % with half the substeps and 12 segments",
  }
  s:gate{
    name = "residual", quantity = "residual", measure = "maximum", at_most = p.newton and 1e-3 or 0.1, finding = not p.newton,
    reason = p.newton and "what is asked of twenty iterations; 1.2e-5 was seen, to a tolerance of 1e-4"
      or "sweeps leave a share of the forces; bundles are moved once more after it is measured",
  }
end

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = 2, damping = 5 }
  local upper = s:driver{ name = "upper arm", axis = { 0, -1, 0 }, angle = there_and_back(0, 0.3) }
  local lower = s:driver{ name = "elbow", parent = upper, origin = ELBOW, axis = { 0, -1, 0 }, angle = there_and_back(0, p.flexion) }
  local volume = 0
  for k, m in ipairs(MUSCLES) do volume = volume + add(s, p, m, k, upper, lower) end
  local top = s.n_nodes
  local bones = add_bones(s, upper, lower)
  s:gate{
    name = "the upper arm, bent", quantity = "frames/position", node = top, component = "x", measure = "value", at = FLEXED,
    near = 0.01 * math.sin(0.3), tolerance = 1e-12, absolute = true, reason = "the bone's upper end, 0.01 m below the shoulder, held by its driver to rounding",
  }
  if p.contact then
    s:filter{ segments = bones, groups = { 0 }, meets = { 1, 2, 3 } }
    s:contact{ friction = p.friction }
    s:gate{
      name = "penetration", quantity = "penetration", measure = "maximum", at_most = 0.05 * 0.0085 / math.sqrt(p.ring + 1),
      reason = "a twentieth of the least radius",
    }
  end
  s:record{ every = 1, frames = 2, fields = { "position", "scale", "frame", "vertices" }, residual = true }
  s:solver{ method = "xpbd", iterations = p.iterations, substeps = p.substeps }
  if p.skin then add_skin(s) end
  add_gates(s, p, volume)
  return s
end

return {
  title = "An arm bends: biceps, triceps and brachialis on driven bones",
  parameters = { contact = false, newton = false, friction = 0.0, skin = false, flexion = 1.3, E = 3e4, iterations = 3, substeps = 64, segments = 10, ring = 4 },
  ranges = {
    friction = { least = 0 }, flexion = { least = 0, most = 1.5 }, E = { above = 0 }, segments = { least = 4 }, ring = { least = 3 },
    iterations = { least = 1 }, substeps = { least = 1 },
  },
  build = build,
  runs = function()
    return {
      { name = "flexion", label = "muscles alone" },
      {
        name = "newton", label = "muscles alone, by Newton's method", method = "direct", bundle_solve = "newton", tolerance = 1e-4,
        parameters = { newton = true, iterations = 20, substeps = 16 },
      },
      { name = "contact", label = "in contact", parameters = { contact = true } },
      { name = "skin", label = "with friction, under one skin", parameters = { contact = true, friction = 0.5, skin = true } },
    }
  end,
  show = { runs = { "skin" }, view = { 20, 5, 1, 30 } },
  gold = { steps = 6, frames = 6, runs = { "contact" } },
  figure = "arm_flexion",
}
