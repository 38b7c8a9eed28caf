-- Scenes for other packages beside those of problems: a column near its critical load, and a crowd of
-- equal rods, of which each is the heavy cantilever. Rods have the unit length, mass per length and
-- bending stiffness; parameters are those of lib/peer.lua.
local references, scenes = include("problems/references"), {}

--- A round section of radius `r`, which bends with the stiffness 1; the published model has kv = 0.
local function material(p, r)
  local E = 4 / (math.pi * r ^ 4)
  if p.model == "solid" then return { model = "solid", E = E, nu = 0, kz = E, kv = 0 } end
  return { kx = E / 2, ky = E / 2, kz = E }
end

--- A cantilever along x, the middle of whose first segment is clamped at (0, y, 0).
local function cantilever(s, p, name, y)
  local h, r = 1 / (p.n - 0.5), p.slender
  local rod = s:rod{
    name = name, nodes = p.n + 1, from = { -h / 2, y, 0 }, to = { 1, y, 0 }, radius = r, density = 1 / (math.pi * r * r), material = material(p, r),
    frame = function() return math.sqrt(0.5), 0, math.sqrt(0.5), 0 end,
  }
  s:pin{ node = rod.first, components = "xyzs" }
  s:pin{ segment = rod.first_segment }
  local free = {}
  for i = 2, #rod.nodes do free[i - 1] = rod.nodes[i] end
  s:pin{ nodes = free, components = "s" }
  return rod
end

local function ramped(p, gravity)
  local steps = p.ramp + p.hold
  local s = vb.scene{ step = p.step, steps = steps, gravity = gravity, damping = 0 }
  s:record{ every = steps, frames = 1, residual = true }
  return s
end

--- A cantilever that is pressed along its axis by three quarters of its critical load, B (pi/2)^2/L^2, and pushed across by a
--- small force Q. It is displaced by Q/P (tan(k L)/k - L), k^2 = P/B, here L/1000, which grows as 1 over the critical load less P:
--- an error of the displacement is four times that of the critical load.
function scenes.column(p)
  local part, displacement = 0.75, 1e-3
  local P = part * (math.pi / 2) ^ 2
  local k = math.sqrt(P)
  local Q = displacement * P / (math.tan(k) / k - 1)
  local s = ramped(p, { 0, 0, 0 })
  local rod = cantilever(s, p, "column", 0)
  local curve = { { 0, 0 }, { p.ramp * p.step, 1 } }
  s:load{ node = rod.last, force = { -P, 0, Q }, amplitude = curve, name = "force" }
  s:gate{
    name = "critical load", quantity = "frames/position", node = rod.last, component = "z", measure = "final", near = displacement,
    tolerance = 1e-6 * displacement / (1 - part), absolute = true, finding = true,
    reason = "a millionth of the critical load; the closed form is that of small displacements, off by their square",
  }
  return s
end

--- As many heavy cantilevers, w L^3/B = 20, as the case says.
function scenes.crowd(p)
  local s, count, rod = ramped(p, { 0, 0, -20 }), tonumber(p.case), nil
  for i = 1, count do rod = cantilever(s, p, "rod" .. i, i - 1) end
  for _, axis in ipairs{ "x", "z" } do
    local known = references["heavy_cantilever/20/" .. axis].reference
    s:gate{
      name = axis, quantity = "frames/position", node = rod.last, component = axis, measure = "final", near = known[1], tolerance = 1e-6,
      absolute = true, finding = true, reason = "a millionth of the length; the reference is certified to " .. known[2],
    }
  end
  return s
end

--- The elastica and the heavy cantilever of a square prism that bends as the rod does, of `p.n` cells along it and two across, whose
--- sides are `p.slender` long: what finite elements are compared with the rods on.
function scenes.prism(p)
  local side = p.slender
  local elastica = p.problem == "elastica"
  local s = ramped(p, { 0, 0, elastica and 0 or -tonumber(p.case) })
  local body = s:mesh{
    mesh = vb.box{ from = { 0, -side / 2, -side / 2 }, to = { 1, side / 2, side / 2 }, cells = { p.n, 2, 2 } },
    material = { E = 12 / side ^ 4, nu = 0 }, density = 1 / side ^ 2,
  }
  s:pin{ nodes = body.faces.x0 }
  local curve, tip = { { 0, 0 }, { p.ramp * p.step, 1 } }, body.faces.x1[5] -- the middle of three by three
  if elastica then s:load{ node = tip, force = { 0, 0, -tonumber(p.case) }, amplitude = curve, name = "force" } end
  for _, axis in ipairs{ "x", "z" } do
    local known = references[p.problem .. "/" .. p.case .. "/" .. axis].reference
    s:gate{
      name = axis, quantity = "frames/position", node = tip, component = axis, measure = "final", near = known[1], tolerance = 1e-6,
      absolute = true, finding = true, reason = "a millionth of the length; the reference is certified to " .. known[2],
    }
  end
  return s
end

return scenes
