// SPDX-License-Identifier: GPL-3.0-or-later
// The player: its state, its clock, and the link that holds a view.

const FIRST_VIEW = { azimuth: 30, elevation: 20, zoom: 1, lens: 30, panX: 0, panY: 0 };
const MOST_SHOWN = 6, SAMPLED_FRAMES = 24;
const SWITCHES = ["stripe", "ground", "loads", "contacts", "curve", "clear", "loop"];

class Player {
  constructor(root, packs) {
    this.root = root;
    this.packs = packs; // { study, run, facts, text }: the last two are elements, read when first shown
    this.runs = new Map();
    this.state = { shown: [0], layout: "side", time: 0, speed: 1, loop: true, coloring: "body", plot: "energy/total", stripe: true, ground: true, loads: true, contacts: true, curve: true, clear: null, ...FIRST_VIEW };
    this.readLink();
    this.build();
    this.renderer = new Renderer(this.canvas);
    new ResizeObserver(() => this.refit()).observe(this.canvas);
    window.addEventListener("hashchange", () => this.readLink() && this.show());
  }

  get names() {
    return this.state.shown.map((i) => this.nameOf(i));
  }

  nameOf(i) {
    const { study, run } = this.packs[i];
    return study === run ? study : `${study} ${run}`;
  }

  /// Reads "#view?key=value&..."; false where the address holds none.
  readLink() {
    if (!location.hash.startsWith("#view?")) return false;
    const s = this.state, from = new URLSearchParams(location.hash.slice(6));
    const shown = (from.get("runs") ?? "").split(",").map(Number).filter((i) => i in this.packs);
    if (shown.length) s.shown = shown.slice(0, MOST_SHOWN);
    for (const key of ["time", "speed", "azimuth", "elevation", "zoom", "lens", "panX", "panY"]) {
      const value = Number(from.get(key) ?? NaN);
      if (Number.isFinite(value)) s[key] = value;
    }
    if (from.get("layout") === "over") s.layout = "over";
    if (from.get("color") in COLORINGS) s.coloring = from.get("color");
    if (from.has("plot")) s.plot = from.get("plot");
    for (const key of SWITCHES) if (from.has(key)) s[key] = from.get(key) === "1";
    s.zoom = clamp(s.zoom, 0.02, 500);
    s.lens = clamp(s.lens, 0, 150);
    s.elevation = clamp(s.elevation, -90, 90);
    return true;
  }

  link() {
    const s = this.state, to = new URLSearchParams({ runs: s.shown.join(","), layout: s.layout, color: s.coloring, plot: s.plot });
    for (const key of ["time", "speed", "azimuth", "elevation", "zoom", "lens", "panX", "panY"]) to.set(key, String(Number(s[key].toPrecision(7))));
    for (const key of SWITCHES) to.set(key, s[key] ? "1" : "0");
    return `${location.href.split("#")[0]}#view?${to}`;
  }

  set(changes) {
    Object.assign(this.state, changes);
    this.draw();
  }

