-- Standing waves of stretch in a round bar, whose radius follows and is inert: Pochhammer (1876) and
-- Chree (1889).
local round, elements = include("round_bar"), include("round_elements")
local nu, amplitude = 0.45, 1e-5

local function case(name, k)
  local frequency = round.frequency(nu, k)
  return {
    name = name,
    given = {
      { name = "nu", what = "Poisson's ratio", value = nu }, { name = "k", what = "wavenumber, in 1/R", value = k },
      { name = "amplitude", what = "a, in R", value = amplitude },
    },
    ask = {
      {
        name = "frequency", what = "angular frequency, in sqrt(E/rho)/R", exact = frequency, scale = frequency,
        methods = { { "elements", function() return elements.limit(function(n) return elements.frequency(nu, k, n) end) end } },
      },
    },
  }
end

return {
  title = "Wave of the radius: a round bar that is stretched and compressed along it",
  text = [[A straight round bar of radius R and length pi/k, of a linearly elastic solid with Young's modulus E, Poisson's ratio 0.45 and density
rho, lies between two fixed plates, on which its ends glide without friction. It vibrates slightly: its middle moves along it, so that one
half becomes thinner and the other thicker, and the inertia of this motion of the radius slows the wave. It is released from rest with the
displacement a sin(k z) along it, a = 1e-5 R, and the radius R (1 - nu a k cos(k z)); waves of other shapes that this stirs are faster.
What is the frequency of the slowest vibration, at k R = 0.4, 0.8 and 1.2? A bar without inertia of its sections has k sqrt(E/rho). In a long
bar the wave goes on beyond the plates; a solver may also take a piece of the length pi/k between two sections that keep their radius and
move freely along the bar.]],
  formulas = {
    "2 p (q^2 + k^2) J_1(p R) J_1(q R)/R - (q^2 - k^2)^2 J_0(p R) J_1(q R) - 4 k^2 p q J_1(p R) J_0(q R) = 0",
    "p^2 = w^2 rho (1 + nu) (1 - 2 nu)/(E (1 - nu)) - k^2, q^2 = 2 (1 + nu) w^2 rho/E - k^2",
  },
  units = "lengths in R, frequencies in sqrt(E/rho)/R", groups = { "nu = 0.45", "k R = 0.4, 0.8, 1.2" },
  models = { "stretch", "inertia without damping", "a radius that follows the stretch, and its inertia" },
  made = "closed form (Pochhammer 1876, Chree 1889); beside the least vibration of bicubic elements of the section through the axis, with consistent masses",
  published = "Rayleigh 1894: k sqrt(E/rho) (1 - (nu k R/2)^2) for long waves",
  sees = { "Poisson's ratio", "inertia of the radius", "stretch" },
  cases = { case("kR_0.4", 0.4), case("kR_0.8", 0.8), case("kR_1.2", 1.2) },
}
