-- The energy of a rod whose initial lengths differ from those at rest: a closed form for any
-- positions of its nodes.
-- SPDX-License-Identifier: GPL-3.0-or-later

local function apart(p, q) return math.sqrt((p[1] - q[1]) ^ 2 + (p[2] - q[2]) ^ 2 + (p[3] - q[3]) ^ 2) end

--- A gate: the energy of stretch at time 0 of a rod of umetani whose nodes are at `start`, a list of x, y, z, and at rest on
--- `curve`, at equal steps of its parameter from 0 to 1. `EA` [N] is its stiffness, `tolerance` is relative.
return function(s, EA, curve, start, tolerance)
  local n, energy, before = #start - 1, 0, { curve(0) }
  for i = 1, n do
    local next = { curve(i / n) }
    local L, l = apart(before, next), apart(start[i], start[i + 1])
    energy, before = energy + EA / (2 * L) * (l - L) ^ 2, next
  end
  s:gate{
    name = "energy of stretch at the start", quantity = "energy/stretch", measure = "first", near = energy, tolerance = tolerance,
    reason = "EA (l - L)^2/(2 L) of the edges: rounding, 1e-16 of a length, over the least of l - L",
  }
end
