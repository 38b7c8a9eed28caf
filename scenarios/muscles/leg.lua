-- A leg bends at its knee: a dozen muscles of rods on thigh bone and shin bone, in contact with
-- each other, with skins.
local spindle, add_muscle, add_bone = include("spindle"), include("muscle"), include("bone")

local KNEE = { 0, 0, -0.42 } -- m; the hip is at 0, forward is x, outward y
local BENT = 0.45 -- s, the time of the greatest flexion

-- Of each muscle where it begins and ends with the leg straight, what its middle bends towards, its belly, how short it becomes,
-- and what part of the knee's turn its end does not take. Those of the thigh go from the thigh bone (at "hip") to the shin bone
-- ("shin"), or end at the thigh bone; those of the calf are of the shin bone alone.
local MUSCLES = {
  { name = "rectus femoris", from = { 0.045, 0, -0.03 }, to = { 0.040, 0, -0.405 }, over = { 0.085, 0, -0.2 }, belly = 0.021, works = 1.05, on = "knee", turns = 0.8 },
  { name = "vastus lateralis", from = { 0.026, 0.036, -0.08 }, to = { 0.034, 0.024, -0.405 }, over = { 0.036, 0.074, -0.23 }, belly = 0.021, works = 1.05, on = "knee", turns = 0.8 },
  { name = "vastus medialis", from = { 0.026, -0.036, -0.10 }, to = { 0.034, -0.024, -0.405 }, over = { 0.036, -0.074, -0.25 }, belly = 0.021, works = 1.05, on = "knee", turns = 0.8 },
  { name = "biceps femoris", from = { -0.032, 0.026, -0.03 }, to = { -0.020, 0.032, -0.455 }, over = { -0.062, 0.060, -0.2 }, belly = 0.019, works = 0.85, on = "knee", turns = 0.9 },
  { name = "semitendinosus", from = { -0.044, 0, -0.03 }, to = { -0.036, 0, -0.455 }, over = { -0.090, 0, -0.2 }, belly = 0.018, works = 0.85, on = "knee", turns = 0.9 },
  { name = "semimembranosus", from = { -0.032, -0.026, -0.03 }, to = { -0.020, -0.032, -0.455 }, over = { -0.062, -0.060, -0.2 }, belly = 0.019, works = 0.85, on = "knee", turns = 0.9 },
  { name = "adductor longus", from = { -0.004, -0.060, -0.02 }, to = { 0.000, -0.031, -0.24 }, over = { 0.000, -0.064, -0.12 }, belly = 0.011, works = 1, on = "thigh" },
  { name = "gluteus medius", from = { 0.000, 0.060, -0.02 }, to = { 0.000, 0.031, -0.20 }, over = { 0.000, 0.062, -0.10 }, belly = 0.011, works = 1, on = "thigh" },
  { name = "tibialis anterior", from = { 0.030, 0.016, -0.49 }, to = { 0.030, 0.004, -0.75 }, over = { 0.046, 0.022, -0.58 }, belly = 0.012, works = 0.95, on = "shin" },
  { name = "peroneus", from = { 0.000, 0.034, -0.50 }, to = { -0.004, 0.026, -0.75 }, over = { 0.000, 0.056, -0.60 }, belly = 0.010, works = 0.95, on = "shin" },
  { name = "gastrocnemius", from = { -0.034, 0.012, -0.48 }, to = { -0.034, 0.002, -0.76 }, over = { -0.068, 0.026, -0.56 }, belly = 0.017, works = 0.9, on = "shin" },
  { name = "soleus", from = { -0.024, -0.022, -0.50 }, to = { -0.026, -0.020, -0.76 }, over = { -0.042, -0.054, -0.60 }, belly = 0.014, works = 0.9, on = "shin" },
}
local ENDS = 0.009 -- m, radius of the ends

local function path_of(m)
  return function(t)
    local x, a, b, c = {}, (1 - t) ^ 2, 2 * t * (1 - t), t ^ 2
    for k = 1, 3 do x[k] = a * m.from[k] + b * m.over[k] + c * m.to[k] end
    return x[1], x[2], x[3]
  end
end

local function there_and_back(from, value)
  return { { 0, from, "cubic" }, { BENT, value, "cubic" }, { 2 * BENT, from } }
end

--- Contact of rods with everything except their own muscle, whose bundles hold them side by side. So everything drawn is in
--- contact, including fastened ends.
local function filter(s, muscle, number)
  local others = {}
  for k = 0, #MUSCLES do if k ~= number then others[#others + 1] = k end end
  for _, rod in ipairs(muscle.rods) do s:filter{ segments = rod.segments, groups = { number }, meets = others } end
end

