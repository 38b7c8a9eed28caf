// SPDX-License-Identifier: GPL-3.0-or-later
// Draws shapes by WebGL 2.

const CAPSULE_FLOATS = 14, MANY_CAPSULES = 1500;
const ATTRIBUTES = ["mesh", "a", "b", "u", "value", "position", "direction", "corner"];

/// Points and triangles of a capsule's mesh: `turns` around, `rings` along each cap.
function capsuleMesh(turns, rings) {
  const points = [], triangles = [], row = turns + 1;
  for (let end = 0; end < 2; end++)
    for (let i = 0; i <= rings; i++)
      for (let j = 0; j <= turns; j++) points.push(end, i / rings, (2 * Math.PI * j) / turns);
  for (let i = 0; i < 2 * rings + 1; i++)
    for (let j = 0; j < turns; j++) {
      const a = i * row + j;
      triangles.push(a, a + 1, a + row, a + 1, a + row + 1, a + row);
    }
  return { points: new Float32Array(points), triangles: new Uint16Array(triangles) };
}

/// Where the light comes from: above, to the left of who looks.
function sunOf(camera) {
  const turn = (-40 * Math.PI) / 180, height = (52 * Math.PI) / 180, r = camera.right;
  const flat = plus([0, 0, 0].map((_, i) => Math.sin(turn) * r[i]), Math.cos(turn), [r[1], -r[0], 0]);
  return [Math.cos(height) * flat[0], Math.cos(height) * flat[1], Math.sin(height)];
}

class Renderer {
  /// Throws where there is no WebGL 2.
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
    if (!gl) throw new Error("no WebGL 2");
    this.gl = gl;
    this.canvas = canvas;
    this.capsule = this.program(CAPSULE_VERTEX, CAPSULE_FRAGMENT);
    this.surface = this.program(SURFACE_VERTEX, SURFACE_FRAGMENT);
    this.ground = this.program(GROUND_VERTEX, GROUND_FRAGMENT);
    this.meshes = [this.mesh(capsuleMesh(24, 6)), this.mesh(capsuleMesh(12, 3))];
    this.capsuleBuffer = gl.createBuffer();
    this.surfaceBuffers = { position: gl.createBuffer(), normal: gl.createBuffer(), value: gl.createBuffer(), triangle: gl.createBuffer() };
    this.corner = this.buffer(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
  }

