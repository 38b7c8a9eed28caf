-- Finite elements of slightly deformed round bars: bicubic in radius and length, axially symmetric,
-- for a linearly elastic solid of radius, Young's modulus and density 1. They share nothing with
-- solvers and with the closed forms of round_bar.
local elements = {}

local gauss = { { -0.86113631159405258, 0.34785484513745386 }, { -0.33998104358485626, 0.65214515486254614 } }
gauss[3], gauss[4] = { -gauss[2][1], gauss[2][2] }, { -gauss[1][1], gauss[1][2] }

--- Values and derivatives at x, from 0 to 1, of the four cubics that are 1 at a third and 0 at the others.
local function cubics(x)
  local value, slope = {}, {}
  for a = 0, 3 do
    local product, sum = 1, 0
    for b = 0, 3 do
      if b ~= a then
        local rest = 3 / (a - b)
        for c = 0, 3 do
          if c ~= a and c ~= b then rest = rest * (3 * x - c) / (a - c) end
        end
        product, sum = product * (3 * x - b) / (a - b), sum + rest
      end
    end
    value[a], slope[a] = product, sum
  end
  return value, slope
end

--- Stiffness and mass of an element from radius `r0`, of the sides `a` (radius) and `b`, at Poisson's ratio `nu`: unknowns 2 i and
--- 2 i + 1 are the displacements along radius and axis of node i, which is 4 p + q of place p along the axis.
local function element(r0, a, b, nu)
  local G, la = 1 / (2 * (1 + nu)), nu / ((1 + nu) * (1 - 2 * nu))
  local K, M = {}, {}
  for i = 0, 31 do K[i], M[i] = {}, {} for j = 0, 31 do K[i][j], M[i][j] = 0, 0 end end
  for _, g in ipairs(gauss) do
    for _, h in ipairs(gauss) do
      local u, du = cubics((1 + g[1]) / 2)
      local v, dv = cubics((1 + h[1]) / 2)
      local r = r0 + a * (1 + g[1]) / 2
      local weight = g[2] * h[2] / 4 * a * b * 2 * math.pi * r
      -- Strains of each unknown: along r, around, along z, and shear.
      local strain, shape = {}, {}
      for p = 0, 3 do
        for q = 0, 3 do
          local i = 2 * (4 * p + q)
          local N, Nr, Nz = u[q] * v[p], du[q] * v[p] / a, u[q] * dv[p] / b
          strain[i], strain[i + 1] = { Nr, N / r, 0, Nz }, { 0, 0, Nz, Nr }
          shape[i], shape[i + 1] = N, N
        end
      end
      for i = 0, 31 do
        local s = strain[i]
        local trace = la * (s[1] + s[2] + s[3])
        local s1, s2, s3, s4 = trace + 2 * G * s[1], trace + 2 * G * s[2], trace + 2 * G * s[3], G * s[4]
        for j = 0, 31 do
          local t = strain[j]
          K[i][j] = K[i][j] + weight * (s1 * t[1] + s2 * t[2] + s3 * t[3] + s4 * t[4])
          if (i - j) % 2 == 0 then M[i][j] = M[i][j] + weight * shape[i] * shape[j] end
        end
      end
    end
  end
  return K, M
end

--- Factors L D L^T of a symmetric matrix, in its place: row i holds the columns from i - band to i, and its D.
local function factor(A, band)
  for i, row in ipairs(A) do
    local d = row[band + 1]
    for j = math.max(1, i - band), i - 1 do
      local other, shift, left = A[j], band + 1 - i, band + 1 - j
      local sum = row[j + shift]
      for k = math.max(1, i - band), j - 1 do sum = sum - row[k + shift] * other[k + left] end
      row[j + shift] = sum
    end
    for j = math.max(1, i - band), i - 1 do
      local at = j + band + 1 - i
      local part = row[at] / A[j].D
      d, row[at] = d - row[at] * part, part
    end
    row.D = d
  end
end

--- The solution of A x = f from these factors.
local function solve(A, band, f)
  local x, n = {}, #A
  for i = 1, n do
    local sum, row, shift = f[i], A[i], band + 1 - i
    for k = math.max(1, i - band), i - 1 do sum = sum - row[k + shift] * x[k] end
    x[i] = sum
  end
  for i = 1, n do x[i] = x[i] / A[i].D end
  for i = n, 1, -1 do
    local row, value, shift = A[i], x[i], band + 1 - i
    for k = math.max(1, i - band), i - 1 do x[k] = x[k] - row[k + shift] * value end
  end
  return x
end

