-- An arm that falls: flesh alone, with bones, with bones on a joint (Li, Liu, Kavan 2019, figs. 1, 11); and an arm whose bones follow
-- curves, an elbow under a shoulder, beside the finite elements of the reference neohookean.
local arm = include("arm")

local LONG = 1e6 -- a step that leaves inertia no part: an equilibrium

local function fall(p)
  local s = vb.scene{ step = 1 / 30, steps = p.steps, gravity = { 0, 0, -9.81 } }
  local body = arm.add(s, { E = p.E, nu = 0.3, bones = p.bones, link = p.link })
  local fields = { "position", "dilation" }
  if p.bones then
    for _, field in ipairs{ "bone_position", "bone_frame", "bone_error", "joint_error" } do fields[#fields + 1] = field end
  end
  s:record{ every = 1, frames = 1, fields = fields, residual = true }
  s:solver{ solver = "articulated", iterations = 20 }
  s:gate{
    name = "the objective never rises", quantity = "objective_rise", measure = "maximum", at_most = 1e-9,
    reason = "1e-12 of some 1000 J; each iteration minimizes a bound of it that touches it",
  }
  s:gate{
    name = "volume", quantity = "volume", measure = "drift", at_most = 0.05 * arm.length * arm.thick ^ 2, finding = true,
    reason = "nu = 0.3 lets flesh change its volume; 5 % is what shows",
  }
  if p.bones then
    for k = 0, 1 do
      s:gate{
        name = "bone " .. k .. " is rigid", quantity = "frames/bone_error", bone = k, measure = "maximum", at_most = 1e-14,
        reason = "rounding",
      }
    end
  end
  if p.holds then
    s:gate{
      name = "the joint holds", quantity = "frames/joint_error", link = body.elbow, measure = "maximum",
      at_most = 1e-12 * arm.length, reason = "the tolerance is 1e-13 of the size",
    }
  end
  return s
end

--- The fore bone turns about the elbow, which rides on a shoulder that turns the other way.
local function elbow(p)
  local s = vb.scene{ step = LONG, steps = 1 }
  local middle = arm.thick / 2
  local shoulder = s:driver{
    name = "shoulder", origin = { 0.1, middle, middle }, axis = { 0, 1, 0 }, angle = { { 0, 0 }, { LONG, -p.turn / 4 } },
  }
  local lower = s:driver{
    name = "elbow", parent = shoulder, origin = { 0.6, middle, middle }, axis = { 0, 1, 0 }, angle = { { 0, 0 }, { LONG, p.turn } },
  }
  arm.add(s, { E = p.E, nu = 0.3, drivers = { shoulder, lower } })
  s:record{ every = 1, frames = 1, fields = { "position" } }
  if p.judged then
    s:solver{ solver = "neohookean", dynamics = "static" }
  else
    s:solver{ solver = "articulated", iterations = 2000, tolerance = 1e-12 }
  end
  return s
end

local KINDS = {
  { name = "flesh", label = "flesh alone", parameters = { bones = false } },
  { name = "bones", label = "bones", parameters = { bones = true } },
  { name = "ball", label = "bones on a ball", parameters = { link = "ball", holds = true } },
  { name = "hinge", label = "bones on a hinge", parameters = { link = "hinge", holds = true } },
}

return {
  title = "An arm of flesh and bones: falling, and bent at its elbow",
  parameters = { kind = "fall", bones = true, link = "ball", holds = false, E = 1.5e5, steps = 45, turn = 0.01, judged = false },
  build = function(p) return p.kind == "fall" and fall(p) or elbow(p) end,
  runs = function()
    local list = {}
    for _, kind in ipairs(KINDS) do
      local run = { name = kind.name, label = kind.label, parameters = kind.parameters }
      if kind.name == "bones" then run.bones = "free" end
      list[#list + 1] = run
    end
    list[#list + 1] = { name = "elbow", label = "keyframed", parameters = { kind = "elbow" } }
    list[#list + 1] = {
      name = "elbow.neohookean", label = "keyframed, neohookean", solver = "neohookean", parameters = { kind = "elbow", judged = true },
    }
    return list
  end,
  gates = function()
    local list = {}
    for k, name in ipairs{ "shoulder", "elbow" } do
      list[#list + 1] = {
        name = "torque of the " .. name .. ", beside neohookean", runs = { "elbow", "elbow.neohookean" }, combine = "ratio",
        quantity = "reaction/torque", driver = k - 1, component = "y", near = 1, tolerance = 0.02,
        reason = "strains stay below 1 %, where both materials are Hooke's",
      }
    end
    return list
  end,
  gold = { runs = { "ball", "hinge", "elbow" }, steps = 3, frames = 3 },
  figure = "articulated_arm",
}
