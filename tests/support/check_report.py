# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens a report in Chromium and does what a reader does: looks, plays, turns, scrubs, uses keys.

    check_report.py REPORT RESULTS PROGRAM FOLDER

RESULTS is the one run of the report, or its index; PROGRAM renders its frames, into FOLDER.
"""

import os
import struct
import subprocess
import sys
import time
import zlib

from browser import Browser

READY = "document.getElementById('player').dataset.ready === '1'"


def read_png(data):
    """Width, height and bytes (RGB) of a PNG file of 8 bits per channel without interlacing."""
    at, packed, width, height, channels = 8, b"", 0, 0, 0
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and color in (2, 6), "another kind of PNG"
            channels = 3 if color == 2 else 4
        elif kind == b"IDAT":
            packed += body
        at += size + 12
    raw, row, rows = zlib.decompress(packed), width * channels, []
    before = bytearray(row)
    for y in range(height):
        kind, line = raw[y * (row + 1)], bytearray(raw[y * (row + 1) + 1:(y + 1) * (row + 1)])
        for i in range(row):
            a = line[i - channels] if i >= channels else 0
            b, c = before[i], before[i - channels] if i >= channels else 0
            if kind == 1:
                line[i] = (line[i] + a) & 255
            elif kind == 2:
                line[i] = (line[i] + b) & 255
            elif kind == 3:
                line[i] = (line[i] + (a + b) // 2) & 255
            elif kind == 4:
                p = a + b - c
                near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                line[i] = (line[i] + near) & 255
        rows.append(line)
        before = line
    return width, height, [[row[i:i + 3] for i in range(0, len(row), channels)] for row in rows]


def silhouette(data):
    """Pixels that are not white, as sets of places."""
    width, height, rows = read_png(data)
    return width, height, {(x, y) for y, row in enumerate(rows) for x, p in enumerate(row) if min(p) < 250}


def check_opens(b, path):
    # The limit for a full run is 2 s; a small one on a machine that is busy with other tests takes less.
    seconds = b.open(path, READY)
    assert b.messages == [], f"the console says {b.messages}"
    asked = [r for r in b.requests if not r.startswith(("data:", "blob:")) and os.path.abspath(path) not in r]
    assert asked == [], f"the page asks for {asked}"
    assert b.evaluate("document.getElementById('stills').hidden"), "the stills are still there"
    assert "<img" in b.evaluate("document.title"), "the title is not the text of the study"
    return seconds


def changes(b, act, what):
    """The picture is another one after `act`."""
    before = b.picture(clip="canvas.view")
    act()
    limit = time.monotonic() + 60
    while b.picture(clip="canvas.view") == before:
        assert time.monotonic() < limit, f"{what} changes no pixel"


def settled(b):
    """The picture that stays for a fifth of a second."""
    limit, before = time.monotonic() + 60, None
    while (picture := b.picture(clip="canvas.view")) != before:
        assert time.monotonic() < limit, "the picture does not come to rest"
        before = picture
        time.sleep(0.2)
    return picture


def press(b, label):
    b.evaluate("[...document.querySelectorAll('#player button')].find((x) => x.textContent === '%s').click()" % label)


def check_hands(b):
    x, y = b.evaluate("(() => { const c = document.querySelector('canvas.view'); c.scrollIntoView({block: 'center'});"
                      "const r = c.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()")
    changes(b, lambda: b.drag(x, y, 60, 20), "turning by the mouse")
    slider = "document.querySelector('#player input[type=range]')"
    changes(b, lambda: b.evaluate(f"{slider}.value = 1000; {slider}.dispatchEvent(new Event('input'))"), "scrubbing")
    assert "frame 10 of 11" in b.evaluate("document.querySelector('#player output').textContent")
    changes(b, lambda: press(b, "Play"), "playing")
    press(b, "Pause")
    b.evaluate(f"{slider}.value = 500; {slider}.dispatchEvent(new Event('input'))")
    settled(b)
    b.evaluate("document.querySelector('canvas.view').focus()")
    for key, shift, what in (("ArrowLeft", False, "turning"), ("ArrowUp", True, "moving"), ("+", False, "zooming"), (",", False, "stepping")):
        changes(b, lambda k=key, s=shift: b.key(k, s), f"{what} by keys")


def check_views(b):
    """Every coloring has its legend; a link opens the same view again; a moment is saved as PNG."""
    choose = "(() => { const s = [...document.querySelectorAll('#player select')].find((x) => [...x.options].some((o) => o.value === '%s')); s.value = '%s'; s.dispatchEvent(new Event('change')); })()"
    shown = "document.querySelector('.legend span').textContent"
    chosen = "[...document.querySelectorAll('#player select')].map((x) => x.value)"
    legends, before = set(), b.evaluate(shown)
    for coloring in ("scale", "volume", "stress", "speed", "body"):
        limit, waits = time.monotonic() + 60, coloring not in b.evaluate(chosen)
        b.evaluate(choose % (coloring, coloring))
        while (legend := b.evaluate(shown)) == before and waits:
            assert time.monotonic() < limit, f"the legend of {coloring} is that of the coloring before"
        assert legend not in legends, f"the legend of {coloring} is that of another coloring"
        legends.add(legend)
        before = legend
    b.evaluate(choose % ("stress", "stress"))
    press(b, "Link to this view")
    link, stand = b.evaluate("location.href"), "document.querySelector('#player output').textContent"
    before = b.evaluate(stand)
    picture = settled(b)
    b.open("about:blank")
    b.open(link, READY)
    limit = time.monotonic() + 60
    while b.picture(clip="canvas.view") != picture or b.evaluate(stand) != before:
        assert time.monotonic() < limit, "a link opens another view"
    b.evaluate("HTMLAnchorElement.prototype.click = function () { window.saved = this.download; window.savedFrom = this.href; }")
    press(b, "Save PNG")
    b.wait("window.saved === 'bars.png' && window.savedFrom.startsWith('blob:')")


def check_keyboard(b):
    """Tab comes to all that can be used, and to nothing that has no name."""
    wanted = b.evaluate("[...document.querySelectorAll('#player button, #player input, #player select, canvas.view, summary')].length")
    b.evaluate("document.activeElement.blur()")
    seen = 0
    for _ in range(wanted + 60):
        b.key("Tab")
        seen = max(seen, b.evaluate("(window.reached ??= new Set()).add(document.activeElement) && [...window.reached].filter((e) => "
                                    "e.matches('#player button, #player input, #player select, canvas.view, summary')).length"))
    assert seen == wanted, f"Tab reaches {seen} of {wanted} controls"


def check_accessible(b):
    """What screen readers are told: names of all that can be used, headings in order, texts of pictures."""
    b.call("Accessibility.enable")
    nodes = b.call("Accessibility.getFullAXTree")["nodes"]
    for n in nodes:
        role = n.get("role", {}).get("value")
        if role in ("button", "checkbox", "combobox", "slider", "link", "image", "application", "region", "table"):
            assert n.get("name", {}).get("value"), f"a {role} has no name"
    levels = b.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.tagName[1]))")
    assert levels[0] == 1 and levels.count(1) == 1, "there is not one first heading"
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:])), f"headings jump: {levels}"
    assert b.evaluate("document.documentElement.lang") == "en"
    ids = b.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids)), "an id is there twice"
    assert b.evaluate("[...document.querySelectorAll('a[href^=\"#\"]')].every((a) => document.getElementById(a.getAttribute('href').slice(1)))"), "a link leads nowhere"


CONTRAST = """(() => {
  const light = (c) => { const [r, g, b] = c.match(/[\\d.]+/g).map((x) => x / 255).map((x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)$/.test(c)) return c; } return 'rgb(255, 255, 255)'; };
  let worst = 21;
  for (const e of document.querySelectorAll('p, a, th, td, h1, h2, h3, li, dt, dd, summary, label, button, select, output, span, caption')) {
    if (!e.textContent.trim() || !e.getClientRects().length || e.closest('.names')) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
    worst = Math.min(worst, (a + 0.05) / (b + 0.05));
  }
  return worst;
})()"""


def check_layouts(b):
    """Nothing is cut off from narrow to wide, light and dark; texts stand out by 4.5 to 1 (WCAG 2, AA)."""
    for width in (390, 768, 1280, 1920):
        b.size(width, 900, phone=width < 500)
        limit = time.monotonic() + 60
        while (over := b.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")) > 0:
            assert time.monotonic() < limit, f"the page is {over} pixels wider than a window of {width}"
    b.size(1280, 900)
    for scheme in ("light", "dark"):
        b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        assert b.evaluate(CONTRAST) >= 4.5, f"texts stand out by {b.evaluate(CONTRAST):.2f} to 1 where it is {scheme}"
    b.call("Emulation.setEmulatedMedia", features=[])


def check_silhouette(b, path, results, program, folder):
    """The player's picture and the rendered one cover the same pixels, but for 2 % of those covered."""
    frame = 5
    b.size(500, 900)
    b.open("about:blank")
    b.open(f"file://{os.path.abspath(path)}#view?time=0.2&ground=0&stripe=0&loads=0&contacts=0", READY)
    b.evaluate("document.querySelector('.names').hidden = true; document.querySelector('.names').style.display = 'none'")
    b.wait(f"document.querySelector('#player output').textContent.includes('frame {frame} of')")
    width, height, shown = silhouette(settled(b))
    subprocess.run([program, "render", results, "--frames", "0:last", "--ground", "none", "--plain", "--quiet", "--size",
                    f"{width}x{height}", "--out", os.path.join(folder, "frame-%d.png")], check=True)
    with open(os.path.join(folder, f"frame-{frame}.png"), "rb") as file:
        _, _, rendered = silhouette(file.read())
    different = len(shown ^ rendered) / len(rendered)
    print(f"silhouettes differ in {100 * different:.2f} % of {len(rendered)} pixels")
    assert different < 0.02, f"silhouettes differ in {100 * different:.1f} % of the pixels"


def check_without_webgl(path):
    """Stills and a sentence."""
    with Browser() as b:
        b.call("Page.addScriptToEvaluateOnNewDocument", source="HTMLCanvasElement.prototype.getContext = () => null")
        b.open(path, "document.querySelector('#stills [role=status]') !== null")
        assert not b.evaluate("document.getElementById('stills').hidden")
        assert b.evaluate("document.getElementById('player').hidden")
        assert b.evaluate("[...document.querySelectorAll('#stills img')].every((i) => i.complete && i.naturalWidth > 0)")
        assert "cannot run here" in b.evaluate("document.getElementById('stills').textContent")


def main(path, results, program, folder):
    with Browser() as b:
        print(f"opens in {check_opens(b, path):.2f} s")
        check_hands(b)
        check_views(b)
        check_keyboard(b)
        check_accessible(b)
        check_layouts(b)
        assert b.messages == [], f"the console says {b.messages}"
        check_silhouette(b, path, results, program, folder)
        assert b.messages == [], f"the console says {b.messages}"
    check_without_webgl(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
