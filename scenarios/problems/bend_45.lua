-- Torsion of a square of side a: J = 0.1405770 a^4 (Timoshenko and Goodier, with 1000 terms of the series).
local function torsion()
  local sum = 0
  for n = 1, 1999, 2 do
    local x = n * math.pi / 2
    local e = math.exp(-2 * x)
    sum = sum + (1 - e) / (1 + e) / n ^ 5
  end
  return (1 - 192 / math.pi ^ 5 * sum) / 3
end

local E, radius = 1e7, 100
local G = E / 2

return {
  title = "45 degree bend: a curved cantilever pulled out of its plane",
  text = [[A rod is an eighth of a circle of radius 100 in the plane of x and y. It is clamped at the origin, where it goes
along y, and curves toward x. Its section is a square of side 1 of E = 1e7, nu = 0: A = 1, I = 1/12 about both axes,
J = 0.14058 and the shear factor 5/6. A force of 600 along z pulls at its tip. Where is the tip? Solvers of round sections
take the disc of equal area, r = 0.5642, and bend it with the factor pi/3 = 1.0472.]],
  formulas = { "EA = 1e7", "E I = 1e7/12", "G J = 7.0288e5", "G A 5/6 = 4.1667e6", "L = 25 pi" },
  units = "any consistent ones: lengths, forces",
  groups = { "F L^2/(E I) = 4.441", "G J/(E I) = 0.8435" },
  models = { "a curved rest shape", "bending and twist together", "stretch and shear" },
  made = "collocation of order 6 on an adapted mesh; beside elements",
  published = "Bathe and Bolourchi 1979: (15.9, 47.2, 53.4); Simo and Vu-Quoc 1986: (15.79, 47.23, 53.37), by 8 linear elements",
  sees = { "bending", "twist", "swapped", "curvature", "units" },
  cases = {
    {
      name = "600",
      rod = {
        length = 25 * math.pi, curvature = { 1 / radius, 0, 0 },
        stiffness = {
          shear_u = G * 5 / 6, shear_v = G * 5 / 6, stretch = E, bend_u = E / 12, bend_v = E / 12, twist = G * torsion(),
        },
        start = { frame = { 0.5, -0.5, 0.5, 0.5 }, held = "xyzuvw" }, force = { 0, 0, 600 },
      },
      ask = {
        { name = "x", what = "x of the tip", at = 1, component = "x" },
        { name = "y", what = "y of the tip", at = 1, component = "y" },
        { name = "z", what = "z of the tip", at = 1, component = "z" },
      },
    },
  },
}
