-- Scenes of the problems of volume, for entries: round bars of radius, Young's modulus and density 1
-- along z, from their middle to an end. Rods have `p.n` segments with free scales; solvers of solids,
-- whose entry has `solid`, have `p.n` layers of cells.

local forms = include("neohookean_forms")

--- Maps a point of a square of side 2 to a disc of radius `size` with equally divided rings.
local function on_disc(x, y, size)
  if x == 0 and y == 0 then return 0, 0 end
  if math.abs(x) < math.abs(y) then return size * y * math.sin(math.pi / 4 * x / y), size * y * math.cos(math.pi / 4 * x / y) end
  return size * x * math.cos(math.pi / 4 * y / x), size * x * math.sin(math.pi / 4 * y / x)
end

--- A bar of `layers` cells along, and a fourth of that across, whose polygon has the area of the circle; and the radius of its corners.
local function mesh_of(length, layers)
  local n = math.max(2, 2 * (layers // 8))
  local mesh = vb.box{ from = { -1, -1, 0 }, to = { 1, 1, length }, cells = { n, n, layers }, tetrahedra = 6 }
  local corner = math.sqrt(math.pi / (2 * n) / math.sin(math.pi / (2 * n)))
  for _, v in ipairs(mesh.vertices) do v[1], v[2] = on_disc(v[1], v[2], corner) end
  return mesh, corner
end

--- What a rod resists; against a curvature of its surface by the part of E R^2 that the entry says.
local function material(entry, g)
  local E = g.E or 1
  local kb = entry.surface_bend and entry.surface_bend * E
  return { E = E, nu = g.nu, model = entry.model, kbx = kb, kby = kb }
end

--- The bar of a scene, as rods and solids have it, with what both are asked:
--- `bar.gate_radius(name, z, near, scale)`, a gate on the radius over that at rest at the height z;
--- `bar.contract(amount)`, an active strain, a function of z that returns a curve;
--- `bar.press(pressure)`, of the side, a function of z that returns it.
local builders = {}

--- The whole bar: where a rod ends, its radius has no symmetry.
function builders.rod(s, entry, p, g, tools, case, drivers, length)
  local rod = s:rod{
    name = "bar", nodes = p.n + 1, from = { 0, 0, -length }, to = { 0, 0, length }, radius = 1, density = 1,
    material = material(entry, g),
  }
  local h, inner, middle = 2 * length / p.n, {}, rod.first + p.n // 2
  for _, node in ipairs(rod.nodes) do
    if node ~= middle and not (drivers[2] and (node == rod.first or node == rod.last)) then inner[#inner + 1] = node end
  end
  s:pin{ nodes = inner, components = "xy" }
  s:pin{ node = middle, components = "xyz", driver = drivers[1] }
  if drivers[2] then
    s:pin{ node = rod.last, components = "xyz", driver = drivers[2] }
    s:pin{ node = rod.first, components = "xyz", driver = drivers[3] }
  end
  if entry.hold_spin then s:pin{ segment = rod.first_segment, frame = "w" } end
  local bar = { last = rod.last }
  function bar.gate_radius(name, z, near, scale)
    tools.gate(s, case, name, { quantity = "frames/scale", node = middle + math.floor(z / h + 0.5), measure = "final", near = near, scale = scale })
  end
  function bar.contract(amount)
    for i, segment in ipairs(rod.segments) do s:activation{ segments = { segment }, amount = amount((i - 0.5) * h - length) } end
  end
  function bar.press(pressure, curve)
    for i, node in ipairs(rod.nodes) do
      -- Of the hat of the node, by Simpson's rule in each of its halves.
      local z, sum = (i - 1) * h - length, 0
      if i > 1 then sum = sum + h / 6 * (pressure(z) + 2 * pressure(z - h / 2)) end
      if i <= p.n then sum = sum + h / 6 * (pressure(z) + 2 * pressure(z + h / 2)) end
      s:load{ node = node, scale_force = -2 * math.pi * sum, amplitude = curve }
    end
  end
  return bar
end

function builders.solid(s, _, p, g, tools, case, drivers, length)
  local mesh, corner = mesh_of(length, p.n)
  local body = s:mesh{ mesh = mesh, material = { E = g.E or 1, nu = g.nu }, density = 1, name = "bar" }
  local ends = { body.faces.z0, body.faces.z1 }
  for k = 1, 2 do
    if drivers[k] then s:pin{ nodes = ends[k], components = "z", driver = drivers[k] } end
  end
  -- The axis of the middle stays in its place, and one radius there keeps its direction.
  s:pin{ nodes = vb.vertices_at{ mesh = mesh, x = 0, y = 0, z = 0 }, components = "xy", driver = drivers[1] }
  s:pin{ nodes = vb.vertices_at{ mesh = mesh, x = corner, y = 0, z = 0 }, components = "y", driver = drivers[1] }
  local h, bar = length / p.n, { last = body.faces.z1[1] }
  function bar.gate_radius(name, z, near, scale)
    local node = vb.vertices_at{ mesh = mesh, x = corner, y = 0, z = h * math.floor(z / h + 0.5) }[1]
    tools.gate(s, case, name, {
      quantity = "frames/position", node = node, component = "x", measure = "final", near = corner * near, scale = corner * scale,
    })
  end
  function bar.contract(amount)
    local layers = {}
    for i, t in ipairs(mesh.tetrahedra) do
      local z = 0
      for k = 1, 4 do z = z + mesh.vertices[t[k] + 1][3] / 4 end
      local layer = math.floor(z / h) + 1
      layers[layer] = layers[layer] or {}
      table.insert(layers[layer], body.first_tetrahedron + i - 1)
    end
    for i, list in ipairs(layers) do s:activation{ tetrahedra = list, direction = { 0, 0, 1 }, amount = amount((i - 0.5) * h) } end
  end
  function bar.press(pressure, curve)
    local force = {}
    for _, t in ipairs(mesh.triangles) do
      local a, b, c = mesh.vertices[t[1] + 1], mesh.vertices[t[2] + 1], mesh.vertices[t[3] + 1]
      local u, v = { b[1] - a[1], b[2] - a[2], b[3] - a[3] }, { c[1] - a[1], c[2] - a[2], c[3] - a[3] }
      local x, y = u[2] * v[3] - u[3] * v[2], u[3] * v[1] - u[1] * v[3]
      for k = 1, 3 do
        local p_k = -pressure(mesh.vertices[t[k] + 1][3]) / 6
        local f = force[t[k]] or { 0, 0 }
        force[t[k]] = { f[1] + p_k * x, f[2] + p_k * y }
      end
    end
    for i, f in pairs(force) do s:load{ node = body.first + i, force = { f[1], f[2], 0 }, amplitude = curve } end
  end
  return bar
end

return function(scenes, tools)
  -- `g` are the numbers that a case gives, which an entry may alter; `told` are those that the case gives.

  --- A scene that comes to rest, the curve by which it is loaded, and its driver of the middle.
  local function resting(entry)
    local v = entry.volume
    local steps = v.ramp + (v.hold or 0)
    local s = vb.scene{ step = v.step or 1, steps = steps, damping = v.damping or 0 }
    s:record{ every = steps, frames = 1, residual = true }
    return s, { { 0, 0 }, { v.ramp * (v.step or 1), 1 } }, s:driver{ name = "middle" }
  end

  local function build(s, entry, p, g, case, drivers, length)
    return builders[entry.solid and "solid" or "rod"](s, entry, p, g, tools, case, drivers, length)
  end

  --- A gate on the force that pulls the plates together, `per` times what is asked.
  local function gate_force(s, case, driver, per)
    local force = per * scenes.reference(case, "force")
    tools.gate(s, case, "force", { quantity = "reaction/force", driver = driver, component = "z", measure = "final", near = force, scale = math.abs(force) })
  end

  function scenes.held_bar(entry, p, case)
    local g, told, s, curve, middle = tools.given(entry, case), tools.given({}, case), resting(entry)
    local strain, half = told.stretch - 1, g.L / 2
    local way = (g.stretch - 1) * half
    local hand = s:driver{ name = "hand", z = { { 0, 0 }, { curve[2][1], way } } }
    local other = s:driver{ name = "other hand", z = { { 0, 0 }, { curve[2][1], -way } } }
    local bar = build(s, entry, p, g, case, { middle, hand, other }, half)
    gate_force(s, case, hand, math.pi * strain)
    local narrower = strain * scenes.reference(case, "narrowing")
    bar.gate_radius("narrowing", 0, 1 - narrower, math.abs(narrower))
    return s
  end

  function scenes.pinch(entry, p, case)
    local g, told, s, curve, middle = tools.given(entry, case), tools.given({}, case), resting(entry)
    local bar = build(s, entry, p, g, case, { middle }, g.half)
    bar.press(function(z) return g.load * math.exp(-z * z / (2 * g.width * g.width)) end, curve)
    local scale = told.load * math.abs(scenes.reference(case, "middle"))
    bar.gate_radius("middle", 0, 1 + told.load * scenes.reference(case, "middle"), scale)
    bar.gate_radius("away", g.away, 1 + told.load * scenes.reference(case, "away"), scale)
    local longer = told.load * scenes.reference(case, "length")
    tools.gate(s, case, "length", {
      quantity = "frames/position", node = bar.last, component = "z", measure = "final", near = g.half + longer, scale = math.abs(longer),
    })
    return s
  end

  function scenes.contracting_muscle(entry, p, case)
    local g, told, s, curve, middle = tools.given(entry, case), tools.given({}, case), resting(entry)
    local hand = case.name ~= "free" and s:driver{ name = "hand" } or nil
    local bar = build(s, entry, p, g, case, { middle, hand, hand and s:driver{ name = "other hand" } }, g.half)
    bar.contract(function(z)
      local part = told.active and 1 - g.active or g.contraction * math.exp(-z * z / (2 * g.width * g.width))
      return { { 0, 1 }, { curve[2][1], 1 - part } }
    end)
    if told.active then
      local wider = scenes.reference(case, "widening")
      bar.gate_radius("widening", 0, 1 + wider, wider)
      if hand then
        gate_force(s, case, hand, math.pi)
      else
        local shorter = g.half * scenes.reference(case, "shortening")
        tools.gate(s, case, "shortening", {
          quantity = "frames/position", node = bar.last, component = "z", measure = "final", near = g.half - shorter, scale = shorter,
        })
      end
    else
      local scale = told.contraction * scenes.reference(case, "middle")
      gate_force(s, case, hand, math.pi * told.contraction)
      bar.gate_radius("middle", 0, 1 + scale, scale)
      bar.gate_radius("away", 2 * g.width, 1 + told.contraction * scenes.reference(case, "away"), scale)
    end
    return s
  end

  --- Between two places that keep their radius, and where the bar moves along itself most: there a rod that ends is as one that
  --- goes on.
  function scenes.radius_wave(entry, p, case)
    local g = tools.given(entry, case)
    local s, length = tools.vibration(entry, "modes", p, scenes.reference(case, "frequency"), 5, { 0, 0, 0 }), math.pi / g.k
    local rod = s:rod{
      name = "bar", nodes = p.n + 1, from = { 0, 0, 0 }, to = { 0, 0, length }, radius = 1, density = g.rho or 1,
      material = material(entry, g),
      position = function(t) return 0, 0, length * t + g.amplitude * math.cos(math.pi * t) end,
      scale = function(t) return 1 + g.nu * g.k * g.amplitude * math.sin(math.pi * t) end,
    }
    local inner = {}
    for i = 2, p.n do
      if i ~= p.n // 2 + 1 then inner[#inner + 1] = rod.nodes[i] end
    end
    s:pin{ nodes = inner, components = "xy" }
    s:pin{ nodes = { rod.first, rod.last }, components = "xys" }
    s:pin{ node = rod.first + p.n // 2, components = "xyz" }
    if entry.hold_spin then s:pin{ segment = rod.first_segment, frame = "w" } end
    tools.gate(s, case, "frequency", { quantity = "frames/position", node = rod.first, component = "z", measure = "frequency" })
    return s
  end

  --- A band of solids: its middle keeps its place, its ends their distance.
  local function solid_band(s, entry, p, g, case, curve, hands)
    local n, half, narrower = p.n, g.length / 2, forms.stretched(1, g.nu, g.stretch) -- forces act at the narrower arm
    local mesh = vb.box{ from = { -g.wide / 2, -0.5, -half }, to = { g.wide / 2, 0.5, half }, cells = { n // 2, 2 * ((n + 8) // 16), 2 * n }, tetrahedra = 6 }
    local body = s:mesh{ mesh = mesh, material = { E = g.E or 1, nu = g.nu }, density = 1, name = "band" }
    s:pin{ nodes = vb.vertices_at{ mesh = mesh, x = 0, y = 0, z = 0 }, components = "xy" }
    s:pin{ nodes = vb.vertices_at{ mesh = mesh, x = g.wide / 2, y = 0, z = 0 }, components = "y" }
    for k, face in ipairs{ body.faces.z0, body.faces.z1 } do
      s:pin{ nodes = face, components = "z", driver = hands[k] }
      local square = 0
      for _, node in ipairs(face) do square = square + mesh.vertices[node - body.first + 1][1] ^ 2 + mesh.vertices[node - body.first + 1][2] ^ 2 end
      for _, node in ipairs(face) do
        local v, part = mesh.vertices[node - body.first + 1], (2 * k - 3) * g.torque / (narrower * square)
        s:load{ node = node, force = { -part * v[2], part * v[1], 0 }, amplitude = curve }
      end
    end
    return vb.vertices_at{ mesh = mesh, x = g.wide / 2, y = 0, z = 8 }[1], g.wide / 2
  end

  --- A band of bundled rods, each a disc of the area of its square.
  local function band_of_rods(s, entry, p, g, case, curve, hands)
    local half, rods = g.length / 2, {}
    for i = 1, g.wide do
      local x = i - (g.wide + 1) / 2
      rods[i] = s:rod{
        name = "rod" .. i, nodes = p.n + 1, from = { x, 0, -half }, to = { x, 0, half }, radius = 1 / math.sqrt(math.pi), density = 1,
        material = material(entry, g),
      }
      s:pin{ node = rods[i].first, components = "z", driver = hands[1] }
      s:pin{ node = rods[i].last, components = "z", driver = hands[2] }
      s:pin{ node = rods[i].first + p.n // 2, components = x == 0 and "xy" or "y" }
      for k, segment in ipairs{ rods[i].first_segment, rods[i].last_segment } do
        s:load{ segment = segment, torque = { 0, 0, (2 * k - 3) * g.torque / g.wide }, amplitude = curve }
      end
    end
    for j = 1, p.n do
      local section = {}
      for i, rod in ipairs(rods) do section[i] = rod.segments[j] end
      s:bundle{ segments = section }
    end
    return rods[#rods].first + p.n // 2 + p.n // 4, (g.wide - 1) / 2
  end

  function scenes.twisted_band(entry, p, case)
    local g, v = tools.given(entry, case), entry.band
    local s = vb.scene{ step = v.step or 1, steps = v.ramp + (v.hold or 0), damping = v.damping or 0 }
    s:record{ every = s.steps, frames = 1, residual = true }
    local half_way, ready = v.ramp / 2 * (v.step or 1), v.ramp * (v.step or 1)
    local hands = {}
    for k = 1, 2 do
      hands[k] = s:driver{ name = "hand" .. k, z = { { 0, 0 }, { half_way, (2 * k - 3) * (g.stretch - 1) * g.length / 2 } } }
    end
    local make = entry.solid and solid_band or band_of_rods
    local node, x = make(s, entry, p, g, case, { { half_way, 0 }, { ready, 1 } }, hands)
    local told = tools.given({}, case)
    local aside = 8 * told.torque / scenes.reference(case, "stiffness") * x * forms.stretched(1, told.nu, told.stretch)
    tools.gate(s, case, "stiffness", { quantity = "frames/position", node = node, component = "y", measure = "final", near = aside, scale = aside })
    return s
  end
end
