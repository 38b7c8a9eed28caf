-- The page and the figure of other packages: make peers runs the entries, joins their results in peers.h5, and draws this.
return { title = "Other packages of rods on problems with certified answers", figure = "./peers", build = function() end }
