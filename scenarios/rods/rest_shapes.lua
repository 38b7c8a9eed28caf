-- Rods that are drawn straight but have another rest shape: bent at rest, stiffer about one axis,
-- and bent uniformly by a couple; and a rod that winds itself to a helix. Each has a closed form at
-- any angle.
local forms = include("closed_forms")

--- Bending stiffness B of the model, of which `bending` takes a part about each axis.
local function bending(p)
  local k, kv = forms.stiffness(p.E, p.nu)
  return (k + kv) * math.pi * p.radius ^ 4 / 4
end

--- What is needed of a rod that is bent about one axis: the factor on its stiffness, its curvature at rest, and the
--- curvature that the couple adds, which is that of the torque over the stiffness.
local function rods_of(p)
  local rods = {
    { name = "soft", axis = 2, factor = p.fv, rest = p.curvature },
    { name = "stiff", axis = 1, factor = p.fu, rest = -p.curvature },
  }
  for _, rod in ipairs(rods) do rod.added = p.couple / rod.factor end
  return rods
end

--- How far the tip is from the clamp, across the rod and along it, under the part `share` of the couple: segments l
--- long, the last of which is held, turned against each other by the rest angle and by the couple's. The torque of a
--- joint turned by D from rest is B/l sin D.
local function tip_of(p, rod, share)
  local l, x, z = p.length / p.n, 0, 0
  local turn = 2 * math.asin(l * rod.rest / 2) + math.asin(l * share * rod.added)
  for j = 0, p.n - 1 do
    x, z = x + l * math.sin(j * turn), z + l * math.cos(j * turn)
  end
  return x, z
end

--- The energy of the term `bend`, which has the part kz of the stiffness, under the whole couple: W = 2/l sin(D/2).
local function bend_energy(p)
  local l, sum = p.length / p.n, 0
  local k = forms.stiffness(p.E, p.nu) * math.pi * p.radius ^ 4 / 4
  for _, rod in ipairs(rods_of(p)) do
    local w = 2 / l * math.sin(math.asin(l * rod.added) / 2)
    sum = sum + (p.n - 1) * k * rod.factor * l * w ^ 2 / 2
  end
  return sum
end

local function add_rod(s, p, rod)
  local curvature, torque, y = { 0, 0, 0 }, { 0, 0, 0 }, (rod.axis - 1) * p.length
  curvature[rod.axis] = rod.rest
  torque[rod.axis] = -bending(p) * p.couple
  -- From the tip to the clamp.
  local bar = s:rod{
    name = rod.name, nodes = p.n + 1, from = { 0, y, 0 }, to = { 0, y, p.length }, radius = p.radius, density = 1000,
    material = { E = p.E, nu = p.nu }, frame = function() return 1, 0, 0, 0 end,
    rest_curvature = curvature, bending = { p.fu, p.fv },
  }
  s:pin{ node = bar.last, components = "xyz" }
  s:pin{ nodes = bar.nodes, components = "s" }
  s:pin{ segment = bar.last_segment }
  s:load{ segment = bar.first_segment, torque = torque, amplitude = { { 0, 0 }, { 1, 1 } }, name = rod.name }
  for _, share in ipairs{ 0.5, 1 } do
    local x, z = tip_of(p, rod, share)
    -- A turn about v leads from w to u, one about u from w to -v.
    local across = rod.axis == 2 and x or y - x
    for component, near in pairs{ [rod.axis == 2 and "x" or "y"] = across, z = p.length - z } do
      s:gate{
        name = string.format("%s rod, %s of the tip at %g of the couple", rod.name, component, share),
        quantity = "frames/position", node = bar.first, component = component, measure = "value", at = share, near = near,
        tolerance = 1e-8 * p.length, absolute = true,
        reason = "exact for the discrete rod, at any angle; a residual of 1e-12 leaves 1e-12 of the length (residual_truth), "
          .. "times the 1e4 by which the rod is softer in bending than in stretch",
      }
    end
  end
end

