-- A round bar of a solid, stretched or compressed between plates on which its ends glide: its force,
-- and its radius. All of it deforms alike.
local least, elements = include("least_energy"), include("round_elements")
local nu = 0.45

--- Force over E A and loss of radius over R, both over the strain of a bar that is slightly stretched, by elements: it is one
--- that contracts by as much while its length is held, without the change of its own shape.
local function slight(kind)
  local force, radius = elements.respond(nu, 1, 1, 1, nil, function() return 1 end, 1)
  return kind == "force" and force / math.pi or 0.5 - radius, 1e-11
end

local function case(name, stretch)
  local strain, is_slight = stretch - 1, name == "slight"
  local force, width = least.closed(nu, stretch, 1)
  local exact = is_slight and { 1, nu } or { force / strain, (1 - width) / strain }
  local function by_energy(k)
    local both = { least.bar(nu, stretch, 1) }
    local value = k == 1 and both[1][1] or 1 - both[2][1]
    return value / strain, both[k][2] / math.abs(strain)
  end
  local function ask(k, quantity, what)
    return {
      name = quantity, what = what, exact = exact[k], scale = exact[k],
      methods = {
        is_slight and { "elements", function() return slight(quantity) end } or { "energy", function() return by_energy(k) end },
      },
    }
  end
  return {
    name = name,
    given = {
      { name = "nu", what = "Poisson's ratio", value = nu }, { name = "L", what = "length of the bar at rest, in R", value = 8 },
      { name = "stretch", what = "length over that at rest", value = stretch },
    },
    ask = {
      ask(1, "force", "which pulls the plates together, over E A and the strain, stretch less 1; A = pi R^2"),
      ask(2, "narrowing", "loss of the radius half way between the ends, over R and the strain"),
    },
  }
end

return {
  title = "Held bar: a round bar of a solid that is stretched, slightly and much, and compressed",
  text = [[A straight round bar of radius R and length 8 R, of a stable Neo-Hookean solid (Smith, de Goes and Kim 2018) with Young's modulus E
and Poisson's ratio 0.45, is held between two plates, on which its ends glide without friction and may become thinner or thicker. It
stays straight. The plates are moved apart to 1.00001 of their distance (case slight, which any law of a solid answers alike within 1e-4),
to 1.5 (case longer) or 0.7 (case shorter). What is the force, and the radius half way?]],
  formulas = { table.unpack(least.law) }, units = "lengths in R, forces in E A",
  groups = { "nu = 0.45", "stretch = 1.00001, 1.5, 0.7" },
  models = { "stretch", "a radius that follows the stretch", "a law of finite strain (longer, shorter)" },
  made = "closed form: the stress across is 0; beside elements of a linear solid (slight), and differences of the energy at the width at which it is least",
  published = "the rod of Angles et al. 2019 has a force 9 % above this at 1.5, and 9 % below at 0.7: its law is another; slightly stretched, it agrees",
  sees = { "Poisson's ratio", "stretch" },
  cases = { case("slight", 1.00001), case("longer", 1.5), case("shorter", 0.7) },
}
