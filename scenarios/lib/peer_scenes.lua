-- Scenes for other packages beside those of problems: a column near its critical load, a rod under
-- tension near the angle at which it hockles, a ring near the twist at which it leaves its plane, and a crowd of equal rods, of which each is the heavy cantilever. Rods have the unit length, mass per length and
-- bending stiffness; parameters are those of lib/peer.lua.
local references, integrate, cross, scenes = include("problems/references"), include("integrate"), include("vector").cross, {}

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

--- The displacement by a unit force across the middle of a rod of B = L = 1 that is clamped at both ends, pulled by T and twisted by
--- the moment M, M^2 > 4 T: derivatives of w = u + i v obey w'''' - i M w''' - T w'' = 0 on either side of the force, by 1, s and
--- exp(i a s) with a^2 - M a + T = 0; the other half is the conjugate at -s.
local function bent_by_unit(T, M)
  local root = math.sqrt(M * M - 4 * T)
  local rates = { (M + root) / 2, (M - root) / 2 }
  local function derivative(z, s, order) -- z has pairs of the real and the imaginary part of each factor
    local x, y = 0, 0
    if order == 0 then x, y = z[1] + s * z[3], z[2] + s * z[4] end
    if order == 1 then x, y = z[3], z[4] end
    for k, a in ipairs(rates) do
      local phase, size = a * s + order * math.pi / 2, a ^ order -- a derivative multiplies by i a
      local p, q = z[2 * k + 3], z[2 * k + 4]
      x, y = x + size * (p * math.cos(phase) - q * math.sin(phase)), y + size * (p * math.sin(phase) + q * math.cos(phase))
    end
    return x, y
  end
  local found = integrate.newton(function(z)
    local x, y = derivative(z, 0.5, 0)
    local dx, dy = derivative(z, 0.5, 1)
    local _, aside = derivative(z, 0, 0)
    local slope = derivative(z, 0, 1)
    local _, bent = derivative(z, 0, 2)
    local shear = derivative(z, 0, 3)
    return { x, y, dx, dy, aside, slope, bent, 2 * shear - 1 }
  end, { 0, 0, 0, 0, 0, 0, 0, 0 })
  return (derivative(found, 0, 0))
end

--- A rod between two clamps, one of which slides along it, pulls with T = psi B/L^2 and is turned by psi, three quarters of the
--- angle at which it buckles (the problem twist_under_tension, C = 0.8 B), and pushed across in its middle by a small force, which
--- displaces it by L/1000: an error of that is four times that of the critical angle, as in `column`.
function scenes.twist_under_tension(p)
  local part, displacement, ratio = 0.75, 1e-3, 0.8
  local psi = part * references["twist_under_tension/angle/angle"].reference[1]
  local push = displacement / bent_by_unit(psi, ratio * psi)
  local s, h, r = ramped(p, { 0, 0, 0 }), 1 / (p.n - 1), p.slender
  local along, twist = 4 / (math.pi * r ^ 4), ratio * 4 / (math.pi * r ^ 4)
  local rod = s:rod{
    name = "rod", nodes = p.n + 1, from = { 0, 0, -h / 2 }, to = { 0, 0, 1 + h / 2 }, radius = r, density = 1 / (math.pi * r * r),
    material = p.model == "solid" and { model = "solid", E = along, nu = along / twist - 1, kz = along, kv = 0 }
      or { kx = twist / 2, ky = twist / 2, kz = along },
  }
  local curve, middle = { { 0, 0 }, { p.ramp * p.step, 1 } }, rod.first + p.n // 2
  local hand = s:driver{ name = "hand", angle = { { 0, 0 }, { p.ramp * p.step, psi } }, axis = { 0, 0, 1 }, origin = { 0, 0, 0 } }
  s:pin{ node = rod.first, components = "xyzs" }
  s:pin{ segment = rod.first_segment }
  s:pin{ node = rod.last, components = "xys", driver = hand }
  s:pin{ segment = rod.last_segment, driver = hand }
  local free = {}
  for i = 2, #rod.nodes - 1 do free[i - 1] = rod.nodes[i] end
  s:pin{ nodes = free, components = "s" }
  s:load{ node = rod.last, force = { 0, 0, psi }, amplitude = curve, name = "tension" }
  s:load{ node = middle, force = { push, 0, 0 }, amplitude = curve, name = "push" }
  s:gate{
    name = "critical angle", quantity = "frames/position", node = middle, component = "x", measure = "final", near = displacement,
    tolerance = 1e-6 * displacement / (1 - part), absolute = true, finding = true,
    reason = "a millionth of the critical angle; the closed form is that of small displacements, off by their square",
  }
  return s
end

--- Rates of a small change of a ring's equilibrium at `s`: `y` is the displacement u, the rotation theta, the changes dm of moment
--- and dn of force, one after another. The ring begins at 0 along z and is a circle of length 1 with its center at x > 0; it has
--- B = 1 and the twisting stiffness C, and is twisted by psi. It neither stretches nor shears: u' = theta x t,
--- theta' = K^-1 (dm - theta x m), dm' = -(theta x t) x n - t x dn, with its moment m = kappa b + C psi t and its force
--- n = C psi kappa b, where b = y.
local function ring_rates(s, y, psi, C)
  local k, sine, cosine = 2 * math.pi, math.sin(2 * math.pi * s), math.cos(2 * math.pi * s)
  local t, theta = { sine, 0, cosine }, { y[4], y[5], y[6] }
  local du, moved = cross(theta, t), cross(theta, { C * psi * sine, k, C * psi * cosine })
  local left, across = cross(du, { 0, C * psi * k, 0 }), cross(t, { y[10], y[11], y[12] })
  local bends = { y[7] - moved[1], y[8] - moved[2], y[9] - moved[3] }
  local along = (bends[1] * sine + bends[3] * cosine) * (1 / C - 1)
  return {
    du[1], du[2], du[3], bends[1] + along * sine, bends[2], bends[3] + along * cosine,
    -left[1] - across[1], -left[2] - across[2], -left[3] - across[3], 0, 0, 0,
  }
