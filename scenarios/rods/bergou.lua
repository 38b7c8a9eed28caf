-- The same rods with scales as unknowns (VIPER), and with a radius that is set after each step from
-- the length (Bergou et al. 2010): a radius pulse, an acoustic packet, a stretch, a pinch.
local forms = include("closed_forms")
local packets = include("packet")

local function material(p)
  local k, kv = forms.stiffness(p.E, p.nu)
  return { kx = k, ky = k, kz = k, kv = kv, rho = p.rho, r = p.radius }
end

local function rod(s, p, m, start)
  local o = {
    name = "rod", nodes = p.n + 1, from = { 0, 0, 0 }, to = { 0, 0, p.length }, radius = p.radius,
    density = p.rho, material = { kx = m.kx, ky = m.ky, kz = m.kz, kv = m.kv },
  }
  for key, value in pairs(start or {}) do o[key] = value end
  return s:rod(o)
end

local function hold_ends(s, bar)
  s:pin{ nodes = { bar.first, bar.last }, components = "xyz" }
end

--- Series of the scale of one node, as gates see it.
local function scale_gate(s, node, gate)
  gate.quantity, gate.node = "frames/scale", node
  s:gate(gate)
end

--- Thicker by p.height at the lower end, for a width of 5 radii; the figure's is half a radius high.
local function pulse(p)
  local m, l = material(p), p.length / p.n
  local h, steps, every = 5e-5, 1200, 1
  local s = vb.scene{ step = h, steps = steps }
  local function height(z) return p.height * math.exp(-(z / (5 * p.radius)) ^ 2) end
  local bar = rod(s, p, m, { scale = function(t) return 1 + height(t * p.length) end })
  hold_ends(s, bar)
  s:record{ every = 20, frames = every, fields = { "position", "scale" } }
  -- A part of the pulse's own forces, in each of 1200 steps: 1e-6, a tenth of the gate.
  s:solver{ iterations = 20, tolerance = 1e-9 }
  local middle = bar.nodes[p.n // 2 + 1]
  if p.model == "bergou" then
    scale_gate(s, bar.first, { name = "the pulse is gone after the first step", origin = 1,
      measure = "maximum_abs", from = h, at_most = 1e-12,
      reason = "the radius follows from the length, which no radius changes" })
    s:gate{ name = "the center line does not move", quantity = "frames/position", node = middle,
      component = "z", measure = "drift", at_most = 1e-12,
      reason = "no term of the energy holds a radius: nothing drives it" }
    return s
  end
  if p.height > 1e-3 then
    scale_gate(s, bar.first, { name = "the pulse outlives the first step", origin = 1,
      measure = "value", at = h, at_least = 0.5 * p.height,
      reason = "the breathing, w h = 0.37 here, loses 1/(1 + w^2 h^2) = 0.88 in a small step; half "
        .. "leaves room for its size" })
    scale_gate(s, middle, { name = "a wave of it passes the middle", origin = 1,
      measure = "maximum_abs", at_least = 0.05 * p.height,
      reason = "a twentieth of the pulse is far above rounding, and above the nothing of an updated "
        .. "radius" })
    return s
  end
  local profile = {}
  for i = 0, p.n do profile[i + 1] = height(i * l) end
  local all, y, most = forms.ripple(m, l, p.n, profile, p.n // 2, h, steps), {}, 0
  for i = 0, steps, every do
    y[#y + 1] = all[i + 1]
    most = math.max(most, math.abs(all[i + 1]))
  end
  local reason = "sum over the discrete modes of both branches under implicit Euler, exact for small "
    .. "pulses: second order is the height, 1e-6, and what Newton leaves in 1200 steps, 1e-6"
  scale_gate(s, middle, { name = "arrival at the middle", origin = 1, measure = "arrival",
    near = forms.arrival(y, every * h), tolerance = 1e-5, reason = reason })
  scale_gate(s, middle, { name = "height at the middle", origin = 1, measure = "maximum_abs",
    near = most, tolerance = 1e-5, reason = reason })
  return s
end

--- Speed and decay of a packet of long waves between two stations.
local function packet(p)
  local m, l = material(p), p.length / p.n
  local kz = forms.matched_kz(m)
  local speed, every = math.sqrt(kz / m.rho), 4
  local list = packets.waves(p, l, function(k)
    if p.model == "bergou" then return forms.updated_wave(kz, m.rho, l, k) end
    return forms.wave(m, l, k, "acoustic")
  end)
  local stations = { p.from + 1.2, p.from + 2.6 }
  local duration = (stations[2] - p.from + 3.2 * p.packet) / speed
  -- A decay over the way, exp(-w^2 h T / 2), to two thirds.
  local h = 0.8 / ((p.k * speed) ^ 2 * duration)
  local steps = every * math.ceil(duration / h / every)
  local s = vb.scene{ step = h, steps = steps }
  local bar = rod(s, p, m, packets.start(p, list))
  hold_ends(s, bar)
  s:record{ every = 20, frames = every, fields = { "position", "scale" } }
  -- Likewise of the packet's in some 1e4 steps: 1e-5, a hundredth of the gate.
  s:solver{ iterations = 20, tolerance = 1e-9 }
  for i, z in ipairs(stations) do
    local node = math.floor(z / l + 0.5)
    local y, most = {}, 0
    for step = 0, steps, every do
      y[#y + 1] = packets.scale_at(list, node * l - p.from, h, step)
      most = math.max(most, math.abs(y[#y]))
    end
    local reason = "sum of the plane waves under implicit Euler, exact for small amplitudes and a "
      .. "packet away from the ends: its tail there is 1e-4 of it"
    scale_gate(s, bar.nodes[node + 1], { name = string.format("arrival at station %d", i), origin = 1,
      measure = "arrival", near = forms.arrival(y, every * h), tolerance = 1e-3, reason = reason })
    scale_gate(s, bar.nodes[node + 1], { name = string.format("height at station %d", i), origin = 1,
      measure = "maximum_abs", near = most, tolerance = 1e-3, reason = reason })
  end
  return s
end

--- A bar pulled a little, held, pulled to twice its length, held.
local small, large = 1.001, 2.0

local function stretch(p)
  local m = material(p)
  local s = vb.scene{ step = 1 / 60, duration = 3 }
  local bar = rod(s, p, m)
  local a, b = (small - 1) * p.length, (large - 1) * p.length
  local top = s:driver{ name = "pull", z = { { 0, 0 }, { 0.5, a }, { 1, a }, { 2, b } } }
  s:pin{ node = bar.first, components = "xyz" }
  s:pin{ node = bar.last, components = "xyz", driver = top }
  local bergou = p.model == "bergou"
  s:record{ every = 1, frames = 6,
    fields = { "position", "scale", "frame", bergou and "segment_volume" or nil } }
  -- Of the force that the gate measures to 1e-6.
  s:solver{ iterations = 30, tolerance = 1e-10 }
  local area, kxy, kz = math.pi * m.r ^ 2, m.kx + m.ky, forms.matched_kz(m)
  local middle = bar.nodes[p.n // 2 + 1]
  for _, held in ipairs{ { small, 1, "a little" }, { large, 3, "to twice its length" } } do
    local e = held[1]
    local scale = bergou and e ^ -0.5 or forms.held_scale(kxy, m.kv, e)
    local force = bergou and kz * (p.feedback and scale ^ 2 or 1) * (e - 1)
      or m.kz * (e - 1) + m.kv * scale ^ 2 * (scale ^ 2 * e - 1)
    local reason = "at rest after 30 held steps, whose slowest motion falls to less than a half in each: "
    scale_gate(s, middle, { name = "scale, pulled " .. held[3], measure = "value", at = held[2],
      near = scale, tolerance = 1e-6,
      reason = reason .. (bergou and "volume is kept" or "root of the held bar's equilibrium") })
    s:gate{ name = "force, pulled " .. held[3], quantity = "reaction/force", driver = top,
      component = "z", measure = "value", at = held[2], near = area * force, tolerance = 1e-6,
      reason = reason .. "the closed form of the held bar" }
  end
  if not bergou then
    s:gate{ name = "energy of the stretch", quantity = "energy/stretch", measure = "final",
      near = 0.5 * area * m.kz * (large - 1) ^ 2 * p.length, tolerance = 1e-6,
      reason = "every segment is as long as its neighbors; at rest, as above" }
  end
  if bergou then
    s:gate{ name = "volume of a segment", quantity = "frames/segment_volume",
      segment = bar.first_segment, measure = "drift", at_most = 1e-12 * area * p.length / p.n,
      reason = "kept by construction; a few rounding errors" }
  end
  return s
end

--- A rod pinched at its middle node by two narrow planes that press with p.force each, without
--- friction: a plane that touches at c + s r moves by dc + r ds, the other by dc - r ds, so their work is 2 F r on -ds and
--- nothing on dc: a scale force of -2 F r, and no force on the center.
local function pinch(p)
  local m, l = material(p), p.length / p.n
  local s = vb.scene{ step = 2e-3, duration = 0.6 }
  local bar = rod(s, p, m)
  hold_ends(s, bar)
  local middle = bar.nodes[p.n // 2 + 1]
  s:load{ name = "planes", node = middle, scale_force = -2 * p.force * m.r,
    amplitude = { { 0, 0 }, { 0.1, 1 } } }
  s:record{ every = 2, frames = 10 }
  -- A residual r leaves up to r of the length (residual_truth): a tenth of the gate of 1e-9.
  s:solver{ iterations = 30, tolerance = 1e-10 }
  if p.model == "bergou" then
    scale_gate(s, middle, { name = "the pinch does not move the radius", origin = 1,
      measure = "maximum_abs", at_most = 1e-12,
      reason = "the force on the center is zero, and there is no unknown for the radius" })
    return s
  end
  s:gate{ name = "the center line stays at the pinch", quantity = "frames/position", node = middle,
    component = "z", measure = "drift", at_most = 1e-9,
    reason = "the pinch is in the middle of the rod: both sides pull alike, to Newton's tolerance" }
  local light = forms.pressed_scale(m, l, p.n, -2 * p.force * m.r) - 1
  if p.force > 1 then
    scale_gate(s, middle, { name = "the pinch moves the radius", origin = 1, measure = "final",
      near = light, tolerance = 0.35,
      reason = "sum over the discrete modes at rest, of first order in the force: second order is "
        .. "about the change itself" })
  else
    scale_gate(s, middle, { name = "radius under a light pinch", origin = 1, measure = "final",
      near = light, tolerance = 1e-4,
      reason = "sum over the discrete modes at rest, exact for small forces; 1e-6 of second order, "
        .. "and what is left of the motion" })
  end
  return s
end

local kinds = { pulse = pulse, packet = packet, stretch = stretch, pinch = pinch }

local function runs()
  local list = {}
  local function add(name, label, parameters)
    for _, model in ipairs{ "viper", "bergou" } do
      local own = { model = model }
      for key, value in pairs(parameters) do own[key] = value end
      list[#list + 1] = { name = name .. "-" .. model, solver = model, parameters = own,
        label = label .. (model == "viper" and ", VIPER" or ", Bergou") }
    end
  end
  add("pulse", "radius pulse", { kind = "pulse" })
  add("packet", "acoustic packet", { kind = "packet", n = 160, length = 8.0 })
  add("stretch", "stretch", { kind = "stretch", n = 32, length = 1.0 })
  add("pinch", "pinch", { kind = "pinch", n = 20, length = 1.0 })
  -- The updated radius enters the stiffness and inertia of the next step.
  for _, kind in ipairs{ "packet", "stretch" } do
    local own = { kind = kind, model = "bergou", feedback = true, n = kind == "packet" and 160 or 32,
      length = kind == "packet" and 8.0 or 1.0 }
    list[#list + 1] = { name = kind .. "-feedback", solver = "bergou", parameters = own, feedback = "section",
      label = (kind == "packet" and "acoustic packet" or kind) .. ", Bergou, radius fed back" }
  end
  list[#list + 1] = { name = "ripple-viper", label = "small radius pulse, VIPER", solver = "viper",
    parameters = { kind = "pulse", height = 1e-6 } }
  list[#list + 1] = { name = "press-viper", label = "light pinch, VIPER", solver = "viper",
    parameters = { kind = "pinch", n = 20, length = 1.0, force = 1e-2 } }
  return list
end

return {
  title = "Scales as unknowns (VIPER) beside a radius updated from the length (Bergou et al. 2010)",
  keywords = { "paper" },
  parameters = {
    kind = "pulse", model = "viper", n = 128, length = 2.0, radius = 0.05, E = 1e6, nu = 0.49,
    rho = 1000, height = 0.5, k = 6.0, packet = 0.7, from = 3.0, amplitude = 1e-5, force = 3000.0,
    feedback = false,
  },
  build = function(p) return kinds[p.kind](p) end,
  runs = runs,
  gold = { runs = { "pulse-viper", "pulse-bergou", "stretch-bergou", "pinch-viper" } },
  figure = "bergou",
  planted = { must = { "slow-time", "noise" } },
}
