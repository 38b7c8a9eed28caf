-- Integration of ordinary differential equations, and errors of refined values, for computations of
-- problems that share nothing with any solver of rods.
local integrate = {}

--- The state `y`, a list of numbers, at `b` from that at `a`: `n` steps of the Runge-Kutta method of order 4. `f(t, y)` returns
--- a list of rates.
function integrate.rk4(f, a, b, y, n)
  local h, size = (b - a) / n, #y
  local function along(k, part)
    local z = {}
    for i = 1, size do z[i] = y[i] + part * h * k[i] end
    return z
  end
  for step = 0, n - 1 do
    local t = a + step * h
    local k1 = f(t, y)
    local k2 = f(t + h / 2, along(k1, 0.5))
    local k3 = f(t + h / 2, along(k2, 0.5))
    local k4 = f(t + h, along(k3, 1))
    local z = {}
    for i = 1, size do z[i] = y[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) end
    y = z
  end
  return y
end

--- The limit of `at(n)`, extrapolated from n, 2 n, 4 n and 8 n by the orders `p` and then `q`, and its error: the change by the
--- finest value, and rounding over many operations.
function integrate.refine(at, n, p, q)
  local row = { at(n), at(2 * n), at(4 * n), at(8 * n) }
  for _, order in ipairs{ p, q } do
    for i = 1, #row - 1 do row[i] = row[i + 1] + (row[i + 1] - row[i]) / (2 ^ order - 1) end
    row[#row] = nil
  end
  return row[2], math.abs(row[2] - row[1]) + 1e-11 * (1 + math.abs(row[2]))
end

--- The root of `f(y)`, a list as long as `y`, by Newton's method from `y`, with derivatives by central differences.
function integrate.newton(f, y)
  local n = #y
  for _ = 1, 30 do
    local left, a = f(y), {}
    for i = 1, n do a[i] = { [n + 1] = -left[i] } end
    for j = 1, n do
      local h, up, down = 1e-5 * (1 + math.abs(y[j])), { table.unpack(y) }, { table.unpack(y) }
      up[j], down[j] = y[j] + h, y[j] - h
      local above, below = f(up), f(down)
      for i = 1, n do a[i][j] = (above[i] - below[i]) / (2 * h) end
    end
    for j = 1, n do -- elimination with the greatest pivot
      local best = j
      for i = j + 1, n do
        if math.abs(a[i][j]) > math.abs(a[best][j]) then best = i end
      end
      a[j], a[best] = a[best], a[j]
      for i = 1, n do
        local factor = i ~= j and a[i][j] / a[j][j] or 0
        for k = j, n + 1 do a[i][k] = a[i][k] - factor * a[j][k] end
      end
    end
    local greatest = 0
    for j = 1, n do
      local move = a[j][n + 1] / a[j][j]
      y[j], greatest = y[j] + move, math.max(greatest, math.abs(move) / (1 + math.abs(y[j])))
    end
    if greatest < 1e-13 then return y end
  end
  return y
end

--- A function that returns a question of a problem, whose answer is `value(of, n)`: of `shot`, shooting by `n` steps of the
--- Runge-Kutta method (fourth order), and of `bars`, `n` rigid bars (second order). The least n is `coarsest` (50).
function integrate.by_bars_too(shot, bars, coarsest)
  local least = coarsest or 50
  return function(name, what, scale, value)
    return {
      name = name, what = what, scale = scale,
      methods = {
        { "shooting", function() return integrate.refine(function(n) return value(shot, n) end, least, 4, 5) end },
        { "bars", function() return integrate.refine(function(n) return value(bars, n) end, least, 2, 4) end },
      },
    }
  end
end

return integrate
