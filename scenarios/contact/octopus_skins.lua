-- Figure 7: a hundred octopuses of 37 pills, each with a skin (13 000 faces in the full size), fall
-- onto each other and the floor. Their box has the density of the published demo (lib/crowd.lua);
-- the paper states no iteration count.
local crowd, fall = include("crowd"), include("fall")

local foot = 0.077 -- the least radius, m

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = p.duration, gravity = { 0, 0, -10 }, damping = p.damping }
  local skin = p.faces > 0 and p.faces or nil
  local all = crowd(s, p.n, p.seed, 0, { skin = skin, loop = false, looks = skin and true })
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = p.friction }
  s:contact{ friction = p.friction, self = true }
  s:solver{ method = "xpbd", precision = "float", iterations = 10, substeps = 4, skin_shape = skin and "fitted" or nil }
  s:record{ every = 1, frames = p.frames > 0 and p.frames or s.steps, fields = { "position", "scale", "frame", skin and "vertices" or nil } }
  -- Feet begin 0.037 m above the ground, of which they fall 0.036 m in five steps.
  fall.gates(s, { gravity = 10, damping = p.damping, substeps = 4, steps = 5, mass = all.mass, tolerance = 3e-4 })
  fall.stands(s, all.foot, foot, 0.5)
  fall.apart(s, p.published)
  s:gate{
    name = "penetration", quantity = "penetration", measure = "final", at_most = 0.5 * foot, finding = p.published,
    reason = "half the least radius while the heap still moves, as in the benchmark of contact",
  }
  s:gate{
    name = "volume", quantity = "volume_error/rms", measure = "final", at_most = 0.05, finding = p.published,
    reason = "nearly incompressible (nu 0.45) under its own weight; feet alone, of 2e4 Pa, give way more",
  }
  if skin then
    local function gate(name, quantity, most, reason)
      s:gate{ name = name, quantity = "surface/" .. quantity, measure = "maximum_abs", at_most = most, reason = reason }
    end
    gate("skins that cross themselves", "crossings_within", 0, "fitted skins are untangled until none are left; blended ones have 6000 such pairs here")
    gate("skins that cross others", "crossings_between", 0, "fitted skins stay on their side; blended ones have 19 000 such pairs here")
    gate("volume in skins", "volume_change", 0.02, "2 %: rods' own change is 1.4 %, weighted by the skin that follows them; blended skins lose 7.4 %")
  end
  return s
end

return {
  title = "A hundred octopuses with skins, in contact",
  timed = true,
  keywords = { "paper", "contact" },
  parameters = {
    n = 100,
    faces = 8000, -- of each skin; 0: none. Fewer leave holes at the feet
    published = false, duration = 2.5, seed = 1, friction = 0.5, damping = 1.0,
    frames = 0, -- steps between frames, of which each holds 10 MB, in the full size 16; 0: the first and the last alone
  },
  ranges = { n = { least = 1 }, faces = { least = 0 }, duration = { above = 0 }, frames = { least = 0 } },
  build = build,
  runs = function(p, tier)
    local own = tier == "full" and { duration = 10.0, faces = 13000 } or nil
    local label = string.format("skins of %d faces", own and own.faces or p.faces)
    local published = { faces = 0, published = true, duration = own and own.duration }
    return {
      { name = "crowd", label = label, parameters = own },
      { name = "published", label = "jacobi-published, without skins", method = "jacobi-published", parameters = published },
    }
  end,
  gold = { runs = { "crowd" }, parameters = { n = 2, faces = 0 }, steps = 15, frames = 15 },
  figure = "octopus_skins",
}
