-- Blocks of flesh in each other, for test_articulated_flesh.c (support/scenes/lua_scene.h).
local scenes = {}

-- A box from a point, of a size and so many cells; `keep` chooses cells by the centers of their
-- tetrahedra.
local function block(s, from, size, cells, o)
  local to, kept = { from[1] + size[1], from[2] + size[2], from[3] + size[3] }, {}
  local mesh = vb.box { from = from, to = to, cells = cells }
  for _, t in ipairs(mesh.tetrahedra) do
    local x, z = 0, 0
    for c = 1, 4 do
      local v = mesh.vertices[t[c] + 1]
      x, z = x + v[1] / 4, z + v[3] / 4
    end
    if not o.keep or o.keep(x, z) then kept[#kept + 1] = t end
  end
  mesh.tetrahedra = kept
  return s:mesh { mesh = mesh, material = { E = 1e5, nu = 0.3 }, density = 1000,
    velocity = o.velocity and function() return table.unpack(o.velocity) end,
    position = o.position }
end

-- A small block, moved down into a large one between that one's nodes.
function scenes.sunk(s, p)
  block(s, { 0, 0, 0 }, { 0.8, 0.8, 0.4 }, { 2, 2, 1 }, {})
  block(s, { 0.45, 0.45, 0.5 }, { 0.3, 0.3, 0.3 }, { 2, 2, 3 },
    { position = function(x, y, z) return x, y, z + (-0.1 - p.depth) end })
  s:contact { margin = 0 }
end

-- Blocks that strike each other at an angle.
function scenes.struck(s)
  block(s, { 0, 0, 0 }, { 0.3, 0.3, 0.3 }, { 3, 3, 3 }, { velocity = { 0.5, 0, 0.5 } })
  block(s, { 0.28, 0.07, 0.35 }, { 0.3, 0.3, 0.3 }, { 2, 3, 2 }, { velocity = { -0.5, 0.2, -1 } })
  s:contact { margin = 0 }
end

-- One block on another that a half-plane carries; nodes may move up and down alone.
function scenes.resting(s)
  local lower = block(s, { 0, 0, 0 }, { 0.4, 0.4, 0.2 }, { 4, 4, 2 }, {})
  local upper = block(s, { 0.06, 0.07, 0.2 }, { 0.29, 0.27, 0.2 }, { 2, 2, 2 }, {})
  s:pin { nodes = lower.nodes, components = "xy" }
  s:pin { nodes = upper.nodes, components = "xy" }
  s:contact { margin = 0 }
  s:halfplane {}
end

-- A block with a slot, whose upper arm is in the lower one.
function scenes.slotted(s, p)
  block(s, { 0, 0, 0 }, { 0.3, 0.1, 0.3 }, { 3, 1, 3 },
    { keep = function(x, z) return not (x / 0.3 > 1 / 3 and z / 0.3 > 1 / 3 and z / 0.3 < 2 / 3) end,
      position = function(x, y, z)
        if x > 0.5 * 0.3 and z > 0.5 * 0.3 then return x, y + 0.03, z - 0.12 end
        return x, y, z
      end })
  s:contact { margin = 0, self = p.own }
end

-- A block in a scene whose contact has friction.
function scenes.rough(s)
  block(s, { 0, 0, 0 }, { 1, 1, 1 }, { 1, 1, 1 }, {})
  s:contact { margin = 0, friction = 0.2 }
end

return {
  title = "Blocks of flesh",
  parameters = { scene = "struck", depth = 0, own = false, gravity = 0, damping = 0 },
  build = function(p)
    local s = vb.scene { step = 0.005, steps = 100, gravity = { 0, 0, -p.gravity },
      damping = p.damping }
    scenes[p.scene](s, p)
    return s
  end,
}
