-- Quadratic elements with shear and extension, in statics.
return include("entry"){
  title = "cosserat: finite elements with shear and extension",
  solver = "cosserat", options = {}, segments = { 8, 16, 32, 64 }, ramp = 10, critical = { slender = 3e-4 },
  otherwise = "the solver has equilibria of rods without contact alone",
  without = { michell_ring = "a clamp holds a node and the frame half a segment behind it, and the force across the twisted ring bends what is between them" },
}
