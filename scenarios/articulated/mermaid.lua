-- A bent tail falls into a glass and folds (Li, Liu, Kavan 2019, fig. 12): flesh only, and with
-- nine bones without joints. The glass is a cylinder around the tail and a half-plane below;
-- implicit contact keeps all nodes inside, at the paper's step.
local fall = include("fall")

local LENGTH, THICK, BEND = 1.8, 0.24, 1 -- of the tail: m, m, rad
local GLASS, HEIGHT = 0.4, 0.25 -- radius, and how far above the bottom the tail begins, m
local STEP = 1 / 30
local FULL, PAPER = 3, 32270 -- cells along a third of the thickness, in full size; tetrahedra of the paper's mermaid (table 1)
local BONES = 9

--- A bar along z, bent to an arc in the plane of x and z; and for each vertex where it was in the straight bar, in cells.
local function tail(n)
  local cells = { 3 * n, 3 * n, 3 * BONES * n }
  local mesh, place = vb.box{ from = { -THICK / 2, -THICK / 2, 0 }, to = { THICK / 2, THICK / 2, LENGTH }, cells = cells }, {}
  local radius, middle = LENGTH / BEND, LENGTH / 2
  for i, x in ipairs(mesh.vertices) do
    place[i] = {
      (x[1] / THICK + 0.5) * cells[1], (x[2] / THICK + 0.5) * cells[2], x[3] / LENGTH * cells[3],
    }
    local angle = (x[3] - middle) / radius
    local r = radius + x[1]
    x[1], x[3] = r * math.cos(angle) - radius * (1 + math.cos(BEND / 2)) / 2, HEIGHT + radius * math.sin(BEND / 2) + r * math.sin(angle)
  end
  return mesh, place
end

local function build(p)
  local s = vb.scene{ step = STEP, duration = p.duration, gravity = { 0, 0, -9.81 } }
  local mesh, place = tail(p.n)
  s:mesh{ mesh = mesh, material = { E = p.E, nu = 0.3 }, density = 1000, name = "tail" }
  if p.n == FULL then
    s:gate{
      name = "as large as the paper's", number = #mesh.tetrahedra, near = PAPER, tolerance = 0.05, reason = "its mesh is not public; as many tetrahedra",
    }
  end
  local fields = { "position" }
  for k = 1, p.bones and BONES or 0 do
    local list, slack = {}, 1e-6
    local low, high = 3 * p.n * (k - 1) + 0.5 * p.n - slack, 3 * p.n * k - 0.5 * p.n + slack
    for i, at in ipairs(place) do
      local inner = at[3] > low and at[3] < high
      for c = 1, 2 do inner = inner and at[c] > p.n - slack and at[c] < 2 * p.n + slack end
      if inner then list[#list + 1] = i - 1 end
    end
    s:bone{ name = "bone " .. k, nodes = list }
    s:gate{
      name = "bone " .. k .. " is rigid", quantity = "frames/bone_error", bone = k - 1, measure = "maximum", at_most = 1e-14,
      reason = "rounding",
    }
    fields = { "position", "bone_position", "bone_frame", "bone_error" }
  end
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0 }
  s:collider{ cylinder = { { 0, 0, 0 }, { 0, 0, 1 } }, radius = GLASS, inside = true, name = "glass" }
  s:record{ every = 1, frames = 1, fields = fields }
  s:solver{ solver = "articulated", iterations = 20 }
  s:gate{
    name = "the objective never rises", quantity = "objective_rise", measure = "maximum", at_most = 1e-9,
    reason = "1e-12 of some 1000 J; each iteration minimizes a bound of it that touches it",
  }
  s:gate{
    name = "stays in the glass", quantity = "penetration", measure = "maximum", at_most = 0.01 * THICK / (3 * p.n),
    reason = "a hundredth of a cell: implicit contacts hold at the end of each step",
  }
  local mass, height = fall.mass(mesh, 1000)
  s:gate{
    name = "energy is not made", quantity = "energy/total", measure = "maximum", at_most = mass * 9.81 * height * (1 + 1e-9),
    reason = "no more than the weight at the beginning had; backward Euler loses it, and walls that stand still do no work",
  }
  -- It begins 0.25 m above the bottom, of which it falls 0.14 m in a sixth of a second.
  fall.gates(s, { gravity = 9.81, substeps = 1, steps = 5, mass = mass, tolerance = 1e-11 })
  return s
end

return {
  title = "A tail falls into a glass: flesh alone, nine bones",
  parameters = { bones = true, E = 1e5, n = 1, duration = 1.5 },
  build = build,
  runs = function(_, tier)
    local n = tier == "full" and FULL or 1
    return {
      { name = "flesh", label = "flesh alone", parameters = { bones = false, n = n } },
      { name = "bones", label = "nine bones", parameters = { n = n } },
    }
  end,
  planted = { must = { "slow-time" } },
  gold = { runs = { "bones" }, steps = 10, frames = 10 },
  figure = "mermaid",
}
