-- A falling folded chain: of forty links, by their angles (Lagrange's equations), and by positions
-- of joints with the tensions of links; and continuous, by the conservation of energy.
local special, integrate = include("special_functions"), include("integrate")
local links, time = 40, 1
local h = 1 / links

--- The mass of joint `i`: of half a link at the end.
local function mass(i) return i == links and h / 2 or h end

--- The angle of link `i` from hanging: twenty hang, one lies, and nineteen go up again.
local function angle(i) return i <= 20 and 0 or i == 21 and math.pi / 2 or math.pi end

--- The end's height after `time`, by the angles and their rates.
local function by_angles(n)
  local beyond, sum = {}, 0 -- masses from joint i on
  for i = links, 1, -1 do
    sum = sum + mass(i)
    beyond[i] = sum
  end
  local function rates(_, y)
    local a, out = {}, {}
    for i = 1, links do
      a[i] = {}
      local right = -beyond[i] * math.sin(y[i]) / h
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
  for i = 1, links do y[i], y[links + i] = angle(i), 0 end
  y = integrate.rk4(rates, 0, time, y, n)
  local z = 0
  for i = 1, links do z = z - h * math.cos(y[i]) end
  return z
end

--- The same by places and velocities of the joints, x and z of each, with the tensions that keep all lengths.
local function by_tensions(n)
  local function rates(_, y)
    local out, ux, uz, low, middle, right = {}, {}, {}, {}, {}, {}
    local function at(i, k) return i > 0 and y[4 * i - 4 + k] or 0 end
    for i = 1, links do ux[i], uz[i] = (at(i, 1) - at(i - 1, 1)) / h, (at(i, 2) - at(i - 1, 2)) / h end
    for i = 1, links do
      -- Both ends of link i come no nearer: u_i (a_i - a_(i-1)) = -(v_i - v_(i-1))^2/h.
      local vx, vz = at(i, 3) - at(i - 1, 3), at(i, 4) - at(i - 1, 4)
      right[i] = (vx * vx + vz * vz) / h - (i == 1 and uz[1] or 0)
      middle[i] = 1 / mass(i) + (i > 1 and 1 / mass(i - 1) or 0)
      low[i] = i > 1 and -(ux[i] * ux[i - 1] + uz[i] * uz[i - 1]) / mass(i - 1) or 0
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
      out[j + 3] = (s * (ux[i + 1] or 0) - t * ux[i]) / mass(i)
      out[j + 4] = (s * (uz[i + 1] or 0) - t * uz[i]) / mass(i) - 1
    end
    return out
  end
  local y, x, z = {}, 0, 0
  for i = 1, links do
    x, z = x + h * math.sin(angle(i)), z - h * math.cos(angle(i))
    y[4 * i - 3], y[4 * i - 2], y[4 * i - 1], y[4 * i] = x, z, 0, 0
  end
  y = integrate.rk4(rates, 0, time, y, n)
  return y[4 * links - 2]
end

--- The fall of the end of a continuous chain after the time t, from the conservation of energy, v^2 = x (2 - x)/(1 - x): by its
--- acceleration, and by the time that a fall takes, x = y^2 (Simpson's rule).
local function by_acceleration(n)
  return integrate.rk4(function(_, y) return { y[2], (1 + 1 / (1 - y[1]) ^ 2) / 2 } end, 0, time, { 0, 0 }, n)[1]
end

local function by_energy(n)
  return special.root(function(x)
    local sum, root = 0, math.sqrt(x)
    for i = 0, n do
      local y = root * i / n
      sum = sum + (i == 0 and 1 or i == n and 1 or i % 2 == 1 and 4 or 2) * 2 * math.sqrt((1 - y * y) / (2 - y * y))
    end
    return sum * root / (3 * n) - time
  end, 0.3, 0.9)
end

local at = { name = "time", what = "at which the end is asked for, in sqrt(L/g)", value = time }

return {
  title = "Folded chain: one half falls beside the other, continuous and of forty links",
  text = [[A chain of 40 rigid links, each L/40 long, with point masses m/40 at its joints and m/80 at its free end, has its other end fixed at the
origin. Twenty links hang from it along -z, one lies along x, and nineteen go up again along z, at rest. It is released at t = 0 and falls in the plane of
x and z, without friction and without touching itself. Where is its free end at t = 1 sqrt(L/g)? It
falls faster than freely; a free fall would reach z = -0.525. Case continuous has no links: both halves begin at z = 0, and nothing lies between them.]],
  formulas = { "m r_i'' = T_(i+1) u_(i+1) - T_i u_i - m g e_z, u_i = (r_i - r_(i-1))/h, |u_i| = 1", "x'' = g/2 (1 + L^2/(L - x)^2) of the fall x, continuous" },
  units = "lengths in L, times in sqrt(L/g)", groups = { "t sqrt(g/L) = 1" },
  models = { "large motion in the plane", "weight", "no bending and stretch, or as little as the solver needs" },
  made = "tensions that keep the lengths, beside Lagrange's equations of the angles; both by the Runge-Kutta method, extrapolated",
  published = "Calkin and March 1989: a falling end is faster than free fall",
  sees = { "direction" },
  cases = {
    {
      name = "links", given = { { name = "links", what = "number of links", value = links }, at },
      ask = {
        {
          name = "z", what = "z of the free end, over L",
          methods = {
            { "tensions", function() return integrate.refine(function(n) return by_tensions(n) end, 200, 4, 5) end },
            { "angles", function() return integrate.refine(function(n) return by_angles(n) end, 50, 4, 5) end },
          },
        },
      },
    },
    {
      name = "continuous", given = { at },
      ask = {
        {
          name = "z", what = "z of the free end, over L",
          methods = {
            { "acceleration", function() return integrate.refine(function(n) return -by_acceleration(n) end, 50, 4, 5) end },
            { "energy", function() return integrate.refine(function(n) return -by_energy(n) end, 20, 4, 6) end },
          },
        },
      },
    },
  },
}
