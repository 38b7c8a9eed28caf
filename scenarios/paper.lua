-- The figures of the paper on one sheet, from the runs of the studies that judge them.
return {
  title = "Figures 5 to 10 and 13 to 16 of the paper, side by side",
  includes = { "stretch_bars", "shockwave", "octopus_skins", "stretch_convergence", "bergou", "pinched", "shape_matching", "muscle_contraction" },
  if_there = { "fem_band" },
  figure = "paper",
}
