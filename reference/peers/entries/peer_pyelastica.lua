-- Explicit: the thinner the rod, the less it shears, and the shorter its substeps must be. Both errors fall together here:
-- that of the segments and that of the shear are of second order in 1/n.
return include("peer"){
  title = "PyElastica: Cosserat rods, damped until they rest", label = "PyElastica", segments = { 8, 16, 32 },
  few = { bend_45 = 1 }, -- a real section: its thickness is the problem's, and steps are as short
  without = { elastic_catenary = "the entry's string does not resist bending, which its rods need to be stable" },
  settings = function(n)
    return {
      ramp = 4, hold = 8, step = 0.5, slender = 0.8 / n, options = { courant = 0.6, time_limit = 900 },
      rates = { damping = 7 },
    }
  end,
}
