-- An acrobat hung up by the hands swings down: flesh alone, with nine bones, with nine bones on joints (Li, Liu, Kavan 2019, fig. 11).
local acrobat = include("acrobat")

local STEP = 1 / 30
local CHAIN = 2 -- from hand to sole at rest, m

local function build(p)
  local s = vb.scene{ step = STEP, steps = p.steps, gravity = { 0, 0, -9.81 }, damping = 0.5 }
  local body = acrobat.add(s, { E = p.E, nu = 0.3, fine = p.fine, bones = p.bones })
  local fields = { "position" }
  if p.bones then
    for _, field in ipairs{ "bone_position", "bone_frame", "bone_error", "joint_error" } do fields[#fields + 1] = field end
  end
  s:record{ every = 1, frames = 1, fields = fields }
  s:solver{ solver = "articulated", iterations = 20 }
  s:gate{ -- the figure takes the sole's row from this gate
    name = "length from grip to sole", quantity = "frames/position", node = body.marks.sole, apart_from = body.marks.grip,
    measure = "maximum", at_most = p.linked and 1.05 * CHAIN or nil, at_least = not p.linked and 1.15 * CHAIN or nil, finding = true,
    reason = "fig. 11: joints keep the figure from being pulled apart; how far it is without them, the flesh's stiffness tells",
  }
  s:gate{
    name = "the objective never rises", quantity = "objective_rise", measure = "maximum", at_most = 1e-9,
    reason = "1e-12 of some 1000 J; each iteration minimizes a bound of it that touches it",
  }
  for k = 1, #body.bones do
    s:gate{
      name = "bone " .. k .. " is rigid", quantity = "frames/bone_error", bone = k - 1, measure = "maximum", at_most = 1e-14,
      reason = "rounding",
    }
  end
  if p.linked then
    for k, joint in ipairs(body.joints) do
      s:gate{
        name = "joint " .. k .. " holds", quantity = "frames/joint_error", link = joint, measure = "maximum",
        at_most = 1e-12 * CHAIN, reason = "the tolerance is 1e-13 of the size",
      }
    end
    s:gate{
      name = "grip to ankle", quantity = "frames/position", node = body.marks.grip, apart_from = body.marks.ankle, measure = "maximum",
      at_most = body.reach * (1 + 1e-12), reason = "no chain is longer than its bones, from joint to joint",
    }
  end
  return s
end

return {
  title = "An acrobat hung up: flesh alone, bones, bones on joints",
  parameters = { bones = true, linked = false, E = 3e4, fine = 1, steps = 60 },
  build = build,
  runs = function(_, tier)
    local fine = tier == "full" and 2 or 1
    return {
      { name = "flesh", label = "flesh alone", parameters = { bones = false, fine = fine } },
      { name = "bones", label = "nine bones", bones = "free", parameters = { fine = fine } },
      { name = "linked", label = "nine bones on joints", parameters = { linked = true, fine = fine } },
    }
  end,
  gold = { runs = { "bones", "linked" }, steps = 3, frames = 3 },
  figure = "silk",
}
