# SPDX-License-Identifier: Apache-2.0
"""Runs with a program whose voice is slow or at fault: its words come later or not at all, and no cue moves."""

import os

from bench.card import ROOT
from bench.runs import EXACT, Run, sleep_until
from bench.workout import write_preset

# Between the words and the next beep is a silence in which the beep's onset can be found.
LENGTHS = [9.0, 8.711, 9.877, 8.953]
KINDS = {
    "no program": None, "a good one": "good", "slow: 2 s a text": "late 2", "crashes": "crash", "hangs": "hang",
    "floods": "endless", "refuses": "error",
}
MOST_MEMORY = 4.0  # MB more than without a program


def write_spoken(path, seconds):
    """A workout of at least `seconds` whose phases each have a text of their own."""
    return write_preset(
        path, seconds, LENGTHS, keys=lambda number: f"        say: [{{at: 2s, text: Part {number}}}]\n")


def memory(run):
    """The most memory that the coach has had so far, in MB, near the end of the workout."""
    last = max(cue["at"] for cue in run.planned)
    sleep_until(run.begin() + (last - 1) * 1e9)
    with open(f"/proc/{run.process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:")) / 1024


def rows(bench, folder):
    usual = None
    for name, kind in KINDS.items():
        place = f"{folder}/{name.split(':')[0].replace(' ', '-')}"
        config = f"{place}/home/config/cuecoach"
        os.makedirs(config)
        if kind:
            with open(f"{config}/config.yaml", "w") as file:
                file.write(f"speech:\n  command: [{ROOT}/Tests/wyoming/child, {', '.join(kind.split())}]\n"
                           "  voice: tone\n")
        run = Run(bench, place, f"{place}/home", {"PPM": 80}, during=memory, write=write_spoken)
        row = run.row(f"another voice: {name}", EXACT)
        usual = usual or run.during
        said = [cue.get("voice", "") for cue in run.told("cue") if cue["kind"] == "text"]
        row.notes.append(
            f"peak {run.during:.1f} MB; the program said {sum(voice.startswith('wyoming:') for voice in said)} "
            f"of {len(said)} texts")
        if run.during > usual + MOST_MEMORY:
            row.faults.append(f"{run.during - usual:.1f} MB more than without a program")
        yield row
