-- Entries: solvers that are scored on problems. include("entry"){ .. } turns a solver into the
-- study that runs it on all problems, at several resolutions. Each answer is a finding, because no
-- solver is exact.
local copy = include("copy")

--- Problems by what an entry must have to take them: nothing, or the key of that name.
local kinds = {
  { of = { "bend_45", "curved_rod", "elastic_catenary", "elastica", "heavy_cantilever", "helical_spring", "roll_up" } },
  {
    key = "critical",
    of = { "euler_columns", "greenhill", "lateral_buckling", "michell_ring", "twist_between_clamps", "twist_under_tension" },
  },
  { key = "motion", of = { "flying_rod_plane", "flying_rod_round", "flying_rod_space", "spin_up", "stretch_wave", "twist_wave" } },
  { key = "modes", of = { "hanging_chain", "radius_wave", "vibrating_cantilever" } },
  { key = "fall", of = { "folded_chain", "whip" } },
  { key = "follower", of = { "beck", "ziegler" } },
  { key = "top", of = { "free_top" } },
  { key = "contact", of = { "capstan", "rolling", "stick_slip", "crossing" } },
  { key = "push", of = { "stick" } },
  { key = "lay", of = { "laid_rope" } },
  { key = "ruck", of = { "ruck" } },
  { key = "coil", of = { "coiled_rope" } },
  { key = "braid", of = { "knot" } },
  { key = "pile", of = { "pile" } },
  { key = "drift", of = { "drift" } },
  { key = "volume", of = { "contracting_muscle", "held_bar", "pinch" } },
  { key = "band", of = { "twisted_band" } },
}
local references, scenes = include("problems/references"), include("entry_scenes")
local critical_scene = include("critical_scenes")

--- out = p q, quaternions w, x, y, z.
local function multiply(p, q)
  return {
    p[1] * q[1] - p[2] * q[2] - p[3] * q[3] - p[4] * q[4], p[1] * q[2] + p[2] * q[1] + p[3] * q[4] - p[4] * q[3],
    p[1] * q[3] - p[2] * q[4] + p[3] * q[1] + p[4] * q[2], p[1] * q[4] + p[2] * q[3] - p[3] * q[2] + p[4] * q[1],
  }
end

local function rotate(q, v)
  local turned = multiply(multiply(q, { 0, v[1], v[2], v[3] }), { q[1], -q[2], -q[3], -q[4] })
  return { turned[2], turned[3], turned[4] }
end

--- The frame of a rod at rest at `s`: that of the start, rotated by the curvature.
local function frame_at(rod, s)
  local k = rod.curvature or { 0, 0, 0 }
  local rate = math.sqrt(k[1] ^ 2 + k[2] ^ 2 + k[3] ^ 2)
  local start, part = rod.start.frame or { 1, 0, 0, 0 }, rate > 0 and math.sin(rate * s / 2) / rate or 0
  return multiply(start, { math.cos(rate * s / 2), part * k[1], part * k[2], part * k[3] })
end

--- The position of a rod at rest at `s`: the integral of its tangent, which rotates about the constant curvature.
local function place_at(rod, s)
  local k = rod.curvature or { 0, 0, 0 }
  local rate = math.sqrt(k[1] ^ 2 + k[2] ^ 2 + k[3] ^ 2)
  local local_place = { 0, 0, s }
  if rate > 0 then
    local a = { k[1] / rate, k[2] / rate, k[3] / rate }
    local sine, cosine = math.sin(rate * s) / rate, (1 - math.cos(rate * s)) / rate
    local_place = {
      a[3] * a[1] * (s - sine) + a[2] * cosine, a[3] * a[2] * (s - sine) - a[1] * cosine,
      a[3] * a[3] * (s - sine) + sine,
    }
  end
  return rotate(rod.start.frame or { 1, 0, 0, 0 }, local_place)
end

local function find_case(p)
  for _, case in ipairs(include("problems/" .. p.problem).cases) do
    if case.name == p.case then return case end
  end
end

--- Stiffnesses of a round section of radius `r`, without coupling to its scale (kv = 0): kz bends and stretches, and
--- kx and ky twist. Stiffnesses that a problem calls rigid are those of that section. The model "solid" has Young's modulus
--- for bending and stretching, and the shear modulus, with twice the second moment of area, for the twist of a round section.
local function material(rod, r, model)
  local second = math.pi * r ^ 4 / 4
  local along = rod.string and rod.stiffness.stretch / (math.pi * r ^ 2) or rod.stiffness.bend_u / second
  local twist = rod.string and along or rod.stiffness.twist / second
  if model == "solid" then
    return { model = model, E = along, nu = along / twist - 1, kz = along, kv = 0 }
  end
  return { kx = twist / 2, ky = twist / 2, kz = along }
