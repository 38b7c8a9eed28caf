-- Fused rods, stretched and twisted between clamps: a prism of finite elements, and bundled rods of
-- the material models solid and published. Three in a row, and two by two. Rods move slowly, and
-- rest before they are measured.
local forms = include("neohookean_forms")

local side, length = 0.04, 0.4 -- of the square that a rod stands for, and between the clamps [m]
local E, nu = 1e6, 0.49
local radius = side / math.sqrt(math.pi) -- discs have the area of the squares
-- Stretched, turned slightly, turned by half a turn: begin, end, and time at rest of each [s].
local stretching, turning, twisting = { 0, 1, 2 }, { 2, 2.2, 4 }, { 4, 5, 6 }
local little, half = 0.1, math.pi

local function drivers(s, p)
  return s:driver{ name = "bottom" }, s:driver{
    name = "top", z = { { stretching[1], 0 }, { stretching[2], (p.stretch - 1) * length } },
    angle = { { turning[1], 0 }, { turning[2], little }, { twisting[1], little }, { twisting[2], half } },
  }
end

local function build_elements(p)
  local s = vb.scene{ step = 0.25, duration = twisting[3] }
  local w, t, n = p.across * side, p.deep * side, p.cells
  local bottom, top = drivers(s, p)
  local body = s:mesh{
    mesh = vb.box{
      from = { -w / 2, -t / 2, 0 }, to = { w / 2, t / 2, length }, cells = { p.across * n, p.deep * n, 8 * n },
    },
    material = { E = E, nu = nu }, density = 1000,
  }
  s:pin{ nodes = body.faces.z0, driver = bottom }
  s:pin{ nodes = body.faces.z1, driver = top }
  s:record{ every = 1, frames = 1, fields = { "position" }, residual = true }
  s:solver{ solver = "neohookean", dynamics = "static", elements = "quadratic", iterations = 100, tolerance = 1e-9, threads = 1 }
  s:gate{
    name = "equilibrium", quantity = "residual", measure = "maximum", at_most = 1e-6,
    reason = "Newton's method ends at 1e-9 or at rounding; more is a step that did not converge",
  }
  s:gate{
    name = "the end follows its driver", quantity = "frames/position", node = body.faces.z1[1], component = "z",
    measure = "value", at = 0.5, near = length * (1 + p.stretch) / 2, tolerance = 1e-12, reason = "rounding",
  }
  local aside = forms.stretched(E, nu, p.stretch)
  if p.stretch > 1 then
    s:gate{
      name = "energy of the stretch", quantity = "energy/elastic", measure = "value", at = stretching[3],
      at_least = w * t * length * forms.energy(E, nu, { aside, 0, 0, 0, aside, 0, 0, 0, p.stretch }),
      reason = "that of a prism whose ends may change their section: the least energy, of which clamps and elements take choices away",
    }
  end
  return s
end