  build() {
    const s = this.state;
    this.canvas = element("canvas", { class: "view", tabindex: "0", role: "application", "aria-label": "Recorded motion", "aria-describedby": "keys" });
    this.nameBar = element("div", { class: "names" });
    this.playButton = button("Play", () => this.play());
    this.slider = element("input", { type: "range", min: "0", max: "1000", step: "1", value: "0", "aria-label": "Time" });
    this.slider.addEventListener("input", () => this.set({ time: this.timeOf(Number(this.slider.value) / 1000) }));
    this.clock = element("output", { "aria-live": "off" });
    const playing = element("div", { class: "row" }, this.playButton, button("\u2039", () => this.step(-1)), button("\u203a", () => this.step(1)), this.slider, this.clock);
    playing.children[1].setAttribute("aria-label", "Frame before");
    playing.children[2].setAttribute("aria-label", "Next frame");
    this.colorChoice = choice(Object.entries(COLORINGS).map(([key, c]) => [key, c.label]), s.coloring, (coloring) => this.set({ coloring }) ?? this.show());
    this.bar = element("canvas", { role: "img", "aria-label": "Colors of the legend" });
    this.legend = element("span");
    this.clearBox = check("See-through skin", false, (clear) => this.set({ clear }));
    this.runBox = element("fieldset", {}, element("legend", {}, `Runs, ${MOST_SHOWN} at most`));
    this.plot = element("canvas", { class: "plot", role: "img", "aria-label": "Plot over time" });
    this.plot.addEventListener("click", (e) => this.plotTime && this.set({ time: this.plotTime(e.offsetX) }));
    this.plotChoice = element("span");
    this.reading = element("output", { "aria-live": "off" });
    this.link_ = element("output", { class: "aside" });
    this.root.append(
      element("p", { class: "aside", id: "keys" }, KEYS_HELP),
      element("div", { class: "stage" }, this.canvas, this.nameBar), playing,
      element("div", { class: "row" }, labeled("Speed", choice([[0.1, "0.1"], [0.25, "0.25"], [0.5, "0.5"], [1, "1"], [2, "2"], [5, "5"], [20, "20"]], s.speed, (v) => this.set({ speed: Number(v) }))),
        check("Loop", s.loop, (loop) => this.set({ loop })), labeled("Color", this.colorChoice),
        labeled("Runs", choice([["side", "side by side"], ["over", "overlaid"]], s.layout, (layout) => this.set({ layout }) ?? this.refit()))),
      element("div", { class: "legend" }, this.bar, this.legend),
      element("div", { class: "row" }, ...[["stripe", "Twist stripe"], ["ground", "Half-planes"], ["loads", "Loads (forces red, torques ochre)"], ["contacts", "Contact forces (violet)"], ["curve", "Reference curve (magenta)"]].map(([key, label]) => check(label, s[key], (on) => this.set({ [key]: on }))), this.clearBox),
      element("div", { class: "row" }, button("Show all", () => this.home()), button("Save PNG", () => this.save()), button("Link to this view", () => this.showLink()), this.link_),
      this.runBox, element("div", { class: "row" }, this.plotChoice, this.reading), this.plot);
    this.buildRuns();
    attachHands(this.canvas, {
      turn: (dx, dy) => this.set({ azimuth: (s.azimuth - 0.4 * dx) % 360, elevation: clamp(s.elevation + 0.4 * dy, -90, 90) }),
      move: (dx, dy) => this.move(dx, dy), zoom: (f) => this.set({ zoom: clamp(s.zoom * f, 0.02, 500) }),
      play: () => this.play(), step: (n) => this.step(n), home: () => this.home(),
    });
  }

  buildRuns() {
    const row = element("div", { class: "row" });
    this.packs.forEach((_, i) => row.append(check(this.nameOf(i), this.state.shown.includes(i), (on) => {
      const others = this.state.shown.filter((j) => j !== i), shown = on ? [...others, i].sort((a, b) => a - b) : others;
      if (shown.length > 0 && shown.length <= MOST_SHOWN) this.state.shown = shown;
      [...row.querySelectorAll("input")].forEach((box, j) => (box.checked = this.state.shown.includes(j)));
      this.show();
    })));
    this.runBox.append(row);
  }

  /// Decodes what is shown, fits camera and colors to it, and draws.
  async show() {
    const asked = [...this.state.shown];
    for (const i of asked)
      if (!this.runs.has(i)) this.runs.set(i, await decodeRun(JSON.parse(this.packs[i].facts.textContent), this.packs[i].text.textContent));
    if (asked.join() !== this.state.shown.join()) return;
    this.colorChoice.value = this.state.coloring;
    this.shownRuns = asked.map((i) => this.runs.get(i));
    this.start = Math.min(...this.shownRuns.map((r) => r.time[0]));
    this.end = Math.max(...this.shownRuns.map((r) => r.time.at(-1)));
    this.state.time = clamp(this.state.time, this.start, this.end);
    // Bones inside a skin are seen at first.
    this.state.clear ??= this.shownRuns.some((r) => r.parts.bone_position);
    this.clearBox.querySelector("input").checked = this.state.clear;
    this.fitColors();
    this.buildPlot();
    this.refit();
  }

