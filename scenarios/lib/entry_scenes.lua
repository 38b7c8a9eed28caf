-- Scenes of problems without a rod, for entries: a function of entry, parameters and case for each
-- problem. `p.n` is the number of segments, with which the number of steps grows; for rigid bodies
-- it is only the number of steps.
local special, integrate, cross = include("special_functions"), include("integrate"), include("vector").cross
local scenes = {}

--- The `given` numbers of a case by name, as altered by the entry.
local function given_of(entry, case)
  local given = {}
  for _, g in ipairs(case.given) do given[g.name] = g.value end
  if entry.alter_given then entry.alter_given(given) end
  return given
end

local function gate(s, case, name, of)
  for _, ask in ipairs(case.ask) do
    if ask.name == name then
      of.name, of.tolerance, of.absolute, of.finding = name, 1e-6 * (of.scale or ask.scale or 1), true, true
      of.near, of.scale, of.reason = of.near or scenes.reference(case, name), nil, "a millionth of what is asked for; the reference is certified"
      s:gate(of)
    end
  end
end

--- Set by entry.lua: the certified value of an answer of the case, and its error.
function scenes.reference() end

--- Adds a rod to the scene, as the entry alters it. Its radius falls by the part `taper`; that of the last node is not quite 0.
local function add_rod(s, entry, body, taper)
  if entry.alter_body then entry.alter_body(body) end
  if taper then
    local even = body.radius
    body.radius = function(t) return (type(even) == "function" and even(t) or even) * math.max(1 - taper * t, 1e-6) end
  end
  return s:rod(body)
end

