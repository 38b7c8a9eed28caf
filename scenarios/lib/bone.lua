-- A bone of pills from the result of vb.pills, or from a file of `viperbench pills`, as pinned
-- segments with contact.
-- SPDX-License-Identifier: GPL-3.0-or-later

--- Adds the bone `data` to scene `s`: pinned to `driver`, or where it is. Other options: density [kg/m^3], E [Pa], nu.
--- Pills that share a ball share a node. Returns its nodes and segments.
return function(s, data, o)
  o = o or {}
  local bone, balls = { nodes = {}, segments = {} }, {}
  local function node(x, y, z, r)
    local key = string.format("%.17g %.17g %.17g %.17g", x, y, z, r)
    if not balls[key] then
      balls[key] = s:node{ position = { x, y, z }, radius = r }
      bone.nodes[#bone.nodes + 1] = balls[key]
    end
    return balls[key]
  end
  for i, p in ipairs(data.pills) do
    bone.segments[i] = s:segment{
      nodes = { node(p[1], p[2], p[3], p[4]), node(p[5], p[6], p[7], p[8]) }, density = o.density or 1900,
      material = { E = o.E or 1e7, nu = o.nu or 0.3 },
    }
  end
  s:pin{ nodes = bone.nodes, components = "xyzs", segments = bone.segments, driver = o.driver }
  return bone
end
