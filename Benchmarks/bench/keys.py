# SPDX-License-Identifier: Apache-2.0
"""The time from a key to its effect on the sound, on a pseudo-terminal."""

import array
import collections
import os
import random
import statistics
import sys
import time

import truth
from bench.card import Card
from bench.runs import sleep_until
from bench.terminal import Terminal
from bench.workout import SOUNDS, write_preset

AIM_MS = 60
RATE = 48000
NAMES = {"n": "n, to the new sound", "b": "b, to the new sound", " ": "space, to silence",
         "q": "q, to silence"}


class Heard:
    """The left channel of a capture, and when its frames were heard."""

    def __init__(self, card):
        with open(card.capture, "rb") as file:
            data = file.read()
        samples = array.array("h", data[:len(data) // 4 * 4])
        if sys.byteorder == "big":
            samples.byteswap()
        self.samples = samples[::2]
        with open(card.log) as log:
            self.truth = truth.Truth(log)

    def frame(self, ns):
        """The frame that is heard at an instant."""
        run = max((i for i, (begin, _) in enumerate(self.truth.anchors) if begin <= ns), default=0)
        begin, rate = self.truth.anchors[run]
        return self.truth.frames[run] + round((ns - begin) * rate / 1e9)

    def sounding(self, frames, length=240):
        """The sound and its first frame, if everything from `frames` on belongs to one sound."""
        for sound in SOUNDS.values():
            for at in range(len(sound.samples) - length):
                if sound.samples[at:at + 4] == self.samples[frames:frames + 4] and (
                        sound.samples[at:at + length] == self.samples[frames:frames + length]):
                    return sound, frames - at
        return None, None

    def begins(self, frame, within=RATE // 2, skip=960, length=240):
        """The next sound that begins at or after `frame`. It is identified 20 ms after its start, when the
        sound that it replaced is silent."""
        for start in range(frame, frame + within):
            for sound in SOUNDS.values():
                here = self.samples[start + skip:start + skip + length]
                if here and here == sound.samples[skip:skip + length]:
                    return sound, start
        return None, None


def largest_step(samples):
    return max((abs(b - a) for a, b in zip(samples, samples[1:])), default=0)


def judge(heard, key, pressed, results, fades):
    """Adds the result of a key press in mid-sound."""
    samples, at = heard.samples, heard.frame(pressed)
    old, old_start = heard.sounding(at - 480)
    new, new_start = (None, None) if key in " q" else heard.begins(at)
    if new:
        onset = heard.truth.instant(new_start + new.first)
        results[key].append((onset - pressed) / 1e6)
    if not old:
        return
    # The rest without the new sound.
    rest = array.array("h", samples[at - 480:at + RATE // 2])
    for i in range(len(rest)):
        if new and 0 <= at - 480 + i - new_start < len(new.samples):
            rest[i] = max(-32768, min(32767, rest[i] - new.samples[at - 480 + i - new_start]))
    index = at - 480 - old_start
    changed = next((i for i, sample in enumerate(rest)
                    if not 0 <= index + i < len(old.samples) or sample != old.samples[index + i]),
                   len(rest))
    if index + changed >= len(old.samples):
        return  # it had ended without the key
    silent = next((i for i in range(changed, len(rest)) if not any(rest[i:i + 480])), None)
    if silent is None:
        return
    if key in " q":
        results[key].append((heard.truth.instant(at - 480 + silent) - pressed) / 1e6)
    if key == "q":
        return  # the question's words may have begun: they have steps of their own
    before = largest_step(rest[max(0, changed - 480):changed])
    fades.append((largest_step(rest[changed - 1:silent + 1]), before, silent - changed))


class Session:
    """Keys pressed on a terminal, each some time after the previous one."""

    def __init__(self, bench, folder, **card):
        self.card = Card(bench.library, f"{folder}/card", PPM=80, **card)
        preset = write_preset(f"{folder}/keys.yaml", 1200, [20.0])
        self.pressed = []
        self.terminal = Terminal(
            bench.program, preset, f"{folder}/ledger", self.card.environment(f"{folder}/home"))

    def press(self, key, after):
        time.sleep(after)
        self.pressed.append((key, self.terminal.press(key)))


def play(bench, folder, rounds, chance, **card):
    session = Session(bench, folder, **card)
    sleep_until(session.terminal.begin())

    def soon():
        # In the middle of the previous sound, which lasts half a second.
        return 0.2 + chance.random() * 0.15

    for _ in range(rounds):
        session.press("n", soon())
        session.press("b", soon())
        session.press("n", soon())
        session.press(" ", soon())
        session.press(" ", 0.5)
        session.pressed.pop()  # going on has no sound of its own
        session.press("n", 0.7)
        session.pressed.pop()
    session.press("q", soon())
    session.pressed.pop()  # asks
    session.press("q", soon())
    session.terminal.end()
    return session


def sessions(bench, folder, **card):
    chance = random.Random(1)
    for number in range(2 if bench.quick else 5):
        os.makedirs(f"{folder}/{number}")
        yield play(bench, f"{folder}/{number}", 2 if bench.quick else 5, chance, **card)


def until_silence(heard, pressed):
    """Milliseconds from a key in mid-sound to the first 10 ms without sound; None where there was no sound. The
    sound may be converted."""
    at, length = heard.frame(pressed), RATE // 100
    if not any(heard.samples[at - length:at]):
        return None
    silent = next((frame for frame in range(at, at + RATE // 2)
                   if not any(heard.samples[frame:frame + length])), None)
    return None if silent is None else (heard.truth.instant(silent) - pressed) / 1e6


def measure(bench, folder):
    results, fades = collections.defaultdict(list), []
    for session in sessions(bench, folder):
        heard = Heard(session.card)
        for key, pressed in session.pressed:
            judge(heard, key, pressed, results, fades)
    show("from the key to the ear, in mid-sound (aim 60 ms)", results)
    if fades:
        step, before, _ = max(fades, key=lambda fade: fade[0] / max(1, fade[1]))
        print(f"  {len(fades)} fades of {min(f[2] for f in fades) / 48:.1f} to "
              f"{max(f[2] for f in fades) / 48:.1f} ms; greatest step from sample to sample in one: "
              f"{step}, in the 10 ms before it {before}: "
              f"{'free of clicks' if step <= 1.25 * before else 'CLICKS'}")
    results = collections.defaultdict(list)
    for session in sessions(bench, f"{folder}/converted", RATE=44100, plug=True):
        heard = Heard(session.card)
        for key, pressed in session.pressed:
            passed = until_silence(heard, pressed) if key in " q" else None
            if passed is not None:
                results[key].append(passed)
        results["xruns"] += session.card.events("xrun")
    show("the same on a card of 44.1 kHz, through plug", results)
    print(f"  xruns: {len(results['xruns'])}")


def show(title, results, names=NAMES):
    print(f"\n{title}")
    for key, name in names.items():
        values = results[key]
        if not values:
            continue
        print(f"  {name:22} {len(values):3} times, median {statistics.median(values):4.0f} ms, "
              f"worst {max(values):4.0f} ms, met: {'yes' if max(values) <= AIM_MS else 'NO'}")
