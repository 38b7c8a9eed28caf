-- The weight of ghost points (solver umetani): they are off the axis, and their weight rotates the
-- rod about its axis unless it is transferred to the nodes. Free fall, a cantilever with its ghosts
-- sideways, and a pendulum, by the option ghost_gravity.
local fall = include("fall")
local cases = { "fall", "cantilever", "pendulum" }
local ways = { "redistributed", "full", "none" }

local function build(p)
  local s = vb.scene{
    step = p.case == "cantilever" and 1 / 120 or 1 / 60, duration = p.case == "cantilever" and 10 or 1,
    -- The cantilever's sag is 0.05 of its length.
    gravity = { 0, 0, p.case == "cantilever" and -0.04 or -9.81 },
    damping = p.case == "cantilever" and 3 or 0,
  }
  -- u, toward the ghosts, is sideways: e_y. The frame (w, x, y, z) turns e_x to e_y, e_y to e_z, e_z to e_x.
  local rod = s:rod{
    nodes = 11, from = { 0, 0, 0 }, to = { 1, 0, 0 }, radius = 0.02, density = 1000,
    material = { E = 1e6, nu = 0.45 }, frame = function() return 0.5, 0.5, 0.5, 0.5 end,
  }
  if p.case == "fall" and p.way ~= "none" then -- the ghosts' weight is somewhere on the rod
    fall.gates(s, { gravity = 9.81, substeps = 1, steps = 60, mass = 1000 * math.pi * 0.02 ^ 2, tolerance = 1e-10 })
  end
  if p.case ~= "fall" then s:pin{ node = rod.first, components = "xyz" } end
  if p.case == "cantilever" then s:pin{ segment = rod.first_segment } end
  s:record{ every = 1, frames = p.case == "cantilever" and 120 or 1, fields = { "position", "frame" } }
  s:solver{
    solver = "umetani", ghost_gravity = p.way, iterations = p.case == "cantilever" and 40 or 10,
    method = p.case == "cantilever" and "xpbd" or "pbd",
  }
  return s
end

local function runs()
  local list = {}
  for _, case in ipairs(cases) do
    for _, way in ipairs(ways) do
      list[#list + 1] = {
        name = case .. "-" .. way, label = case .. ", " .. way, parameters = { case = case, way = way },
      }
    end
  end
  return list
end

-- The frame of e_x is (1, 1, 1, 1)/2; turned about e_x by a: w = (cos(a/2) - sin(a/2))/2. Drift of w from 1/2.
local function gates()
  local function roll(run, limits)
    local gate = {
      name = "roll", run = run, quantity = "frames/frame", segment = 9, component = 1, measure = "final", origin = 0.5,
    }
    for key, value in pairs(limits) do gate[key] = value end
    return gate
  end
  return {
    roll("fall-redistributed", { near = 0, tolerance = 1e-9, absolute = true, reason = "all of it falls: rounding" }),
    roll("fall-full", { near = 0, tolerance = 1e-9, absolute = true, reason = "all of it falls: rounding" }),
    roll("fall-none", {
      at_most = -0.3,
      reason = "the ghosts' missing weight turns the rod about itself, by more than 1 rad in a second",
    }),
    {
      name = "twist by weight", runs = { "cantilever-redistributed", "cantilever-full" }, combine = "ratio",
      quantity = "ribbon/twist", measure = "final", near = 0, tolerance = 0.3, absolute = true,
      reason = "ghosts at rest carry no weight; the rest is the distance of XPBD's state from the minimizer",
    },
    {
      name = "roll of a pendulum", run = "pendulum-redistributed", quantity = "frames/frame", segment = 9, component = 1,
      measure = "drift", at_most = 0.02, finding = true,
      reason = "a rod that swings about y stays in its plane; ghosts' mass beside the axis rolls it",
    },
  }
end

return {
  title = "The weight of ghost points",
  parameters = { case = "fall", way = "redistributed" },
  build = build,
  runs = runs,
  gates = gates,
  planted = { must = { "slow-time" } },
  gold = { runs = { "fall-none", "pendulum-redistributed" } },
  figure = "umetani_ghosts",
}