end

--- The unit of time: L^2 sqrt(rho A/B), in which a bending wave travels about a length; for strings sqrt(L/g).
local function unit_of_time(rod)
  if rod.string then
    local w = rod.weight
    return math.sqrt(rod.length / math.sqrt(w[1] ^ 2 + w[2] ^ 2 + w[3] ^ 2))
  end
  return rod.length ^ 2 / math.sqrt(rod.stiffness.bend_u)
end

--- The radius: from the stretching stiffness of a section that has one, else the part `slender` of the length.
local function radius(rod, slender)
  if rod.stiffness.stretch and rod.stiffness.bend_u then
    return 2 * math.sqrt(rod.stiffness.bend_u / rod.stiffness.stretch)
  end
  return slender * rod.length
end

--- The greatest common divisor of the times of a case's quantities, in whole thousandths.
local function common_time(case)
  local common = 0
  for _, ask in ipairs(case.ask) do
    local a, b = math.floor(1000 * ask.time + 0.5), common
    while b > 0 do a, b = b, a % b end
    common = a
  end
  return common / 1000
end

--- The loads of a motion over time up to `duration`, as keys of a curve.
local function course_of(motion, duration, step)
  local keys, n = {}, math.ceil(math.min(duration, motion.pulse_time) / step - 1e-9)
  if motion.course == "hold" then return { { 0, 1 }, { duration, 1 } } end
  for i = 0, n do
    local x = i * step / motion.pulse_time
    local value = motion.course == "pulse" and math.sin(math.pi * x) ^ 2 or 1 - math.abs(2 * x - 1)
    keys[i + 1] = { i * step, x < 1 and value or 0 }
  end
  if n * step < duration then keys[n + 2] = { duration, 0 } end
  return keys
end

--- The angle over time of a start that is spun up, as keys of a curve.
local function spin_of(motion, duration, step)
  local rate, keys = motion.spin[3], {}
  for i = 0, math.ceil(duration / step - 1e-9) do
    local t, period = i * step, motion.pulse_time
    local turned = t < period and t * t / (2 * period) + period / (4 * math.pi ^ 2) * (math.cos(2 * math.pi * t / period) - 1)
      or t - period / 2
    keys[i + 1] = { t, rate * turned }
  end
  return keys
end

--- A gate on the direction u of a rod along x at segment `segment`, which turns about x: by the quaternion of its frame,
--- sqrt(1/2) (cos, sin, cos, sin) of half the angle, of which `uy` is the sine.
local function ask_for_turn(s, ask, segment, uy)
  local angle = math.asin(uy)
  s:gate{
    name = ask.name, quantity = "frames/frame", segment = segment, component = 2, measure = "value", at = ask.time, absolute = true,
    near = math.sqrt(0.5) * math.sin(angle / 2), tolerance = 1e-6 * math.sqrt(0.5) / 2 * math.cos(angle / 2) / math.cos(angle), finding = true,
    reason = "a millionth of the sine of the angle; the reference is certified",
  }
end

--- Gates on the quantities of a case.
local function ask_for(s, p, case, node_at)
  for _, ask in ipairs(case.ask) do
    local node, known = node_at(ask), references[p.problem .. "/" .. p.case .. "/" .. ask.name].reference
    if ask.component == "uy" then
      ask_for_turn(s, ask, node, known[1])
    elseif node then
      s:gate{
        name = ask.name, quantity = "frames/position", node = node, component = ask.component,
        measure = ask.time and "value" or "final", at = ask.time, near = known[1], tolerance = 1e-6 * case.rod.length,
        absolute = true, finding = true, reason = "a millionth of the length; the reference is certified to " .. known[2],
      }
    end
  end
end

--- Whether rotary inertia is that of a disc of radius `r`, which is the default of scenes.
local function is_disc(motion, r)
  local part, same = motion.mass * r * r / 4, true
  for k, factor in ipairs{ 1, 1, 2 } do same = same and math.abs(motion.inertia[k] - factor * part) < 1e-9 * part end
  return same
end

