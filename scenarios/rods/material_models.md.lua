-- The page about the material models: stiffnesses of rods of both over the theory of a solid rod and over finite elements.
local models, ratios = { "solid", "published" }, { "0", "0.3", "0.49" }

local function run(model, case, nu) return page.format("solid_rod-{m}.{c}.nu{n}", { m = model, c = case, n = nu }) end

--- A quantity of a rod over that by which a gate of the model solid has it in theory.
local function over_theory(name)
  return function(model, case, nu)
    return page.gate(run(model, case, nu), name).value / page.gate(run("solid", case, nu), name).reference
  end
end

--- The stiffness from a deflection under a given force.
local function inverse(name)
  local part = over_theory(name)
  return function(...) return 1 / part(...) end
end

--- The torque at which a twisted rod buckles over Greenhill's for a solid rod. The push at the middle moves the rod by
--- 1/(M - torque), so that two torques and deflections tell M.
local parts = { 0.96, 0.98 }
local function buckling(model, case, nu)
  local function of(m, part) return page.format("{r}.{p}", { r = run(m, case, nu), p = part }) end
  local function deflection(part) return (page.last(of(model, part), "frames/position[256,0]")) end
  local function torque(m) return (page.last(of(m, parts[2]), "reaction/torque[0,2]")) / parts[2] end
  local a, b = deflection(parts[1]), deflection(parts[2])
  return (parts[2] * b - parts[1] * a) / (b - a) * torque(model) / torque("solid")
end

local rows_of = {
  { "cantilever of 20 radii", "bent", inverse("deflection") },
  { "beam of 4 radii, in shear", "short", inverse("deflection") },
  { "torsion", "turned", over_theory("torque") },
  { "helical spring of 8 radii, pulled", "spring", over_theory("energy") },
  { "buckling torque under tension", "twisted", buckling },
  { "stretch to 1.1, relative to a Neo-Hookean solid", "pulled", over_theory("force over that of a Neo-Hookean solid"), "0" },
}

page.put([[
# The material models

With `material = {{ E =, nu =, model = "solid" }}`, a rod bends, shears and twists like a rod of that solid.
`"published"`, the default, is the model of the paper: bending and shear have the stiffness kz + kv, and torsion twice G J
([model](../src/viper/model/README.md)). Numbers are from recorded runs.

## Relative to the theory of solid rods

Stiffness of a discrete rod over that of the theory: E I and k G A (Timoshenko), and G J. For the spring: torsion and
bending by its pitch (Love), with shear and stretch. For buckling: the torque between clamps by Greenhill.
]])
local rows = {}
for _, kind in ipairs(rows_of) do
  local row = { kind[1] }
  for _, nu in ipairs(ratios) do
    for _, model in ipairs(models) do
      row[#row + 1] = nu == kind[4] and "–" or page.format("{r:%.4g}", { r = kind[3](model, kind[2], nu) })
    end
  end
  rows[#rows + 1] = row
end
page.table({ "", "ν = 0, solid", "published", "ν = 0.3, solid", "published", "ν = 0.49, solid", "published" }, rows)
page.put([[

The theory of the spring has no correction for the curvature of its wire. Wahl's correction, which multiplies stresses by
1.18 for a coil of 8 radii, changes the spring rate by less than 1 %.
]])

page.put([[

## Relative to finite elements

Force or couple of a rod over that of a cylinder of quadratic elements of stable Neo-Hookean material. `bent`: a quarter of
a circle of ten radii. `twisted`: two turns on forty radii. `slice`: bent slightly at the stretch in its name.

![material_models](material_models.svg)
]])
--- The gate of a rod of a model over the finest elements.
local function over_elements(model, case)
  return page.gates(page.format("fem_cylinder-{m}.{c} *", { m = model, c = case }), "*over that of elements")[1]
end

rows = {}
for _, kind in ipairs{ "pulled1.1", "pulled1.5", "bent", "twisted", "slice0.9", "slice1", "slice1.1", "slice1.5" } do
  for i = 2, #ratios do
    local case = page.format("{k}.nu{n}", { k = kind, n = ratios[i] })
    local gate = over_elements("solid", case)
    rows[#rows + 1] = {
      kind, ratios[i], gate.name, page.format("{value:%.3f}", gate), page.format("{value:%.3g}", over_elements("published", case)),
      gate.passed and "yes" or "finding",
    }
  end
end
page.table({ "case", "ν", "", "solid", "published", "within 3 %" }, rows)

if #page.gates("fem_band-*") > 0 then
  page.put([[

## A band of bundled rods

Relative to finite elements, stretched to 1.5 and then twisted by half a turn:
]])
  rows = {}
  for _, name in ipairs{ "force, stretched", "force, twisted", "torque, twisted", "width, stretched", "thickness, twisted" } do
    local row = { name }
    for _, kind in ipairs{ "solid", "usual" } do
      row[#row + 1] = page.format("{value:%.3g}", page.gates("fem_band-" .. kind .. "* fem_band-fem*", name)[1])
    end
    rows[#rows + 1] = row
  end
  page.table({ "", "solid", "published" }, rows)
end
page.put("---\n{1}", { page.footer })
