-- The tetrahedra of the reference articulated against closed forms of corotated elasticity: patch
-- test, and a stretched cube. It has no statics; in a step of a million seconds inertia is
-- negligible.
local LONG = 1e6
local AFFINE = { 1.3, 0.2, -0.1, 0.15, 0.8, 0.1, -0.2, 0.05, 1.1 }

local function affine(x, y, z)
  local f = AFFINE
  return f[1] * x + f[2] * y + f[3] * z, f[4] * x + f[5] * y + f[6] * z, f[7] * x + f[8] * y + f[9] * z
end

--- A unit cube of n^3 cells with displaced inner vertices; also returns the list of these.
local function irregular_cube(n)
  local mesh, inner = vb.box{ to = { 1, 1, 1 }, cells = { n, n, n } }, {}
  for i, x in ipairs(mesh.vertices) do
    local inside = true
    for c = 1, 3 do inside = inside and x[c] > 0 and x[c] < 1 end
    if inside then
      inner[#inner + 1] = i - 1
      for c = 1, 3 do x[c] = x[c] + 0.25 / n * (2 * math.random() - 1) end
    end
  end
  return mesh, inner
end

local function patch(p)
  local s = vb.scene{ step = LONG, steps = 1 }
  local mesh, inner = irregular_cube(p.n)
  local cube = s:mesh{ mesh = mesh, material = { E = p.E, nu = p.nu }, density = 1000, name = "cube", position = affine }
  for _, face in pairs(cube.faces) do s:pin{ nodes = face } end
  s:record{ fields = { "position", "dilation" } }
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

--- Pulled to 1.5 times its length in four steps, on rollers.
local function stretch(p)
  local s = vb.scene{ step = LONG, steps = 4 }
  local cube = s:mesh{ mesh = irregular_cube(p.n), material = { E = p.E, nu = p.nu }, density = 1000, name = "cube" }
  local hand = s:driver{ name = "hand", x = { { 0, 0 }, { 4 * LONG, 0.5 } } }
  local pulled = {}
  for _, i in ipairs(cube.faces.x1) do pulled[i] = true end
  local function part(nodes, of_hand)
    local list = {}
    for _, i in ipairs(nodes) do if (pulled[i] or false) == of_hand then list[#list + 1] = i end end
    return list
  end
  s:pin{ nodes = cube.faces.x0, components = "x" }
  s:pin{ nodes = cube.faces.x1, components = "x", driver = hand }
  for _, face in ipairs{ "y", "z" } do
    s:pin{ nodes = part(cube.faces[face .. "0"], false), components = face }
    s:pin{ nodes = part(cube.faces[face .. "0"], true), components = face, driver = hand }
  end
  s:record{ every = 1, frames = 1, fields = { "position" } }
  for k = 1, 4 do
    local e = 1 + 0.125 * k
    s:gate{
      name = "width at stretch " .. e, quantity = "frames/position", node = cube.last, component = "y", measure = "value",
      at = k * LONG, near = 1 - p.nu * (e - 1), tolerance = 1e-10, reason = "1 - nu (e - 1), at any stretch",
    }
    s:gate{
      name = "force at stretch " .. e, quantity = "reaction/force", driver = hand, component = "x", measure = "value",
      at = k * LONG, near = p.E * (e - 1), tolerance = 1e-10, reason = "E A (e - 1), at any stretch",
    }
    s:gate{
      name = "energy at stretch " .. e, quantity = "energy/elastic", measure = "value", at = k * LONG,
      near = 0.5 * p.E * (e - 1) ^ 2, tolerance = 1e-10, reason = "E A (e - 1)^2 / 2, at any stretch",
    }
  end
  return s
end

local builders = { patch = patch, stretch = stretch }

return {
  title = "Corotated tetrahedra against closed forms: patch, stretch",
  parameters = { kind = "patch", n = 3, E = 1e6, nu = 0.3 },
  build = function(p)
    local s = builders[p.kind](p)
    s:solver{ solver = "articulated", iterations = 4000, tolerance = 1e-15 }
    return s
  end,
  runs = function()
    local list = { { name = "patch", label = "patch test", parameters = { kind = "patch" } } }
    for _, nu in ipairs{ 0, 0.3, 0.45 } do
      list[#list + 1] = {
        name = string.format("stretch.nu%d", math.floor(100 * nu + 0.5)), label = "ν = " .. nu, parameters = { kind = "stretch", nu = nu },
      }
    end
    return list
  end,
  gold = { runs = { "patch", "stretch.nu30" }, steps = 2, frames = 2 },
  figure = "corotated_patch",
}