--- A rod in motion. The first node clamps it against stretch. The middle of the first segment clamps it against bending, as
--- in problems whose start is spun up. Loads act at the last node, moments on the last segment, whose middle is half a
--- segment before the end. The shear of the problem is that of the model "solid". For quantities that are directions, one
--- segment more puts the middle of a segment at their position.
local function build_motion(entry, p, case)
  local rod, motion, duration = case.rod, case.motion, case.ask[#case.ask].time
  local turns = case.ask[1].component == "uy"
  if turns then p = { n = p.n + 1, problem = p.problem, case = p.case } end
  local clamped = rod.start.held ~= nil
  local r, h = 2 * math.sqrt(rod.stiffness.bend_u / rod.stiffness.stretch), rod.length / (motion.spin and p.n - 0.5 or p.n)
  local common = common_time(case)
  local each = math.ceil(entry.motion.steps * p.n / entry.segments[1] * common / motion.pulse_time - 1e-9)
  local step, points, from = common / each, {}, rod.start.position or { 0, 0, 0 }
  local steps = math.floor(duration / step + 0.5)
  local s = vb.scene{ step = step, steps = steps, gravity = { 0, 0, 0 }, damping = entry.motion.damping or 0 }
  for i = 0, p.n do
    local at = place_at(rod, h * (i - (motion.spin and 0.5 or 0)))
    points[i + 1] = { from[1] + at[1], from[2] + at[2], from[3] + at[3] }
  end
  local made = s:rod{
    name = "rod", points = points, radius = r, density = motion.mass / (math.pi * r ^ 2), material = material(rod, r, entry.model),
    frame = function(t)
      local q = frame_at(rod, rod.length * t)
      return q[1], q[2], q[3], q[4]
    end,
    frame_inertia = not is_disc(motion, r) and { motion.inertia[1] * h, motion.inertia[2] * h, motion.inertia[3] * h } or nil,
  }
  local curve = course_of(motion, duration, step / 2)
  if clamped then
    local driver = motion.spin and s:driver{ angle = spin_of(motion, duration, step / 2), axis = { 0, 0, 1 }, origin = from }
    s:pin{ node = made.first, components = "xyzs", driver = driver }
    s:pin{ segment = made.first_segment, driver = driver }
  end
  local free = {}
  for _, node in ipairs(made.nodes) do
    if not (clamped and node == made.first) then free[#free + 1] = node end
  end
  s:pin{ nodes = free, components = "s" }
  if rod.force then s:load{ node = made.last, force = rod.force, amplitude = curve, name = "force" } end
  if rod.moment then s:load{ segment = made.last_segment, torque = rod.moment, amplitude = curve, name = "moment" } end
  s:record{ every = each, frames = 1, residual = true }
  ask_for(s, p, case, function(ask)
    if turns then return made.first_segment + math.floor(ask.at * p.n) end
    if ask.at == 1 then return made.last end
    if ask.at == 0 then return made.first end
    if not motion.spin then return made.first + math.floor(ask.at * p.n + 0.5) end
  end)
  return s
end

--- The middle of the first segment is at the clamp of the continuous rod; a string begins at its first node.
local function build(entry, p)
  local case = find_case(p)
  if not case.rod then
    function scenes.reference(_, name) return table.unpack(references[p.problem .. "/" .. p.case .. "/" .. name].reference) end
    return scenes[p.problem](entry, p, case)
  end
  if entry.alter then
    case = copy(case)
    entry.alter(case.rod, case.motion)
  end
  if case.motion then return build_motion(entry, p, case) end
  local rod = case.rod
  if case.ask[1].critical then
    local known = references[p.problem .. "/" .. p.case .. "/" .. case.ask[1].name].reference
    return critical_scene(entry, p, case, rod, known[1], { place_at = place_at, frame_at = frame_at, rotate = rotate, material = material })
  end
  local r = radius(rod, entry.slender or 1e-3)
  local h = rod.length / (rod.string and p.n or p.n - 0.5)
  local steps = entry.ramp + (entry.hold or 0)
  local w, step = rod.weight or { 0, 0, 0 }, (entry.step or 1) * unit_of_time(rod)
  local s = vb.scene{ step = step, steps = steps, gravity = w, damping = (entry.damping or 0) / unit_of_time(rod) }
  local points, span = {}, rod.string and rod.finish.position[1] or nil
  for i = 0, p.n do
    local at = place_at(rod, h * (i - 0.5))
    points[i + 1] = rod.string and { h * i, 0, 0 } or at
  end
  local body = {
    name = "rod", points = points, radius = r, density = 1 / (math.pi * r ^ 2), material = material(rod, r, entry.model),
    frame = not rod.string and function(t)
      local q = frame_at(rod, h * (t * p.n - 0.5))
      return q[1], q[2], q[3], q[4]
    end or nil,
    position = rod.string and function(t) -- hangs as a parabola at first
      return span * t, 0, -4 * 0.3 * t * (1 - t)
    end or nil,
  }
  if entry.alter_body then entry.alter_body(body) end
  local made = s:rod(body)
  local curve = { { 0, 0 }, { entry.ramp * step, 1 } }
  s:pin{ node = made.first, components = "xyzs" }
  if rod.string then
    s:pin{ node = made.last, components = "xyzs" }
    if entry.hold_spin then s:pin{ segment = made.first_segment, frame = "w" } end
  else
    s:pin{ segment = made.first_segment }
  end
  local free = {}
  for _, node in ipairs(made.nodes) do
    if node ~= made.first and not (rod.string and node == made.last) then free[#free + 1] = node end
  end
  s:pin{ nodes = free, components = "s" }
  if rod.force then s:load{ node = made.last, force = rod.force, amplitude = curve, name = "force" } end
  if rod.moment then
    s:load{ segment = made.last_segment, torque = rod.moment, amplitude = curve, name = "moment" }
  end
  s:record{ every = steps, frames = 1, residual = true }
  ask_for(s, p, case, function(ask)
    if rod.string then return made.first + p.n // 2 end
    return ask.at == 1 and made.last or nil
  end)
  return s
end

--- Adds the runs of a case: one for each number of segments and setting, and the finest again on all processors.
local function add_runs(entry, kind, problem, case, tier, list)
  local of = kind.key and entry[kind.key] or entry
  local sweep, finest = of.sweep or { {} }, tier == "full" and #entry.segments or math.min(3, #entry.segments)
  local function add(n, settings, threads)
    local run = {
      name = problem .. "-" .. case.name .. "-n" .. n .. (settings.name and "-" .. settings.name or "") .. (threads == 0 and "-all" or ""),
      label = problem .. " " .. case.name .. ", " .. n .. " segments" .. (settings.name and ", " .. settings.name or ""),
      parameters = { problem = problem, case = case.name, n = n }, solver = entry.solver,
    }
    for key, value in pairs(of.options or {}) do run[key] = value end
    for key, value in pairs(settings) do if key ~= "name" then run[key] = value end end
    if entry.threads then run.threads = threads end
    list[#list + 1] = run
  end
  local most, last = of.most and of.most[case.name] or math.huge, nil
  for i = 1, finest do
    if entry.segments[i] <= most then
      last = entry.segments[i]
      for _, settings in ipairs(sweep) do add(last, settings, 1) end
    end
  end
  if entry.threads then add(last, sweep[#sweep], 0) end
end

--- Whether an entry takes problems of a kind: those of rods without a key are not for solvers of solids.
local function takes(entry, kind)
  if kind.key then return entry[kind.key] ~= nil end
  return not entry.solid
end

--- The reasons of an entry for problems that it does not take, as one text.
local function reasons(entry)
  local list = { entry.solid and "statics of rods: the solver is one of solids" }
  for _, kind in ipairs(kinds) do
    if kind.key and not entry[kind.key] then
      list[#list + 1] = kind.key .. ": " .. ((entry.without or {})[kind.key] or entry.otherwise or "the entry has no key of this name")
    end
    for _, problem in ipairs(takes(entry, kind) and kind.of or {}) do
      local why = (entry.without or {})[problem]
      if why then list[#list + 1] = problem .. ": " .. why end
      for _, case in ipairs(include("problems/" .. problem).cases) do
        local name = problem .. "-" .. case.name
        local why_case = (entry.without or {})[name]
        if why_case then list[#list + 1] = name .. ": " .. why_case end
      end
    end
  end
  return table.concat(list, "; ")
end

--- Adds the runs of all problems that an entry takes. Cases with neither a rod nor `given` ask for what follows from no motion: loads of
--- flutter, the least friction, a limit.
local function all_runs(entry, tier)
  local list = {}
  for _, kind in ipairs(kinds) do
    for _, problem in ipairs(takes(entry, kind) and kind.of or {}) do
      local without = entry.without or {}
      for _, case in ipairs(without[problem] and {} or include("problems/" .. problem).cases) do
        if (case.rod or #case.given > 0) and not without[problem .. "-" .. case.name] then add_runs(entry, kind, problem, case, tier, list) end
      end
    end
  end
  return list
end

--- The study of an entry, a table with `title`, `solver`, `options` of the solver, and the keys in
--- scenarios/problems.md, "Entries and scores".
return function(entry)
  return {
    title = entry.title,
    parameters = { problem = "elastica", case = "1", n = 16, without = reasons(entry) },
    build = function(p) return build(entry, p) end,
    runs = function(_, tier) return all_runs(entry, tier) end,
    figure = "score",
  }
end
