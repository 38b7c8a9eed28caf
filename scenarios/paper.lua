-- The figures of the paper on one sheet, from the runs of the studies.
return {
  title = "Figures 1, 3 and 5 to 16 of the paper, side by side",
  includes = { "stretch_bars", "shockwave", "octopus_skins", "stretch_convergence", "bergou", "pinched", "shape_matching", "muscle_contraction", "viperized" },
  if_there = { "fem_band", "arm_flexion", "pectoral", "leg" },
  figure = "paper",
}