--- Pins the scales of all nodes except those of `but`.
local function pin_scales(s, nodes, but)
  local free = {}
  for _, node in ipairs(nodes) do
    if node ~= but then free[#free + 1] = node end
  end
  s:pin{ nodes = free, components = "s" }
end

--- A round section of radius `r` and the stiffness `along` of stretch, at nu = 0.
local function material(entry, r, along)
  local E = along / (math.pi * r * r)
  if entry.model == "solid" then return { model = "solid", E = E, nu = 0, kz = E, kv = 0 } end
  return { kx = E / 2, ky = E / 2, kz = E }
end

--- A scene of `periods` of a vibration, each row of which is a frame, with steps by the key `key` of the entry.
local function vibration(entry, key, p, frequency, periods, gravity)
  local each = math.floor(entry[key].steps * p.n / entry.segments[1] + 0.5)
  local s = vb.scene{ step = 2 * math.pi / frequency / each, steps = each * periods, gravity = gravity, damping = entry[key].damping or 0 }
  s:record{ every = each, frames = 1, fields = { "position" }, residual = false }
  return s
end

--- A scene over `time`, with steps by the key `key` of the entry, whose number grows with that of segments.
local function lasting(entry, key, p, time, gravity)
  local steps = math.floor(entry[key].steps * p.n / entry.segments[1] + 0.5)
  local s = vb.scene{ step = time / steps, steps = steps, gravity = gravity, damping = entry[key].damping or 0 }
  s:record{ every = steps, frames = 1, fields = { "position" }, residual = false }
  return s
end

function scenes.hanging_chain(entry, p, case)
  local g, r = given_of(entry, case), entry.modes.radius or 2e-4 -- so thin that it bends by 1e-6 of its weight
  local s = vibration(entry, "modes", p, scenes.reference(case, "frequency"), 5, { 0, 0, -1 })
  local rod = add_rod(s, entry, {
    name = "chain", nodes = p.n + 1, from = { 0, 0, 0 }, to = { 0, 0, -1 }, radius = r, density = 1 / (math.pi * r * r), material = material(entry, r, g.EA),
    position = function(t) return g.amplitude * case.shape(1 - t), 0, -t - (t - t * t / 2) / g.EA end,
  })
  s:pin{ node = rod.first, components = "xyzs" }
  if entry.hold_spin then s:pin{ segment = rod.first_segment, frame = "w" } end
  pin_scales(s, rod.nodes, rod.first)
  gate(s, case, "frequency", { quantity = "frames/position", node = rod.last, component = "x", measure = "frequency" })
  return s
end

--- A cantilever along `axis` ("x" or "z") in the initial shape of a vibration, displaced along the other axis. The middle of its
--- first segment is clamped.
local function cantilever(s, entry, p, case, r, axis, amplitude, pressed)
  local h = 1 / (p.n - 0.5)
  local function along(t) return h * (p.n * t - 0.5) end
  local function place(a, w)
    if axis == "x" then return a, 0, w end
    return w, 0, a
  end
  local x0, y0, z0 = place(along(0), 0)
  local x1, y1, z1 = place(1, 0)
  local rod = s:rod{
    name = "rod", nodes = p.n + 1, from = { x0, y0, z0 }, to = { x1, y1, z1 }, radius = r, density = 1 / (math.pi * r * r),
    material = material(entry, r, 4 / (r * r)),
    position = function(t) return place(along(0) + (along(t) - along(0)) * pressed, t > 0 and amplitude * case.shape(along(t)) or 0) end,
    turn = function(t)
      local _, angle = case.shape(math.max(0, along(t)))
      return 0, (axis == "x" and -1 or 1) * amplitude * angle, 0
    end,
  }
  s:pin{ node = rod.first, components = "xyzs" }
  s:pin{ segment = rod.first_segment }
  pin_scales(s, rod.nodes, rod.first)
  return rod
end

function scenes.vibrating_cantilever(entry, p, case)
  local g = given_of(entry, case)
  local s = vibration(entry, "modes", p, scenes.reference(case, "frequency"), g.periods, { 0, 0, 0 })
  local rod = cantilever(s, entry, p, case, g.r, "x", g.amplitude, 1)
  local rows = s.steps
  gate(s, case, "frequency", { quantity = "frames/position", node = rod.last, component = "z", measure = "frequency" })
  -- The factor of a row, of which the logarithm of the whole is that of all rows.
  gate(s, case, "amplitude", { quantity = "frames/position", node = rod.last, component = "z", measure = "decay", near = 1, scale = 1 / rows })
  return s
end

function scenes.beck(entry, p, case)
  local g, r = given_of(entry, case), 2e-3 -- as stiff against stretch as 1e6 B/L^2
  local s = vibration(entry, "follower", p, scenes.reference(case, "frequency"), 5, { 0, 0, 0 })
  local rod = cantilever(s, entry, p, case, r, "z", g.amplitude, 1 - g.P * r * r / 4)
  local _, slope = case.shape(1 - 0.5 / (p.n - 0.5))
  local angle = g.amplitude * slope -- of the last segment at first, with which the force turns from there
  s:load{ name = "follower", node = rod.last, turns_with = rod.last_segment, force = { -g.P * math.sin(angle), 0, -g.P * math.cos(angle) } }
  gate(s, case, "frequency", { quantity = "frames/position", node = rod.last, component = "x", measure = "frequency" })
  return s
end

--- Two segments stand on one that is held, and whose joint with the first is the spring at the foot. Half of the mass of each is
--- at each of its ends, 2 m and m.
function scenes.ziegler(entry, p, case)
  local g, r = given_of(entry, case), 2e-3
  local s = g.time and lasting(entry, "follower", p, g.time, { 0, 0, 0 })
    or vibration(entry, "follower", p, scenes.reference(case, "frequency"), 5, { 0, 0, 0 })
  local a, b, pressed = g.amplitude * g.a, g.amplitude * g.b, 1 - g.P * r * r / 4
  local places = { { 0, 0, -1 }, { 0, 0, 0 }, { math.sin(a), 0, math.cos(a) }, { math.sin(a) + math.sin(b), 0, math.cos(a) + math.cos(b) } }
  local rod = s:rod{
    name = "links", nodes = 4, from = places[1], to = { 0, 0, 2 }, radius = r, density = 2 / (math.pi * r * r), material = material(entry, r, 4 / (r * r)),
    position = function(t)
      local place = places[math.floor(3 * t + 1.5)]
      return place[1], 0, place[3] > 0 and place[3] * pressed or place[3]
    end,
  }
  s:pin{ nodes = { rod.first, rod.first + 1 }, components = "xyzs" }
  s:pin{ segment = rod.first_segment }
  s:pin{ nodes = { rod.first + 2, rod.last }, components = "s" }
  s:load{ name = "follower", node = rod.last, turns_with = rod.last_segment, force = { -g.P * math.sin(b), 0, -g.P * math.cos(b) } }
  if g.time then
    local tip = g.amplitude * scenes.reference(case, "growth")
    gate(s, case, "growth", {
      quantity = "frames/position", node = rod.last, component = "x", measure = "final", near = tip, scale = math.abs(tip),
    })
  else
    gate(s, case, "frequency", { quantity = "frames/position", node = rod.last, component = "x", measure = "frequency" })
  end
  return s
end

--- A rod whose nodes, at `points`, are the joints, so thin that it is a chain. `motion` has its velocities at first.
local function hinged(s, entry, points, stretch, motion)
  local r = 1e-4
  local rod = add_rod(s, entry, {
    name = "chain", points = points, radius = r, density = 1 / (math.pi * r * r), material = material(entry, r, stretch),
    velocity = motion.velocity, angular_velocity = motion.angular_velocity,
  }, motion.taper)
  for joint = 1, #points - 2 do s:hinge{ node = rod.first + joint } end
  s:pin{ node = rod.first, components = "xyzs" }
  pin_scales(s, rod.nodes, rod.first)
  return rod
end

function scenes.folded_chain(entry, p, case)
  local g = given_of(entry, case)
  local s = lasting(entry, "fall", p, g.time, { 0, 0, -1 })
  local n, points = g.links or p.n, {} -- a continuous chain has as many as there are segments
  local h = 1 / n
  for i = 0, n do points[i + 1] = i <= n / 2 and { 0, 0, -i * h } or { h, 0, -(n + 1 - i) * h } end
  local rod = hinged(s, entry, points, 1e4, {})
  s:record{ every = s.steps, frames = s.steps, fields = { "position" }, residual = false }
  gate(s, case, "z", { quantity = "frames/position", node = rod.last, component = "z", measure = "final" })
  return s
end

function scenes.whip(entry, p, case)
  local g = given_of(entry, case)
  local s = lasting(entry, "fall", p, g.time, { 0, 0, 0 })
  local n, points = g.links or p.n + 1, {} -- a continuous whip has a segment across in its middle
  local h, rest = 1 / n, n // 2
  for i = 0, n do points[i + 1] = i <= rest and { i * h, 0, 0 } or { (2 * rest + 1 - i) * h, h, 0 } end
  local rod = hinged(s, entry, points, entry.fall.stretch or 1e4, {
    velocity = function(t) return n * t > rest + 0.5 and 1 or 0, 0, 0 end,
    angular_velocity = function(t) return 0, 0, math.abs(n * t - rest - 0.5) < 0.1 and -1 / h or 0 end, taper = g.taper,
  })
  s:record{ every = s.steps, frames = 1, fields = { "position", "velocity" }, residual = false }
  gate(s, case, "x", { quantity = "frames/position", node = rod.last, component = "x", measure = "final" })
  gate(s, case, "speed", { quantity = "frames/velocity", node = rod.last, component = "x", measure = "final" })
  return s
end

--- A point of the line over a drum: up at x = -R, over the top, and down at x = R.
local function over(R, straight, along)
  local angle = (along - straight) / R
  if angle < 0 then return -R, 0, along - straight end
  if angle > math.pi then return R, 0, straight + math.pi * R - along end
  return -R * math.cos(angle), 0, R * math.sin(angle)
end

function scenes.capstan(entry, p, case)
  local g, r, stretch = given_of(entry, case), 5e-4, 2e5 -- radius, and stiffness of stretch: 1e-4 of the travel
  local before = g.time / 2 -- in which both pulls come, and what they stir dies away
  local s = lasting(entry, "contact", p, g.time + before, { 0, 0, 0 })
  local h = (2 * g.straight + math.pi) / p.n
  local R = 1 / math.cos(h / 2) -- of nodes, so that the segments' middles touch
  local length = 2 * g.straight + math.pi * R
  local rope = s:rod{
    name = "rope", nodes = p.n + 1, radius = r, density = 1 / (math.pi * r * r), material = material(entry, r, stretch), bending = { 1e-3, 1e-3 },
    curve = function(t) return over(R, g.straight, t * length) end,
  }
  pin_scales(s, rope.nodes)
  local drum = s:rod{ name = "drum", nodes = 2, from = { 0, -1, 0 }, to = { 0, 1, 0 }, radius = 1 - r, density = 1, material = material(entry, 1, 1e4) }
  s:pin{ nodes = drum.nodes, components = "xyzs" }
  s:pin{ segments = drum.segments }
  s:contact{ friction = g.mu }
  s:load{ name = "slack", node = rope.first, force = { 0, 0, -1 }, amplitude = { { 0, 0 }, { before / 2, 1 } } }
  s:load{
    name = "taut", node = rope.last, force = { 0, 0, -1 },
    amplitude = { { 0, 0 }, { before / 2, g.rest }, { before, g.rest, "hold" }, { before + 1e-6, g.pull } },
  }
  gate(s, case, "travel", { quantity = "frames/position", node = rope.last, component = "z", measure = "drift", from = before - 1e-9 })
  return s
end

function scenes.rolling(entry, p, case)
  local g = given_of(entry, case)
  local s = lasting(entry, "contact", p, g.time, { math.sin(g.slope), 0, -math.cos(g.slope) })
  local rod = s:rod{
    name = "cylinder", nodes = 2, from = { 0, -0.5, 1 }, to = { 0, 0.5, 1 }, radius = 1, density = 1, material = material(entry, 1, 1e4),
    velocity = { g.speed, 0, 0 },
  }
  s:pin{ nodes = rod.nodes, components = "s" }
  -- A moving plane plants a solver whose contacts gain energy.
  local belt = g.belt and s:driver{ name = "belt", x = { { 0, 0 }, { g.time, g.belt * g.time } } } or nil
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = g.mu, driver = belt }
  gate(s, case, "place", { quantity = "frames/position", node = rod.first, component = "x", measure = "final" })
  return s
