-- The finite elements of the reference neohookean against closed forms: patch test, stretched cube,
-- cantilever under refinement, spinning block.
local forms = include("neohookean_forms")

local AFFINE = { 1.3, 0.2, -0.1, 0.15, 0.8, 0.1, -0.2, 0.05, 1.1 }

local function affine(x, y, z)
  local f = AFFINE
  return f[1] * x + f[2] * y + f[3] * z, f[4] * x + f[5] * y + f[6] * z, f[7] * x + f[8] * y + f[9] * z
end

--- A unit cube of n^3 cells with displaced inner vertices; also returns the list of these.
local function irregular_cube(n, part)
  local mesh, inner = vb.box{ to = { 1, 1, 1 }, cells = { n, n, n } }, {}
  for i, x in ipairs(mesh.vertices) do
    local inside = true
    for c = 1, 3 do inside = inside and x[c] > 0 and x[c] < 1 end
    if inside then
      inner[#inner + 1] = i - 1
      for c = 1, 3 do x[c] = x[c] + part / n * (2 * math.random() - 1) end
    end
  end
  return mesh, inner
end

local function patch(p)
  local s = vb.scene{ step = 1, steps = 1 }
  local mesh, inner = irregular_cube(p.n, 0.25)
  local cube = s:mesh{ mesh = mesh, material = { E = p.E, nu = p.nu }, density = 1000, name = "cube", position = affine }
  for _, face in pairs(cube.faces) do s:pin{ nodes = face } end
  s:record{ fields = { "position", "dilation" } }
  s:gate{
    name = "energy", quantity = "energy/elastic", near = forms.energy(p.E, p.nu, AFFINE), tolerance = 1e-12,
    reason = "every element has the same deformation; rounding",
  }
  for k, name in ipairs{ "least", "greatest" } do
    s:gate{
      name = name .. " change of volume", quantity = "dilation_range", component = k,
      near = forms.determinant(AFFINE), tolerance = 1e-12, reason = "the same in every element; rounding",
    }
  end
  for _, i in ipairs{ inner[1], inner[#inner // 2], inner[#inner] } do
    local right = { affine(table.unpack(mesh.vertices[i + 1])) }
    for c, axis in ipairs{ "x", "y", "z" } do
      s:gate{
        name = "node " .. i .. ", " .. axis, quantity = "frames/position", node = i, component = axis,
        near = right[c], tolerance = 1e-12, absolute = true, reason = "inside as on the boundary; rounding",
      }
    end
  end
  return s
end

--- Pushed to half its length, then pulled to 2.5 times, on rollers.
local function stretch(p)
  local s = vb.scene{ step = 1, steps = 25 }
  local cube = s:mesh{ mesh = irregular_cube(p.n, 0.25), material = { E = p.E, nu = p.nu }, density = 1000, name = "cube" }
  local hand = s:driver{ name = "hand", x = { { 0, 0 }, { 5, -0.5 }, { 25, 1.5 } } }
  -- A node has one driver, so the pulled face glides along the others by lists that leave it out.
  local pulled = {}
  for _, i in ipairs(cube.faces.x1) do pulled[i] = true end
  local function rest(nodes)
    local list = {}
    for _, i in ipairs(nodes) do if not pulled[i] then list[#list + 1] = i end end
    return list
  end
  local function shared(nodes)
    local list = {}
    for _, i in ipairs(nodes) do if pulled[i] then list[#list + 1] = i end end
    return list
  end
  s:pin{ nodes = cube.faces.x0, components = "x" }
  s:pin{ nodes = rest(cube.faces.y0), components = "y" }
  s:pin{ nodes = rest(cube.faces.z0), components = "z" }
  s:pin{ nodes = cube.faces.x1, components = "x", driver = hand }
  s:pin{ nodes = shared(cube.faces.y0), components = "y", driver = hand }
  s:pin{ nodes = shared(cube.faces.z0), components = "z", driver = hand }
  s:record{ frames = 1, fields = { "position" } }
  for _, at in ipairs{ { 5, 0.5 }, { 10, 1 }, { 15, 1.5 }, { 25, 2.5 } } do
    local t, force = forms.stretched(p.E, p.nu, at[2])
    s:gate{
      name = "width at stretch " .. at[2], quantity = "frames/position", node = cube.last, component = "y",
      measure = "value", at = at[1], near = t, tolerance = 1e-11,
      reason = "the root of the cube's equilibrium; rounding of the elimination",
    }
    s:gate{
      name = "force at stretch " .. at[2], quantity = "reaction/force", driver = hand, component = "x",
      measure = "value", at = at[1], near = force, tolerance = 1e-10 * p.E, absolute = true,
      reason = "its nominal stress; rounding against the stiffness of the cube",
    }
  end
  return s
end

--- The tip is deflected by a ten-thousandth of the length: terms of second order in the slope are 1e-8.
--- The excess stiffness of elements that lock decreases with the square of their size.
local function push(p) return 1e-4 * p.length end

local function tip_force(p)
  return push(p) / forms.cantilever(p.E, p.nu, p.length, 1, 1)
end

local function cantilever(p)
  local s = vb.scene{ step = 1, steps = 1 }
  local mesh = vb.box{ to = { p.length, 1, 1 }, cells = { p.length * p.n, p.n, p.n }, tetrahedra = p.cut }
  local beam = s:mesh{ mesh = mesh, material = { E = p.E, nu = p.nu }, density = 1000, name = "beam" }
  -- As in theory: the section at the clamp stays plane, and is free to change its shape.
  s:pin{ nodes = beam.faces.x0, components = "x" }
  s:pin{ nodes = vb.vertices_at{ mesh = mesh, x = 0, y = 0.5 }, components = "y" }
  s:pin{ nodes = vb.vertices_at{ mesh = mesh, x = 0, z = 0.5 }, components = "z" }
  s:pin{ nodes = beam.faces.x1, components = "z", driver = s:driver{ name = "tip", z = { { 0, 0 }, { 1, push(p) } } } }
  s:record{ frames = 1, fields = { "position", "dilation" } }
  return s
end

--- A block that rotates freely (driven = false), or whose nodes are all driven around three times.
local function spin(p)
  local h, w = 0.01, 2 * math.pi
  local s = vb.scene{ step = h, steps = p.driven and 300 or 100 }
  local block = s:mesh{
    mesh = vb.box{ from = { -0.5, -0.25, -0.25 }, to = { 0.5, 0.25, 0.25 }, cells = { 4, 2, 2 } },
    material = { E = p.E_spin, nu = p.nu }, density = 1000, name = "block",
    velocity = function(x, y) if p.driven then return 0, 0, 0 end return 3 - w * y, w * x, 0 end,
  }
  s:record{ every = 1, frames = 20, fields = { "position" } }
  if p.driven then
    local turn = s:driver{ name = "turn", angle = { { 0, 0 }, { 3, 3 * 2 * math.pi } } }
    s:pin{ nodes = block.nodes, driver = turn }
    s:gate{
      name = "energy of a rigid turn", quantity = "energy/elastic", measure = "maximum_abs",
      at_most = 1e-14 * p.E_spin, reason = "none but rounding of energies of the size of E times the volume",
    }
    return s
  end
  local mass = 1000 * 0.25
  for c, right in ipairs{ 3 * mass, 0, 0 } do
    s:gate{
      name = "momentum along " .. ({ "x", "y", "z" })[c], quantity = "momentum", component = c, measure = "drift",
      at_most = 1e-9 * mass, reason = "kept; rounding of stiff forces over a hundred steps (it is " .. right .. " kg m/s)",
    }
  end
  s:gate{
    name = "angular momentum", quantity = "angular_momentum", component = 3,
    near = 1 / 12 * mass * 1.25 * w * forms.spin(w, h, 100), tolerance = 1e-4, reason =
      "implicit Euler damps a rigid spin by a known recursion; the block yields by rho w^2 l^2/E, 4e-5",
  }
  return s
end

local builders = { patch = patch, stretch = stretch, cantilever = cantilever, spin = spin }

--- Three meshes: cells of five tetrahedra, which mirror their neighbors; cells of six, all alike, which lock if
--- nearly incompressible; and the latter with quadratic elements, which do not lock.
local BEAMS = {
  { name = "five", label = "5 linear a cell", cut = 5, elements = "linear", quick = { 2, 4, 8 }, full = { 2, 4, 8, 12 } },
  { name = "six", label = "6 linear a cell", cut = 6, elements = "linear", quick = { 2, 4, 8 }, full = { 2, 4, 8, 12 } },
  { name = "quadratic", label = "6 quadratic a cell", cut = 6, elements = "quadratic", quick = { 2, 4 }, full = { 2, 4, 6 } },
}
local RATIOS = { 0.3, 0.49 }

local function beam_run(beam, nu, n) return string.format("%s.nu%.0f.n%d", beam.name, 100 * nu, n) end

local function runs(_, tier)
  local list = {}
  local function add(name, label, parameters, options)
    local run = { name = name, label = label, parameters = parameters }
    for key, value in pairs(options or {}) do run[key] = value end
    list[#list + 1] = run
  end
  for _, elements in ipairs{ "linear", "quadratic" } do
    add("patch." .. elements, "patch test, " .. elements, { kind = "patch" }, { elements = elements, tolerance = 0 })
  end
  for _, nu in ipairs{ 0.3, 0.49 } do
    add("stretch.nu" .. math.floor(100 * nu), "ν = " .. nu, { kind = "stretch", nu = nu }, { tolerance = 0 })
  end
  for _, beam in ipairs(BEAMS) do
    for _, nu in ipairs(RATIOS) do
      for _, n in ipairs(beam[tier]) do
        add(beam_run(beam, nu, n), beam.label .. ", ν = " .. nu,
          { kind = "cantilever", nu = nu, n = n, cut = beam.cut }, { elements = beam.elements })
      end
    end
  end
  add("turn", "led around", { kind = "spin", driven = true })
  add("spin", "spinning freely", { kind = "spin" }, { mass = "consistent" })
  return list
end

local function gates(p, tier)
  local five, fine, names = BEAMS[1], BEAMS[3], {}
  for k, n in ipairs(five[tier]) do names[k] = beam_run(five, 0.3, n) end
  local list = {
    {
      name = "order of linear elements", runs = names, sizes = five[tier], combine = "order",
      quantity = "reaction/force", driver = 1, component = "z", limit = tip_force(p), near = 2, tolerance = 0.25,
      absolute = true, reason = "second order; Timoshenko's beam is itself off by some 0.3 %, a tenth of the last error "
        .. "in the quick size and a quarter in the full one",
    },
  }
  for _, nu in ipairs(RATIOS) do
    list[#list + 1] = {
      name = "quadratic elements at nu " .. nu, run = beam_run(fine, nu, fine[tier][#fine[tier]]),
      quantity = "reaction/force", driver = 1, component = "z", tolerance = 0.01,
      near = push(p) / forms.cantilever(p.E, nu, p.length, 1, 1),
      reason = "Timoshenko's beam, whose shear part (3 %) holds to a tenth or so at a clamp",
    }
  end
  return list
end

return {
  title = "Finite elements against closed forms: patch, stretch, cantilever, spin",
  parameters = { kind = "patch", n = 3, E = 1e6, nu = 0.3, length = 5, E_spin = 1e9, driven = false, cut = 5 },
  build = function(p)
    local s = builders[p.kind](p)
    s:solver{ solver = "neohookean", dynamics = p.kind == "spin" and "implicit_euler" or "static" }
    return s
  end,
  runs = runs,
  gates = gates,
  gold = { runs = { "patch.linear", "patch.quadratic", "stretch.nu49", "spin" }, steps = 5, frames = 5 },
  figure = "fem_patch",
  planted = { must = { "slow-time", "noise" } },
}
