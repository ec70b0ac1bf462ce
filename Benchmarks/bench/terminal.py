# SPDX-License-Identifier: Apache-2.0
"""The program on a pseudo-terminal, which it needs for keys."""

import fcntl
import os
import pty
import signal
import struct
import termios
import threading
import time

from bench.card import boot_offset, monotonic
from bench.workout import read_ledger


class Terminal:
    def __init__(self, program, preset, ledger, environment):
        self.ledger = ledger
        self.offset = boot_offset()
        self.pid, self.device = pty.fork()
        if self.pid == 0:
            os.execve(program, [program, "run", preset, "--ledger", ledger, "--acknowledge", "none"],
                      {**environment, "TERM": "xterm"})
        fcntl.ioctl(self.device, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        threading.Thread(target=self.drain, daemon=True).start()

    def drain(self):
        try:
            while os.read(self.device, 4096):
                pass
        except OSError:
            pass

    def begin(self):
        """Waits for the workout to begin. Returns its start in CLOCK_MONOTONIC nanoseconds."""
        until = time.monotonic() + 10
        while time.monotonic() < until:
            for event in read_ledger(self.ledger):
                if event["event"] == "start":
                    return event["at"] - self.offset
            time.sleep(0.01)
        os.kill(self.pid, signal.SIGKILL)
        raise RuntimeError("the workout does not begin")

    def press(self, key):
        """Returns the instant before, CLOCK_MONOTONIC nanoseconds."""
        now = monotonic()
        os.write(self.device, key.encode())
        return now

    def end(self):
        os.waitpid(self.pid, 0)
        os.close(self.device)
