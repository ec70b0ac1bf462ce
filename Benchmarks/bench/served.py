# SPDX-License-Identifier: Apache-2.0
"""A workout that the service plays, with its page idle and under attack."""

import os
import socket
import subprocess
import sys
import time

from bench import attack
from bench.card import Card, boot_offset, monotonic
from bench.runs import EXACT, Run
from bench.table import Row
from bench.workout import read_ledger, timeline, write_preset

PATIENCE = 60  # seconds until something that hangs is given up


class Served(Run):
    """The same as a `Run`, by `cuecoach serve` and `ctl start`."""

    #: Seconds from the end of the workout until all has been heard that is measured.
    last_sounds = 1

    def __init__(self, bench, folder, attacks=(), preset=None, before=None, during=None):
        """`attacks` are those on the page; `before(run)` is called before the workout is started, `during(run)` afterwards."""
        os.makedirs(folder, exist_ok=True)
        self.program, self.folder, self.faults = bench.program, folder, []
        self.card = Card(bench.library, f"{folder}/card", PPM=80)
        self.ledger_path = f"{folder}/ledger"
        os.makedirs(f"{folder}/runtime", mode=0o700, exist_ok=True)
        self.environment = {**self.card.environment(f"{folder}/home"), "XDG_RUNTIME_DIR": f"{folder}/runtime"}
        preset = preset or write_preset(f"{folder}/onsets.yaml", bench.seconds)
        self.planned = timeline(bench.program, preset)
        self.offset = boot_offset()
        self.lane = os.path.splitext(os.path.basename(preset))[0]
        self.processes = []
        try:
            coach = self.start([bench.program, "serve", "--ledger", self.ledger_path])
            self.until(lambda: self.ctl("status") == 0, "the service")
            if attacks is not None:
                self.attack(f"{os.path.dirname(bench.program)}/cuecoach-web", attacks)
            if before:
                before(self)
            if self.ctl("start", preset, "--as", self.lane) != 0:
                raise RuntimeError("the workout did not begin")
            if during:
                during(self)
            self.until(lambda: self.told_so_far("finish"), "the end of the workout", bench.seconds + PATIENCE)
            time.sleep(self.last_sounds)
            coach.terminate()
            if status := coach.wait(PATIENCE):
                self.faults.append(f"the service ended with status {status}")
        finally:
            for process in reversed(self.processes):
                process.kill()
                process.wait()
        self.ledger = read_ledger(self.ledger_path)

    def start(self, words, **more):
        self.processes.append(subprocess.Popen(
            words, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, **more))
        return self.processes[-1]

    def ctl(self, *words):
        return subprocess.run(
            [self.program, "ctl", *words], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

    def until(self, condition, what, seconds=PATIENCE):
        end = monotonic() + seconds * 1e9
        while not condition():
            if monotonic() > end:
                raise RuntimeError(f"{what} did not come")
            time.sleep(0.05)

    def told_so_far(self, event):
        return any(line["event"] == event and line["lane"] == self.lane for line in read_ledger(self.ledger_path))

    def attack(self, web, attacks):
        """Starts the page as its unit does, with the least priority, and the attacks on it."""
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
        self.start(["nice", "-n", "19", web, "--listen", f"127.0.0.1:{port}", "--socket",
                    f"{self.folder}/runtime/cuecoach/remote"])

        def listens():
            with socket.socket() as client:
                return client.connect_ex(("127.0.0.1", port)) == 0
        self.until(listens, "the page")
        for kind in attacks:
            self.start([sys.executable, attack.__file__, kind, str(port)])
        time.sleep(1)


def rows(bench, folder):
    name = "the service, +80 ppm, its page"
    if not os.path.exists(f"{os.path.dirname(bench.program)}/cuecoach-web"):
        return [Row(name, 0, None, None, None, None, notes=["skipped: cuecoach-web is not built"])]
    return [Served(bench, f"{folder}/idle").row(f"{name} idle", EXACT),
            Served(bench, f"{folder}/attacked", attack.KINDS).row(f"{name} attacked", EXACT)]
