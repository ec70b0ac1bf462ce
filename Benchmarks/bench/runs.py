# SPDX-License-Identifier: Apache-2.0
"""The runs on the emulated card: each function returns rows of the table."""

import bisect
import os
import subprocess
import time

from bench.card import Card, boot_offset, cpu_ns, monotonic
from bench.match import Match, heard_on
from bench.table import Row
from bench.terminal import Terminal
from bench.workout import (
    COMMANDS, SOUNDS, read_ledger, sound_of, ticks, timeline, write_preset, write_ticking)

EXACT, STEP_1, STEP_10 = (100e3, 21e3), (None, 70e3), (None, 300e3)


class Run:
    """A run of the program on a card, from its first sound to its last."""

    def __init__(self, bench, folder, home=None, arguments=None, card=None, during=None,
                 write=write_preset):
        """`during(run)` is called while it plays; its result is stored in `.during`."""
        os.makedirs(folder, exist_ok=True)
        self.card = card or Card(bench.library, f"{folder}/card", **(arguments or {}))
        self.ledger_path = f"{folder}/ledger"
        preset = write(f"{folder}/onsets.yaml", bench.seconds)
        self.planned = timeline(bench.program, preset)
        offset = boot_offset()
        self.process = subprocess.Popen(
            [bench.program, "run", preset, "--ledger", self.ledger_path],
            env=self.card.environment(home or f"{folder}/home"), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.offset = offset
        try:
            self.during = during(self) if during else None
            status = self.process.wait()
        finally:
            self.process.kill()
        self.faults = [f"the program ended with status {status}"] if status else []
        if abs(boot_offset() - offset) > 1_000_000:
            self.faults.append("the machine slept meanwhile")
        self.ledger = read_ledger(self.ledger_path)

    def begin(self):
        """Waits for the workout to begin. Returns its start in CLOCK_MONOTONIC nanoseconds."""
        while self.process.poll() is None:
            for event in read_ledger(self.ledger_path):
                if event["event"] == "start":
                    return event["at"] - self.offset
            time.sleep(0.01)
        raise RuntimeError("the program ended before its workout began")

    def told(self, event):
        return [line for line in self.ledger if line["event"] == event]

    def match(self):
        self.heard = heard_on(self.card)
        return Match(self.ledger, self.heard, sorted(self.starts()), self.offset, self.planned)

    def starts(self):
        return self.card.events("start") + self.card.events("resume")

    def row(self, name, aims):
        return Row.of(name, self.match(), *aims, faults=self.faults)


def sleep_until(ns):
    time.sleep(max(0, (ns - monotonic()) / 1e9))


def plain(name, aims, **arguments):
    def row(bench, folder):
        return [Run(bench, folder, arguments=arguments).row(name, aims)]
    return row


def remembered(name, aims, **arguments):
    """A first run, and a second one with the stored drift of the card."""
    def rows(bench, folder):
        first = Run(bench, f"{folder}/first", f"{folder}/home", arguments)
        row = first.row(name, aims)
        first.card.clear()
        kept = sum(len(files) for _, _, files in os.walk(f"{folder}/home/state"))
        second = Run(bench, f"{folder}/second", f"{folder}/home", card=first.card)
        again = second.row(f"{name}, remembered", aims)
        again.notes.append(f"files of state from the first run: {kept}")
        return [row, again]
    return rows


def xrun(bench, folder):
    def between_two_sounds(run):
        begin = run.begin()
        # Its sounds are over after 0.62 s, and nothing else is due so soon.
        at = begin + next(
            cue["at"] for cue in run.planned
            if cue["kind"] == "transition" and cue["at"] > bench.seconds / 2) * 1e9 + 640e6
        sleep_until(at)
        run.card.tell("run xrun 1")
    run = Run(bench, folder, arguments={"PPM": 80}, during=between_two_sounds)
    row = run.row("an xrun in mid-run, +80 ppm", EXACT)
    xruns = len(run.told("xrun"))
    cards = len(run.card.events("xrun"))
    after = sum(cue["at"] > bench.seconds / 2 for cue in run.planned if sound_of(cue))
    row.notes.append(f"xruns: {cards} of the card, {xruns} in the ledger; {after} cues after it")
    if xruns != cards or not cards:
        row.faults.append("the ledger does not tell of the xrun")
    return [row]


def metronome(bench, folder):
    """Ticks are no cues: their instants are computed here."""
    run = Run(bench, folder, arguments={"PPM": 80}, write=write_ticking)
    expected = list(ticks(run.ledger))
    run.ledger += expected
    row = run.row("a metronome, +80 ppm", EXACT)
    row.notes.append(f"{len(expected)} ticks")
    return [row]


def commanded(name, aims, **arguments):
    """A metronome with pauses and a way back. What is heard within 0.1 s of a key is what "keys" measures."""
    def row(bench, folder):
        card = Card(bench.library, f"{folder}/card", PPM=80, **arguments)
        preset = write_ticking(f"{folder}/onsets.yaml", bench.seconds)
        terminal = Terminal(
            bench.program, preset, f"{folder}/ledger", card.environment(f"{folder}/home"))
        begin = terminal.begin()
        for part, key, later in [
                (0.3, " ", 0), (0.3, " ", 1.3), (0.5, "b", 0), (0.7, " ", 0), (0.7, " ", 0.7), (0.8, "b", 0)]:
            sleep_until(begin + (bench.seconds * part + later) * 1e9)
            terminal.press(key)
        terminal.end()
        ledger, heard = read_ledger(f"{folder}/ledger"), heard_on(card)
        offset = terminal.offset
        commands = [event["at"] for event in ledger if event["event"] in COMMANDS]

        def first_after(instant):
            onset = next(ns + offset for ns, _ in heard if ns + offset > instant)
            return onset - round(SOUNDS["tick"].first * 1e9 / 48000)

        def is_free(instant):
            return not any(abs(instant - command) < 100e6 for command in commands)

        expected = [tick for tick in ticks(ledger, first_after) if is_free(tick["due"])]
        cues = [line for line in ledger if line["event"] == "cue" and is_free(line["due"])]
        match = Match(
            cues + expected, [one for one in heard if is_free(one[0] + offset)],
            sorted(card.events("start") + card.events("resume")), offset)
        row = Row.of(name, match, *aims)
        row.notes.append(f"{len(expected)} ticks, {len(commands)} commands")
        if len(commands) != 6:
            row.faults.append("a key was not obeyed")
        return [row]
    return row


def unplug(bench, folder):
    gone_for = 5.0 if bench.seconds > 30 else 2.5

    def in_mid_cue(run):
        begin = run.begin()
        cue = next(cue["at"] for cue in run.planned
                   if cue["kind"] == "transition" and cue["at"] > bench.seconds / 3)
        sleep_until(begin + cue * 1e9 + 150e6)
        run.card.tell("unplug")
        out = monotonic()
        cpu = cpu_ns(run.process.pid)
        sleep_until(out + gone_for * 1e9)
        cpu = cpu_ns(run.process.pid) - cpu
        run.card.tell("run")
        return out, monotonic(), cpu

    run = Run(bench, folder, arguments={"PPM": 80}, during=in_mid_cue)
    row = run.row(f"unplugged in mid-cue for {gone_for:g} s, +80 ppm", EXACT)
    out, back, cpu = run.during
    started = min((ns for ns in run.card.events("start") if ns > back), default=None)
    if started is None:
        row.faults.append("the sound did not come back")
        return [row]
    lost = [line for line in run.told("cue")
            if sound_of(line) and out < line["due"] - run.offset < started]
    outcomes = {outcome: sum(line["outcome"] == outcome for line in lost)
                for outcome in ("missed", "played")}
    onsets = [ns for ns, _ in run.heard]
    sound = onsets[bisect.bisect(onsets, back)] if onsets[-1] > back else None
    row.notes += [
        f"from replug to the card's start {(started - back) / 1e6:.0f} ms"
        + (f", to the next sound {(sound - back) / 1e6:.0f} ms" if sound else ""),
        f"CPU without a card: {cpu / gone_for / 1e7:.2f} % of a core",
        f"cues due without a card: {len(lost)}, reported missed {outcomes['missed']}, "
        f"played {outcomes['played']}; device-lost {len(run.told('device-lost'))}, "
        f"device-back {len(run.told('device-back'))}",
    ]
    if outcomes["missed"] != len(lost):
        row.faults.append("a cue that had no card is not told as missed")
    if not run.told("device-lost") or not run.told("device-back"):
        row.faults.append("the ledger does not tell of the unplugged card")
    return [row]


def poll(bench, folder):
    """For comparison: a check every 0.5 s that plays at once whatever has become due."""
    card = Card(bench.library, f"{folder}/card", PPM=80)
    preset = write_preset(f"{folder}/onsets.yaml", bench.seconds)
    planned = sorted({cue["at"] for cue in timeline(bench.program, preset) if sound_of(cue)})
    offset = boot_offset()
    done = subprocess.run(
        [os.path.join(os.path.dirname(bench.program), "cuecoach-bench"), "poll"],
        input="".join(f"{at:.6f}\n" for at in planned), text=True, capture_output=True, check=True,
        env=card.environment(f"{folder}/home"))
    begin = int(done.stdout)
    ledger = [{"event": "cue", "kind": "countdown", "text": "1", "outcome": "played",
               "due": begin + round(at * 1e9)} for at in planned]
    match = Match(ledger, heard_on(card), card.events("start"), offset, window=(-0.05, 0.62))
    return [Row.of("a plain 0.5 s poll, for comparison", match)]


ROWS = {
    "exact": plain("exact pointer, 0 ppm", EXACT),
    "exact+80": plain("exact pointer, +80 ppm", EXACT, PPM=80),
    "exact-120": plain("exact pointer, -120 ppm", EXACT, PPM=-120),
    "steps-1ms": plain("1 ms steps, +50 ppm", STEP_1, PPM=50, STEP=1000),
    "steps-10ms": remembered("10 ms steps, -120 ppm", STEP_10, PPM=-120, STEP=10000),
    "interpolated": plain("10 ms steps, delay interpolated, +80", EXACT, PPM=80, STEP=10000,
                          INTERPOLATED="yes"),
    "lies": plain("lies for 0.5 s, exact, +80 ppm", (None, 21e3), PPM=80, LIE_MS=500,
                  LIE_US=20000),
    "lies-10ms": plain("lies for 0.5 s, 10 ms steps, -120", STEP_10, PPM=-120, STEP=10000,
                       LIE_MS=500, LIE_US=20000),
    "metronome": metronome,
    "metronome-keys": commanded("a metronome, paused and taken back", EXACT),
    # Half a frame of 44.1 kHz more.
    "metronome-plug": commanded("the same, queue not taken back, 44.1 kHz", (100e3, 33e3), RATE=44100, plug=True),
    "xrun": xrun,
    "unplug": unplug,
    "poll": poll,
}
