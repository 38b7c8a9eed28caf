-- Slightly deformed round bars of a linearly elastic solid, of radius and Young's modulus 1, by
-- closed forms with Bessel functions. Radial and axial displacement are U(r) cos(k z) and
-- W(r) sin(k z), so that sections at z = 0 and z = pi/k stay plane and glide in their planes.
local special = include("special_functions")
local round = {}

--- Bessel functions by their series in the square of x, of either sign: J0(x) and J1(x)/x of x^2 > 0, I0 and I1/x of -x^2.
local function bessel(square)
  local zero, first, term = 0, 0, 1
  for m = 1, 200 do
    zero, first = zero + term, first + term / (2 * m)
    term = -term * square / (4 * m * m)
    if math.abs(term) < 1e-18 * math.abs(zero) then break end
  end
  return zero, first
end

--- U(1) of a bar whose side is pressed by cos(k z), k > 0, of Poisson's ratio `nu`.
function round.pressed(nu, k)
  local G = 1 / (2 * (1 + nu))
  local I0, I1 = bessel(-k * k)
  I1 = I1 * k
  -- Displacements of two solutions of Papkovich and Neuber, grad(I0 cos) and 4 (1 - nu) B - grad(r B), B = I1 cos; the latter
  -- with the factor that leaves the side without shear.
  local part = -2 * G * k * k * I1 / (G * k * (4 * (1 - nu) * I1 - 2 * k * I0))
  local normal = 2 * G * k * k * (I0 - I1 / k) + part * 2 * G * k * ((3 - 2 * nu) * I0 - 4 * (1 - nu) * I1 / k - k * I1)
  return -(k * I1 + part * (4 * (1 - nu) * I1 - k * I0)) / normal
end

--- U(1) of a bar whose rest shape contracts along z by cos(k z), k > 0, and keeps its volume: a displacement along z alone stops
--- what drives the inside, and leaves a tension of the side.
function round.contracted(nu, k)
  local G, la = 1 / (2 * (1 + nu)), nu / ((1 + nu) * (1 - 2 * nu))
  return -(G + 2 * G * la / (la + 2 * G)) * round.pressed(nu, k)
end

--- Pochhammer's frequency equation (1876), whose least root w is that of waves of stretch, and the factor of shear over dilation.
local function pochhammer(nu, k, square)
  local p2 = square * (1 + nu) * (1 - 2 * nu) / (1 - nu) - k * k
  local q2 = square * 2 * (1 + nu) - k * k
  local f0, f1 = bessel(p2)
  local g0, g1 = bessel(q2)
  return 2 * p2 * (q2 + k * k) * f1 * g1 - (q2 - k * k) ^ 2 * f0 * g1 - 4 * k * k * p2 * f1 * g0
end

--- The frequency, in sqrt(E/rho)/R, of the slowest standing wave of stretch.
function round.frequency(nu, k)
  -- A bar without inertia of its sections is faster, and has no root below this but the wave of shear, q = 0.
  return math.sqrt(special.root(function(square) return pochhammer(nu, k, square) end, k * k * 0.75, k * k * 1.0001))
end

--- Coefficients of cos(i pi z/half), i = 0 to `n`, of the bump exp(-z^2/(2 width^2)) on a bar from z = -half to half, at whose
--- ends it is less than rounding. They fall as fast.
function round.bump(half, width)
  local list = { [0] = width * math.sqrt(math.pi / 2) / half }
  for i = 1, math.ceil(9 * half / (math.pi * width)) do
    list[i] = 2 * list[0] * math.exp(-(i * math.pi * width / half) ^ 2 / 2)
  end
  return list
end

--- The sum of such coefficients, times the answer `of(k)` of a bar to cos(k z), at `z`.
function round.sum(list, half, z, of)
  local sum = 0
  for i = 0, #list do sum = sum + list[i] * of(i * math.pi / half) * math.cos(i * math.pi * z / half) end
  return sum
end

return round
