-- Bodies that fall freely from rest by steps of implicit Euler, to rounding.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fall = {}

--- How far a body has fallen [m], and its speed [m/s], after `n` substeps of length `h` [s]: gravity [m/s^2] is added
--- to the speed, the body moves by it, and then damping [1/s] divides it by 1 + damping h.
function fall.euler(gravity, damping, h, n)
  local fallen, speed = 0, 0
  for _ = 1, n do
    speed = speed + h * gravity
    fallen = fallen + h * speed
    speed = speed / (1 + damping * h)
  end
  return fallen, speed
end

--- Mass [kg] of a mesh of tetrahedra, and the height [m] of its center of mass.
function fall.mass(mesh, density)
  local volume, moment = 0, 0
  for _, tetrahedron in ipairs(mesh.tetrahedra) do
    local a, edges, height = mesh.vertices[tetrahedron[1] + 1], {}, 0
    for k = 1, 4 do
      local x = mesh.vertices[tetrahedron[k] + 1]
      edges[k], height = { x[1] - a[1], x[2] - a[2], x[3] - a[3] }, height + x[3] / 4
    end
    local _, u, v, w = table.unpack(edges)
    local own = (u[1] * (v[2] * w[3] - v[3] * w[2]) + u[2] * (v[3] * w[1] - v[1] * w[3]) + u[3] * (v[1] * w[2] - v[2] * w[1])) / 6
    volume, moment = volume + own, moment + own * height
  end
  return density * volume, moment / volume
end

--- Gates of a scene in which everything that moves, of mass `mass` [kg], falls for the first `steps` steps, before anything
--- touches: momentum and kinetic energy after these steps. `substeps` is the number per step, `tolerance` is relative. A row
--- must be recorded at that step.
function fall.gates(s, o)
  local _, speed = fall.euler(o.gravity, o.damping or 0, s.step / o.substeps, o.steps * o.substeps)
  local reason = string.format("implicit Euler's own fall of %d steps, before anything touches: %s", o.steps,
    o.tolerance < 1e-6 and "rounding, 1e-16 for each of some 1e4 sums" or "single precision rounds a height of 20 m by up to 1e-6 m, where the last substep falls by 3e-3 m")
  s:gate{
    name = "momentum of the fall", quantity = "momentum", component = "z", measure = "value", at = o.steps * s.step,
    near = -o.mass * speed, tolerance = o.tolerance, reason = reason,
  }
  s:gate{
    name = "energy of the fall", quantity = "energy/kinetic", measure = "value", at = o.steps * s.step,
    near = 0.5 * o.mass * speed ^ 2, tolerance = 2 * o.tolerance, reason = reason,
  }
end

--- A gate: the height above the ground, z = 0, of a node's center is never less than its radius `radius` [m], except for a
--- part of it. `to` is the end of the time window.
function fall.stands(s, node, radius, part, to)
  s:gate{
    name = "it stands on the ground", quantity = "frames/position", node = node, component = "z", measure = "minimum", to = to,
    at_least = (1 - part) * radius,
    reason = string.format("its radius, of which a soft body gives way to an impact by less than %g; freely it would fall for meters", part),
  }
end

--- A gate: octopuses do not pass through themselves. `finding` marks that of a published method.
function fall.apart(s, finding)
  s:gate{
    name = "no arm in another", quantity = "excluded_penetration", measure = "maximum", at_most = 0.35, finding = finding,
    reason = "pairs that may not touch are those that overlap at rest, near root and head, where an arm that bends comes nearer: the "
      .. "nearest of a hundred octopuses in ten seconds by 0.1 to 0.3 m (0.16 in the median of 140 falls); octopuses that do not "
      .. "touch themselves have arms 0.4 to 0.6 m in each other",
  }
end

return fall
