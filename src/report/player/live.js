// SPDX-License-Identifier: GPL-3.0-or-later
// Shows runs while they are executed (src/report/live.h tells what is read).

const POLL_MS = 200, SILENT_S = 10, LOST_MS = 3000, FIT_MS = 500;
// Colors and switches of the player for what is not told while a run goes on.
const UNTOLD = ["volume", "stress"], UNUSED = ["Twist stripe", "Loads (forces red, torques ochre)", "Contact forces (violet)", "Reference curve (magenta)", "See-through skin", "Runs "];

/// Bytes of base64 as numbers of a type.
function numbersOfText(data, Type) {
  const bytes = bytesOf(data);
  return new Type(bytes.buffer, bytes.byteOffset, bytes.byteLength / Type.BYTES_PER_ELEMENT);
}

/// Puts rows behind those of a part, in memory that grows by half.
function append(part, numbers) {
  const used = part.values.length;
  if (used + numbers.length > part.memory.length) {
    const memory = new Float32Array(Math.ceil(1.5 * (used + numbers.length)));
    memory.set(part.values);
    part.memory = memory;
  }
  part.memory.set(numbers, used);
  part.values = part.memory.subarray(0, used + numbers.length);
}

const growing = (n, width) => ({ n, width, low: Array(width).fill(0), scale: Array(width).fill(1), memory: new Float32Array(0), values: new Float32Array(0) });

/// A run as the player knows it, whose frames are yet to come.
function beginRun({ recorded, nodes, parts }) {
  const run = { time: [], number: [], recorded, nodes, parts: {}, series: [], cache: new Map(), end: null };
  for (const [name, part] of Object.entries(parts))
    if (part) run.parts[name] = { ...part, values: numbersOfText(part.data, part.type === "i32" ? Int32Array : Float32Array) };
  run.parts.position = growing(nodes, 3);
  run.parts.scale = growing(nodes, 1);
  return run;
}

/// The numbers of a field in one frame.
function fieldOf({ low, scale, data }) {
  const packed = numbersOfText(data, Uint16Array), width = low.length;
  return Float32Array.from(packed, (x, i) => (x === MISSING ? NaN : low[i % width] + scale[i % width] * x));
}

/// Adds a frame, and what obstacles moved to, where that is told; whether the box around all grew.
function addFrame(run, frame) {
  append(run.parts.position, fieldOf(frame.position));
  append(run.parts.scale, frame.scale ? fieldOf(frame.scale) : new Float32Array(run.nodes).fill(1));
  for (const name of ["plane_at", "collider_at"]) {
    if (!frame[name]) continue;
    run.parts[name] ??= growing(frame[name].n, frame[name].width);
    append(run.parts[name], numbersOfText(frame[name].data, Float32Array));
  }
  run.time.push(frame.time);
  run.number.push(frame.number);
  if (!run.bounds) return true;
  let grew = false;
  const { low, high } = run.bounds;
  eachBallAt(run, run.time.length - 1, (x, y, z, r) => [x, y, z].forEach((c, i) => {
    grew ||= c - r < low[i] || c + r > high[i];
    low[i] = Math.min(low[i], c - r);
    high[i] = Math.max(high[i], c + r);
  }));
  return grew;
}

/// The player of runs that go on. It follows the newest frame until a user sets the time.
class LivePlayer extends Player {
  constructor(root, names) {
    super(root, names);
    this.following = true;
    this.chosen = null; // by the user
    this.fitted = 0;
    this.slider.addEventListener("input", () => this.follow(false));
    for (const key of UNTOLD) this.colorChoice.querySelector(`option[value="${key}"]`).remove();
    for (const label of root.querySelectorAll("label"))
      if (UNUSED.includes(label.firstChild.textContent) || UNUSED.includes(label.textContent)) label.remove();
    for (const part of [this.plot, this.plotChoice, this.reading]) part.remove();
  }

  buildRuns() {
    this.runChoice = choice([["", "the newest"]], "", (i) => {
      this.chosen = i === "" ? null : Number(i);
      this.follow(true);
      this.pick(this.chosen ?? this.newest);
    });
    this.followBox = check("Follow the newest frame", true, (on) => this.follow(on));
    this.runBox.replaceChildren(element("legend", {}, "Run"), element("div", { class: "row" }, labeled("Show", this.runChoice), this.followBox));
  }

  follow(on) {
    this.following = on;
    this.followBox.querySelector("input").checked = on;
    if (on && this.shownRuns) this.toEnd();
  }

  toEnd() {
    this.stop();
    this.set({ time: this.shownRuns[0].time.at(-1) });
  }

  play() {
    this.follow(false);
    super.play();
  }

  step(n) {
    this.follow(false);
    super.step(n);
  }

  /// Shows run `i`, once it has frames.
  pick(i) {
    this.state.shown = [i];
    this.shownRuns = null;
    if (this.runs.get(i)?.time.length) this.show().then(() => this.following && this.toEnd());
  }