  program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    ATTRIBUTES.forEach((name, i) => gl.bindAttribLocation(program, i, name));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "WebGL");
    const places = new Map(), placeOf = (name) => {
      if (!places.has(name)) places.set(name, gl.getUniformLocation(program, name));
      return places.get(name);
    };
    return { program, placeOf };
  }

  buffer(target, data) {
    const buffer = this.gl.createBuffer();
    this.gl.bindBuffer(target, buffer);
    this.gl.bufferData(target, data, this.gl.STATIC_DRAW);
    return buffer;
  }

  mesh({ points, triangles }) {
    const gl = this.gl;
    return { points: this.buffer(gl.ARRAY_BUFFER, points), triangles: this.buffer(gl.ELEMENT_ARRAY_BUFFER, triangles), n: triangles.length };
  }

  /// Points attribute `name` of the bound buffer.
  attribute(name, width, stride, offset, divisor) {
    const gl = this.gl, i = ATTRIBUTES.indexOf(name);
    gl.enableVertexAttribArray(i);
    gl.vertexAttribPointer(i, width, gl.FLOAT, false, 4 * stride, 4 * offset);
    gl.vertexAttribDivisor(i, divisor);
  }

  release() {
    ATTRIBUTES.forEach((_, i) => {
      this.gl.disableVertexAttribArray(i);
      this.gl.vertexAttribDivisor(i, 0);
    });
  }

  /// Begins to draw with a program: what all of them know.
  use({ program, placeOf }, look) {
    const gl = this.gl, c = look.camera;
    gl.useProgram(program);
    gl.uniformMatrix4fv(placeOf("camera"), false, look.matrix);
    gl.uniform3fv(placeOf("sun"), look.sun);
    gl.uniform3fv(placeOf("eye"), c.eye);
    gl.uniform3fv(placeOf("forward"), c.forward);
    gl.uniform1i(placeOf("parallel"), c.parallel);
  }

  /// Colors by values, or in one color where `plain` is one.
  paint({ placeOf }, look, plain, opacity) {
    const gl = this.gl, palette = COLORINGS[look.coloring].palette, stops = new Float32Array(24);
    (plain ? [plain] : PALETTES[palette]).flatMap(rgbOf).forEach((x, i) => (stops[i] = x));
    gl.uniform3fv(placeOf("stops"), stops);
    gl.uniform1i(placeOf("palette"), plain ? 2 : palette === "categorical" ? 1 : 0);
    gl.uniform2fv(placeOf("limits"), look.limits);
    gl.uniform1f(placeOf("opacity"), opacity);
  }

  drawCapsules(list, look, { plain = null, opacity = 1, stripe = false } = {}) {
    const gl = this.gl, n = list.length / CAPSULE_FLOATS, mesh = this.meshes[n > MANY_CAPSULES ? 1 : 0];
    if (!n) return;
    this.use(this.capsule, look);
    this.paint(this.capsule, look, plain, opacity);
    gl.uniform1i(this.capsule.placeOf("stripe"), stripe);
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh.points);
    this.attribute("mesh", 3, 3, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.capsuleBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, list, gl.DYNAMIC_DRAW);
    this.attribute("a", 4, CAPSULE_FLOATS, 0, 1);
    this.attribute("b", 4, CAPSULE_FLOATS, 4, 1);
    this.attribute("u", 4, CAPSULE_FLOATS, 8, 1);
    this.attribute("value", 2, CAPSULE_FLOATS, 12, 1);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.triangles);
    gl.drawElementsInstanced(gl.TRIANGLES, mesh.n, gl.UNSIGNED_SHORT, 0, n);
    this.release();
  }

  drawSurface({ position, normal, value, triangle }, look, { plain = null, opacity = 1 } = {}) {
    const gl = this.gl, put = (name, data, width, attribute) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.surfaceBuffers[name]);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
      this.attribute(attribute, width, width, 0, 0);
    };
    this.use(this.surface, look);
    this.paint(this.surface, look, plain, opacity);
    put("position", position, 3, "position");
    put("normal", normal, 3, "direction");
    put("value", value, 1, "value");
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.surfaceBuffers.triangle);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, Uint32Array.from(triangle), gl.DYNAMIC_DRAW);
    gl.drawElements(gl.TRIANGLES, triangle.length, gl.UNSIGNED_INT, 0);
    this.release();
  }

  /// A half-plane (normal, offset), seen from the side its normal points to.
  drawGround(plane, look) {
    const gl = this.gl, { placeOf } = this.ground, c = look.camera, normal = [plane[0], plane[1], plane[2]];
    const seen = c.parallel ? -dot(normal, c.forward) : dot(normal, c.eye) - plane[3];
    if (seen <= 0) return;
    let along = Math.abs(normal[2]) < 1 - 1e-9 ? cross([0, 0, 1], normal) : [1, 0, 0];
    along = along.map((x) => x / size(along));
    this.use(this.ground, look);
    gl.uniform3fv(placeOf("middle"), plus(look.middle, plane[3] - dot(normal, look.middle), normal));
    gl.uniform3fv(placeOf("along"), along);
    gl.uniform3fv(placeOf("across"), cross(normal, along));
    gl.uniform1f(placeOf("radius"), look.radius);
    gl.uniform1f(placeOf("spacing"), roundLength(look.radius / 3));
    gl.bindBuffer(gl.ARRAY_BUFFER, this.corner);
    this.attribute("corner", 2, 2, 0, 0);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    this.release();
  }

  begin() {
    const gl = this.gl;
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(1, 1, 1, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  }

  /// One view of runs in a part (x, y, width, height; pixels from below) of the canvas.
  drawCell(cell, look) {
    const gl = this.gl;
    gl.viewport(...cell.part);
    gl.disable(gl.BLEND);
    for (const [i, { run, k }] of cell.runs.entries()) this.drawRun(run, k, i, look);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    for (const [i, { run, k }] of cell.runs.entries()) {
      if (look.shown.clear) this.drawSkin(run, k, i, look, 0.35);
      this.drawCapsules(colliderCapsules(run, k, 3 * look.radius), look, { plain: "#8a93a0", opacity: 0.35 });
      const planes = planesAt(run, k);
      for (let j = 0; look.shown.ground && j < planes.length; j += 4) this.drawGround(planes.subarray(j, j + 4), look);
    }
    gl.disable(gl.DEPTH_TEST); // arrows begin inside what they act on, and shine through
    for (const { run, k } of cell.runs) this.drawArrows(run, k, look, 0.4);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
  }

  /// The one color of run number `i` of several that are laid over each other; null otherwise.
  plainOf = (i, look) => (look.overlaid ? LINES[i % LINES.length] : null);

  drawSkin(run, k, i, look, opacity) {
    const surface = surfaceAt(run, k, valuesAt(run, k, look.coloring));
    if (surface) this.drawSurface(surface, look, { plain: this.plainOf(i, look), opacity });
  }

  /// What is opaque of run number `i` of a view.
  drawRun(run, k, i, look) {
    const thickness = 0.006 * look.radius;
    this.drawCapsules(capsulesAt(run, k, valuesAt(run, k, look.coloring)), look, { plain: this.plainOf(i, look), stripe: look.shown.stripe });
    if (!look.shown.clear) this.drawSkin(run, k, i, look, 1);
    this.drawCapsules(boneCapsules(run, k, 2 * thickness), look, { plain: "#6b6256" });
    if (look.shown.curve) this.drawCapsules(curveCapsules(run, thickness), look, { plain: "#cc2fa0" });
    this.drawArrows(run, k, look, 1);
  }

  drawArrows(run, k, look, opacity) {
    const thickness = 0.006 * look.radius, arrows = (name, most, color, arrowsAt) =>
      this.drawCapsules(arrowCapsules(arrowsAt(k), largestOf(run, name, arrowsAt), most * look.radius, thickness), look, { plain: color, opacity });
    if (look.shown.loads) {
      arrows("load_force", 0.3, "#b4400f", (f) => loadsAt(run, "load_force", f));
      arrows("load_torque", 0.3, "#8a6d00", (f) => loadsAt(run, "load_torque", f));
    }
    if (look.shown.contacts && run.parts.contact_force) arrows("contact_force", 0.4, "#5b2a86", (f) => contactsAt(run, f));
  }
}
