-- Motion of a free rigid body with three principal moments, by Jacobi's elliptic functions (Euler's case). In SI units.
local top = {}

--- sn, cn and dn of u with the parameter m = k^2 in [0, 1), by the arithmetic-geometric mean.
function top.elliptic(u, m)
  local a, c, b = { 1 }, {}, math.sqrt(1 - m)
  local n = 1
  c[1] = math.sqrt(m)
  while math.abs(c[n]) > 1e-16 do
    a[n + 1], c[n + 1], b = (a[n] + b) / 2, (a[n] - b) / 2, math.sqrt(a[n] * b)
    n = n + 1
  end
  local phase, last = 2 ^ (n - 1) * a[n] * u, 0
  for k = n, 2, -1 do
    last = phase
    phase = (phase + math.asin(c[k] / a[k] * math.sin(phase))) / 2
  end
  local sn, cn = math.sin(phase), math.cos(phase)
  return sn, cn, n > 1 and cn / math.cos(last - phase) or 1
end

--- Momentum in the body's axes of rising moments I = { a, b, c }, `t` after it turned at the rates w[1] about the first and
--- w[2] about the third alone, so fast about the third that it turns about that one (L^2 > 2 T b).
function top.momentum(I, w, t)
  local a, b, c = I[1], I[2], I[3]
  local L2 = (a * w[1]) ^ 2 + (c * w[2]) ^ 2
  local T2 = a * w[1] ^ 2 + c * w[2] ^ 2
  local rate = math.sqrt((c - b) * (L2 - T2 * a) / (a * b * c))
  local m = (b - a) * (T2 * c - L2) / ((c - b) * (L2 - T2 * a))
  local sn, cn, dn = top.elliptic(rate * t, m)
  return math.sqrt(a * (T2 * c - L2) / (c - a)) * cn, math.sqrt(b * (T2 * c - L2) / (c - b)) * sn,
    math.sqrt(c * (L2 - T2 * a) / (c - a)) * dn
end

--- The three axes of that body in space, as columns { first, second, third }; the momentum is along { 0, 0, 1 } there, and
--- the third axis began in the plane of x and z. It goes round by the integral of the precession (Simpson's rule).
function top.axes(I, w, t, intervals)
  local n, turned = intervals or 1000, 0
  local function precession(at)
    local x, y, z = top.momentum(I, w, at)
    return math.sqrt(x * x + y * y + z * z) * (x * x / I[1] + y * y / I[2]) / (x * x + y * y)
  end
  for k = 0, n do
    local weight = (k == 0 or k == n) and 1 or k % 2 == 1 and 4 or 2
    turned = turned + weight * t / (3 * n) * precession(t * k / n)
  end
  local x, y, z = top.momentum(I, w, t)
  local L = math.sqrt(x * x + y * y + z * z)
  local along, across = z / L, math.sqrt(x * x + y * y) / L
  local third = { across * math.cos(turned), across * math.sin(turned), along }
  -- The first two lie across the third, and have the shares x / L and y / L of the momentum's direction.
  local up = { -along * third[1] / across, -along * third[2] / across, (1 - along * along) / across }
  local side = { third[2] * up[3] - third[3] * up[2], third[3] * up[1] - third[1] * up[3], third[1] * up[2] - third[2] * up[1] }
  local cx, cy = x / (L * across), y / (L * across)
  local first, second = {}, {}
  for k = 1, 3 do
    first[k] = cx * up[k] - cy * side[k]
    second[k] = cy * up[k] + cx * side[k]
  end
  return { first, second, third }
end

return top
