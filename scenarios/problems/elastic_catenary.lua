-- Irvine 1981: the tension at the lowest point, from the span.
local special = include("special_functions")
local span, stiffness = 0.8, 20 -- of the length; of the weight

--- How far the middle is below the ends.
local function sag()
  local tension = special.root(function(h)
    return h / stiffness + 2 * h * math.log(0.5 / h + math.sqrt(1 + (0.5 / h) ^ 2)) - span
  end, 0.01, 10)
  return 1 / (8 * stiffness) + tension * (math.sqrt(1 + (0.5 / tension) ^ 2) - 1)
end

return {
  title = "Elastic catenary: a stretchable chain between two points",
  text = [[A chain without bending stiffness, of length L and weight w L at rest, hangs along -z between two points at one
height, 0.8 L apart along x. It resists stretch by EA times its strain. Where is its middle?]],
  formulas = { "r' = n (1/|n| + 1/EA)", "n' = w e_z", "r(0) = 0", "r(L) = 0.8 L e_x" },
  units = "lengths in L, forces in w L",
  groups = { "span/L = 0.8", "EA/(w L) = 20" },
  models = { "stretch", "weight", "no bending, or as little as the solver needs" },
  made = "closed form (Irvine 1981); beside collocation",
  sees = { "stretch", "direction" },
  cases = {
    {
      name = "20",
      rod = {
        length = 1, string = true, stiffness = { stretch = stiffness },
        start = { held = "xyz" }, finish = { position = { span, 0, 0 }, held = "xyz" }, weight = { 0, 0, -1 },
      },
      ask = {
        { name = "sag", what = "z of the middle", at = 0.5, component = "z", exact = -sag() },
        { name = "x", what = "x of the middle, the same from either end", at = 0.5, component = "x", exact = span / 2 },
      },
    },
  },
}
