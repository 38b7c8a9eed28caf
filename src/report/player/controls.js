// SPDX-License-Identifier: GPL-3.0-or-later
// The player's controls, made here: a page without scripts has none that do nothing.

/// An element with attributes, and children or text.
function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (key in e && typeof value !== "string") e[key] = value;
    else e.setAttribute(key, value);
  e.append(...children);
  return e;
}

function choice(options, value, change) {
  const e = element("select");
  for (const [key, label] of options) e.append(element("option", { value: String(key) }, label));
  e.value = String(value);
  e.addEventListener("change", () => change(e.value));
  return e;
}

function check(label, on, change) {
  const box = element("input", { type: "checkbox" });
  box.checked = on;
  box.addEventListener("change", () => change(box.checked));
  return element("label", {}, box, label);
}

function button(label, press) {
  const e = element("button", { type: "button" }, label);
  e.addEventListener("click", press);
  return e;
}

const labeled = (label, control) => element("label", {}, `${label} `, control);

const KEYS_HELP = "Drag or arrow keys turn it; Shift with them moves it; the wheel, + and - zoom; Space plays and stops; "
  + "comma and period step through the frames; Home shows all again.";

/// Turns, moves and zooms by mouse, fingers and keys. `act` has turn(dx, dy), move(dx, dy),
/// zoom(factor), play(), step(n) and home().
function attachHands(canvas, act) {
  const fingers = new Map();
  let spread = 0;
  canvas.addEventListener("pointerdown", (e) => {
    canvas.setPointerCapture(e.pointerId);
    fingers.set(e.pointerId, e);
    spread = 0;
  });
  canvas.addEventListener("pointermove", (e) => {
    const before = fingers.get(e.pointerId);
    if (!before) return;
    const dx = e.clientX - before.clientX, dy = e.clientY - before.clientY;
    fingers.set(e.pointerId, e);
    if (fingers.size === 2) {
      const [a, b] = [...fingers.values()], now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      if (spread) act.zoom(now / spread);
      spread = now;
      act.move(dx / 2, dy / 2);
    } else if (e.shiftKey || e.buttons & 6) act.move(dx, dy);
    else act.turn(dx, dy);
  });
  for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (e) => fingers.delete(e.pointerId));
  canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    act.zoom(Math.exp(-0.0015 * e.deltaY));
  }, { passive: false });
  const steps = { ArrowLeft: [-20, 0], ArrowRight: [20, 0], ArrowUp: [0, -20], ArrowDown: [0, 20] };
  const single = { " ": act.play, Home: act.home, ",": () => act.step(-1), ".": () => act.step(1), "+": () => act.zoom(1.1), "=": () => act.zoom(1.1), "-": () => act.zoom(1 / 1.1) };
  canvas.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    if (steps[e.key]) (e.shiftKey ? act.move : act.turn)(...steps[e.key]);
    else if (single[e.key]) single[e.key]();
    else return;
    e.preventDefault();
  });
}

/// The bar of colors and what it means.
function drawLegend(bar, text, coloring, limits, overlaid, names) {
  const c = bar.getContext("2d"), kind = COLORINGS[coloring], colors = overlaid ? LINES.slice(0, names.length) : PALETTES[kind.palette];
  const steps = overlaid || kind.palette === "categorical";
  bar.width = 256;
  bar.height = 16;
  if (steps) {
    colors.forEach((color, i) => {
      c.fillStyle = color;
      c.fillRect((256 * i) / colors.length, 0, 256 / colors.length + 1, 16);
    });
  } else {
    const gradient = c.createLinearGradient(0, 0, 256, 0);
    colors.forEach((color, i) => gradient.addColorStop(i / 4, color));
    c.fillStyle = gradient;
    c.fillRect(0, 0, 256, 16);
  }
  const [low, high] = limits.map((x) => Number((x * (kind.factor ?? 1)).toPrecision(4)));
  text.textContent = overlaid ? `run: ${names.join(", ")}`
    : kind.palette === "categorical" ? "one color for each body, over and over"
      : `${kind.label}, from ${low} to ${high}${kind.unit ? ` ${kind.unit}` : ""}`;
}
