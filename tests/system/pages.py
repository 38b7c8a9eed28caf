#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the commands that pages show, in a new folder, and tells which do not end as they should.

  tests/system/pages.py PAGE...

Commands are the lines of code blocks, those that are indented by four blanks, that begin with bin/viperbench, cp, sed or
"make -C". The folder is as a fresh clone: links to what is tracked, results/ empty. Each page has a folder of its own.
Lines of a page that are for this script:

  <!-- before: COMMAND -->          run at the page's beginning, so that its commands find their files
  <!-- file: NAME -->               the fenced block that follows is written to this file
  <!-- not run: REASON -->          the code block that follows is not run
  <!-- not run "TEXT": REASON -->   lines of the page with this text are not run
  <!-- ends with CODE: REASON -->   the exit code of the block that follows, if not 0

Pages are tried side by side, JOBS at a time (the number of processors), and told in their order.
Ends with 0 if all commands ended as their pages say, 1 if not, 2 for bad use.
"""
import os, re, subprocess, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
COMMAND = re.compile(r'(bin/viperbench|cp|sed|make -C)\s')
LIMIT_S = 120


def read_page(text):
    """Commands to run (command, exit code), skipped ones (command, reason), and files (name, text)"""
    run, skipped, files, wanted = [], [], [], 0
    skips = re.findall(r'<!-- not run "(.*?)": (.*?) -->', text)
    run += [(command, 0) for command in re.findall(r'<!-- before: (.*?) -->', text)]
    reason, in_block, name, lines = None, False, None, text.split('\n')
    for i, line in enumerate(lines):
        mark = re.match(r'<!-- (not run|ends with (\d+)|file): (.*?) -->', line)
        if in_block and line.strip() and not line.startswith('    '):
            in_block, reason, wanted = False, None, 0
        if mark and mark[1] == 'not run':
            reason = mark[3]
        elif mark and mark[1] == 'file':
            body = '\n'.join(lines[i + 2:])
            files.append((mark[3], body[:body.index('\n```')] + '\n'))
        elif mark:
            wanted = int(mark[2])
        if line.startswith('    '):
            in_block = True
            command = re.sub(r'\s+#\s.*', '', line.strip())
            why = reason or next((why for part, why in skips if part in command), None)
            if COMMAND.match(command):
                (skipped if why else run).append((command, why or wanted))
    return run, skipped, files


def make_folder(folder):
    for entry in HOME.iterdir():
        if entry.name not in ('results', '.git') and not entry.name.startswith('build'):
            (folder / entry.name).symlink_to(entry)
    (folder / 'results').mkdir()


def try_page(page):
    """What happened, in lines, and the number of commands that did not end as the page says"""
    run, skipped, files = read_page(page.read_text())
    said, failed = [str(page)], 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_folder(folder)
        for file, text in files:
            (folder / file).write_text(text)
        environment = {'VIPERBENCH_PYTHON': '/usr/bin/python3', **os.environ, 'VIPERBENCH_HOME': name, 'TERM': 'dumb'}
        for command, wanted in run:
            begun = time.monotonic()
            try:
                done = subprocess.run(['bash', '-c', command], cwd=folder, env=environment, text=True, timeout=LIMIT_S,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
                code, output = done.returncode, done.stdout
            except subprocess.TimeoutExpired:
                code, output = None, f'took more than {LIMIT_S} s'
            said.append(f'  {time.monotonic() - begun:6.1f} s  {command}')
            if code != wanted:
                failed += 1
                said.append(f'{page}: "{command}" ended with {code}, not {wanted}:\n{output[-2000:]}')
    said += [f'  not run   {command}  ({why})' for command, why in skipped]
    return said, failed


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    failed = 0
    with ThreadPoolExecutor(int(os.environ.get('JOBS') or os.cpu_count())) as several:
        for said, bad in several.map(try_page, map(Path, sys.argv[1:])):
            print(*said, sep='\n', flush=True)
            failed += bad
    print('all commands ended as their pages say' if not failed else f'{failed} commands did not')
    return failed > 0


sys.exit(main())
