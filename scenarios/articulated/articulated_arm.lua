-- A falling arm: flesh only, with bones, with bones on a joint (Li, Liu, Kavan 2019, figs. 1, 11).
-- And an arm whose bones follow curves, an elbow and a shoulder, compared with the finite elements
-- of the reference neohookean, and with a rod in place of flesh.
local arm = include("arm")
local forms = include("closed_forms")

local LONG = 1e6 -- a step that leaves inertia no part: an equilibrium

--- Gates that tell free bones, balls and hinges apart, by the distance of nodes of the two bones. At rest two nodes on the middle are 0.1 m from
--- the joint on either side. A joint keeps them within 0.2 m of each other. Two other ones differ by 0.1 m along the hinge's axis: a hinge keeps
--- them within the diagonal of 0.2 m and 0.1 m; a ball lets them come as far apart as they are from the joint, 0.1 m and 0.1 sqrt 2 m.
local function kinds_differ(s, p, body)
  local middle = arm.thick / 2
  local function at(x, y)
    return vb.vertices_at{ mesh = body.mesh, x = x, y = y, z = middle, tolerance = 1e-6 }[1]
  end
  local function apart(name, from, to, rest, less, reason)
    s:gate{
      name = name, quantity = "frames/position", node = to, apart_from = from, measure = "maximum",
      at_most = less and rest * (1 + 1e-12) or nil, at_least = not less and rest * 1.01 or nil,
      reason = less and reason .. "; rounding" or reason .. "; by 1 %, 2 mm, more than a joint allows",
    }
  end
  local free, hinge = not p.holds, p.link == "hinge"
  apart(free and "free bones part" or "joined bones do not part", at(0.5, middle), at(0.7, middle), 0.2, not free,
    "fig. 1: each is 0.1 m from the joint")
  if not free then
    apart(hinge and "a hinge does not give way sideways" or "a ball gives way sideways", at(0.5, middle - 0.1), at(0.7, middle),
      math.sqrt(0.2 ^ 2 + 0.1 ^ 2), hinge, "fig. 1: 0.1 m from each other along the hinge's axis, and from it")
  end
end

local function fall(p)
  -- Thrown sideways, gravity has a part along the hinge's axis.
  local s = vb.scene{ step = 1 / 30, steps = p.steps, gravity = p.sideways and { 0, 8, -6 } or { 0, 0, -9.81 } }
  local body = arm.add(s, { E = p.E, nu = 0.3, bones = p.bones, link = p.link })
  if p.sideways then kinds_differ(s, p, body) end
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
  if not p.sideways then
    s:gate{
      name = "volume", quantity = "volume", measure = "drift", at_most = 0.05 * arm.length * arm.thick ^ 2, finding = true,
      reason = "nu = 0.3 lets flesh change its volume; 5 % is what shows",
    }
  end
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

--- A rod along the arm's middle, whose nodes between 0.1 and 0.5 m and beyond 0.7 m follow the bones; returns its last node.
local function add_rod(s, p, shoulder, lower)
  local segments, middle, radius = 24, arm.thick / 2, 0.05
  local l = arm.length / segments
  local rod = s:rod{
    name = "rod", nodes = segments + 1, from = { 0, middle, middle }, to = { arm.length, middle, middle }, radius = radius,
    density = 1000, material = { E = p.E, nu = 0.3 },
  }
  local function carried(from, to, driver)
    local first, last = math.floor(from / l + 0.5), math.floor(to / l + 0.5)
    for k = first, last do
      s:pin{ node = rod.nodes[k + 1], components = "xyz", driver = driver }
      if k < last then s:pin{ segment = rod.segments[k + 1], driver = driver } end
    end
  end
  carried(0, 0)
  carried(0.1, 0.5, shoulder)
  carried(0.7, arm.length, lower)
  -- VIPER's rod bends with the stiffness kz + kv at its scale of 1, that of Bergou et al. with E.
  local kz, kv = forms.stiffness(p.E, 0.3)
  local bending = (p.rod == "viper" and kz + kv or p.E) * math.pi * radius ^ 4 / 4
  local joints = math.floor(0.2 / l + 0.5) + 1 -- that share the turn, all alike
  s:gate{
    name = "torque of the elbow, as of a bent rod", quantity = "reaction/torque", driver = lower, component = "y", measure = "final",
    near = bending * p.turn / (joints * l), tolerance = 1e-3,
    reason = "the turn times the stiffness over the length that the joints between the bones stand for; the angle's square is 1e-4",
  }
  return rod.last
