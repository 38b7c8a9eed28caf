-- The characters of Li, Liu, Kavan 2019 (figs. 10 to 12), with as many tetrahedra as in table 1: a snail that falls onto a ball, a mermaid who
-- falls into a glass, an acrobat who hangs by the hands. TetGen meshes closed surfaces of flesh and bones; joints are read from a file. The paper's
-- step of 0.033 s with 20 iterations; the figure has the times of steps beside the paper's.
local characters, fall = include("characters"), include("fall")

local STEP = 0.033
-- Tetrahedra and times of table 1; the edge of the surface's triangles, and the edge of the largest tetrahedron, that make as many [m].
local KINDS = {
  acrobat = { title = "acrobat", paper = 45888, side = 0.05, size = 0.102, E = 3e4 },
  mermaid = { title = "mermaid", paper = 32270, side = 0.065, size = 0.2, E = 1e5 },
  snail = { title = "snail", paper = 105694, side = 0.05, size = 0.08, E = 4e4 },
}

--- The acrobat's joints, and the grips, by which the acrobat hangs.
local function hang(s, body, mesh, bones)
  for _, link in ipairs(vb.read_links{ file = "acrobat.joint", bones = bones }) do
    local index = s:link(link)
    s:gate{
      name = link.name .. " holds", quantity = "frames/joint_error", link = index, measure = "maximum", at_most = 2e-12,
      reason = "1e-12 of the length of 2 m; the tolerance is 1e-13",
    }
  end
  local held = {}
  for i, x in ipairs(mesh.vertices) do
    if x[1] < 0.01 then held[#held + 1] = body.first + i - 1 end
  end
  s:pin{ nodes = held }
end

--- What the snail and the mermaid fall into, and gates of the fall: `low` is the least height of the body, `edge` that of a cell [m].
local function drop(s, kind, mesh, edge)
  local low, mass = math.huge, fall.mass(mesh, 1000)
  for _, x in ipairs(mesh.vertices) do low = math.min(low, x[3]) end
  if kind == "snail" then
    s:collider{ sphere = { 0.05, 0.03, low - 0.6 }, radius = 0.4, name = "ball" }
  else
    s:halfplane{ normal = { 0, 0, 1 }, offset = low - 0.2 }
    s:collider{ cylinder = { { 0, 0, 0 }, { 0, 0, 1 } }, radius = 0.42, inside = true, name = "glass" }
  end
  fall.gates(s, { gravity = 9.81, substeps = 1, steps = 4, mass = mass, tolerance = 1e-11 }) -- 0.1 m
  s:gate{
    name = "penetration", quantity = "penetration", measure = "maximum", at_most = 0.01 * edge,
    reason = "a hundredth of an edge: implicit contacts hold at the end of each step",
  }
end

local function build(p)
  local own = KINDS[p.kind]
  local s = vb.scene{ step = STEP, steps = p.steps, gravity = { 0, 0, -9.81 } }
  local shape, inside, bones = characters[p.kind](own.side), {}, {}
  for k, bone in ipairs(shape.bones) do inside[k] = bone[2] end
  local mesh = vb.tetrahedralize{ outside = shape.outside, inside = inside, size = own.size }
  local body = s:mesh{ mesh = mesh, material = { E = own.E, nu = 0.3 }, density = 1000, name = p.kind }
  s:gate{
    name = "as large as the paper's", number = #mesh.tetrahedra, near = own.paper, tolerance = 0.05, reason = "its mesh is not public; as many tetrahedra",
  }
  for k, bone in ipairs(shape.bones) do
    bones[bone[1]] = s:bone{ name = bone[1], nodes = body.regions[k] }
    s:gate{
      name = bone[1] .. " is rigid", quantity = "frames/bone_error", bone = k - 1, measure = "maximum", at_most = 1e-14, reason = "rounding",
    }
  end
  if p.kind == "acrobat" then hang(s, body, mesh, bones) else drop(s, p.kind, mesh, own.side) end
  s:gate{
    name = "the objective never rises", quantity = "objective_rise", measure = "maximum", at_most = 1e-9,
    reason = "1e-12 of some 1000 J; each iteration minimizes a bound of it that touches it",
  }
  s:record{ every = 1, frames = 1, fields = { "position", "bone_position", "bone_frame", "bone_error", "joint_error" } }
  s:solver{ solver = "articulated", iterations = 20, tolerance = 0 }
  return s
end

return {
  title = "Snail, mermaid and acrobat at the size of the paper",
  parameters = { kind = "acrobat", steps = 0 }, -- steps = 0: as the size has it
  build = build,
  runs = function(p, tier)
    local list = {}
    for k, kind in ipairs{ "acrobat", "mermaid", "snail" } do
      if k < 3 or tier == "full" then
        list[k] = { name = kind, label = kind, parameters = { kind = kind, steps = p.steps > 0 and p.steps or tier == "full" and 30 or 5 } }
      end
    end
    return list
  end,
  planted = { must = { "slow-time" } },
  timed = true,
  figure = "characters",
  gold = false, -- meshes depend on the version of TetGen
}
