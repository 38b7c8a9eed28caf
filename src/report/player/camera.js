// SPDX-License-Identifier: GPL-3.0-or-later
// The camera: that of rendered pictures (src/render/camera.c), which sees all frames of what is
// shown, and may then be turned around its middle.

const FILL = 0.94;

/// Directions of a view; z is up, azimuth 0 looks along y.
function axesOf(view) {
  const a = (view.azimuth * Math.PI) / 180, e = (view.elevation * Math.PI) / 180;
  const right = [Math.cos(a), Math.sin(a), 0];
  const forward = [-Math.sin(a) * Math.cos(e), Math.cos(a) * Math.cos(e), -Math.sin(e)];
  return { right, forward, up: cross(right, forward) };
}

/// Where the eye must be, along right, up and forward, so that all balls (x, y, z, radius) are in
/// view; half the height of the picture for parallel rays.
function fitEye(view, aspect, eachBall) {
  const { right, up, forward } = axesOf(view), parallel = view.lens <= 0;
  const height = parallel ? 1 : Math.tan((view.lens * Math.PI) / 360);
  const slopes = [FILL * aspect * height, FILL * height], reach = [Infinity, Infinity, Infinity, Infinity];
  const cosines = slopes.map((s) => (parallel ? 1 : 1 / Math.sqrt(1 + s * s)));
  const sines = slopes.map((s, i) => (parallel ? 0 : s * cosines[i])), across = [right, up];
  let front = Infinity;
  eachBall((x, y, z, r) => {
    const depth = x * forward[0] + y * forward[1] + z * forward[2];
    for (let i = 0; i < 2; i++) {
      const d = across[i], at = cosines[i] * (x * d[0] + y * d[1] + z * d[2]), far = sines[i] * depth - r;
      if (far + at < reach[2 * i]) reach[2 * i] = far + at;
      if (far - at < reach[2 * i + 1]) reach[2 * i + 1] = far - at;
    }
    if (depth - r < front) front = depth - r;
  });
  if (!Number.isFinite(front)) return { at: [0, 0, -1], half: 1 };
  const at = [], need = [];
  for (let i = 0; i < 2; i++) {
    at[i] = (reach[2 * i] - reach[2 * i + 1]) / (2 * cosines[i]);
    need[i] = parallel ? -(reach[2 * i] + reach[2 * i + 1]) / (2 * slopes[i])
      : (reach[2 * i] + reach[2 * i + 1]) / (2 * slopes[i] * cosines[i]);
  }
  const half = parallel ? Math.max(need[0], need[1]) : 1;
  at[2] = parallel ? front - half : Math.min(need[0], need[1]);
  return { at, half };
}

/// What an eye that fits at one view is from any other: as far from the middle, and aside of it.
function homeOf(view, aspect, middle, eachBall) {
  const { right, up, forward } = axesOf(view), { at, half } = fitEye(view, aspect, eachBall);
  return {
    half,
    aside: at[0] - dot(middle, right),
    above: at[1] - dot(middle, up),
    back: dot(middle, forward) - at[2],
  };
}

/// The camera of a view: eye, directions, and half the picture over its distance.
function cameraOf(view, aspect, middle, home, radius) {
  const { right, up, forward } = axesOf(view), parallel = view.lens <= 0;
  const height = (parallel ? home.half : Math.tan((view.lens * Math.PI) / 360)) / view.zoom;
  let eye = plus(middle, home.aside + view.panX, right);
  eye = plus(eye, home.above + view.panY, up);
  eye = plus(eye, -home.back, forward);
  const near = parallel ? home.back - 4 * radius : Math.max(home.back - 4 * radius, home.back * 1e-3);
  return { eye, right, up, forward, parallel, width: aspect * height, height, near, far: home.back + 8 * radius };
}

/// The matrix, by columns, from points to where they are in the picture.
function matrixOf(c) {
  const rows = [], place = (d) => [d[0], d[1], d[2], -dot(d, c.eye)];
  const z = place(c.forward), span = c.far - c.near;
  rows.push(place(c.right).map((x) => x / c.width), place(c.up).map((x) => x / c.height));
  if (c.parallel) {
    rows.push(z.map((x, i) => (2 * x - (i === 3 ? c.near + c.far : 0)) / span), [0, 0, 0, 1]);
  } else {
    const a = (c.far + c.near) / span, b = (-2 * c.far * c.near) / span;
    rows.push(z.map((x, i) => a * x + (i === 3 ? b : 0)), z);
  }
  return new Float32Array([0, 1, 2, 3].flatMap((column) => rows.map((row) => row[column])));
}
