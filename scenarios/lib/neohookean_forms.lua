-- Closed forms of stable Neo-Hookean elasticity. All in SI units.
local forms = {}

--- mu, la and alpha from Young's modulus and Poisson's ratio.
function forms.moduli(E, nu)
  local mu = 4 / 3 * E / (2 * (1 + nu))
  local la = E * nu / ((1 + nu) * (1 - 2 * nu)) + 5 / 8 * mu
  return mu, la, 1 + 3 * mu / (4 * la)
end

--- Energy per rest volume of the deformation F, nine numbers row by row.
function forms.energy(E, nu, F)
  local mu, la, alpha = forms.moduli(E, nu)
  local i = 0
  for k = 1, 9 do i = i + F[k] ^ 2 end
  local function psi(i, j) return mu / 2 * (i - 3) + la / 2 * (j - alpha) ^ 2 - mu / 2 * math.log(i + 1) end
  return psi(i, forms.determinant(F)) - psi(3, 1)
end

function forms.determinant(F)
  return F[1] * (F[5] * F[9] - F[6] * F[8]) - F[2] * (F[4] * F[9] - F[6] * F[7])
    + F[3] * (F[4] * F[8] - F[5] * F[7])
end

--- A bar stretched by e along its axis, its sides free: the lateral stretch, and the nominal stress.
--- The lateral stretch is the root of mu (1 - 1/(I + 1)) + la (e t^2 - alpha) e, I = e^2 + 2 t^2.
function forms.stretched(E, nu, e)
  local mu, la, alpha = forms.moduli(E, nu)
  local low, high = 0.01, 10
  for _ = 1, 200 do
    local t = (low + high) / 2
    local side = mu * (1 - 1 / (e ^ 2 + 2 * t ^ 2 + 1)) + la * (e * t ^ 2 - alpha) * e
    if side > 0 then high = t else low = t end
  end
  local t = (low + high) / 2
  return t, mu * (1 - 1 / (e ^ 2 + 2 * t ^ 2 + 1)) * e + la * (e * t ^ 2 - alpha) * t ^ 2
end

--- Material of a rod that has E and nu at small strains, and the tension of this solid to the second order in the stretch.
--- kx = ky is free beside E and nu; the rod's force per area at rest is E e - 3 kx nu^2 (2 - nu) e^2.
function forms.fitted(E, nu)
  local d = 0.01
  local _, more = forms.stretched(E, nu, 1 + d)
  local _, less = forms.stretched(E, nu, 1 - d)
  local kx = -(more + less) / (2 * d ^ 2) / (3 * nu ^ 2 * (2 - nu))
  return { E = E, nu = nu, model = "solid", kx = kx, ky = kx, kz = E - nu * kx, kv = nu * kx / (1 - 2 * nu) }
end

--- A beam of square section (side t) pushed aside at its tip by F, after Timoshenko, with Cowper's
--- shear coefficient (1966): the deflection.
function forms.cantilever(E, nu, length, t, F)
  local shear = 10 * (1 + nu) / (12 + 11 * nu)
  return F * length ^ 3 / (3 * E * t ^ 4 / 12) + F * length / (shear * E / (2 * (1 + nu)) * t ^ 2)
end

--- A rigid free body that spins about an axis of inertia by w, under implicit Euler with steps h:
--- the angular momentum after n steps over that at first. The prediction is 2 x_n - x_(n-1), which
--- inertia pulls straight back, so that the angle of a step goes from a to atan(sin a/(2 - cos a)).
function forms.spin(w, h, n)
  local a = math.atan(w * h)
  for _ = 2, n do a = math.atan(math.sin(a) / (2 - math.cos(a))) end
  return math.sin(a) / (w * h)
end

return forms
