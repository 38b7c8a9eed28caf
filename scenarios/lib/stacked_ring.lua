-- Square rings in a stack around the z axis, each rotated by an eighth of a turn relative to the
-- one below, so that it lies on eight crossings.

--- Adds the ring of a layer, from 0, of four corners and the middles between; `of` has radius, side, E and density. Returns its
--- first node.
return function(s, layer, of)
  local z, nodes, turn = (2 * layer + 1) * of.radius, {}, layer % 2 * math.pi / 4
  for k = 0, 7 do
    local far = k % 2 == 0 and of.side / math.sqrt(2) or of.side / 2
    local angle = turn + k * math.pi / 4
    nodes[k + 1] = s:node{ position = { far * math.cos(angle), far * math.sin(angle), z }, radius = of.radius }
  end
  for k = 1, 8 do
    s:segment{ nodes = { nodes[k], nodes[k % 8 + 1] }, material = { E = of.E, nu = 0.3 }, density = of.density }
  end
  return nodes[1]
end
