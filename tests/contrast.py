#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contrast of the texts of reports: at least 4.5:1 (WCAG 2.1, 1.4.3) on both grounds, in light and dark."""
import re
import sys

STYLE = "src/report/page/report.css"
LEAST = 4.5  # WCAG 2.1, level AA, of texts of any size
TEXTS = ("text", "soft", "link", "good", "bad", "found")
GROUNDS = ("ground", "panel")


def luminance(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def find_failures(style):
    blocks = re.findall(r":root \{(.*?)\}", style, re.S)
    if len(blocks) != 2:
        return [f"{STYLE}: expected colors of two themes, found {len(blocks)}"]
    failures = []
    for theme, block in zip(("light", "dark"), blocks):
        colors = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block))
        for text in TEXTS:
            for ground in GROUNDS:
                found = contrast(colors[text], colors[ground])
                if found < LEAST:
                    failures.append(f"{STYLE}: {theme}: {text} on {ground} has a contrast of {found:.2f}, below {LEAST}")
    return failures


def main():
    with open(STYLE, encoding="utf-8") as file:
        style = file.read()
    if "--self-test" in sys.argv:
        planted = find_failures(re.sub(r"--soft: #\w+", "--soft: #8a939d", style, count=1))
        return 0 if len(planted) == 2 else "contrast.py does not find a pale gray"
    failures = find_failures(style)
    print("\n".join(failures), end="\n" if failures else "")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
