-- A free body of three different moments: Euler's solution by elliptic functions, and an integration of Euler's equations.
local top, integrate = include("euler_top"), include("integrate")
local moments, rate, time = { 1.07, 6.05, 7.04 }, { 0.5, 1.5 }, 10
local point = { math.sqrt(0.75), -0.25 } -- in the axes of the body

--- The point in space after `time`, by `n` steps: rates about the axes of the body, and its first and third axis in space.
local function integrated(component)
  return integrate.refine(function(n)
    local axes = top.axes(moments, rate, 0)
    local y = { rate[1], 0, rate[2] }
    for _, k in ipairs{ 1, 3 } do
      for i = 1, 3 do y[#y + 1] = axes[k][i] end
    end
    local function rates(_, z)
      local p, q, r = z[1], z[2], z[3]
      local first, third = { z[4], z[5], z[6] }, { z[7], z[8], z[9] }
      local second = {
        third[2] * first[3] - third[3] * first[2], third[3] * first[1] - third[1] * first[3], third[1] * first[2] - third[2] * first[1],
      }
      local out = {
        (moments[2] - moments[3]) / moments[1] * q * r, (moments[3] - moments[1]) / moments[2] * r * p, (moments[1] - moments[2]) / moments[3] * p * q,
      }
      for i = 1, 3 do out[3 + i] = r * second[i] - q * third[i] end -- omega x first
      for i = 1, 3 do out[6 + i] = q * first[i] - p * second[i] end -- omega x third
      return out
    end
    local z = integrate.rk4(rates, 0, time, y, n)
    local after, behind = component % 3 + 1, (component + 1) % 3 + 1
    local second = z[6 + after] * z[3 + behind] - z[6 + behind] * z[3 + after]
    return point[1] * z[3 + component] + point[2] * second
  end, 500, 4, 5)
end

local ask = {}
for k, name in ipairs{ "x", "y", "z" } do
  ask[k] = {
    name = name, what = name .. " of the point P at t = 10",
    methods = {
      {
        "elliptic",
        function()
          local axes = top.axes(moments, rate, time, 4000)
          return point[1] * axes[1][k] + point[2] * axes[2][k], 1e-11
        end,
      },
      { "integration", function() return integrated(k) end },
    },
  }
end

local first, third = top.axes(moments, rate, 0)[1], top.axes(moments, rate, 0)[3]
local function given(name, what, value) return { name = name, what = what, value = value } end

return {
  title = "Free top: a free rigid body of three different moments",
  text = [[A rigid body flies freely; its center of mass rests at the origin. Its moments of inertia are 1.07, 6.05 and 7.04 about its first, second
and third axis, and its initial angular velocities about them are 0.5, 0 and 1.5. Its angular momentum is along z; initially its third axis is in the
plane of x and z, toward x. Where is its point P = (sqrt(3)/2, -1/4, 0), in its own axes, at t = 10? Two straight rods of the length 1 and the mass 8
that meet at an angle of 120 degrees, rigid and round with a radius of 0.1, each with half of its mass at each end and sections with the
inertia of discs, are such a body, and P is an end.]],
  formulas = { "I omega' + omega x I omega = 0, in the axes of the body", "axes e_k' = omega x e_k" },
  units = "any consistent ones", groups = { "1.07 : 6.05 : 7.04", "rates 0.5 : 0 : 1.5" },
  models = { "a rigid body of three different moments", "the gyroscopic moment" },
  made = "Jacobi's elliptic functions, the precession by Simpson's rule; beside the Runge-Kutta method",
  sees = { "inertia" },
  cases = {
    {
      name = "wobble",
      given = {
        given("time", "time of the answer", time), given("I_1", "moment", moments[1]), given("I_2", "moment", moments[2]),
        given("I_3", "moment", moments[3]), given("first_x", "x of the first axis at first", first[1]), given("first_z", "z of the first axis at first", first[3]),
        given("rate_1", "about the first axis at first", rate[1]), given("rate_3", "about the third axis at first", rate[2]),
        given("third_x", "x of the third axis at first", third[1]), given("third_z", "z of the third axis at first", third[3]),
      },
      ask = ask,
    },
  },
}