end

--- Gates of an arm that its drivers bend slightly from rest in one step: the position of its tip, a node `up` above the
--- arm's middle, and the balance of energies.
local function bent(s, p, tip, up)
  local elbow, far = 0.5, arm.length - 0.6 -- from the shoulder to the elbow, and on to the tip, m
  local function turned(angle, x, z) return x * math.cos(angle) + z * math.sin(angle), z * math.cos(angle) - x * math.sin(angle) end
  local x, z = turned(p.turn, far, up)
  local _, height = turned(-p.turn / 4, elbow + x, z)
  s:gate{
    name = "the tip", quantity = "frames/position", node = tip, component = "z", measure = "final", near = arm.thick / 2 + height,
    tolerance = 1e-12, reason = "the shoulder turns what the elbow turned; rounding",
  }
  s:gate{
    name = "half of the work is stored", quantity = "balance/unaccounted", measure = "final", near = 0.5, tolerance = 1e-3, absolute = true,
    reason = "drivers work against the torque at the end of the step, half of which stays where it is linear; the angle's square is 1e-4",
  }
end

--- The fore bone turns about the elbow, which moves with a shoulder that turns the other way.
local function elbow(p)
  local s = vb.scene{ step = LONG, steps = 1 }
  local middle = arm.thick / 2
  local shoulder = s:driver{
    name = "shoulder", origin = { 0.1, middle, middle }, axis = { 0, 1, 0 }, angle = { { 0, 0 }, { LONG, -p.turn / 4 } },
  }
  local lower = s:driver{
    name = "elbow", parent = shoulder, origin = { 0.6, middle, middle }, axis = { 0, 1, 0 }, angle = { { 0, 0 }, { LONG, p.turn } },
  }
  if p.rod ~= "" then
    bent(s, p, add_rod(s, p, shoulder, lower), 0)
  else
    arm.add(s, { E = p.E, nu = 0.3, drivers = { shoulder, lower } })
  end
  s:record{ every = 1, frames = 1, fields = { "position" } }
  if p.rod ~= "" then
    s:solver{ iterations = 50, tolerance = 1e-12 }
  elseif p.judged then
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
  parameters = {
    kind = "fall", sideways = false, bones = true, link = "ball", holds = false, E = 1.5e5, steps = 45, turn = 0.01, judged = false, rod = "",
  },
  build = function(p) return p.kind == "fall" and fall(p) or elbow(p) end,
  runs = function()
    local list = {}
    for _, kind in ipairs(KINDS) do
      local run = { name = kind.name, label = kind.label, parameters = kind.parameters }
      if kind.name == "bones" then run.bones = "free" end
      list[#list + 1] = run
    end
    for k = 2, 4 do
      local run, parameters = KINDS[k], { sideways = true }
      for key, value in pairs(run.parameters) do parameters[key] = value end
      list[#list + 1] = {
        name = run.name .. ".sideways", label = run.label .. ", thrown sideways", bones = k == 2 and "free" or nil, parameters = parameters,
      }
    end
    list[#list + 1] = { name = "elbow", label = "keyframed", parameters = { kind = "elbow" } }
    list[#list + 1] = {
      name = "elbow.neohookean", label = "keyframed, neohookean", solver = "neohookean", parameters = { kind = "elbow", judged = true },
    }
    for _, solver in ipairs{ "viper", "bergou" } do
      list[#list + 1] = {
        name = "elbow." .. solver, label = "keyframed, a rod", solver = solver, method = solver == "viper" and "direct" or nil,
        parameters = { kind = "elbow", rod = solver },
      }
    end
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
  planted = { must = { "bending", "term-missing" } },
  gold = { runs = { "ball", "hinge", "elbow" }, steps = 3, frames = 3 },
  figure = "articulated_arm",
}
