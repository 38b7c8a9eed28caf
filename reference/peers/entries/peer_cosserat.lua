-- Our reference: quadratic elements with shear and extension, in statics.
return include("peer"){
  title = "cosserat: finite elements with shear and extension, statics", label = "cosserat", solver = "cosserat",
  segments = { 8, 16, 32, 64 },
  settings = function() return { ramp = 10, hold = 0, step = 1, slender = 1e-3 } end,
}
