-- An acrobat who hangs by the hands swings down: flesh only, with nine bones, with nine bones on
-- joints (Li, Liu, Kavan 2019, fig. 11).
local acrobat, fall = include("acrobat"), include("fall")

local STEP = 1 / 30
local CHAIN = 2 -- from hand to sole at rest, m

--- Gates of the first step of flesh alone, all of which falls freely but for what the hands' waves reach in it.
local function fall_gates(s, body)
  local fallen, speed = fall.euler(9.81, 0.5, STEP, 1)
  s:gate{
    name = "the sole falls freely at first", quantity = "frames/position", node = body.marks.sole, component = "z", origin = body.height,
    measure = "value", at = STEP, near = -fallen, tolerance = 1e-3,
    reason = "implicit Euler's first step; waves of some 6 m/s, and so 0.2 m of flesh, feel the hands by then, 2 m away",
  }
  s:gate{
    name = "energy of the fall at first", quantity = "energy/kinetic", measure = "value", at = STEP, near = 0.5 * body.mass * speed ^ 2,
    tolerance = 0.08, reason = "likewise of all but the arms up to 0.2 m from the hands, which have 8 % of the mass",
  }
end

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
  if not p.bones then fall_gates(s, body) end
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
  planted = { must = { "slow-time" } },
}
