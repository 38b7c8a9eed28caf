// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of recorded series over time, with a line where the player is. What a gate looks at has its reference
// (dashed) and what is allowed about it.

/// The value of a series at a time, of the last point up to it.
function valueAtTime(series, time) {
  let k = 0;
  while (k + 1 < series.x.length && series.x[k + 1] <= time * (1 + 2e-7)) k++; // x is in single precision
  return series.y[k];
}

function bounds(lists) {
  let low = Infinity, high = -Infinity;
  for (const list of lists) for (const x of list) if (Number.isFinite(x)) [low, high] = [Math.min(low, x), Math.max(high, x)];
  if (!(high >= low)) return [0, 1];
  return high > low ? [low, high] : [low - 0.5 * Math.abs(low || 1), high + 0.5 * Math.abs(high || 1)];
}

/// What a plot shows: lines { series, label }, the time and its colors.
function drawPlot(canvas, lines, time) {
  const ratio = window.devicePixelRatio || 1, style = getComputedStyle(canvas);
  const width = canvas.clientWidth, height = canvas.clientHeight, c = canvas.getContext("2d");
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  c.scale(ratio, ratio);
  c.font = "12px system-ui, sans-serif";
  c.fillStyle = c.strokeStyle = style.color;
  const gate = lines.map((l) => l.series).find((s) => Number.isFinite(s.reference)), margin = gate?.tolerance ?? 0;
  const [x0, x1] = bounds(lines.map((l) => l.series.x));
  const [y0, y1] = bounds([...lines.map((l) => l.series.y), gate ? [gate.reference - margin, gate.reference + margin] : []]);
  const left = 70, right = width - 10, top = 12, bottom = height - 22;
  const place = (x, y) => [left + ((right - left) * (x - x0)) / (x1 - x0), bottom - ((bottom - top) * (y - y0)) / (y1 - y0)];
  c.globalAlpha = 0.4;
  c.strokeRect(left, top, right - left, bottom - top);
  c.globalAlpha = 1;
  c.textAlign = "right";
  c.fillText(y1.toPrecision(3), left - 5, top + 10);
  c.fillText(y0.toPrecision(3), left - 5, bottom);
  c.fillText(`${x1.toPrecision(3)} s`, right, height - 6);
  c.textAlign = "left";
  c.fillText(`${x0.toPrecision(3)} s`, left, height - 6);
  if (gate) {
    const [, low] = place(x0, gate.reference - margin), [, high] = place(x0, gate.reference + margin), [, at] = place(x0, gate.reference);
    c.globalAlpha = 0.2;
    c.fillRect(left, high, right - left, low - high);
    c.globalAlpha = 1;
    c.setLineDash([6, 4]);
    c.strokeRect(left, at, right - left, 0);
    c.setLineDash([]);
  }
  lines.forEach(({ series }, i) => {
    c.strokeStyle = LINES[i % LINES.length];
    c.lineWidth = 2;
    c.beginPath();
    let drawing = false;
    series.x.forEach((x, k) => {
      const known = Number.isFinite(series.y[k]);
      if (known) c[drawing ? "lineTo" : "moveTo"](...place(x, series.y[k]));
      drawing = known;
    });
    c.stroke();
  });
  const [at] = place(clamp(time, x0, x1), y0);
  c.strokeStyle = style.color;
  c.lineWidth = 1;
  c.beginPath();
  c.moveTo(at, top);
  c.lineTo(at, bottom);
  c.stroke();
  return (pixel) => clamp(x0 + ((pixel - left) / (right - left)) * (x1 - x0), x0, x1);
}