  begin(i, run) {
    this.runs.set(i, run);
    this.newest = i;
    this.runChoice.append(element("option", { value: String(i) }, this.nameOf(i)));
    if (this.chosen === null) this.pick(i);
  }

  add(i, frames) {
    const run = this.runs.get(i);
    let grew = false;
    for (const frame of frames) grew = addFrame(run, frame) || grew;
    if (i !== this.state.shown[0]) return;
    if (!this.shownRuns) return this.pick(i);
    this.end = run.time.at(-1);
    if (grew && performance.now() - this.fitted > FIT_MS) {
      this.fitted = performance.now();
      this.fitColors();
      this.refit();
    }
    if (this.following) this.toEnd();
    else this.draw();
  }

  /// Fits camera and colors to all frames of a run that has ended.
  finish(i, how) {
    const run = this.runs.get(i);
    if (!run) return;
    run.end = how;
    if (i !== this.state.shown[0] || !this.shownRuns) return;
    const going = [...this.runs].filter(([, r]) => !r.end && r.time.length).map(([k]) => k);
    if (this.chosen === null && going.length) return this.pick(going.at(-1));
    this.fitColors();
    this.refit();
  }
}

/// Reads the messages of a session, and says how it goes on.
class LiveReader {
  constructor(root, state, names) {
    this.player = new LivePlayer(root, names);
    this.state = state;
    this.names = names;
    this.session = root.dataset.session;
    this.folder = root.dataset.folder;
    this.next = this.known = 0;
    this.heard = performance.now();
    this.over = this.foreign = null;
  }

  /// Runs a script of the folder; whether it was there.
  load(name) {
    return new Promise((done) => {
      const script = element("script", { src: `${this.folder}/${name}?${this.session}-${Date.now()}` });
      const end = (loaded) => () => {
        script.remove();
        done(loaded);
      };
      script.addEventListener("load", end(true));
      script.addEventListener("error", end(false));
      document.head.append(script);
    });
  }

  take(message) {
    if (message.session !== this.session) {
      this.foreign = message.session;
      return;
    }
    if ("sign" in message) {
      if (message.sign !== this.sign) this.heard = performance.now();
      this.sign = message.sign;
      this.known = Math.max(this.known, message.n);
      if (message.total) this.advance = message;
    }
    if (message.begin) this.player.begin(message.run, beginRun(message.begin));
    if (message.frames) this.player.add(message.run, message.frames);
    if (message.end) this.player.finish(message.run, message.end);
    if (message.over) this.over = message.over;
  }

  say(kind, text) {
    if (this.state.textContent === text) return;
    this.state.className = `${kind} verdict`;
    this.state.textContent = text;
  }

  report() {
    const silent = (performance.now() - this.heard) / 1000, runs = this.player.runs, begun = runs.size;
    const kept = this.names.length - begun, bad = [...runs].filter(([, r]) => r.end && r.end !== "complete");
    const problems = bad.map(([i, r]) => `; ${this.player.nameOf(i)}: ${r.end}`).join("");
    const still = [...runs.values()].some((r) => r.nodes === 0) ? " Runs without nodes have nothing to show here." : "";
    if (this.foreign) this.say("bad", "This page is of an earlier command. Reload it to see the present one.");
    else if (this.over === "interrupted") this.say("bad", `The runs were interrupted${problems}.`);
    else if (this.over) this.say(bad.length ? "bad" : "good", `All runs have ended: ${begun} shown here${kept ? `, ${kept} recorded before (--fresh executes them again)` : ""}${problems}.${still}`);
    else if (silent > SILENT_S) this.say("bad", `No sign for ${Math.round(silent)} s: a step takes long, or the program was killed.`);
    else {
      const a = this.advance, where = a ? `: ${this.player.nameOf(a.run)}, step ${a.done} of ${a.total}` : "";
      this.say("found", `Running${where}. ${begun} of ${this.names.length} runs have begun${problems}.${still}`);
    }
  }

  /// Loads what has been written since; messages of processes side by side may come out of order.
  async catchUp() {
    while (this.next < this.known && !this.foreign) {
      if (await this.load(`${String(this.next).padStart(4, "0")}.js`)) {
        this.next++;
        this.missing = null;
        continue;
      }
      this.missing ??= performance.now();
      if (performance.now() - this.missing < LOST_MS) return;
      this.next++; // its writer has died
      this.missing = null;
    }
  }

  async follow() {
    for (;;) {
      await this.load("sign.js");
      await this.catchUp();
      this.report();
      if (this.foreign || (this.over && this.next >= this.known)) return;
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  }
}

function startLive() {
  const root = document.getElementById("live"), state = document.getElementById("state");
  if (!root) return;
  try {
    const names = [...document.querySelectorAll("data.run")].map(({ dataset }) => ({ study: dataset.study, run: dataset.run }));
    const reader = new LiveReader(root, state, names);
    window.viperbenchLive = (message) => reader.take(message);
    reader.follow().then(() => (root.dataset.ready = "1"));
  } catch (failure) {
    root.hidden = true;
    state.textContent = `The player cannot run here (${failure.message}).`;
  }
}

startLive();