end

--- The block is the end of a segment, which is the spring, so long that it hardly changes.
function scenes.stick_slip(entry, p, case)
  local g, r, length = given_of(entry, case), 1e-3, 10
  local s = lasting(entry, "contact", p, g.time, { 0, 0, -1 })
  local spring = s:rod{
    name = "spring", nodes = 2, from = { -length, 0, 0 }, to = { 0, 0, 0 }, radius = r, density = 2 / (math.pi * r * r * length),
    material = material(entry, r, length), position = function(t) return (t - 1) * length + t * g.begin, 0, 0 end,
    velocity = function(t) return t * g.belt, 0, 0 end,
  }
  s:pin{ node = spring.first, components = "xyzs" }
  s:pin{ segment = spring.first_segment }
  s:pin{ node = spring.last, components = "s" }
  local belt = s:driver{ name = "belt", x = { { 0, 0 }, { g.time, g.belt * g.time } } }
  s:halfplane{ normal = { 0, 0, 1 }, offset = -r, static_friction = g.mu_s, kinetic_friction = g.mu_k, driver = belt }
  s:record{ every = 1, frames = 1, fields = { "position" }, residual = false }
  local mean = (g.mu_s + g.begin) / 2 -- about which it moves
  gate(s, case, "frequency", { quantity = "frames/position", node = spring.last, component = "x", origin = mean, measure = "frequency" })
  gate(s, case, "most", { quantity = "frames/position", node = spring.last, component = "x", measure = "maximum" })
  return s
