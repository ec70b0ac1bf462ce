# SPDX-License-Identifier: Apache-2.0
"""The workout of the benchmarks, its cues and its sounds."""

import array
import itertools
import json
import struct
import subprocess
import sys

from bench.card import ROOT

# No two sounds overlap, and the cues are spread over all parts of a half second.
LENGTHS = [1.0, 1.711, 2.877, 0.953, 3.787, 2.0, 4.663, 1.853, 2.729, 4.907, 1.673]


def chunks(wav):
    at = 12
    while at + 8 <= len(wav):
        name, length = struct.unpack_from("<4sI", wav, at)
        yield name, wav[at + 8:at + 8 + length]
        at += 8 + length + length % 2


class Sound:
    def __init__(self, meaning):
        with open(f"{ROOT}/Sounds/default/{meaning}.wav", "rb") as file:
            parts = dict(chunks(file.read()))
        # The module wave does not read the extensible format before Python 3.12.
        _, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", parts[b"fmt "])
        assert rate == 48000 and bits == 16
        samples = array.array("h", parts[b"data"])
        if sys.byteorder == "big":
            samples.byteswap()
        self.meaning = meaning
        self.samples = samples[::channels]
        # The onset of the sound within the file, in frames: a sample that the card's capture shows.
        least = 1 if meaning == "tick" else 0
        self.first = next(i for i, sample in enumerate(self.samples) if abs(sample) > least)


SOUNDS = {name: Sound(name) for name in ("count", "high-begins", "low-begins", "finish", "tick")}


def sound_of(cue):
    """The sound of a cue of the ledger or the timeline; None for words."""
    if cue["kind"] == "countdown":
        return SOUNDS["count"]
    if cue["kind"] == "tick":
        return SOUNDS["tick"]
    if cue["kind"] == "transition":
        return SOUNDS[{"High": "high-begins", "Low": "low-begins", "Finish": "finish"}[cue["text"]]]
    return None


def write_preset(path, seconds, lengths=LENGTHS, keys=lambda number: ""):
    """Writes a preset of at least `seconds` without words, except those after its end and those that `keys` gives the
    phase of that number."""
    text, total, kinds = "name: Onsets\nblocks:\n  - phases:\n", 0, itertools.cycle(["high", "low"])
    for number, length in enumerate(itertools.cycle(lengths)):
        text += f"      - {next(kinds)}: {length}s\n" + keys(number)
        total += length
        if total >= seconds:
            break
    with open(path, "w") as file:
        file.write(text)
    return path


# No tick begins within 30 ms of the beginning or the end of a beep or a boundary's sound.
TICKING, TICK_NS = [4.257, 4.761, 5.254], 499_000_000


def write_ticking(path, seconds):
    """The same with a metronome in each phase."""
    write_preset(path, seconds, TICKING)
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        for line in text.splitlines():
            file.write(line + "\n")
            if line.startswith("      - "):
                file.write(f"        metronome: {{every: {TICK_NS // 1_000_000}ms}}\n")
    return path


COMMANDS = ("pause", "resume", "back")


def stretches(ledger, first_after):
    """From when to when ticks lie on one grid, whose first is the beginning: from that of a phase, and after a pause from
    the first sound, `first_after(instant)`."""
    start = None
    for event in ledger:
        if event["event"] not in ("start", "phase", *COMMANDS):
            continue
        if start is not None:
            yield start, event["at"]
        start = {"pause": lambda at: None, "resume": first_after}.get(event["event"], lambda at: at)(event["at"])


def ticks(ledger, first_after=None):
    """The ticks that should be heard, as lines of a ledger, from its start and the phases' lengths: one each `TICK_NS`
    from the beginning of each phase, but where another sound is heard."""
    sounds = [
        (cue["due"], cue["due"] + len(sound_of(cue).samples) * 1e9 / 48000)
        for cue in ledger if cue["event"] == "cue" and sound_of(cue) and cue["outcome"] == "played"]
    length = len(SOUNDS["tick"].samples) * 1e9 / 48000
    for start, end in stretches(ledger, first_after):
        for due in range(start, end, TICK_NS):
            if not any(due < to and due + length > at for at, to in sounds):
                yield {"event": "cue", "kind": "tick", "text": "tick", "due": due, "outcome": "played"}


def timeline(program, preset):
    """Its cues: dictionaries with "at" (seconds), "kind" and "text"."""
    return json.loads(subprocess.check_output([program, "timeline", preset, "--json"]))["cues"]


def read_ledger(path):
    try:
        with open(path) as lines:
            # The last line may be incomplete.
            return [json.loads(line) for line in lines if line.endswith("\n")]
    except FileNotFoundError:
        return []