  /// Calls back with all balls in all frames of what is shown.
  eachBall(ball) {
    for (const run of this.shownRuns) for (let k = 0; k < run.time.length; k++) eachBallAt(run, k, ball);
  }

  refit() {
    if (!this.shownRuns) return;
    const bounds = this.shownRuns.map(boundsOf);
    const low = [0, 1, 2].map((i) => Math.min(...bounds.map((b) => b.low[i]))), high = [0, 1, 2].map((i) => Math.max(...bounds.map((b) => b.high[i])));
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    this.canvas.height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    this.middle = low.map((x, i) => (x <= high[i] ? 0.5 * (x + high[i]) : 0));
    this.radius = low[0] <= high[0] ? 0.5 * size(plus(high, -1, low)) : 1;
    this.cells = this.state.layout === "side" ? this.shownRuns.length : 1;
    this.aspect = this.canvas.width / this.cells / this.canvas.height;
    this.fit = homeOf({ ...FIRST_VIEW, lens: this.state.lens }, this.aspect, this.middle, (b) => this.eachBall(b));
    const names = this.cells > 1 ? this.names : [this.names.join(", ")];
    this.nameBar.replaceChildren(...names.map((name) => element("span", {}, name)));
    this.draw();
  }

  /// Limits of colors over frames of all runs, from the first to the last.
  fitColors() {
    let low = Infinity, high = -Infinity;
    const take = (x) => {
      if (!Number.isFinite(x)) return;
      low = Math.min(low, x);
      high = Math.max(high, x);
    };
    for (const run of this.shownRuns) {
      const last = run.time.length - 1, n = Math.min(last + 1, SAMPLED_FRAMES);
      for (let i = 0; i < n; i++) {
        const { node, ends } = valuesAt(run, Math.round((last * i) / Math.max(n - 1, 1)), this.state.coloring);
        ends.forEach(take);
        if (run.parts.side || run.parts.triangle) node.forEach(take);
      }
    }
    this.limits = limitsOf(this.state.coloring, low, high);
  }

  buildPlot() {
    const all = [...new Set(this.shownRuns.flatMap((r) => r.series.map((s) => s.name)))];
    if (!all.includes(this.state.plot)) this.state.plot = all.includes("energy/total") ? "energy/total" : all[0] ?? "";
    this.plotChoice.replaceChildren(labeled("Plot", choice(all.map((name) => [name, name]), this.state.plot, (plot) => this.set({ plot }))));
  }

