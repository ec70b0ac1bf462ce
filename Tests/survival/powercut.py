# SPDX-License-Identifier: Apache-2.0
"""Power cuts: a copy of a mounted image, made while a session runs, has every save that was acknowledged
before."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess

from survival.harness import PATIENCE, Home, elapse, end, until

# Four sessions that are saved about every second.
PRESET = "name: Cut\nblocks:\n  - sets: 60\n    phases:\n      - work: 1s\n      - rest: 1s\n"
LANES = "abcd"


def sh(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)


def powercut(part):
    if os.geteuid() != 0:
        return "it needs root"
    for tool in ("mkfs.ext4", "e2fsck", "mount", "umount"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    chance = random.Random(part.seed)
    cuts = min(part.options.cuts, 2) if part.options.short else part.options.cuts
    with Disk(os.path.join(part.folder, "probe.img")) as probe:
        if probe.reason:
            return probe.reason
    # Long runs, and cuts immediately after the first save on a new disk.
    for number in range(cuts):
        cut_fresh(part, number)
    with part.turn:
        cut_running(part, chance, cuts)
    return None


class Disk:
    """An ext4 image and its mount point; created if it does not exist."""

    def __init__(self, image):
        self.image, self.folder, self.reason = image, image + ".d", None

    def __enter__(self):
        os.makedirs(self.folder)
        if not os.path.exists(self.image):
            with open(self.image, "wb") as file:
                file.truncate(32 << 20)
            sh("mkfs.ext4", "-q", "-F", "-b", "4096", "-J", "size=4", self.image)
        answer = sh("mount", "-o", "loop", self.image, self.folder)
        if answer.returncode != 0:
            self.reason = f"no loop device: {answer.stderr.strip()}"
        return self

    def __exit__(self, *_):
        if self.reason is None:
            until(lambda: sh("umount", self.folder).returncode == 0)


def begin(part, disk, name, lanes):
    home = Home(part, name, PRESET)
    home.state = os.path.join(disk.folder, "cuecoach")
    home.database = os.path.join(home.state, "sessions.db")
    home.environment["XDG_STATE_HOME"] = disk.folder
    files = ["--no-sound", "--ledger", home.ledger]
    return home, home.start("run", *[f"{lane}={home.preset}" for lane in lanes], *files)


def committed(database):
    """What another process reads: it must be on the disk."""
    reader = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=PATIENCE)
    try:
        states = {id: json.loads(state)["record"]["at"] for id, state in reader.execute("SELECT id, state FROM session")}
        return states, {row[0] for row in reader.execute("SELECT id FROM history")}
    finally:
        reader.close()


def wait_committed(database, process):
    def found():
        try:
            states, rows = committed(database)
        except sqlite3.Error:
            return None
        return (states, rows) if states else None

    if saved := until(found, process):
        return saved
    raise RuntimeError("nothing is saved")


def cut(disk, path):
    # The image as it is; what the file system has not written to the disk is lost.
    shutil.copyfile(disk.image, path)


def cut_fresh(part, number):
    with Disk(os.path.join(part.folder, f"fresh-{number}.img")) as disk:
        home, process = begin(part, disk, f"fresh-{number}", "a")
        try:
            seen = wait_committed(home.database, process)
            cut(disk, disk.image + ".cut")
        finally:
            process.kill()
            process.communicate()
    check(part, disk.image + ".cut", [seen], f"cut behind the first save, {number}")


def cut_running(part, chance, cuts):
    seen = []
    with Disk(os.path.join(part.folder, "running.img")) as disk:
        home, process = begin(part, disk, "running", LANES)
        try:
            wait_committed(home.database, process)
            for number in range(cuts):
                elapse(chance.uniform(0.2, 3))
                seen.append(committed(home.database))
                cut(disk, f"{disk.image}.{number}")
        finally:
            process.send_signal(signal.SIGTERM)
            end(process)
    for number, some in enumerate(seen):
        check(part, f"{part.folder}/running.img.{number}", [some], f"cut {number} (seed {part.seed})")


def check(part, image, seen, where):
    answer = sh("e2fsck", "-fy", image)
    if answer.returncode not in (0, 1, 2):
        part.fault(f"{where}: e2fsck ends with {answer.returncode}: {answer.stdout[-200:]!r}")
        return
    part.count("cuts")
    with Disk(image) as disk:
        home = Home(part, f"after-{os.path.basename(image)}")
        home.environment["XDG_STATE_HOME"] = disk.folder
        told = home.ask("sessions", "--json")
        if told is None or told.returncode != 0 or told.stderr:
            part.fault(f"{where}: sessions: {told and (told.returncode, told.stderr[:300])}")
            return
        states, rows = committed(os.path.join(disk.folder, "cuecoach", "sessions.db"))
        for wanted, history in seen:
            for id, at in wanted.items():
                part.count("acknowledged saves")
                if id not in states and id not in rows:
                    part.fault(f"{where}: session {id} is lost")
                elif id in states and states[id] < at:
                    part.fault(f"{where}: session {id} is {(at - states[id]) / 1e9:.2f} s older than acknowledged")
            if history - rows:
                part.fault(f"{where}: {len(history - rows)} rows of the history are lost")
        if len(told.stdout.splitlines()) != len(states):
            part.fault(f"{where}: {len(states)} sessions are there, told are {told.stdout[:200]!r}")
    os.remove(image)