end

function scenes.crossing(entry, p, case)
  local g = given_of(entry, case)
  local s = lasting(entry, "contact", p, g.time, { math.sin(g.slope), 0, -math.cos(g.slope) })
  for _, y in ipairs{ -2, 2 } do
    local rail = s:rod{ name = "rail", nodes = 2, from = { -4, y, 0 }, to = { 4, y, 0 }, radius = 1, density = 1, material = material(entry, 1, 1e4) }
    s:pin{ nodes = rail.nodes, components = "xyzs" }
    s:pin{ segments = rail.segments }
  end
  local rod = s:rod{ name = "rod", nodes = 2, from = { 0, -4, 2 }, to = { 0, 4, 2 }, radius = 1, density = 1, material = material(entry, 1, 1e4) }
  s:pin{ nodes = rod.nodes, components = "s" }
  s:pin{ segment = rod.first_segment, frame = "w" }
  s:contact{ friction = g.mu }
  gate(s, case, "travel", { quantity = "frames/position", node = rod.first, component = "x", measure = "drift" })
  return s
end

--- Nodes of a rod below a clamp at the origin, bent toward x in the first mode by which it buckles while its tip rests, so much
--- that the tip is at z = -`height`.
local function buckled(n, height)
  local k, h = special.tangent_root(), 1 / (n - 0.5)
  local function nodes(size, part)
    local x, z, list = 0, h / 2, { { 0, 0, h / 2 } }
    for i = 1, n do
      local s = k * (i - 1) * h
      local angle = size * (math.cos(s) - 1 + part * math.sin(s))
      x, z = x + h * math.sin(angle), z - h * math.cos(angle)
      list[i + 1] = { x, 0, z }
    end
    return list
  end
  local z = integrate.newton(function(z)
    local tip = nodes(z[1], z[2])[n + 1]
    return { tip[1], tip[3] + height }
  end, { math.sqrt(2 * (1 - height)) / k, k })
  return nodes(z[1], z[2])
end

--- The same of a rod of the weight `weight`, in equilibrium as a chain of bars, whose first one is held: by the curvature behind it and
--- both forces on the tip.
local function hung(n, height, weight)
  local h = 1 / (n - 0.5)
  local function nodes(z)
    local bent, x, depth, angle, list = z[1], 0, h / 2, 0, { { 0, 0, h / 2 }, { 0, 0, -h / 2 } }
    for i = 2, n do
      angle = angle + h * bent
      x, depth = x + h * math.sin(angle), depth + h * math.cos(angle)
      bent = bent - h * (z[2] * math.cos(angle) + (z[3] - weight * h * (n - i + 0.5)) * math.sin(angle))
      list[i + 1] = { x, 0, -depth }
    end
    return list, { bent, x, depth - height }
  end
  local found = integrate.newton(function(z)
    local _, left = nodes(z)
    return left
  end, { 0.85, 1.5, 20 + weight / 3 })
  return (nodes(found))
end

