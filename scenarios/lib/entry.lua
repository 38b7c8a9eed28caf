-- Entries: solvers that are judged by problems. include("entry"){ .. } makes of a solver the study that runs it on all
-- problems that ask where a rod is, at several resolutions. Each answer is a finding, for no solver is exact.

local names = { "bend_45", "elastic_catenary", "elastica", "heavy_cantilever", "helical_spring", "roll_up" }
local references = include("problems/references")

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

--- The frame of a rod at rest at `s`: turned from the start by its curvature.
local function frame_at(rod, s)
  local k = rod.curvature or { 0, 0, 0 }
  local rate = math.sqrt(k[1] ^ 2 + k[2] ^ 2 + k[3] ^ 2)
  local start, part = rod.start.frame or { 1, 0, 0, 0 }, rate > 0 and math.sin(rate * s / 2) / rate or 0
  return multiply(start, { math.cos(rate * s / 2), part * k[1], part * k[2], part * k[3] })
end

--- Where a rod at rest is at `s`: the integral of its tangent, a turn about the constant curvature.
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
--- kx and ky twist. What a problem calls rigid is as stiff as that section. The model "solid" takes Young's modulus,
--- which bends and stretches, and the shear modulus, which twists a round section by twice its second moment of area.
local function material(rod, r, model)
  local second = math.pi * r ^ 4 / 4
  local along = rod.string and rod.stiffness.stretch / (math.pi * r ^ 2) or rod.stiffness.bend_u / second
  local twist = rod.string and along or rod.stiffness.twist / second
  if model == "solid" then
    return { model = model, E = along, nu = along / twist - 1, kz = along, kv = 0 }
  end
  return { kx = twist / 2, ky = twist / 2, kz = along }
end

--- The time in which a wave of bending goes about a length, L^2 sqrt(rho A/B); of a string that of a swing.
local function unit_of_time(rod)
  if rod.string then
    local w = rod.weight
    return math.sqrt(rod.length / math.sqrt(w[1] ^ 2 + w[2] ^ 2 + w[3] ^ 2))
  end
  return rod.length ^ 2 / math.sqrt(rod.stiffness.bend_u)
end

--- The radius over the length: of a section that has its own stretch, from that; else thin enough for 1e-5.
local function radius(rod, slender)
  if rod.stiffness.stretch and rod.stiffness.bend_u then
    return 2 * math.sqrt(rod.stiffness.bend_u / rod.stiffness.stretch)
  end
  return slender * rod.length
end

--- The middle of the first segment is where the continuous rod is clamped; a string begins at its first node.
local function build(entry, p)
  local case = find_case(p)
  local rod = case.rod
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
  local made = s:rod{
    name = "rod", points = points, radius = r, density = 1 / (math.pi * r ^ 2), material = material(rod, r, entry.model),
    frame = not rod.string and function(t)
      local q = frame_at(rod, h * (t * p.n - 0.5))
      return q[1], q[2], q[3], q[4]
    end or nil,
    position = rod.string and function(t) -- hangs as a parabola at first
      return span * t, 0, -4 * 0.3 * t * (1 - t)
    end or nil,
  }
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
  for _, ask in ipairs(case.ask) do
    if ask.at == 1 or rod.string then
      local known = references[p.problem .. "/" .. p.case .. "/" .. ask.name].reference
      s:gate{
        name = ask.name, quantity = "frames/position", node = rod.string and made.first + p.n // 2 or made.last,
        component = ask.component, measure = "final", near = known[1], tolerance = 1e-6 * rod.length, absolute = true,
        finding = true, reason = "a millionth of the length; the reference is certified to " .. known[2],
      }
    end
  end
  return s
end

--- Adds the runs of a case: by the number of segments and, where the entry has several, of settings; and the finest once
--- more on all processors.
local function add_runs(entry, problem, case, tier, list)
  local sweep, finest = entry.sweep or { {} }, tier == "full" and #entry.segments or math.min(3, #entry.segments)
  local function add(n, settings, threads)
    local run = {
      name = problem .. "-" .. case.name .. "-n" .. n .. (settings.name and "-" .. settings.name or "") .. (threads == 0 and "-all" or ""),
      label = problem .. " " .. case.name .. ", " .. n .. " segments" .. (settings.name and ", " .. settings.name or ""),
      parameters = { problem = problem, case = case.name, n = n }, solver = entry.solver,
    }
    for key, value in pairs(entry.options or {}) do run[key] = value end
    for key, value in pairs(settings) do if key ~= "name" then run[key] = value end end
    if entry.threads then run.threads = threads end
    list[#list + 1] = run
  end
  for i = 1, finest do
    for _, settings in ipairs(sweep) do add(entry.segments[i], settings, 1) end
  end
  if entry.threads then add(entry.segments[finest], sweep[#sweep], 0) end
end

--- The reasons of an entry for problems that it does not take, as one text.
local function reasons(entry)
  local list = {}
  for _, problem in ipairs(names) do
    local why = (entry.without or {})[problem]
    if why then list[#list + 1] = problem .. ": " .. why end
  end
  return table.concat(list, "; ")
end

--- The study of an entry: a table with `title`, `solver`, its `options`, the numbers of `segments` to be tried (even),
--- a `sweep` of settings to be tried, each with a `name` of no minus, `ramp`, the steps in which loads grow, `hold`, steps after them, `step` and
--- `damping`, by the unit of time of the problem, `slender`, radius over length, `model` of the material, `hold_spin`,
--- whether strings are kept from turning about themselves, `threads`, whether the solver may use several, and `without`,
--- reasons by problems that the solver does not take.
return function(entry)
  return {
    title = entry.title,
    parameters = { problem = "elastica", case = "1", n = 16, without = reasons(entry) },
    build = function(p) return build(entry, p) end,
    runs = function(_, tier)
      local list = {}
      for _, problem in ipairs(names) do
        local cases = (entry.without or {})[problem] and {} or include("problems/" .. problem).cases
        for _, case in ipairs(cases) do add_runs(entry, problem, case, tier, list) end
      end
      return list
    end,
    figure = "score",
  }
end
