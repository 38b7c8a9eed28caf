# SPDX-License-Identifier: GPL-3.0-or-later
"""A peer's interpreter that is kept, so that each run does not import the package and load its kernels again.

  interpreter.py SOCKET ADAPTER.py         serves until its standard input ends; prints a line of JSON when it is ready
  interpreter.py SOCKET --call ARGUMENT..  what `python` beside this runs in place of an interpreter with these arguments

The first imports the adapter and what it needs, and takes a step of small scenes where the adapter's class says that its
package compiles. For each call it forks a process with the caller's descriptors, environment, folder and limits, which
runs as a new interpreter would; the caller ends as that process does, and that process ends with the caller. The caller
imports nothing else, for it starts once a run."""
import json
import os
import signal
import socket
import sys

LIMITS = (0, 2, 7)  # RLIMIT_CPU, RLIMIT_DATA, RLIMIT_NOFILE, which the program sets before it starts an interpreter
LONGEST = 1 << 18  # of a message [bytes]


def call(path, arguments):
    import resource
    open_ones = [fd for fd in range(16) if os.path.exists(f'/proc/self/fd/{fd}')]
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
        server.connect(path)
        passed = [fd for fd in open_ones if fd != server.fileno()]
        told = {'arguments': arguments, 'folder': os.getcwd(), 'environment': dict(os.environ), 'descriptors': passed,
                'limits': {limit: resource.getrlimit(limit) for limit in LIMITS}}
        socket.send_fds(server, [json.dumps(told).encode()], passed)
        for fd in passed:  # who waits for their end waits for that of the other process
            os.close(fd)
        ended = json.loads(server.recv(LONGEST) or b'1')
    if os.WIFSIGNALED(ended):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if os.WTERMSIG(ended) not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(os.WTERMSIG(ended), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(ended))
    os._exit(os.WEXITSTATUS(ended))


def become(told, received):
    """Makes this process, a fork, what the caller would have been, and runs the script."""
    import importlib.util
    import resource
    os.setpgid(0, 0)
    high = [os.dup2(fd, 1000 + i, inheritable=False) for i, fd in enumerate(received)]
    os.closerange(0, 1000)
    for fd, place in zip(high, told['descriptors']):
        os.dup2(fd, place)
        os.close(fd)
    for limit, pair in told['limits'].items():
        resource.setrlimit(int(limit), pair)
    os.environ.clear()
    os.environ.update(told['environment'])
    os.chdir(told['folder'])
    script, sys.argv = told['arguments'][0], told['arguments']
    sys.path[0] = os.path.dirname(script)
    spec = importlib.util.spec_from_file_location('interpreter_script', script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main()


def warm(solver):
    """Takes a step of a rod, and of a cylinder on a plane, which compiles what it calls; of two rods, for some packages join them."""
    import viperbench
    import viperbench.chains
    values = {name: option.default for name, option in solver.settings.items()}
    for rods in (1, 2, 0):
        scene = viperbench.Scene(step=1e-3, steps=1, gravity=(0, 0, -1), damping=1.0)
        for i in range(rods):
            rod = scene.rod(start=(0, i, 0), to=(1, i, 0), nodes=4, radius=0.05, density=1000, material={'E': 1e4, 'nu': 0})
            scene.pin(nodes=rod.nodes[0])
            scene.pin(segments=rod.segments[0])
            scene.load(node=rod.nodes[-1], force=(0, 0, 1))
        if not rods:
            scene.rod(start=(0, -0.5, 1), to=(0, 0.5, 1), nodes=2, radius=1, density=1, material={'E': 1e4, 'nu': 0})
            scene.half_plane(friction=0.3)
        try:
            solver(scene.freeze(), values).step()
        except viperbench.Unavailable:
            continue


def prepare(adapter):
    """Imports an adapter, and warms it; the seconds of both."""
    import time
    begun = time.perf_counter()
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(1, os.path.join(here, '..', '..', 'src', 'python'))
    from viperbench import _bridge, _child  # noqa: F401
    module = _child.load_module(os.path.join(here, adapter))
    solver = _child.choose(module, '')
    getattr(module, 'load', lambda: None)()
    imported = time.perf_counter()
    if getattr(solver, 'compiles', False):
        warm(solver)
    return imported - begun, time.perf_counter() - imported


class Server:
    def __init__(self, path):
        import selectors
        self.wait, self.callers = selectors.DefaultSelector(), {}  # by the descriptor of a caller's connection: it, and its process
        self.listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listening.bind(path)
        self.listening.listen()
        self.wait.register(self.listening, selectors.EVENT_READ, self.accept)
        self.wait.register(0, selectors.EVENT_READ, None)  # ends with who started this
        self.read = selectors.EVENT_READ

    def accept(self):
        caller, _ = self.listening.accept()
        text, received, _, _ = socket.recv_fds(caller, LONGEST, 16)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                become(json.loads(text), received)
                status = 0
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else 1
            finally:
                os._exit(status)
        for fd in received:
            os.close(fd)
        ended = os.pidfd_open(child)
        self.callers[caller] = child
        self.wait.register(caller, self.read, lambda: os.killpg(child, signal.SIGKILL) if self.leave(caller) else None)
        self.wait.register(ended, self.read, lambda: self.reap(child, ended, caller))

    def leave(self, caller):
        """Forgets a caller, which has gone; whether it was known."""
        known = self.callers.pop(caller, None)
        if known:
            self.wait.unregister(caller)
            caller.close()
        return known is not None

    def reap(self, child, ended, caller):
        self.wait.unregister(ended)
        os.close(ended)
        _, status = os.waitpid(child, 0)
        if caller in self.callers:
            caller.send(json.dumps(status).encode())
            self.leave(caller)

    def serve(self):
        while True:
            for key, _ in self.wait.select():
                if key.data is None:
                    return
                if key.fileobj in self.wait.get_map():  # what came before it in this turn may have removed it
                    key.data()


def main():
    path, what = sys.argv[1:3]
    if what == '--call':
        call(path, sys.argv[3:])
    seconds = prepare(what)
    server = Server(path)
    print(json.dumps(seconds), flush=True)
    server.serve()
    for child in server.callers.values():
        os.killpg(child, signal.SIGKILL)


if __name__ == '__main__':
    main()
