# SPDX-License-Identifier: Apache-2.0
"""Compares what was heard with what was due."""

import bisect
import collections
import statistics

import truth
from bench.workout import sound_of

# A sound heard this soon after the card began to play is a continuation, not a new onset.
GOES_ON_NS = 30_000_000
EARLY_NS = 2_000_000_000


class Match:
    """Matches each played cue with the nearest onset.

    dues      their due instants
    errors    (nanoseconds since the card's last start, error in nanoseconds) of each sound
    missing   cues that were played and not heard, or are not in the ledger
    doubled   sounds without a cue, and cues with two lines
    """

    def __init__(self, ledger, heard, starts, offset, planned=None, window=(-0.2, 0.2)):
        """`heard`: (ns, frame) of each onset; `starts`: when the card began to play; `offset`:
        CLOCK_BOOTTIME less CLOCK_MONOTONIC; `planned`: the timeline's cues; `window`: how far
        from its due instant a sound is looked for, seconds."""
        self.errors, self.dues, self.missing, self.doubled = [], [], [], []
        cues = [event for event in ledger if event["event"] == "cue"]
        instants = collections.defaultdict(list)
        for cue in cues:
            # A sound that an unplugged card cut off has begun all the same.
            if cue["outcome"] in ("played", "shortened") and cue.get("onset", True) and sound_of(cue):
                instants[cue["due"]].append(cue)
        unplayed = sum(cue["outcome"] not in ("played", "dropped") for cue in cues)
        self.notes = [f"cues not played, by the ledger: {unplayed}"] if unplayed else []
        words = [cue["due"] - offset for cue in cues if not sound_of(cue)]
        free = [ns for ns, _ in heard]
        for due, together in sorted(instants.items()):
            first = min(sound_of(cue).first for cue in together) * 1e9 / 48000
            wanted = due - offset + first
            low = bisect.bisect_left(free, wanted + window[0] * 1e9)
            high = bisect.bisect_right(free, wanted + window[1] * 1e9)
            if low == high:
                self.missing.append((due, together[0]["text"]))
                continue
            onset = min(free[low:high], key=lambda ns: abs(ns - wanted))
            free.remove(onset)
            start = max((s for s in starts if s <= onset), default=onset)
            self.errors.append((onset - start, onset - wanted))
            self.dues.append(due)
        for ns in free:
            is_word = any(-5e7 < ns - due < 3e9 for due in words)
            goes_on = any(0 <= ns - start < GOES_ON_NS for start in starts)
            if not is_word and not goes_on:
                self.doubled.append((ns + offset, "a sound that no cue has"))
        lines = collections.Counter((cue["kind"], cue["due"]) for cue in cues)
        self.doubled += [(due, f"{kind}, {n} lines") for (kind, due), n in lines.items() if n > 1]
        if planned is not None:
            begin = next((event["at"] for event in ledger if event["event"] == "start"), 0)
            said = {(cue["kind"], round((cue["due"] - begin) / 1e6)) for cue in cues}
            self.missing += [
                (begin + round(cue["at"] * 1e9), f"{cue['text']}, no line") for cue in planned
                if sound_of(cue) and (cue["kind"], round(cue["at"] * 1e3)) not in said]

    def worst(self, early):
        """The greatest error before (or from) 2 s after the card's start, in nanoseconds."""
        return max((abs(error) for since, error in self.errors if (since < EARLY_NS) == early),
                   default=None)

    @property
    def mean(self):
        return statistics.mean(error for _, error in self.errors) if self.errors else None

    @property
    def median(self):
        return statistics.median(abs(e) for _, e in self.errors) if self.errors else None


def heard_on(card):
    with open(card.capture, "rb") as capture, open(card.log) as log:
        return list(truth.onsets(capture, log, threshold=1))
