# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks in Chromium that a page shows runs while they are executed.

Usage: check_live.py PROGRAM SCRIPT FOLDER
SCRIPT is a study of one run that takes some seconds. It is executed, killed, and executed again.
"""
import os
import shutil
import signal
import subprocess
import sys
import time

from browser import Browser

STATE = "document.getElementById('state').textContent"
CLOCK = "document.querySelector('#live output').textContent"
SLIDER = "document.querySelector('#live input[type=range]')"


def start(program, script, folder):
    page = f"{folder}/live.html"
    shutil.rmtree(f"{folder}/live.live", ignore_errors=True)
    process = subprocess.Popen([program, "run", script, "--fresh", "--quiet", "--out", f"{folder}/o", "--live", page], start_new_session=True)
    limit = time.monotonic() + 60
    while not os.path.exists(f"{folder}/live.live/0000.js"):
        assert time.monotonic() < limit and process.poll() is None, "no message"
        time.sleep(0.02)
    return process, page


def frame(b):
    return int(b.evaluate(CLOCK).split(" frame ")[1].split()[0])


def check_motion(b):
    """Frames come, and the newest is shown until a user chooses another."""
    b.wait(f"{STATE}.startsWith('Running')")
    b.wait(f"{CLOCK}.includes(' frame ')")
    first, picture = frame(b), b.picture(clip="canvas.view")
    b.wait(f"!{CLOCK}.includes(' frame {first} ')")
    limit = time.monotonic() + 60
    while b.picture(clip="canvas.view") == picture:
        assert time.monotonic() < limit, "the picture stays"
    b.evaluate(f"{SLIDER}.value = 0; {SLIDER}.dispatchEvent(new Event('input'))")
    b.wait(f"{CLOCK}.includes(' frame 0 ')")
    time.sleep(0.7)
    assert frame(b) == 0, "new frames take a user's time away"
    follow = "[...document.querySelectorAll('#live label')].find((x) => x.textContent.startsWith('Follow'))"
    assert not b.evaluate(f"{follow}.querySelector('input').checked")
    b.evaluate(f"{follow}.click()")
    b.wait(f"!{CLOCK}.includes(' frame 0 ')")


def begin(started, *wanted):
    process, page = start(*wanted)
    started.append(process)
    return process, page


def check(b, started, *wanted):
    process, page = begin(started, *wanted)
    b.open(page)
    check_motion(b)
    process.send_signal(signal.SIGINT)
    process.wait()
    b.wait(f"{STATE}.startsWith('The runs were interrupted')")
    process, page = begin(started, *wanted)
    b.open(page)
    b.wait(f"{STATE}.startsWith('Running')")
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    b.wait(f"{STATE}.startsWith('No sign for 1')")
    assert b.messages == [], f"the console says {b.messages}"
    begin(started, *wanted)
    b.wait(f"{STATE}.startsWith('This page is of an earlier command')")


def main(program, script, folder):
    started = []
    try:
        with Browser() as b:
            check(b, started, program, script, folder)
    finally:
        for process in started:
            process.kill()
            process.wait()


main(*sys.argv[1:])