  draw() {
    if (!this.shownRuns || this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.drawNow();
    });
  }

  drawNow() {
    const s = this.state, runs = this.shownRuns.map((run) => ({ run, k: frameAtTime(run, s.time) }));
    const camera = cameraOf(s, this.aspect, this.middle, this.fit, this.radius), width = this.canvas.width / this.cells;
    const look = { camera, matrix: matrixOf(camera), sun: sunOf(camera), coloring: s.coloring, limits: this.limits, middle: this.middle, radius: this.radius, overlaid: s.layout === "over" && runs.length > 1, shown: s };
    this.renderer.begin();
    for (let i = 0; i < this.cells; i++)
      this.renderer.drawCell({ part: [Math.round(i * width), 0, Math.round(width), this.canvas.height], runs: this.cells > 1 ? [runs[i]] : runs }, look);
    drawLegend(this.bar, this.legend, s.coloring, this.limits, look.overlaid, this.names);
    this.drawReadings(runs);
  }

  drawReadings(runs) {
    const s = this.state, { run, k } = runs[0];
    this.slider.value = String(this.end > this.start ? Math.round((1000 * (s.time - this.start)) / (this.end - this.start)) : 0);
    this.clock.textContent = `${run.time[k].toPrecision(4)} s, frame ${run.number[k]} of ${run.recorded}`;
    this.slider.setAttribute("aria-valuetext", this.clock.textContent);
    const lines = this.shownRuns.map((r, i) => ({ series: r.series.find((x) => x.name === s.plot), label: this.names[i] })).filter((l) => l.series);
    this.plot.hidden = lines.length === 0;
    this.reading.textContent = lines.map((l) => `${lines.length > 1 ? `${l.label}: ` : ""}${valueAtTime(l.series, s.time)?.toPrecision(5) ?? "no number"} ${l.series.unit === "1" ? "" : l.series.unit}${Number.isFinite(l.series.reference) ? ` (reference ${l.series.reference.toPrecision(5)})` : ""}`).join("; ");
    this.plot.setAttribute("aria-label", `Plot of ${s.plot} over time. Now: ${this.reading.textContent}`);
    if (lines.length) this.plotTime = drawPlot(this.plot, lines, s.time);
  }

  timeOf = (share) => this.start + share * (this.end - this.start);

  move(dx, dy) {
    const s = this.state, depth = s.lens > 0 ? this.fit.back * Math.tan((s.lens * Math.PI) / 360) : this.fit.half;
    const pixel = (2 * depth) / s.zoom / this.canvas.clientHeight;
    this.set({ panX: s.panX - dx * pixel, panY: s.panY + dy * pixel });
  }

  step(n) {
    const run = this.shownRuns[0], k = clamp(frameAtTime(run, this.state.time) + n, 0, run.time.length - 1);
    this.stop();
    this.set({ time: run.time[k] });
  }

  home() {
    Object.assign(this.state, FIRST_VIEW);
    this.refit();
  }

  stop() {
    this.playing = false;
    this.playButton.textContent = "Play";
  }

  play() {
    if (this.playing) return this.stop();
    if (this.state.time >= this.end) this.state.time = this.start;
    this.playing = true;
    this.playButton.textContent = "Pause";
    let before = null;
    const tick = (now) => {
      if (!this.playing) return;
      let time = this.state.time + (before === null ? 0 : ((now - before) / 1000) * this.state.speed);
      before = now;
      if (time > this.end && this.state.loop && this.end > this.start) time = this.start + ((time - this.start) % (this.end - this.start));
      if (time >= this.end && !this.state.loop) this.stop();
      this.set({ time: Math.min(time, this.end) });
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  save() {
    this.drawNow();
    this.canvas.toBlob((blob) => {
      const a = element("a", { href: URL.createObjectURL(blob), download: `${this.names.join("-").replace(/[^\w.+-]/g, "_")}.png` });
      a.click();
      setTimeout(() => URL.revokeObjectURL(a.href), 1000);
    });
  }

  showLink() {
    const link = this.link();
    history.replaceState(null, "", link);
    this.link_.textContent = "The address of this page now holds this view.";
    navigator.clipboard?.writeText(link).then(() => (this.link_.textContent += " It is in the clipboard."), () => {});
  }
}

/// Puts the player in the place of the stills, where it can run.
async function startPlayer() {
  const root = document.getElementById("player"), stills = document.getElementById("stills");
  const facts = [...document.querySelectorAll("script.pack")], texts = [...document.querySelectorAll("script.bytes")];
  if (!root || facts.length === 0) return;
  root.hidden = false;
  try {
    if (!("DecompressionStream" in window)) throw new Error("no DecompressionStream");
    const player = new Player(root, facts.map((f, i) => ({ study: f.dataset.study, run: f.dataset.run, facts: f, text: texts[i] })));
    stills.hidden = true;
    await player.show();
    root.dataset.ready = "1";
  } catch (failure) {
    root.hidden = true;
    root.replaceChildren();
    stills.hidden = false;
    stills.prepend(element("p", { role: "status" }, `The player cannot run here (${failure.message}). These are rendered pictures instead.`));
  }
}

startPlayer();
