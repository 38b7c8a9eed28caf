-- The figures of the paper on one sheet, from the runs of the studies that judge them.
return {
  title = "Figures 5, 6, 13, 14, 15 and 16 of the paper, side by side",
  includes = { "stretch_bars", "shockwave", "stretch_convergence", "bergou" },
  if_there = { "fem_band" },
  figure = "paper",
}