--- A rod below a clamp that goes down ever more slowly, onto a rough plane. The entry damps the motion so much that inertia does not
--- matter. Steps and radius are by the key `key` of the entry.
local function pushed(entry, key, p, case, weight)
  local g, r, before, time = given_of(entry, case), entry[key].radius or 2e-4, 0.01, 100
  local s = lasting(entry, key, p, time, { 0, 0, -weight })
  local h, places, down = 1 / (p.n - 0.5), weight > 0 and hung(p.n, 1 - before, weight) or buckled(p.n, 1 - before), {}
  for i = 0, 60 do down[i + 1] = { 0.01 * i * time, (before - g.push) * (1 - (1 - i / 60) ^ 2) } end
  down[62] = { time, before - g.push }
  local rod = add_rod(s, entry, {
    name = "rod", nodes = p.n + 1, from = { 0, 0, h / 2 }, to = { 0, 0, -1 }, radius = r, density = 1 / (math.pi * r * r),
    material = material(entry, r, 4 / (r * r)), position = function(t) return table.unpack(places[math.floor(p.n * t + 1.5)]) end,
  })
  local clamp = s:driver{ name = "clamp", z = down }
  s:pin{ node = rod.first, components = "xyzs", driver = clamp }
  s:pin{ segment = rod.first_segment, driver = clamp }
  pin_scales(s, rod.nodes, rod.first)
  s:halfplane{ normal = { 0, 0, 1 }, offset = before - 1 - r, friction = g.mu }
  s:record{ every = s.steps, frames = 1, fields = { "position", "half_plane_force" }, residual = false }
  gate(s, case, "travel", { quantity = "frames/position", node = rod.last, component = "x", measure = "final" })
  return s
end

--- Asks for the forces of the plane, which are the opposite of what the rod exerts on it.
local function ask_for_forces(s, case)
  for _, ask in ipairs{ { "side", "x" }, { "up", "z" } } do
    local name, axis = table.unpack(ask)
    gate(s, case, name, {
      quantity = "frames/half_plane_force", half_plane = 0, component = axis, measure = "final", near = -scenes.reference(case, name),
    })
  end
end

function scenes.stick(entry, p, case)
  local s = pushed(entry, "push", p, case, 0)
  if case.name == "sticks" then ask_for_forces(s, case) end
  return s
end

function scenes.laid_rope(entry, p, case)
  local s = pushed(entry, "lay", p, case, given_of(entry, case).weight)
  ask_for_forces(s, case)
  return s
end

