// SPDX-License-Identifier: GPL-3.0-or-later
// Colors of values: those of rendered pictures (src/render/palette.c).

const PALETTES = {
  sequential: ["#2b3990", "#0072b2", "#2aa6a0", "#9bcf6b", "#f5e663"],
  diverging: ["#0b4f94", "#63b0e3", "#ededed", "#eb9e62", "#b4400f"],
  categorical: ["#56b4e9", "#e69f00", "#009e73", "#d55e00", "#0072b2", "#f0e442", "#cc79a7", "#999999"],
};

/// Lines in plots, distinguishable on light and dark ground.
const LINES = ["#0072b2", "#d55e00", "#009e73", "#b8569a", "#8a6d00", "#56b4e9"];

/// What can color things: name, unit, factor of the numbers in the legend.
const COLORINGS = {
  body: { label: "body", palette: "categorical" },
  scale: { label: "scale", palette: "sequential", unit: "", factor: 1 },
  volume: { label: "volume error", palette: "diverging", unit: "%", factor: 100 },
  stress: { label: "axial stress kz (l / rest length - 1)", palette: "diverging", unit: "Pa", factor: 1 },
  speed: { label: "speed, mean between frames", palette: "sequential", unit: "m/s", factor: 1 },
};

const rgbOf = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16) / 255);

/// The limits of a coloring's values, rounded outward as in rendered pictures.
function limitsOf(coloring, low, high) {
  const most = Math.max(Math.abs(low), Math.abs(high));
  if (!(high >= low)) return [0, 1];
  if (COLORINGS[coloring].palette === "diverging") [low, high] = [-most, most];
  if (!(high - low > 1e-6 * most)) [low, high] = [low - 0.01, high + 0.01];
  const unit = roundLength((high - low) / 8);
  return [unit * Math.floor(low / unit + 1e-9), unit * Math.ceil(high / unit - 1e-9)];
}