--- A bar from z = 0 to `length` of `across` times `along` elements, whose ends stay plane and glide in their planes.
local function assemble(nu, length, across, along)
  local bar = { rows = 3 * across + 1, columns = 3 * along + 1, band = 2 * (3 * (3 * across + 1) + 4) }
  bar.n = 2 * bar.rows * bar.columns
  bar.a, bar.b, bar.K, bar.M = 1 / across, length / along, {}, {}
  for i = 1, bar.n do
    bar.K[i], bar.M[i] = {}, {}
    for j = 1, bar.band + 1 do bar.K[i][j], bar.M[i][j] = 0, 0 end
  end
  --- The number of the unknown of a node of an element.
  function bar.unknown(r, z, local_one)
    local node = local_one // 2
    return 2 * ((3 * z + node // 4) * bar.rows + 3 * r + node % 4) + local_one % 2 + 1
  end
  for r = 0, across - 1 do
    local K, M = element(r * bar.a, bar.a, bar.b, nu)
    for z = 0, along - 1 do
      for i = 0, 31 do
        local row = bar.unknown(r, z, i)
        for j = 0, 31 do
          local column = bar.unknown(r, z, j)
          if column <= row then
            local at = column - row + bar.band + 1
            bar.K[row][at], bar.M[row][at] = bar.K[row][at] + K[i][j], bar.M[row][at] + M[i][j]
          end
        end
      end
    end
  end
  return bar
end

--- Holds what symmetry holds: the radial displacement of the axis, and the axial one of both ends.
local function hold(bar)
  local held = {}
  for column = 0, bar.columns - 1 do
    held[2 * column * bar.rows + 1] = true
    for row = 0, bar.rows - 1 do
      if column == 0 or column == bar.columns - 1 then held[2 * (column * bar.rows + row) + 2] = true end
    end
  end
  for i = 1, bar.n do
    for j = math.max(1, i - bar.band), i do
      if held[i] or held[j] then bar.K[i][j - i + bar.band + 1], bar.M[i][j - i + bar.band + 1] = i == j and 1 or 0, 0 end
    end
  end
  return held
end

--- Forces of a pressure p(z) on the side, and of a contraction c(z) of the rest shape along z, which keeps its volume.
local function loads(bar, nu, pressure, contraction, across, along)
  local f, G = {}, 1 / (2 * (1 + nu))
  for i = 1, bar.n do f[i] = 0 end
  local function add(r, z, i, value)
    local at = bar.unknown(r, z, i)
    f[at] = f[at] + value
  end
  for z = 0, along - 1 do
    for _, h in ipairs(gauss) do
      local v, dv = cubics((1 + h[1]) / 2)
      local place = bar.b * (z + (1 + h[1]) / 2)
      local p, c = pressure and pressure(place) or 0, contraction and contraction(place) or 0
      for q = 0, 3 do add(across - 1, z, 2 * (4 * q + 3), -p * v[q] * h[2] / 2 * bar.b * 2 * math.pi) end
      for r = 0, c ~= 0 and across - 1 or -1 do
        for _, g in ipairs(gauss) do
          local u, du = cubics((1 + g[1]) / 2)
          local radius = bar.a * (r + (1 + g[1]) / 2)
          local weight = g[2] * h[2] / 4 * bar.a * bar.b * 2 * math.pi * radius * 2 * G * c
          for i = 0, 15 do
            local across_i, along_i = i % 4, i // 4
            add(r, z, 2 * i, weight / 2 * v[along_i] * (du[across_i] / bar.a + u[across_i] / radius))
            add(r, z, 2 * i + 1, -weight * u[across_i] * dv[along_i] / bar.b)
          end
        end
      end
    end
  end
  return f
end

--- The limit of `at(n)` of `n` elements across, from 3 and 6 by the order 6, and its error: what is left if the
--- order is only 4, and rounding.
function elements.limit(at)
  local coarse, fine = at(3), at(6)
  local value = fine + (fine - coarse) / 63
  return value, math.abs(fine - coarse) / 15 + 1e-11 * (1 + math.abs(value))
end

--- The half of a bar, from its middle to z = `half`, under `pressure` on its side and with the `contraction`, both functions of z, by
--- `across` times `along` elements: its force where its length is held, and the change of its radius at z = 0 and at `other`,
--- which is between two elements.
function elements.respond(nu, half, across, along, pressure, contraction, other)
  local bar = assemble(nu, half, across, along)
  local f, last = loads(bar, nu, pressure, contraction, across, along), {}
  for i = 1, 2 * bar.rows do -- of the last plane, before it is held
    local at = bar.n - 2 * bar.rows + i
    last[i] = { at = at, f = f[at], row = { table.unpack(bar.K[at]) } }
  end
  local held = hold(bar)
  for i = 1, bar.n do if held[i] then f[i] = 0 end end
  factor(bar.K, bar.band)
  local x, force = solve(bar.K, bar.band, f), 0
  for i = 2, #last, 2 do -- the plane's displacements along z are 0, so that its rows have all that act on it from below
    local from = last[i]
    force = force - from.f
    for j = math.max(1, from.at - bar.band), from.at do force = force + from.row[j - from.at + bar.band + 1] * x[j] end
    for j = from.at + 1, bar.n do force = force + last[j - bar.n + 2 * bar.rows].row[from.at - j + bar.band + 1] * x[j] end
  end
  local function radius(z) return x[2 * ((3 * math.floor(along * z / half + 0.5) + 1) * bar.rows - 1) + 1] end
  return force, radius(0), radius(other)
end

--- The least frequency of a bar of the length pi/`k`, by `n` elements across and `2 n` along.
function elements.frequency(nu, k, n)
  local bar = assemble(nu, math.pi / k, n, 2 * n)
  hold(bar)
  factor(bar.K, bar.band)
  local x, square = {}, 0
  for i = 1, bar.n do x[i] = 0 end
  for column = 0, bar.columns - 1 do
    for row = 0, bar.rows - 1 do
      local s = math.pi * column / (bar.columns - 1)
      x[2 * (column * bar.rows + row) + 2] = math.sin(s)
      x[2 * (column * bar.rows + row) + 1] = -nu * k * row / (bar.rows - 1) * math.cos(s)
    end
  end
  for _ = 1, 30 do
    local y, energy = {}, 0
    for i = 1, bar.n do y[i] = 0 end
    for i, row in ipairs(bar.M) do
      for j = math.max(1, i - bar.band), i do
        local m = row[j - i + bar.band + 1]
        if m ~= 0 then
          y[i] = y[i] + m * x[j]
          if j < i then y[j] = y[j] + m * x[i] end
        end
      end
    end
    local norm, z = 0, solve(bar.K, bar.band, y)
    for i = 1, bar.n do norm, energy = norm + x[i] * y[i], energy + z[i] * y[i] end
    local size = math.sqrt(norm)
    square = norm / energy
    for i = 1, bar.n do x[i] = z[i] / size end
  end
  return math.sqrt(square)
end

return elements
