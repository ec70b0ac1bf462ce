# SPDX-License-Identifier: Apache-2.0
"""When the sounds of a workout lie in a capture.

A rendering of the same workout says how each cue sounds; the capture is searched for that, by
correlation, to a fraction of a frame.
"""

import itertools
import operator

RATE = 48_000
#: How much of a cue is compared.
CLIP = RATE * 30 // 1000
#: How far from where it is expected a cue is looked for.
NEAR, FAR = RATE // 500, RATE // 20
#: A cue in its place fits this well at least, half a frame beside it too. A tone that lies one of its periods
#: beside it fits by 0.99.
IN_PLACE = 0.995
#: A beep of the PC speaker: 5 ms of a square wave of 1 kHz.
BEEP = [1.0 if index % 48 < 24 else -1.0 for index in range(192)]


class Unheard(Exception):
    """A sound that is not in the capture."""


def find(clip, sound, low, high):
    """Where between two frames the clip fits best: the frame, with a fraction, and how well, 0 to 1."""
    energy = sum(map(operator.mul, clip, clip)) or 1
    squares = list(itertools.accumulate(
        (value * value for value in sound[low:high + len(clip)]), initial=0))
    fits = []
    for lag in range(min(high - low, len(squares) - 1 - len(clip)) + 1):
        part = sound[low + lag:low + lag + len(clip)]
        here = squares[lag + len(clip)] - squares[lag]
        fits.append(sum(map(operator.mul, clip, part)) / (energy * max(here, 1e6)) ** 0.5)
    if not fits:
        raise Unheard("the capture ends before")
    best = max(range(len(fits)), key=fits.__getitem__)
    fraction = 0.0
    if 0 < best < len(fits) - 1:
        before, here, after = fits[best - 1:best + 2]
        if bend := before - 2 * here + after:
            fraction = (before - after) / bend / 2
    return low + best + fraction, fits[best]


def mark(sound):
    """The frame at which the first beep of the PC speaker begins."""
    for frame in range(1, len(sound) - len(BEEP)):
        if abs(sound[frame] - sound[frame - 1]) > 2500:
            part = sound[frame:frame + len(BEEP)]
            mean = sum(part) / len(part)
            part = [value - mean for value in part]
            energy = sum(map(operator.mul, part, part)) * len(BEEP)
            if abs(sum(map(operator.mul, part, BEEP))) > 0.9 * energy ** 0.5:
                return frame
    raise Unheard("the beep of the PC speaker")


class Reference:
    """How each cue of a workout sounds, from its rendering."""

    def __init__(self, sound, ledger):
        begin = next(event["at"] for event in ledger if event["event"] == "start")
        self.clips, self.places = {}, {}
        for key, due in parts(ledger):
            frame = round((due - begin) * RATE / 1e9)
            self.clips[key] = list(sound[frame:frame + CLIP])
            if any(self.clips[key]):
                self.places[key] = due - begin

    def count(self, since=0, until=float("inf")):
        """How many parts of cues can be heard between two instants of the workout, ns."""
        return sum(since <= place < until for place in self.places.values())

    def offsets(self, sound, ledger, frame_of, begin, end):
        """For each part of a cue that was played: its name, when it was due, how much later it was heard.

        `frame_of` is the frame at which the capture has an instant, by the mark.
        """
        return self.search(
            sound, ((key, due) for key, due in parts(ledger) if begin <= due < end), frame_of)

    def search(self, sound, dues, frame_of):
        """The same for parts of cues with these names and instants."""
        last = None
        for key, due in dues:
            clip = self.clips.get(key)
            if clip is None or not any(clip):
                continue
            expected = frame_of(due)
            # Near where the last one was; else wherever QEMU's delays may have put it.
            heard, fit = None, 0
            if last is not None:
                low = max(0, round(expected + last) - NEAR)
                heard, fit = find(clip, sound, low, low + 2 * NEAR)
            if fit < IN_PLACE:
                low = max(0, round(expected) - FAR)
                heard, fit = max((heard, fit), find(clip, sound, low, low + 2 * FAR), key=operator.itemgetter(1))
            if fit > 0.8:
                last = heard - expected
                yield key, due, (heard - expected) * 1e9 / RATE
            else:
                yield key, due, None


def parts(ledger):
    """The parts of the cues that were heard: a name that is the same in each run, and when it was due."""
    return ((name, part["due"]) for name, part in named(ledger) if part.get("onset") is not None)


def named(ledger):
    """The parts of all cues, heard or not, each with a name that is the same in each run."""
    count = {}
    for event in ledger:
        if event["event"] != "cue":
            continue
        for part in event.get("parts") or [event]:
            name = (event["kind"], event.get("set"), part.get("text"))
            count[name] = count.get(name, 0) + 1
            yield (*name, count[name]), part


def lateness(ledger):
    """By how much each part of a cue was late, as the ledger has it, by when it was due."""
    return {part["due"]: part["onset"] - part["due"]
            for event in ledger if event["event"] == "cue"
            for part in event.get("parts") or [event] if part.get("onset") is not None}