--- Adds a muscle between the drivers of its ends; returns its volume at rest, and its rods as lib/muscle.lua does.
local function add(s, p, number, thigh, shin)
  local m = MUSCLES[number]
  local data = spindle{
    path = path_of(m), side = { 1, 0.3, 0 }, ring = p.ring, segments = p.segments, around = p.around, along = 20,
    radius = function(t) return ENDS + (m.belly - ENDS) * math.sin(math.pi * math.min(t, 1)) ^ 2 end,
  }
  local muscle = add_muscle(s, data, {
    E = p.E, nu = 0.45, density = 1060, name = m.name, activation = m.works ~= 1 and there_and_back(1, m.works) or nil,
  })
  local first, last = m.on == "shin" and shin or thigh, m.on == "thigh" and thigh or shin
  if m.on == "knee" then -- a tendon turns where it is fastened
    last = s:driver{
      name = m.name .. " tendon", parent = shin, origin = m.to, axis = { 0, 1, 0 }, angle = there_and_back(0, -m.turns * p.flexion),
    }
  end
  local sections = muscle.sections
  s:pin{ nodes = muscle.first, components = "xyzs", segments = sections[1], driver = first }
  s:pin{ nodes = muscle.last, components = "xyzs", segments = sections[#sections], driver = last }
  filter(s, muscle, number)
  return data.volume, muscle
end

--- Bones are driven along their curves, at any load.
local function add_bones(s, thigh, shin)
  local function bone(pills, driver)
    for _, segment in ipairs(add_bone(s, { pills = pills }, { driver = driver, density = 1 }).segments) do
      local others = {}
      for k = 1, #MUSCLES do others[k] = k end
      s:filter{ segments = { segment }, groups = { 0 }, meets = others }
    end
  end
  bone({ { 0, 0, 0, 0.018, 0, 0, -0.40, 0.016 } }, thigh)
  bone({ { 0, 0, -0.44, 0.017, 0, 0, -0.80, 0.011 } }, shin)
end

local function add_gates(s, p, volume)
  s:gate{
    name = "volume of the muscles", quantity = "enclosed_volume", measure = "drift", at_most = 0.03 * volume,
    reason = "what muscles should keep: 3 %",
  }
  s:gate{
    name = "penetration", quantity = "penetration", measure = "maximum", at_most = 0.05 * ENDS / math.sqrt(p.ring + 1),
    reason = "a twentieth of the least radius",
  }
  s:gate{
    name = "pills of one muscle", quantity = "excluded_penetration", measure = "maximum", at_most = 0.25 * ENDS / math.sqrt(p.ring + 1), finding = true,
    reason = "the other drawn pairs: bundles hold rods of a muscle side by side, which overlap at rest, and are to keep their distances within a "
      .. "quarter of the least radius",
  }
  s:gate{
    name = "in contact", quantity = "contacts", measure = "maximum", at_least = 5, reason = "muscles come to lie side by side: 7 were seen",
  }
  s:gate{
    name = "balance of energies", quantity = "balance/unaccounted", measure = "maximum_abs", at_most = 0.05,
    reason = "of all work; bundles and the time step leave 2.4 %, more than in arm_flexion, whose substeps are half as long",
  }
end

--- The semimembranosus is pressed against the fastened end of the adductor: a pair of nodes, both of which are drawn.
local function add_end_gate(s, belly, tendon)
  local function radius(k, t) return (ENDS + (MUSCLES[k].belly - ENDS) * math.sin(math.pi * t) ^ 2) / 2 end -- four rods each
  s:gate{
    name = "a belly beside a fastened end", quantity = "frames/position", node = belly.first + 5, apart_from = tendon.last - 1,
    measure = "minimum", at_least = 0.95 * (radius(6, 0.5) + radius(7, 0.9)),
    reason = "their radii, of which contact is as a rule within a twentieth; 9 mm less were seen where ends touched nothing",
  }
end

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = 1, damping = 5 }
  local thigh = s:driver{ name = "hip", axis = { 0, -1, 0 }, angle = there_and_back(0, p.flexion / 2) }
  local shin = s:driver{ name = "knee", parent = thigh, origin = KNEE, axis = { 0, 1, 0 }, angle = there_and_back(0, p.flexion) }
  local volume, muscles = 0, {}
  for k, m in ipairs(MUSCLES) do
    local own
    own, muscles[m.name] = add(s, p, k, thigh, shin)
    volume = volume + own
  end
  if p.segments == 10 and p.ring == 3 then add_end_gate(s, muscles["semimembranosus"].rods[4], muscles["adductor longus"].rods[3]) end
  local hip = s.n_nodes
  add_bones(s, thigh, shin)
  s:gate{
    name = "the thigh, bent", quantity = "frames/position", node = hip + 1, component = "x", measure = "value", at = BENT,
    near = 0.4 * math.sin(p.flexion / 2), tolerance = 1e-12, reason = "the bone's lower end, 0.4 m below the hip, held by its driver to rounding",
  }
  s:contact{ friction = 0 }
  s:record{ every = 1, frames = 3, fields = { "position", "scale", "frame", "vertices" } }
  s:solver{ method = "xpbd", iterations = p.iterations, substeps = p.substeps }
  add_gates(s, p, volume)
  return s
end

return {
  title = "A leg bends: a dozen muscles in contact on driven bones",
  keywords = { "contact" },
  parameters = { flexion = 1.0, E = 3e4, segments = 10, ring = 3, around = 14, iterations = 3, substeps = 32 },
  ranges = {
    flexion = { least = 0, most = 1.2 }, E = { above = 0 }, segments = { least = 6 }, ring = { least = 3 }, around = { least = 3 }, iterations = { least = 1 },
    substeps = { least = 1 },
  },
  build = build,
  figure = "leg",
  show = { view = { 40, 5, 1, 30 } },
  gold = { steps = 1, frames = 1, parameters = { segments = 6, around = 5 } },
}
