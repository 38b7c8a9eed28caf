-- The material models solid and published for the same material, against rod theory and finite
-- elements.
return {
  title = "The material models solid and published, theory and finite elements",
  includes = { "solid_rod", "fem_cylinder" },
  if_there = { "fem_band" },
  figure = "material_models",
}
