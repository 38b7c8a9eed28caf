-- The energies of a deformed helical rod: order of convergence, and independence of the storage
-- order.

local terms = { "stretch", "section", "taper", "volume", "bend", "twist", "surface_bend", "volume_bend" }

--- 1.5 turns of radius 0.5 m.
local function curve(t)
  local phi = 3 * math.pi * t
  return 0.5 * math.cos(phi), 0.5 * math.sin(phi), 1.2 * t
end

--- Vanishes at the ends with its first three derivatives, so that the half segments which the joint
--- terms leave out at free ends do not count.
local function bump(t) return math.sin(math.pi * t) ^ 4 end

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = 0 }
  local odd = function(j) return j % 3 == 1 end
  s:rod{
    name = "helix", nodes = p.n + 1, curve = curve,
    radius = function(t) return 0.06 * (1 + 0.5 * t) end, -- tapered
    twist = function(t) return 2 * t end,
    density = 1000, material = { E = 1e6, nu = 0.4 },
    position = function(t, x, y, z)
      local b = p.amplitude * bump(t)
      return x + 0.3 * b, y - 0.2 * b, z + 0.4 * b * math.cos(2 * t)
    end,
    scale = function(t) return 1 + p.amplitude * bump(t) end,
    turn = function(t)
      local b = p.amplitude * bump(t)
      return b, -0.5 * b, 0.8 * b
    end,
    reverse = p.reversed and odd or false, reverse_joints = p.reversed,
  }
  s:record{ every = 1, frames = 1 }
  return s
end

local resolutions = include("resolutions"){ quick = { 32, 64, 128, 256 }, full = { 64, 128, 256, 512, 1024 } }

local function runs(_, tier)
  local list = resolutions.runs(tier)
  list[#list + 1] = { name = "n64-reversed", label = "64 segments, a third of them stored backwards",
    parameters = { n = 64, reversed = true } }
  return list
end

local function gates(_, tier)
  local list = {}
  for _, term in ipairs(terms) do
    list[#list + 1] = {
      name = "order of " .. term, runs = resolutions.names(tier),
      sizes = resolutions.sizes(tier), combine = "order",
      quantity = "energy/" .. term, measure = "first", near = 2, tolerance = 0.1, absolute = true,
      reason = "midpoint rule and central differences: second order; by differences of successive "
        .. "resolutions, whose next order shows below a tenth",
    }
    list[#list + 1] = {
      name = "reversal of segments: " .. term, runs = { "n64-reversed", "n64" }, combine = "ratio",
      quantity = "energy/" .. term, measure = "first", near = 1, tolerance = 1e-11,
      reason = "the same sum in another order: rounding of 64 terms, which cancel to a hundredth",
    }
  end
  return list
end

return {
  title = "Energies of a curved, twisted, tapered rod under refinement",
  keywords = { "quick" },
  parameters = { n = 64, amplitude = 0.3, reversed = false },
  ranges = { n = { least = 2 } },
  build = build,
  runs = runs,
  gates = gates,
  planted = {
    exempt = {
      stale = "no step is made: what is checked is the state at the beginning", ["half-step"] = "no step is made",
    },
  },
  gold = { runs = { "n32", "n64-reversed" } },
  figure = "helix",
}
