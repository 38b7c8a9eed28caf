-- Special functions for closed forms, and root finding.
local special = {}

--- Where `f`, of different signs at `low` and `high`, is 0: by halving to the last bit.
function special.root(f, low, high)
  local positive = f(high) > 0
  for _ = 1, 200 do
    local middle = (low + high) / 2
    if (f(middle) > 0) == positive then high = middle else low = middle end
  end
  return (low + high) / 2
end

--- Carlson's integrals RF and RD by duplication (Carlson 1995), to rounding.
local function carlson(x, y, z, of_rd)
  local sum, factor = 0, 1
  for _ = 1, 40 do
    local a, b, c = math.sqrt(x), math.sqrt(y), math.sqrt(z)
    local lambda = a * b + b * c + c * a
    sum = sum + factor / (c * (z + lambda))
    factor = factor / 4
    x, y, z = (x + lambda) / 4, (y + lambda) / 4, (z + lambda) / 4
  end
  return of_rd and 3 * sum + factor * x ^ -1.5 or x ^ -0.5
end

--- Legendre's incomplete integrals F and E, of the angle `phi` and the modulus `k`.
function special.elliptic(phi, k)
  local s, c = math.sin(phi), math.cos(phi)
  local q = 1 - k * k * s * s
  local first = s * carlson(c * c, q, 1)
  return first, first - k * k * s ^ 3 / 3 * carlson(c * c, q, 1, true)
end

--- The least positive zero of the Bessel function J of the order -1/3, by its series.
function special.bessel_zero()
  return special.root(function(x)
    local sum, term = 0, 1
    for m = 1, 60 do
      sum = sum + term
      term = -term * x * x / 4 / (m * (m - 1 / 3))
    end
    return sum
  end, 1, 3)
end

--- The least positive root of tan x = x.
function special.tangent_root()
  return special.root(function(x) return math.sin(x) - x * math.cos(x) end, 4, 4.7)
end

return special