local function build_bent(p)
  local s = vb.scene{ step = 0.25, steps = 4 }
  for _, rod in ipairs(rods_of(p)) do add_rod(s, p, rod) end
  s:gate{
    name = "energy of bending", quantity = "energy/bend", near = bend_energy(p), tolerance = 1e-6,
    reason = "exact for the discrete rods; of second order in what the solve leaves",
  }
  return s
end

--- Where the tip of the free helix is: each segment's frame is the one before turned about `winding`, whose component
--- is the same in both, by the angle of which l |winding| / 2 is the sine of half.
local function helix_tip(p, winding)
  local l, u, v, w = p.length / p.n, table.unpack(winding)
  local rate = math.sqrt(u ^ 2 + v ^ 2 + w ^ 2)
  local angle, axis = 2 * math.asin(l * rate / 2), { u / rate, v / rate, w / rate }
  local tip = { 0, 0, 0 }
  for j = 0, p.n - 1 do -- Rodrigues: e_z turned about the axis by j times the angle
    local c, s = math.cos(j * angle), math.sin(j * angle)
    local turned = { axis[2] * s, -axis[1] * s, c }
    for k = 1, 3 do tip[k] = tip[k] + l * (turned[k] + (1 - c) * axis[3] * axis[k]) end
  end
  return tip
end

local function build_helix(p)
  local s = vb.scene{ step = 0.25, steps = 4 }
  local winding = { 2 / p.length, 3 / p.length, 5 / p.length }
  local rod = s:rod{
    name = "helix", nodes = p.n + 1, from = { 0, 0, 0 }, to = { 0, 0, p.length }, radius = p.radius, density = 1000,
    material = { E = p.E, nu = p.nu }, frame = function() return 1, 0, 0, 0 end, rest_curvature = winding,
  }
  s:pin{ node = rod.first, components = "xyz" }
  s:pin{ segment = rod.first_segment }
  local tip = helix_tip(p, winding)
  for k, component in ipairs{ "x", "y", "z" } do
    s:gate{
      name = component .. " of the helix's tip", quantity = "frames/position", node = rod.last, component = component,
      near = tip[k], tolerance = 1e-8 * p.length, absolute = true,
      reason = "free of stress at its rest curvature and twist; what the solve leaves, as of the bent rods",
    }
  end
  return s
end

local function build(p)
  local s = p.case == "helix" and build_helix(p) or build_bent(p)
  s:record{ every = 1, frames = 1, residual = true }
  s:solver{ dynamics = "static", method = "direct", iterations = 60, tolerance = 1e-12 }
  return s
end

local resolutions = include("resolutions"){ quick = { 8, 16, 32, 64 }, full = { 16, 32, 64, 128, 256 } }

local function gates(p, tier)
  local soft = rods_of(p)[1]
  local curvature = soft.rest + soft.added
  return {
    {
      name = "order toward the arc", runs = resolutions.names(tier), sizes = resolutions.sizes(tier), combine = "order",
      limit = (1 - math.cos(curvature * p.length)) / curvature, quantity = "frames/position", node = 0, component = "x",
      measure = "final", near = 1, tolerance = 0.1, absolute = true,
      reason = "the clamp holds half a segment more than its end: first order, with a second-order part of some 1/n",
    },
  }
end

return {
  title = "Rods bent at rest, stiffer about one axis, and turned by a couple; a rod that winds itself to a helix",
  keywords = { "quick" },
  parameters = {
    case = "bent", n = 32, length = 1.0, radius = 0.02, E = 1e6, nu = 0.3, fu = 2.0, fv = 0.5, curvature = 1.0, couple = 0.5,
  },
  ranges = {
    case = { "bent", "helix" }, n = { least = 2 }, length = { above = 0 }, radius = { above = 0 }, E = { above = 0 },
    nu = { above = -1, most = 0.5 }, fu = { above = 0 }, fv = { above = 0 },
  },
  build = build,
  runs = function(_, tier)
    local list = resolutions.runs(tier)
    list[#list + 1] = { name = "helix", label = "helix", parameters = { case = "helix" } }
    return list
  end,
  gates = gates,
  figure = "rest_shapes",
  planted = { must = { "bending" } },
  gold = { runs = { "n8", "n16", "helix" }, parameters = { n = 16 } },
}
