# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives Chromium without a window through its debugging pipe, with Python's own modules alone."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = [
    "--headless=new", "--no-sandbox", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--remote-debugging-pipe",
]


def find_chromium():
    """The program, or None where it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One page. What the page prints to its console, and errors in it, are in `messages`."""

    def __init__(self, width=1280, height=900, flags=()):
        self.profile = tempfile.mkdtemp(prefix="vb_browser_")
        to_browser, self.to = os.pipe()
        self.back, from_browser = os.pipe()
        self.messages, self.requests, self.events, self.buffer, self.number = [], [], [], b"", 0

        def place_ends():
            # The browser reads from descriptor 3 and writes to 4, whatever these were before.
            a, b = os.dup(to_browser), os.dup(from_browser)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [find_chromium(), *FLAGS, *flags, f"--user-data-dir={self.profile}", f"--window-size={width},{height}", "about:blank"],
            preexec_fn=place_ends, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        targets = self.call("Target.getTargets", session=None)["targetInfos"]
        page = next(t for t in targets if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", session=None, targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.size(width, height)

    def close(self):
        os.close(self.to)
        self.process.kill()
        self.process.wait()
        os.close(self.back)
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def receive(self, timeout):
        """The next message, or None."""
        while b"\0" not in self.buffer:
            if not select.select([self.back], [], [], timeout)[0]:
                return None
            got = os.read(self.back, 1 << 20)
            if not got:
                raise RuntimeError("the browser has ended")
            self.buffer += got
        line, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(line)
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.messages.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded":
            self.messages.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method:
            self.events.append(method)
        return message

    def call(self, method, session="", timeout=60, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session == "":
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        limit = time.monotonic() + timeout
        while time.monotonic() < limit:
            answer = self.receive(limit - time.monotonic())
            if answer and answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
        raise RuntimeError(f"{method}: no answer within {timeout} s")

    def size(self, width, height, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def open(self, path, wait=None):
        """Opens a file, and waits until expression `wait` is true. Returns the seconds that took."""
        start = time.monotonic()
        self.events.clear()
        self.call("Page.navigate", url=path if "://" in path else "file://" + os.path.abspath(path))
        while "Page.loadEventFired" not in self.events:
            self.receive(60)
        if wait:
            self.wait(wait)
        return time.monotonic() - start

    def wait(self, expression, timeout=60):
        limit = time.monotonic() + timeout
        while not self.evaluate(expression):
            if time.monotonic() > limit:
                raise RuntimeError(f"never true: {expression}; console: {self.messages}")
            time.sleep(0.05)

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description", expression))
        return result["result"].get("value")

    def key(self, key, shift=False):
        code = {" ": 32, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36}.get(key, 0)
        shared = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **shared, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **shared)

    def drag(self, x, y, dx, dy):
        """With the left button."""
        for kind, px, py, buttons in (("mousePressed", x, y, 1), ("mouseMoved", x + dx, y + dy, 1), ("mouseReleased", x + dx, y + dy, 0)):
            self.call("Input.dispatchMouseEvent", type=kind, x=px, y=py, button="left", buttons=buttons, clickCount=1)

    def picture(self, path=None, clip=None, whole=False):
        """PNG bytes of what is shown, of an element (`clip`: a selector), or of the whole page."""
        where = {}
        if clip:
            box = self.evaluate(f"(() => {{ const r = document.querySelector({json.dumps(clip)}).getBoundingClientRect();"
                                "return [r.x + scrollX, r.y + scrollY, r.width, r.height]; })()")
            where["clip"] = dict(zip(("x", "y", "width", "height"), box), scale=1)
        bytes_ = base64.b64decode(self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole or bool(clip), **where)["data"])
        if path:
            with open(path, "wb") as file:
                file.write(bytes_)
        return bytes_
