# SPDX-License-Identifier: Apache-2.0
"""The time from a button to its effect on the sound: a pipe in place of a keypad, cuecoach-buttons, and the service."""

import collections
import os
import random
import struct
import time

from bench import keys
from bench.card import monotonic
from bench.served import Served
from bench.workout import write_preset

KEYS = {"pause": 80, "next": 81}  # KEY_KP2, KEY_KP3
NAMES = {"next": "next, to the new sound", "pause": "pause, to silence"}
MAP = """\
devices:
  - path: {pad}
    keys: {{kp2: pause, kp3: next}}
"""


class Pressed(Served):
    """A workout of phases that buttons end, each paused in the middle of its first sound."""

    def __init__(self, bench, folder, rounds):
        os.makedirs(folder, exist_ok=True)
        self.rounds, self.pressed, self.chance = rounds, [], random.Random(1)
        preset = write_preset(f"{folder}/onsets.yaml", 20 * rounds + 1, [20.0])
        with open(preset) as file:
            text = file.read()
        with open(preset, "w") as file:
            file.write("acknowledge: none\n" + text)
        super().__init__(bench, folder, attacks=None, preset=preset, before=self.plug, during=self.play)

    def plug(self, run):
        path = f"{self.folder}/pad"
        os.mkfifo(path)
        self.pad = os.open(path, os.O_RDWR)
        with open(f"{self.folder}/buttons.yaml", "w") as file:
            file.write(MAP.format(pad=path))
        buttons = self.start([
            f"{os.path.dirname(self.program)}/cuecoach-buttons", "--config", f"{self.folder}/buttons.yaml",
            "--socket", f"{self.folder}/runtime/cuecoach/remote"])
        self.until(lambda: path in opened(buttons.pid), "the program that reads buttons")

    def play(self, run):
        time.sleep(2)
        for _ in range(self.rounds):
            self.press("next", 0.7)
            # In the middle of the sound, which lasts half a second.
            self.press("pause", 0.2 + self.chance.random() * 0.15)
            self.press("pause", 0.5)
            self.pressed.pop()  # going on has no sound of its own
        self.press("next", 0.7)
        self.pressed.pop()  # the last phase: the workout is over

    def press(self, name, after):
        time.sleep(after)
        events = [(1, KEYS[name], 1), (0, 0, 0), (1, KEYS[name], 0), (0, 0, 0)]
        self.pressed.append((name, monotonic()))
        os.write(self.pad, b"".join(struct.pack("=qqHHi", 0, 0, *event) for event in events))


def opened(pid):
    """The files that a process has open."""
    folder = f"/proc/{pid}/fd"
    try:
        return [os.readlink(f"{folder}/{number}") for number in os.listdir(folder)]
    except OSError:
        return []


def measure(bench, folder):
    if not os.path.exists(f"{os.path.dirname(bench.program)}/cuecoach-buttons"):
        print("\nbuttons: skipped: cuecoach-buttons is not built")
        return
    run = Pressed(bench, folder, 5 if bench.quick else 25)
    heard, results = keys.Heard(run.card), collections.defaultdict(list)
    for name, pressed in run.pressed:
        if name == "pause":
            passed = keys.until_silence(heard, pressed)
            if passed is not None:
                results[name].append(passed)
        else:
            sound, start = heard.begins(heard.frame(pressed))
            if sound:
                results[name].append((heard.truth.instant(start + sound.first) - pressed) / 1e6)
    keys.show("from a button to the ear, through the service (aim 60 ms)", results, NAMES)
    for fault in run.faults:
        print(f"  {fault}")