--- A rod of `p.segments` between the clamps, and one in either, at x, y.
local function add_rod(s, p, x, y, bottom, top)
  local material = p.body == "fitted" and forms.fitted(E, nu) or { E = E, nu = nu, model = p.body }
  local points, n = {}, p.segments
  for j = -1, n + 1 do points[#points + 1] = { x, y, length * j / n } end
  local rod = s:rod{ points = points, radius = radius, density = p.density, material = material }
  s:pin{ nodes = { rod.first, rod.nodes[2] }, components = "xyzs", driver = bottom }
  s:pin{ nodes = { rod.nodes[n + 2], rod.last }, components = "xyzs", driver = top }
  s:pin{ segment = rod.first_segment, driver = bottom }
  s:pin{ segment = rod.last_segment, driver = top }
  return rod
end

local function build_rods(p)
  local s = vb.scene{ step = 0.04, duration = twisting[3], damping = 10 }
  local bottom, top = drivers(s, p)
  local rods = {}
  for i = 1, p.across do
    for k = 1, p.deep do
      rods[#rods + 1] = add_rod(s, p, (i - (p.across + 1) / 2) * side, (k - (p.deep + 1) / 2) * side, bottom, top)
    end
  end
  for j = 2, p.segments + 1 do
    local section = {}
    for i, rod in ipairs(rods) do section[i] = rod.segments[j] end
    s:bundle{ segments = section }
  end
  s:record{ every = 1, frames = 25, residual = true }
  s:solver{ method = "xpbd", iterations = 5, substeps = p.substeps }
  if p.body == "solid" then
    s:gate{
      name = "at rest", quantity = "energy/kinetic", measure = "final", at_most = 1e-5,
      reason = "a millionth of the energy of the twist, some 10 J",
    }
  end
  return s
end

local row, square = { name = "row", across = 3, deep = 1 }, { name = "square", across = 2, deep = 2 }
local cases = { { row, 1.0 }, { row, 1.2 }, { row, 1.5 }, { square, 1.0 } }

local function sizes(tier) return tier == "full" and { 3, 4 } or { 2 } end
local function name_of(body, case) return string.format("%s.%s.%.1f", body, case[1].name, case[2]) end

local function runs(_, tier)
  local list = {}
  for _, case in ipairs(cases) do
    local function add(name, label, more)
      local parameters = { across = case[1].across, deep = case[1].deep, stretch = case[2] }
      for key, value in pairs(more) do parameters[key] = value end
      list[#list + 1] = {
        name = name_of(name, case), label = string.format("%s, %s, %.1f", label, case[1].name, case[2]), parameters = parameters,
      }
    end
    for _, n in ipairs(sizes(tier)) do add("elements" .. n, "finite elements, " .. n, { body = "elements", cells = n }) end
    add("solid", "rods, model solid", { body = "solid" })
    add("published", "rods, published model", { body = "published" })
    if case[2] > 1.3 then add("fitted", "rods, model solid, fitted", { body = "fitted" }) end
  end
  return list
end

local quantities = {
  { name = "torque at 0.1 rad", quantity = "reaction/torque", at = turning[3] },
  { name = "torque at half a turn", quantity = "reaction/torque", at = twisting[3] },
  { name = "force", quantity = "reaction/force", at = stretching[3], stretched = true },
  { name = "force at half a turn", quantity = "reaction/force", at = twisting[3] },
}

--- A gate on the ratio of a quantity in two runs.
local function ratio(q, a, b, tolerance, finding, reason)
  return {
    name = q.name, runs = { a, b }, combine = "ratio", quantity = q.quantity, driver = 1, component = "z", measure = "value",
    at = q.at, near = 1, tolerance = tolerance, finding = finding, reason = reason,
  }
end

local function gates(_, tier)
  local list, cells = {}, sizes(tier)
  local tenth = "a tenth: Saint-Venant's estimate of the torsion constant, 8 % of a square, 3 % of three in a row, and the rods' own law"
  local law = "not of bundles: the tension of a single rod is as much too high at 1.5"
  local difference = "a difference, G/2 (3 I_p - 4 J) theta^2 with 3 I_p = 8.0 T^4 and J = 2.25 T^4, and J is estimated within 8 %"
  for _, case in ipairs(cases) do
    local fine = name_of("elements" .. cells[#cells], case)
    for _, q in ipairs(quantities) do
      local stretched = case[2] > 1
      if stretched or not q.stretched then
        local pulled = q.quantity == "reaction/force"
        local finding = pulled and (case[2] > 1.3 and law or case[1] == square and difference)
        list[#list + 1] = ratio(q, name_of("solid", case), fine, 0.1, finding ~= false, finding or tenth)
        list[#list + 1] = ratio(q, name_of("published", case), fine, 0.1, true, "sections keep one frame, which shears slanting rods with kz + kv")
        if case[2] > 1.3 then list[#list + 1] = ratio(q, name_of("fitted", case), fine, 0.1, false, tenth) end
        if tier == "full" and not finding then
          list[#list + 1] = ratio(q, name_of("elements" .. cells[1], case), fine, 0.01, false, "a tenth of what rods are allowed")
        end
      end
    end
  end
  return list
end

return {
  title = "Fused rods, stretched and twisted between clamps, against finite elements",
  parameters = {
    body = "elements", across = 3, deep = 1, cells = 1, stretch = 1.0, segments = 12, density = 1e5, substeps = 60,
  },
  ranges = { body = { "elements", "solid", "published", "fitted" }, across = { least = 1 }, deep = { least = 1 }, stretch = { above = 0 } },
  build = function(p) return p.body == "elements" and build_elements(p) or build_rods(p) end,
  runs = runs,
  gates = gates,
  figure = "fem_bundle",
  gold = { runs = { "elements2.square.1.0", "solid.row.1.2", "solid.square.1.0" }, steps = 5, frames = 5 },
}
