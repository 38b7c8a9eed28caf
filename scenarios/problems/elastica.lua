-- Bisshopp and Drucker 1945: the angle at the tip by elliptic integrals.
local special = include("special_functions")

--- The tip under the force `load` [B/L^2]: along the undeflected rod, and across it.
local function tip(load)
  local alpha = math.sqrt(load)
  local function parts(k)
    local first, second = special.elliptic(math.asin(1 / (k * math.sqrt(2))), k)
    local whole_first, whole_second = special.elliptic(math.pi / 2, k)
    return whole_first - first, whole_second - second
  end
  local k = special.root(function(k) return parts(k) - alpha end, math.sqrt(0.5) + 1e-12, 1 - 1e-12)
  local _, second = parts(k)
  return math.sqrt(2 * (2 * k * k - 1)) / alpha, 1 - 2 / alpha * second
end

local function case(load)
  local along, across = tip(load)
  return {
    name = string.format("%g", load),
    rod = {
      length = 1, stiffness = { bend_u = 1, bend_v = 1, twist = 1 },
      start = { frame = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 }, held = "xyzuvw" },
      force = { 0, 0, -load },
    },
    ask = {
      { name = "x", what = "x of the tip", at = 1, component = "x", exact = along },
      { name = "z", what = "z of the tip", at = 1, component = "z", exact = -across },
    },
  }
end

return {
  title = "Elastica: a cantilever under a force at its end",
  text = [[A thin straight rod of length L lies along x. It is clamped at the origin: the point and the direction of the
continuous rod are held there. A force F in the fixed direction -z pulls at its tip. The rod neither stretches nor shears;
its bending stiffness is B. Where is its tip?]],
  formulas = { "B theta'' = F cos(theta)", "theta(0) = 0", "theta'(L) = 0", "x' = cos(theta), z' = -sin(theta)" },
  units = "lengths in L, forces in B/L^2",
  groups = { "F L^2/B = 1, 3, 10" },
  models = { "bending by large angles", "loads of fixed direction" },
  made = "closed form by elliptic integrals (Bisshopp and Drucker 1945); beside collocation and elements",
  sees = { "bending", "units" },
  cases = { case(1), case(3), case(10) },
}