--- Nodes of a strip of `n` segments of the length `h` in the plane of x and z, about its middle: `lifted` bars of each half are a ruck, whose
--- halves are longer by `half` than their extent. The angle of the first of them and the push are found.
local function rucked(n, h, lifted, half, push)
  local function walk(z)
    local angle, before, moment, x, height, list = z[1], 0, 0, 0, 0, { { 0, 0 } }
    for i = 1, lifted do
      local sine, cosine = math.sin(angle), math.cos(angle)
      x, height, before = x + h * cosine, height + h * sine, angle
      list[i + 1] = { x, height }
      moment = (i == 1 and angle / h or moment) + h * (h * (lifted - i + 0.5) * cosine - z[2] * sine)
      angle = angle + h * moment
    end
    return list, { (before + angle) / 2, lifted * h - x - half }
  end
  local list = walk(integrate.newton(function(z)
    local _, left = walk(z)
    return left
  end, { 0, push }))
  local places, extent = {}, list[lifted + 1][1]
  for i = 0, n do
    local from_middle = math.abs(i - n // 2)
    local place = list[lifted + 1 - from_middle] or { (lifted - from_middle) * h, 0 }
    places[i + 1] = { (i < n // 2 and -1 or 1) * (extent - place[1]), 0, place[2] }
  end
  return places
end

--- A ruck that friction holds, or not. The strip has four times as many segments, so that the ruck has twice as many.
function scenes.ruck(entry, p, case)
  local g, r, n, time = given_of(entry, case), entry.ruck.radius or 1e-3, 4 * p.n, 50
  local s = lasting(entry, "ruck", p, time, { 0, 0, -1 })
  local h, half, push = g.length / n, case.shape()
  local places = rucked(n, h, math.floor(half / h + 0.5), g.excess / 2, push)
  local rod = add_rod(s, entry, {
    name = "strip", nodes = n + 1, from = { -g.length / 2, 0, 0 }, to = { g.length / 2, 0, 0 }, radius = r, density = 1 / (math.pi * r * r),
    material = material(entry, r, 4 / (r * r)), position = function(t) return table.unpack(places[math.floor(n * t + 1.5)]) end,
  })
  pin_scales(s, rod.nodes)
  s:halfplane{ normal = { 0, 0, 1 }, offset = -r, friction = g.mu }
  local move = places[n + 1][1] -- where the end is at first
  gate(s, case, "height", { quantity = "frames/position", node = rod.first + n // 2, component = "z", measure = "final" })
  gate(s, case, "travel", {
    quantity = "frames/position", node = rod.last, component = "x", measure = "final", near = move + scenes.reference(case, "travel"),
  })
  return s
end

--- Nodes of a heavy chain of `n` bars, whose first one is held along -z at the height `g.start`, its last one on the plane along y at
--- x = `g.beside`, both by their middles: by the moment behind the first one, z[1] and z[2], and the force in it, z[3..5]. Also returns
--- what is left at the last one.
local function chain_down(n, g, z)
  local h = 1 / (n - 1)
  local x, t, m = { 0, 0, g.start - h / 2 }, { 0, 0, -1 }, { z[1], z[2], 0 }
  local list = { { 0, 0, g.start + h / 2 }, x }
  for i = 2, n do
    local angle = h * math.sqrt(m[1] ^ 2 + m[2] ^ 2 + m[3] ^ 2)
    local cosine, sine, across = math.cos(angle), h * math.sin(angle) / angle, cross(m, t)
    t = { cosine * t[1] + sine * across[1], cosine * t[2] + sine * across[2], cosine * t[3] + sine * across[3] }
    x = { x[1] + h * t[1], x[2] + h * t[2], x[3] + h * t[3] }
    list[i + 1] = x
    local moment = cross(t, { z[3], z[4], z[5] + g.weight * h * (i - 1) })
    for k = 1, 3 do m[k] = m[k] - h * moment[k] end
  end
  local last = list[n]
  return list, { last[1] - g.beside, last[2] + h / 2, last[3], t[1], t[3] }
end

--- The same in equilibrium, which is found with more bars first, and these as of the case `let_down`: those of twice and four times as many
--- tell it to the first order.
local function let_down(n, g)
  local known, here = { start = 0.75, beside = 0.25, weight = 100 }, {}
  local bars, z, finer, parts = n, { -2.561, 0.321, -3.307, -17.645, -63.695 }, nil, 1
  for key, value in pairs(known) do parts = math.max(parts, math.ceil(20 * math.min(1, math.abs(math.log(g[key] / value))))) end
  local function balance(guess)
    return integrate.newton(function(z)
      local _, left = chain_down(bars, here, z)
      return left
    end, guess)
  end
  while bars < 256 do bars = 2 * bars end
  for k = 1, parts do
    for key, value in pairs(known) do here[key] = value * (g[key] / value) ^ (k / parts) end
    z = balance(z)
  end
  while bars > n do
    local guess = {}
    for k = 1, 5 do guess[k] = finer and 3 * z[k] - 2 * finer[k] or z[k] end
    bars = bars // 2
    finer, z = z, balance(guess)
  end
  return (chain_down(n, g, z))
end

--- A rope that a nozzle lets down, segment after segment, beginning with the length 1.2; its end is held on a rough plane. A segment, and the
--- node above it, leave the nozzle one step after the middle of the segment, where it is clamped, has passed the mouth. It is so slow that
--- inertia does not matter.
local function fed_rope(entry, p, case)
  local g, r, h, time, each = given_of(entry, case), entry.coil.radius or 3e-3, 1 / (p.n - 0.5), 100, entry.coil.each or 16
  local hangs = math.ceil(1.2 / h)
  local fed = math.ceil(2.55 / h) - hangs -- segments, until the point that is asked for lies, and some more of the rope
  local s = vb.scene{ step = time / (fed * each), steps = fed * each, gravity = { 0, 0, -g.weight }, damping = entry.coil.damping or 0 }
  local length, places = hangs * h, {}
  for k = fed, 1, -1 do places[#places + 1] = { 0, 0, 1 + (k + 0.5) * h } end
  for _, at in ipairs(let_down(hangs + 1, { start = 1 / length, beside = g.beside / length, weight = g.weight * length ^ 3 })) do
    places[#places + 1] = { length * at[1], length * at[2], length * at[3] }
  end
  local n = #places - 1
  local rod = add_rod(s, entry, {
    name = "rope", nodes = n + 1, from = { 0, 0, n * h }, to = { 0, 0, 0 }, radius = r, density = 1 / (math.pi * r * r),
    material = material(entry, r, 4 / (r * r)), position = function(t) return table.unpack(places[math.floor(n * t + 1.5)]) end,
  })
  local nozzle = s:driver{ name = "nozzle", z = { { 0, 0 }, { time, -fed * h } } }
  for k = 0, fed do
    local ends = (fed - k + 1 / each) / fed * time
    s:pin{ node = rod.first + k, components = "xyz", driver = nozzle, ends = ends }
    s:pin{ segment = rod.first_segment + k, frame = "uv", driver = nozzle, ends = ends }
  end
  s:pin{ node = rod.last, components = "xyzs" }
  s:pin{ segment = rod.last_segment, frame = "uv" }
  for k = 0, n - 1 do s:pin{ node = rod.first + k, components = "s", driver = k <= fed and nozzle or nil } end
  s:halfplane{ normal = { 0, 0, 1 }, offset = -r, friction = g.mu }
  s:record{ every = s.steps, frames = s.steps, fields = { "position" }, residual = false }
  for _, axis in ipairs{ "x", "y" } do
    gate(s, case, axis .. "_lies", { quantity = "frames/position", node = rod.last - p.n, component = axis, measure = "final" })
  end
  return s
end

--- A rope between a clamp that goes down, and rests at two heights, and its end, which is held on a rough plane. Both let it turn about itself.
function scenes.coiled_rope(entry, p, case)
  if case.name == "fed" then return fed_rope(entry, p, case) end
  local g, r, time = given_of(entry, case), entry.coil.radius or 1e-3, 100
  local s = lasting(entry, "coil", p, time, { 0, 0, -g.weight })
  local h, places, down = 1 / (p.n - 1), let_down(p.n, g), { { 0, 0 } }
  for half, height in ipairs{ g.first, g.second } do
    local from = half == 1 and g.start or g.first
    for i = 1, 60 do -- ever more slowly
      down[#down + 1] = { time / 2 * (half - 1 + 0.9 * i / 60), height - g.start + (from - height) * (1 - i / 60) ^ 2 }
    end
    down[#down + 1] = { time / 2 * half, height - g.start }
  end
  local rod = add_rod(s, entry, {
    name = "rope", nodes = p.n + 1, from = { 0, 0, h / 2 }, to = { 0, 0, -1 - h / 2 }, radius = r, density = 1 / (math.pi * r * r),
    material = material(entry, r, 4 / (r * r)), position = function(t) return table.unpack(places[math.floor(p.n * t + 1.5)]) end,
  })
  local clamp = s:driver{ name = "clamp", z = down }
  s:pin{ node = rod.first, components = "xyzs", driver = clamp }
  s:pin{ node = rod.last, components = "xyzs" }
  for _, segment in ipairs{ rod.first_segment, rod.last_segment } do s:pin{ segment = segment, frame = "uv" } end
  pin_scales(s, rod.nodes, rod.first)
  s:halfplane{ normal = { 0, 0, 1 }, offset = -r, friction = g.mu }
  s:record{ every = s.steps // 2, frames = 1, fields = { "position" }, residual = false }
  for _, ask in ipairs(case.ask) do
    local lies = string.sub(ask.name, 3) == "lies"
    gate(s, case, ask.name, {
      quantity = "frames/position", node = rod.first + p.n // 2, component = string.sub(ask.name, 1, 1), measure = lies and "final" or "value",
      at = not lies and time / 2 or nil,
    })
  end
  return s
end

--- Two strands of twice as many segments, bent at an end each by two forces on the last segment, as the loop bends them. Their middles
--- stay on the axis, along which the braid could otherwise be moved.
function scenes.knot(entry, p, case)
  local g, n = given_of(entry, case), 2 * p.n
  local s = lasting(entry, "braid", p, 200, { 0, 0, 0 })
  local h, force, strands = g.radius, 2 * g.radius * n / (2 * g.half), {}
  for k, sign in ipairs{ 1, -1 } do
    local rod = add_rod(s, entry, {
      name = "strand" .. k, nodes = n + 1, from = { -g.half, 0, 0 }, to = { g.half, 0, 0 }, radius = h, density = 1 / (math.pi * h * h),
      material = material(entry, h, 4 / (h * h)),
      position = function(t)
        local x = g.half * (2 * t - 1)
        local y, z = case.shape(x)
        return x, h * (x * x / 2 + sign * y), sign * h * z
      end,
    })
    s:pin{ nodes = rod.nodes, components = "s" }
    s:pin{ node = rod.first + p.n, components = "xy" }
    local last, inner = rod.last, rod.last - 1
    if sign < 0 then last, inner = rod.first, rod.first + 1 end
    s:load{ name = "end" .. k, node = last, force = { 0, force, 0 } }
    s:load{ name = "inner" .. k, node = inner, force = { 0, -force, 0 } }
    strands[k] = rod
  end
  s:contact{ friction = 0 }
  for _, ask in ipairs(case.ask) do
    local x = ask.name == "apart_3" and 3 or 4
    local row = math.floor((x + g.half) / (2 * g.half) * n + 0.5)
    local near = 2 * h * scenes.reference(case, ask.name)
    gate(s, case, ask.name, {
      quantity = "frames/position", node = strands[1].first + row, apart_from = strands[2].first + row, measure = "final", near = near, scale = 2 * h,
    })
  end
  return s
end

--- Piles side by side along their ditch, so far apart that they do not meet. Rods of one segment are rigid.
function scenes.pile(entry, p, case)
  local g, apart = given_of(entry, case), 100
  local s = lasting(entry, "pile", p, g.time, { 0, 0, -1 })
  for pile = 1, g.piles do
    for k = 1, g.rods do
      local x, y, z, angle = case.shape(pile, k)
      local dx, dy = g.half * math.cos(angle), g.half * math.sin(angle)
      y = y + apart * (pile - 1)
      local rod = add_rod(s, entry, {
        name = "rod" .. pile .. "_" .. k, nodes = 2, from = { x - dx, y - dy, z }, to = { x + dx, y + dy, z }, radius = 1,
        density = 1 / (math.pi * 2 * g.half), material = material(entry, 1, 1e4),
      })
      pin_scales(s, rod.nodes)
    end
  end
  for _, side in ipairs{ 1, -1 } do s:halfplane{ normal = { side * math.sqrt(0.5), 0, math.sqrt(0.5) }, offset = 0, friction = g.mu } end
  s:contact{ friction = g.mu }
  s:record{ every = s.steps % 4 == 0 and s.steps // 4 or 1, frames = s.steps, fields = { "position" }, residual = false }
  local weight = g.piles * g.rods
  for _, ask in ipairs(case.ask) do
    local time, known, bar = tonumber(string.sub(ask.name, 8)), scenes.reference(case, ask.name)
    gate(s, case, ask.name, { quantity = "energy/gravity", measure = "value", at = time, near = weight * known, scale = weight * ask.scale })
    s:gate{
      name = "bar of " .. ask.name, number = bar, near = 0, tolerance = 1e-6 * ask.scale, absolute = true, finding = true,
      reason = "smaller errors are chance: no score is better than the statistical error of the reference",
    }
  end
  return s
end

--- Two stiff segments that meet at an angle: a body of the moments m h^2/2 + 7/2 d, m b^2 + 5/2 d and about the sum of both, of the
--- half breadth b and the height h, d = m r^2/4 being what frames have.
function scenes.free_top(entry, p, case)
  local g, mass, r = given_of(entry, case), 8, 0.1
  local d = mass * r * r / 4
  local half, height = math.sqrt((g.I_2 - 2.5 * d) / mass), math.sqrt(2 * (g.I_1 - 3.5 * d) / mass)
  local first, third = { g.first_x, 0, g.first_z }, { g.third_x, 0, g.third_z }
  local second = { 0, third[3] * first[1] - third[1] * first[3], 0 }
  local spin, steps = {}, math.floor(entry.top.steps * p.n / entry.segments[1] + 0.5)
  for k = 1, 3 do spin[k] = g.rate_1 * first[k] + g.rate_3 * third[k] end
  local function place(t)
    local a, b, out = (2 * t - 1) * half, (t == 0.5 and 0.5 or -0.5) * height, {}
    for k = 1, 3 do out[k] = a * first[k] + b * second[k] end
    return out
  end
  local s = vb.scene{ step = g.time / steps, steps = steps, gravity = { 0, 0, 0 } }
  local made = s:rod{
    name = "top", points = { place(0), place(0.5), place(1) }, radius = r, density = mass / (math.pi * r * r * math.sqrt(half ^ 2 + height ^ 2)),
    material = material(entry, r, 1e7), angular_velocity = spin,
    velocity = function(t)
      local x, y, z = table.unpack(place(t))
      return spin[2] * z - spin[3] * y, spin[3] * x - spin[1] * z, spin[1] * y - spin[2] * x
    end,
  }
  s:pin{ nodes = made.nodes, components = "s" }
  s:record{ every = steps, frames = steps, fields = { "position" }, residual = false }
  for _, axis in ipairs{ "x", "y", "z" } do
    gate(s, case, axis, { quantity = "frames/position", node = made.last, component = axis, measure = "final" })
  end
  return s
end

--- Four segments, whose lengths at first are those at rest. What is kept does not depend on their number.
function scenes.drift(entry, p, case)
  local g, n = given_of(entry, case), 4
  local s = lasting(entry, "drift", p, g.time, { 0, 0, 0 })
  local spin, half = { g.w_x, g.w_y, g.w_z }, g.bend / (2 * n)
  local function place(t)
    local x, y, z = case.shape(t - 0.5)
    local factor = half / math.sin(half)
    return factor * x, factor * y, factor * z
  end
  local rod = s:rod{
    name = "rod", nodes = n + 1, from = { -0.5, 0, 0 }, to = { 0.5, 0, 0 }, radius = g.r, density = 1 / (math.pi * g.r ^ 2),
    material = material(entry, g.r, 4 / g.r ^ 2), position = place, angular_velocity = spin,
    velocity = function(t)
      local x, y, z = place(t)
      return g.v_x + spin[2] * z - spin[3] * y, g.v_y + spin[3] * x - spin[1] * z, g.v_z + spin[1] * y - spin[2] * x
    end,
  }
  s:pin{ nodes = rod.nodes, components = "s" }
  local row = s.steps // 100
  s:record{
    every = row, frames = row, fields = { "position", "velocity", "mass", "scale", "frame", "angular_velocity" }, residual = false,
  }
  gate(s, case, "energy", { quantity = "energy/total", measure = "drift", scale = g.energy })
  local momentum, angular = math.sqrt(g.v_x ^ 2 + g.v_y ^ 2 + g.v_z ^ 2), math.sqrt(g.L_x ^ 2 + g.L_y ^ 2 + g.L_z ^ 2)
  for _, axis in ipairs{ "x", "y", "z" } do
    gate(s, case, "momentum", { quantity = "momentum", component = axis, measure = "drift", scale = momentum })
    gate(s, case, "angular", { quantity = "momentum/angular", component = axis, measure = "drift", scale = angular })
  end
  return s
end

-- Problems of volume.
include("volume_scenes")(scenes, { given = given_of, gate = gate, vibration = vibration })

return scenes
