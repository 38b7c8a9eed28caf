-- Octopuses fall onto each other from a box with the density of the published demo (figure 7), and
-- come to rest.
local crowd, fall = include("crowd"), include("fall")

local foot = 0.077 -- the least radius, m

local function build(p)
  local s = vb.scene{ step = 1 / 60, duration = p.duration, gravity = { 0, 0, -10 }, damping = p.damping }
  local all = crowd(s, p.n, p.seed, 0, p.skin > 0 and { skin = p.skin, looks = true } or nil)
  s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = p.friction }
  s:contact{ friction = p.friction, self = true }
  s:solver{ iterations = p.iterations, substeps = p.substeps }
  s:record{
    every = 5, frames = 12,
    fields = p.skin > 0 and { "position", "scale", "frame", "vertices" } or nil,
  }
  -- Feet begin 0.037 m above the ground, of which they fall 0.036 m in five steps.
  fall.gates(s, { gravity = 10, damping = p.damping, substeps = p.substeps, steps = 5, mass = all.mass, tolerance = 1e-10 })
  fall.stands(s, all.foot, foot, 0.5)
  fall.apart(s)
  s:gate{
    name = "nothing is truncated", quantity = "contact_truncated", measure = "maximum", at_most = 0,
    reason = "contacts hold what falls in substeps of 1/240 s",
  }
  s:gate{
    name = "penetration at rest", quantity = "penetration", measure = "final", at_most = 3e-2 * foot,
    reason = "2.3 mm: ten sweeps leave some, as the heap happens to lie (warm_start off by 1e-8): of nine octopuses direct leaves "
      .. "0.02, 0.05, 0.2 or 0.9 mm, xpbd 0.07 mm; of a large crowd block-descent 0.2, 0.3, 0.5 or 1.7 mm",
  }
  s:gate{
    name = "volume at rest", quantity = "volume_error/rms", measure = "final", at_most = 0.05,
    reason = "nearly incompressible (nu 0.45) under its own weight; feet alone, of 2e4 Pa, give way more",
  }
  s:gate{
    name = "at rest", quantity = "energy/kinetic", measure = "final", at_most = p.n, finding = p.n > 9,
    reason = "a joule for each octopus of 3.1 t, which is then at 2.5 cm/s; in a large crowd one that lies on others may topple as late as this",
  }
  return s
end

local function runs(p, tier)
  local n = p.n > 0 and p.n or tier == "full" and 100 or 9
  local list = {}
  for _, method in ipairs{ "xpbd", "block-descent", "direct" } do
    -- Impulses of contacts on stiff bodies converge slowest where these are solved exactly.
    local iterations = method == "direct" and 2 * p.iterations or p.iterations
    list[#list + 1] = { name = method, label = method, method = method, iterations = iterations, parameters = { n = n } }
  end
  return list
end

return {
  title = "A crowd of octopuses falls onto itself",
  keywords = { "contact" },
  parameters = {
    n = 0, -- 100 in the full size, 9 in the quick one
    skin = 0, -- faces of each one's surface, which is recorded for ParaView and drawn; 13000 are good
    seed = 1, duration = 10.0, friction = 0.5, damping = 1.0, iterations = 10, substeps = 4,
  },
  build = build,
  runs = runs,
  figure = "crowd",
  show = { runs = { "xpbd" }, parameters = { n = 24, skin = 4000, duration = 6 }, view = { 30, 18, 1, 30 } },
  gold = { parameters = { n = 2 }, steps = 15, frames = 15 },
}
