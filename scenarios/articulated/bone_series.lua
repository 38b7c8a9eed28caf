-- Flesh, a bone, flesh: pulled apart, at rest. The traction does not depend on the bone, which is
-- rigid. With the published projection the bone has a compliance that depends on its inertia: an
-- erratum of Li, Liu, Kavan 2019, compared with its closed form.
local THICK, PART, PULL, NU = 0.2, 0.4, 0.12, 0

local function build(p)
  local s = vb.scene{ step = p.h, steps = p.steps, damping = 10 } -- nearly critical, to come to rest soon
  local cells = { 3 * p.n, math.max(1, p.n // 2), math.max(1, p.n // 2) }
  local mesh = vb.box{ to = { 3 * PART, THICK, THICK }, cells = cells }
  local bar = s:mesh{ mesh = mesh, material = { E = p.E, nu = NU }, density = 1000, name = "bar" }
  local inner = {}
  for i, x in ipairs(mesh.vertices) do
    if x[1] > PART - 1e-9 and x[1] < 2 * PART + 1e-9 then inner[#inner + 1] = i - 1 end
  end
  s:bone{ name = "bone", nodes = inner }
  local hand = s:driver{ name = "hand", x = { { 0, 0 }, { p.h, PULL } } }
  s:pin{ nodes = bar.faces.x0 }
  s:pin{ nodes = bar.faces.x1, driver = hand }
  s:record{ frames = 1, fields = { "position", "bone_position" } }
  s:solver{ solver = "articulated", iterations = p.iterations, tolerance = 1e-12 }
  s:gate{
    name = "the hand after a step", quantity = "frames/position", node = bar.faces.x1[1], component = "x", measure = "value", at = p.h,
    near = 3 * PART + PULL, tolerance = 1e-12, reason = "held by its driver to rounding",
  }
  -- The bone's two end faces carry a share of the flesh around them: half a layer of cells each, lumped at the faces.
  local area, bone = THICK * THICK, 1000 * THICK * THICK * PART
  local layer = 1000 * area * PART / p.n / 2
  local second = bone * PART ^ 2 / 12 + 2 * layer * (PART / 2) ^ 2
  local exact = p.E * area * PULL / (2 * PART)
  local published = 1 / (1 + p.h ^ 2 * p.E * area * PART ^ 2 / (2 * PART * second))
  if p.published then
    s:gate{
      name = "traction, published, over the exact one", quantity = "reaction/force", driver = hand, component = "x",
      near = published * exact, tolerance = 1e-8, reason =
        "F/F_exact = 1/(1 + h^2 E A L_b^2/(L_f Sig_xx)): flesh is balanced against a bone that yields like its inertia in "
        .. "one step; motion that is left",
    }
  else
    s:gate{
      name = "traction", quantity = "reaction/force", driver = hand, component = "x", near = exact, tolerance = 1e-8,
      reason = "E A delta/L_f, L_f being the flesh's length; the residual, and motion that is left",
    }
    s:gate{
      name = "energy", quantity = "energy/total", near = 0.5 * exact * PULL, tolerance = 1e-8,
      reason = "half of the traction times the pull; the residual, and motion that is left",
    }
  end
  return s
end

local STIFFNESSES = { 5e3, 5e4, 5e5 }

return {
  title = "Flesh and a bone in series: traction by the consistent and the published projection",
  parameters = { E = 5e4, h = 1 / 30, n = 4, steps = 160, iterations = 100, published = false },
  build = build,
  runs = function(_, tier)
    local list = {}
    for _, E in ipairs(STIFFNESSES) do
      for _, h in ipairs(tier == "full" and { 30, 120 } or { 30 }) do
        for _, projection in ipairs{ "consistent", "published" } do
          list[#list + 1] = {
            name = string.format("%s.E%g.h%d", projection, E, h), projection = projection,
            label = string.format("%s, E = %g Pa, h = 1/%d s", projection, E, h),
            parameters = { E = E, h = 1 / h, published = projection == "published", steps = tier == "full" and 1200 or 160 },
          }
        end
      end
    end
    return list
  end,
  gold = { runs = { "consistent.E50000.h30", "published.E50000.h30" }, steps = 5, frames = 5 },
  figure = "bone_series",
}
