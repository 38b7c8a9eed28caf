-- A round bar of a linear solid, pressed from all sides about its middle, by a band of pressure that
-- is narrower or wider than the bar.
local round, elements = include("round_bar"), include("round_elements")
local nu, load = 0.45, 1e-5

local function case(name, width, along)
  local half, away = 8 * width, 2 * width
  local list = round.bump(half, width)
  local function pressure(z) return math.exp(-z * z / (2 * width * width)) end
  local function change(k) return k == 0 and -(1 - nu) or round.pressed(nu, k) end
  local middle, aside = round.sum(list, half, 0, change), round.sum(list, half, away, change)
  local longer = 2 * nu * list[0] * half -- of a half: by the work of a uniform tension (Betti 1872)
  --- By elements that hold the length; then the bar is stretched until it has no force.
  local known = {}
  local function computed(n)
    if not known[n] then
      local force, at_middle, at_side = elements.respond(nu, half, n, along * n, pressure, nil, away)
      local strain = -force / math.pi
      known[n] = { at_middle - nu * strain, at_side - nu * strain, strain * half }
    end
    return known[n]
  end
  local function ask(k, quantity, what, exact)
    return {
      name = quantity, what = what, exact = exact, scale = k == 2 and math.abs(middle) or math.abs(exact),
      methods = { { "elements", function() return elements.limit(function(n) return computed(n)[k] end) end } },
    }
  end
  return {
    name = name,
    given = {
      { name = "nu", what = "Poisson's ratio", value = nu }, { name = "half", what = "half of the length of the bar, in R", value = half },
      { name = "width", what = "w of the pressure, in R", value = width }, { name = "load", what = "p_0/E", value = load },
      { name = "away", what = "distance from the middle at which the radius is asked for, 2 w, in R", value = away },
    },
    ask = {
      ask(1, "middle", "change of the radius at the middle, over R p_0/E", middle),
      ask(2, "away", "change of the radius at the distance 2 w from the middle, over R p_0/E", aside),
      ask(3, "length", "gain of length from the middle to an end, over R p_0/E", longer),
    },
  }
end

return {
  title = "Pinch: a round bar that is pressed about its middle",
  text = [[A straight round bar of radius R, of a linearly elastic solid with Young's modulus E and Poisson's ratio 0.45, is pressed on its
side by p = p_0 exp(-z^2/(2 w^2)), where z is the distance from its middle, p_0 = 1e-5 E, and w = R/2 (case narrow) or 2 R (case wide).
Its ends, at z = -8 w and 8 w, are plates on which it glides without friction, and which no force holds. How do the radius at the middle and
at z = 2 w, and the length change? A rod whose section is a disc of one radius takes the pressure as a force on its radius, p 2 pi R per
length.]],
  formulas = {
    "div sigma = 0; sigma_rr = -p, sigma_rz = 0 at r = R", "p = sum c_k cos(k z): u_r = sum c_k U(k) cos(k z), U by I_0(k R) and I_1(k R); U(0) = -(1 - nu) R/E",
    "length: the integral of 2 nu p/E",
  },
  units = "lengths in R, pressures in E", groups = { "nu = 0.45", "w/R = 0.5, 2", "p_0/E = 1e-5" },
  models = { "a radius that varies along the rod", "forces on the radius" },
  made = "closed form, a Fourier series along the bar with Bessel functions across it; beside bicubic elements of the section through the axis",
  sees = { "Poisson's ratio", "resistance to a change of the radius along the rod" },
  cases = { case("narrow", 0.5, 4), case("wide", 2, 8) },
}
