-- Chains of rigid links in a plane, half of the mass of each at both of its ends: by the angles of links (Lagrange's equations), and
-- by positions of joints with the tensions of links. The length is 1, and so is the mass of a chain of equal links; gravity is
-- along -z.
local integrate = include("integrate")

--- The mass of joint `i`: half of the links that it joins.
local function mass(chain, i)
  local of = chain.mass
  if of then return (of(i) + (i < chain.links and of(i + 1) or 0)) / 2 end
  return i == chain.links and 0.5 / chain.links or 1 / chain.links
end

--- By the angles and their rates.
local function by_angles(chain, time, n)
  local links, h = chain.links, 1 / chain.links
  local beyond, sum = {}, 0 -- masses from joint i on
  for i = links, 1, -1 do
    sum = sum + mass(chain, i)
    beyond[i] = sum
  end
  local function rates(_, y)
    local a, out = {}, {}
    for i = 1, links do
      a[i] = {}
      local right = -chain.gravity * beyond[i] * math.sin(y[i]) / h
      for j = 1, links do
        local m, turn = beyond[math.max(i, j)], y[i] - y[j]
        a[i][j] = m * math.cos(turn)
        right = right - m * math.sin(turn) * y[links + j] ^ 2
      end
      a[i][links + 1] = right
    end
    for i = 1, links do -- elimination; the matrix is positive definite
      local row = a[i]
      for k = i + 1, links do
        local other, factor = a[k], a[k][i] / row[i]
        for j = i + 1, links + 1 do other[j] = other[j] - factor * row[j] end
      end
    end
    for i = links, 1, -1 do
      local value = a[i][links + 1]
      for j = i + 1, links do value = value - a[i][j] * out[links + j] end
      out[links + i] = value / a[i][i]
      out[i] = y[links + i]
    end
    return out
  end
  local y = {}
  for i = 1, links do y[i], y[links + i] = chain.angle(i), chain.rate(i) end
  y = integrate.rk4(rates, 0, time, y, n)
  local x, z, vx, vz = 0, 0, 0, 0
  for i = 1, links do
    local sine, cosine, turn = h * math.sin(y[i]), h * math.cos(y[i]), y[links + i]
    x, z, vx, vz = x + sine, z - cosine, vx + cosine * turn, vz + sine * turn
  end
  return x, z, vx, vz
end

--- By places and velocities of the joints, x and z of each, with the tensions that keep all lengths.
local function by_tensions(chain, time, n)
  local links, gravity, h = chain.links, chain.gravity, 1 / chain.links
  local function rates(_, y)
    local out, ux, uz, low, middle, right = {}, {}, {}, {}, {}, {}
    local function at(i, k) return i > 0 and y[4 * i - 4 + k] or 0 end
    for i = 1, links do ux[i], uz[i] = (at(i, 1) - at(i - 1, 1)) / h, (at(i, 2) - at(i - 1, 2)) / h end
    for i = 1, links do
      -- Both ends of link i come no nearer: u_i (a_i - a_(i-1)) = -(v_i - v_(i-1))^2/h.
      local vx, vz = at(i, 3) - at(i - 1, 3), at(i, 4) - at(i - 1, 4)
      right[i] = (vx * vx + vz * vz) / h - (i == 1 and gravity * uz[1] or 0)
      middle[i] = 1 / mass(chain, i) + (i > 1 and 1 / mass(chain, i - 1) or 0)
      low[i] = i > 1 and -(ux[i] * ux[i - 1] + uz[i] * uz[i - 1]) / mass(chain, i - 1) or 0
    end
    for i = 2, links do
      local factor = low[i] / middle[i - 1]
      middle[i], right[i] = middle[i] - factor * low[i], right[i] - factor * right[i - 1]
    end
    local tension = { [links + 1] = 0 }
    for i = links, 1, -1 do tension[i] = (right[i] - (low[i + 1] or 0) * tension[i + 1]) / middle[i] end
    for i = 1, links do
      local j, t, s = 4 * i - 4, tension[i], tension[i + 1]
      out[j + 1], out[j + 2] = y[j + 3], y[j + 4]
      out[j + 3] = (s * (ux[i + 1] or 0) - t * ux[i]) / mass(chain, i)
      out[j + 4] = (s * (uz[i + 1] or 0) - t * uz[i]) / mass(chain, i) - gravity
    end
    return out
  end
  local y, x, z, vx, vz = {}, 0, 0, 0, 0
  for i = 1, links do
    local sine, cosine, turn = h * math.sin(chain.angle(i)), h * math.cos(chain.angle(i)), chain.rate(i)
    x, z, vx, vz = x + sine, z - cosine, vx + cosine * turn, vz + sine * turn
    y[4 * i - 3], y[4 * i - 2], y[4 * i - 1], y[4 * i] = x, z, vx, vz
  end
  y = integrate.rk4(rates, 0, time, y, n)
  return table.unpack(y, 4 * links - 3)
end

--- The free end of a chain of `chain.links` links, which begins at the origin: `chain.angle(i)` of link i from -z at first,
--- `chain.rate(i)` of that angle, `chain.gravity`, and, unless links are equal, `chain.mass(i)` of link i. Both functions take the chain, the time and the number of steps of the
--- Runge-Kutta method, and return x and z of the end, and their rates.
return { by_angles = by_angles, by_tensions = by_tensions }
