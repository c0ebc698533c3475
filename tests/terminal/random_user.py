#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A user who presses keys at random, in a real terminal: random_user.py PROGRAM SEED SECONDS.

Keys, lines, sizes of the window, the mouse and escape sequences.  The program may be left only as it is left on purpose, with its
own statuses; whatever else ends it is a failure, told with the seed and with what was done last.  Each program that ends is followed
by another one.  What remains on the screen does not matter, but that the terminal is given back as it was.
"""
import fcntl, os, pty, random, select, signal, struct, sys, tempfile, termios, time

KEYS = [bytes([c]) for c in range(32, 127)] + [b'\t', b'\r', b'\x7f', b'\x0c', b'\x15', b'\x01', b'\x12', b'\x17', b'\x03', b'\x1b'] + [
    b'\x1b[A', b'\x1b[B', b'\x1b[C', b'\x1b[D', b'\x1b[5~', b'\x1b[6~', b'\x1b[H', b'\x1b[F', b'\x1b[Z', b'\x1bOP', b'\x1bOQ', b'\x1bOR',
    b'\x1bOS'] + [b'\x1b[%d~' % n for n in (15, 17, 18, 19, 20, 21, 23, 24)]

BEGINNINGS = [
    'mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [12, 2{y}12]\nplan',
    'mesh {x: 2, y: 2}\n[8, 8]+{x} ~> [4{x}8, 4{y}8]\nplan',
    "mesh {x: 2, y: 2}\neinsum 'ij,jk->ik' [8{x}16, 16] [16, 8{y}16] -> [8{x}16, 8{y}16]\nways",
    'mesh {x: 3, y: 3}\nschedule cannon m=9 n=9 k=9',
    'system {node: 2, gpu: 4}\nreduce {gpu: 4}\nreductions',
    'mesh {x: 64, y: 16}\n[16384{x}1048576, 1024] ~> [1048576, 64{y}1024]\nplan',
    '',
]

LINES = ['plan', 'plan naive', 'film', 'ways', 'step 3', 'back', 'undo', 'redo', 'tiles', 'devices', 'mesh {x: 3}', 'compare', 'pareto',
    'schedule summa m=8 n=8 k=8', 'tasks 3', 'reductions', 'tour', 'help film', 'explain T04', 'layout', 'budget 4x', 'goto 1', 'bind',
    'clear', 'set color never', 'set ascii on', 'set color always', 'focus film', 'leave', 'enter 1', 'program', 'simulate', 'normalize',
    'adjoint', '[8{x}16, 16] ~> [16, 8{x}16]', 'mesh {x: 2, y: 2}', 'history', 'verify', '$1', 'replace 1 allgather(0)', 'advise', 'graph',
    'state', 'traffic', 'heights', 'groups', 'system', 'rounds', 'times', 'place', 'placements', 'terms', 'indices', 'expand', 'compare --by cost',
    'import nowhere', 'export film here.svg', 'mesh {x:', '~>', '[4] ~> [2{x}4]', 'set mouse on', 'set mouse off', 'set model ports']

SEQUENCES = ['\x1b[<0;%d;%dM', '\x1b[<0;%d;%dm', '\x1b[<64;%d;%dM', '\x1b[<65;%d;%dM', '\x1b[%d;%dR', '\x1b[200~x%d y%d\x1b[201~',
    '\x1b]%d;%d\x07', '\x1b[?%d;%dc', '\x1b[I\x1b[O', '\x1b[%d;%du', '\x1bP%d;%dq\x1b\\', '\x1b[M !!', '\xff\xfe', '\x1b[999']

LEFT_ON_PURPOSE = {0, 1, 2, 130}  # by quit, after an error of the last line, and by Ctrl-C


class Terminal:
    def __init__(self, program, beginning, folder):
        self.master, self.slave = pty.openpty()
        self.resize(100, 30)
        self.before = termios.tcgetattr(self.slave)
        script = os.path.join(folder, 'beginning.sw')
        with open(script, 'w') as file:
            file.write(beginning + '\n')
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for stream in (0, 1):
                os.dup2(self.slave, stream)
            os.dup2(os.open(os.path.join(folder, 'errors'), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 2)
            os.chdir(folder)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            environment = dict(os.environ, TERM='xterm-256color', PAGER='', HOME=folder)
            # What a sanitizer ends has a status of its own, none of those on purpose.
            environment['ASAN_OPTIONS'] = 'detect_leaks=0:exitcode=99'
            environment['UBSAN_OPTIONS'] = 'print_stacktrace=1:exitcode=99'
            os.execve(program, [program, '--safe', '--tui', script], environment)

    def resize(self, width, height):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack('HHHH', height, width, 0, 0))
        if getattr(self, 'pid', 0):
            try:
                os.killpg(self.pid, signal.SIGWINCH)
            except ProcessLookupError:
                pass

    def drain(self, seconds):
        until = time.monotonic() + seconds
        while True:
            ready, _, _ = select.select([self.master], [], [], max(0, until - time.monotonic()))
            if not ready:
                return
            try:
                os.read(self.master, 65536)
            except OSError:
                return

    def write(self, data):
        """What does not fit now is left out: a program that works reads it later, or never."""
        _, ready, _ = select.select([], [self.master], [], 1)
        if ready:
            try:
                os.write(self.master, data)
            except OSError:
                pass

    def status(self):
        """None while it goes on; below 0: a signal."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        return None if pid == 0 else os.waitstatus_to_exitcode(status)

    def ends(self, patience):
        until = time.monotonic() + patience
        while time.monotonic() < until:
            for data in (b'\x1b', b'\x03', b'\x1b', b':', b'\x15', b'quit', b'\r', b'y'):
                self.write(data)
                self.drain(0.1)
                status = self.status()
                if status is not None:
                    return status
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return None

    def is_as_before(self):
        after = termios.tcgetattr(self.slave)
        return after[:4] == self.before[:4]

    def close(self):
        os.close(self.master)
        os.close(self.slave)