end

--- The displacement of such a ring out of its plane, in its middle, by a unit force there; it is clamped where its ends meet, and
--- held in its plane at `a` and 1 - a. By shooting: the moment and the force at the start, and both holding forces, are sought.
local function ring_by_unit(psi, C, a)
  local function shoot(z)
    local y = { 0, 0, 0, 0, 0, 0, z[1], z[2], z[3], z[4], z[5], z[6] }
    local function go(from, to, force)
      y = integrate.rk4(function(s, of) return ring_rates(s, of, psi, C) end, from, to, y, 100)
      y[11] = y[11] - force
      return y[2]
    end
    local first, middle, last = go(0, a, z[7]), go(a, 0.5, 1), go(0.5, 1 - a, z[8])
    go(1 - a, 1, 0)
    return { y[1], y[2], y[3], y[4], y[5], y[6], first, last }, middle
  end
  local _, middle = shoot(integrate.newton(shoot, { 0, 0, 0, 0, 0, 0, 0, 0 }))
  return middle
end

--- The rotation vector of a turn by `angle` about z, and then by `bent` about y.
local function turned(angle, bent)
  local c, s, C, S = math.cos(angle / 2), math.sin(angle / 2), math.cos(bent / 2), math.sin(bent / 2)
  local x, y, z = S * s, S * c, C * s
  local size = math.sqrt(x * x + y * y + z * z)
  local factor = size > 0 and 2 * math.atan(size, C * c) / size or 2
  return factor * x, factor * y, factor * z
end

--- A ring of a rod that is straight at rest (the problem michell_ring, C = 0.8 B), twisted by three quarters of the angle at which it
--- leaves its plane: its first and last segments are clamped at one place, and a small force pushes its middle out of the plane, by
--- L/1000. About the clamp it would turn at no cost, so that it is held in its plane near a quarter of its length from there on both
--- sides, which does not change the critical twist. Shear by the ring's own force across the plane moves both sides, and not the
--- middle, for a half turn about the axis through clamp and middle changes the sign of that. How an error of the twist shows in the
--- displacement is found by a change of it.
function scenes.michell_ring(p)
  local part, displacement, C = 0.75, 1e-3, 0.8
  local psi, s, r, h = part * 2 * math.pi * math.sqrt(3) / C, ramped(p, { 0, 0, 0 }), p.slender, 1 / (p.n - 1)
  local quarter, middle = math.floor((p.n + 1) / 4 + 0.5), p.n // 2 -- numbers of nodes, from 0
  local a = (quarter - 0.5) * h
  local unit, change = ring_by_unit(psi, C, a), 1e-3
  local grows = (ring_by_unit(psi * (1 + change), C, a) - ring_by_unit(psi * (1 - change), C, a)) / (2 * change * unit)
  local radius, apothem = h / (2 * math.sin(math.pi * h)), h / (2 * math.tan(math.pi * h))
  local along, twist = 4 / (math.pi * r ^ 4), C * 4 / (math.pi * r ^ 4)
  local rod = s:rod{
    name = "ring", nodes = p.n + 1, from = { 0, 0, -h / 2 }, to = { 0, 0, 1 + h / 2 }, radius = r, density = 1 / (math.pi * r * r),
    material = p.model == "solid" and { model = "solid", E = along, nu = along / twist - 1, kz = along, kv = 0 }
      or { kx = twist / 2, ky = twist / 2, kz = along },
    position = function(t)
      local angle = 2 * math.pi * h * (p.n * t - 0.5)
      return apothem - radius * math.cos(angle), 0, radius * math.sin(angle)
    end,
    turn = function(t)
      local at = h * (p.n * t - 0.5)
      return turned(psi * at, 2 * math.pi * at)
    end,
  }
  for _, node in ipairs{ rod.first, rod.last } do s:pin{ node = node, components = "xyzs" } end
  for _, segment in ipairs{ rod.first_segment, rod.last_segment } do s:pin{ segment = segment } end
  for _, i in ipairs{ quarter, p.n - quarter } do s:pin{ node = rod.first + i, components = "y" } end
  local free = {}
  for i = 2, #rod.nodes - 1 do free[i - 1] = rod.nodes[i] end
  s:pin{ nodes = free, components = "s" }
  local curve = { { 0, 0 }, { p.ramp * p.step, 1 } }
  s:load{ name = "push", node = rod.first + middle, force = { 0, displacement / unit, 0 }, amplitude = curve }
  s:gate{
    name = "critical twist", quantity = "frames/position", node = rod.first + middle, component = "y", measure = "final", near = displacement,
    tolerance = 1e-6 * displacement * math.abs(grows), absolute = true, finding = true,
    reason = "a millionth of the twist; the solution is that of small displacements, off by their square",
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
