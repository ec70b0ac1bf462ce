# SPDX-License-Identifier: Apache-2.0
"""A separate emulated sound card for a run, and the program on it."""

import os
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def monotonic():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def boot_offset():
    """CLOCK_BOOTTIME minus CLOCK_MONOTONIC in nanoseconds: the closest pair of several readings."""
    readings = []
    for _ in range(20):
        before = monotonic()
        boot = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        after = monotonic()
        readings.append((after - before, boot - (before + after) // 2))
    return min(readings)[1]


def own_home(folder, **more):
    """An environment whose only stored state is in `folder`."""
    os.makedirs(folder, exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return {**kept, "HOME": folder, "XDG_STATE_HOME": f"{folder}/state",
            "XDG_CONFIG_HOME": f"{folder}/config", **more}


class Card:
    """The default ALSA device for programs that run in `environment`."""

    def __init__(self, library, folder, capture=True, plug=False, **arguments):
        """`arguments` are the PCM's, as card.conf.in names them: PPM=80. With `plug` libasound's converters are
        before it."""
        os.makedirs(folder, exist_ok=True)
        self.folder = folder
        with open(f"{ROOT}/Tests/EmulatedCard/card.conf.in") as template:
            text = template.read().replace("@LIB@", os.path.abspath(library))
        text = text.replace("@DIR@", folder)
        if not capture:
            text = "\n".join(l for l in text.split("\n") if not l.startswith("  capture "))
        given = ",".join(f"{name}={value}" for name, value in arguments.items())
        card = f"card{':' if given else ''}{given}"
        text += f"""\npcm.!default "{f"plug:'{card}'" if plug else card}"\n"""
        with open(f"{folder}/card.conf", "w") as file:
            file.write(text)
        self.tell("run")

    @property
    def capture(self):
        return f"{self.folder}/capture"

    @property
    def log(self):
        return f"{self.folder}/log"

    def environment(self, home):
        return own_home(home, ALSA_CONFIG_PATH=f"{self.folder}/card.conf")

    def tell(self, order):
        with open(f"{self.folder}/control.new", "w") as file:
            file.write(order)
        os.rename(f"{self.folder}/control.new", f"{self.folder}/control")

    def clear(self):
        """Discards what was heard, for another run."""
        for file in (self.capture, self.log):
            os.remove(file)

    def events(self, word):
        """When the log says that `word` happened, CLOCK_MONOTONIC nanoseconds."""
        try:
            with open(self.log) as lines:
                return [int(line.split()[1]) for line in lines if line.startswith(f"{word} ")]
        except FileNotFoundError:
            return []


def task_files(pid, name):
    """The contents of a file of each of a process's threads."""
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/{name}") as file:
                yield file.read()
        except (FileNotFoundError, ProcessLookupError):
            pass


def cpu_ns(pid):
    """The CPU time of the existing threads."""
    return sum(int(text.split()[0]) for text in task_files(pid, "schedstat"))