def act(draw, terminal):
    kind = draw.random()
    if kind < 0.70:
        key = draw.choice(KEYS)
        terminal.write(key)
        return repr(key)
    if kind < 0.84:
        line = draw.choice(LINES)
        terminal.write(b'\x1b')
        terminal.drain(0.06)
        terminal.write(b':' + line.encode() + b'\r')
        return 'line ' + line
    if kind < 0.91:
        width, height = draw.randint(1, 220), draw.randint(1, 60)
        terminal.resize(width, height)
        return 'size %dx%d' % (width, height)
    sequence = draw.choice(SEQUENCES)
    if '%d' in sequence:
        sequence = sequence % (draw.randint(0, 220), draw.randint(0, 60))
    terminal.write(sequence.encode('latin-1'))
    return 'sequence ' + repr(sequence)


def fail(why, seed, done, folder):
    print('not ok a random user: %s (SEED=%s); done last: %s' % (why, seed, '; '.join(done[-30:])))
    with open(os.path.join(folder, 'errors'), errors='replace') as file:
        print(file.read()[-3000:])
    sys.exit(1)


def main():
    program, seed, seconds = os.path.abspath(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    draw = random.Random(seed)
    end = time.monotonic() + seconds
    actions = sessions = 0
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end or sessions == 0:
            beginning = BEGINNINGS[sessions % len(BEGINNINGS)]
            sessions += 1
            terminal = Terminal(program, beginning, folder)
            terminal.drain(1)
            done, status = [], None
            for _ in range(draw.randint(50, 400)):
                done.append(act(draw, terminal))
                actions += 1
                terminal.drain(draw.choice([0, 0.01, 0.03]))
                status = terminal.status()
                if status is not None or time.monotonic() > end:
                    break
            if status is None:
                status = terminal.ends(60)
            if status is None:
                fail('it does not end', seed, done, folder)
            if status not in LEFT_ON_PURPOSE:
                fail('it ended with %d' % status, seed, done, folder)
            if not terminal.is_as_before():
                fail('the terminal is not as it was', seed, done, folder)
            terminal.close()
    print('ok a random user: %d actions in %d sessions (SEED=%d)' % (actions, sessions, seed))


main()
