# SPDX-License-Identifier: Apache-2.0
"""Workouts whose sets end at a boundary of each kind, as samples."""

import json
import os
import subprocess
import wave

import numpy

RATE = 48_000
PACKS = ["default", "low", "gym"]
# The phases of a set, by what begins at its end.
KINDS = {
    "high": "high: 9s",
    "work": "work: 9s",
    "rest": "rest: 4s, high: 9s",
    "recovery": "recovery: 4s, work: 9s",
    "low": "low: 4s, high: 9s",
    "cooldown": "cooldown: 4s, high: 9s",
}
SOUNDS = "count high-begins low-begins rest-begins set-ends finish paused resumed".split()


class Workout:
    """The sound of a workout, and the times of its words.

    samples   at 48 kHz
    counts    for each set: (the set's number, {word: its time in seconds})
    """

    def __init__(self, samples, counts):
        self.samples, self.counts = samples, counts

    def piece(self, start, end):
        return self.samples[round(start * RATE):round(end * RATE)].astype(float)


class Kitchen:
    """Renders workouts with `program` into `folder`, without any user settings."""

    def __init__(self, program, folder, options=()):
        self.program, self.folder, self.options = os.path.abspath(program), folder, list(options)
        # A sound of one sample, and that one silent.
        self.silence = os.path.join(folder, "silence")
        os.makedirs(self.silence)
        for name in SOUNDS:
            with wave.open(os.path.join(self.silence, name + ".wav"), "wb") as file:
                file.setnchannels(1)
                file.setsampwidth(2)
                file.setframerate(RATE)
                file.writeframes(bytes(2))

    def workout(self, kind, pack, sets=20, options=(), metronome=None):
        """`pack`: None for no sounds; `metronome`: ticks a minute in every phase."""
        phases = KINDS[kind].split(", ")
        ticks = f", metronome: {metronome}" if metronome else ""
        phases = ", ".join(f"{{{phase}{ticks}}}" for phase in phases)
        samples, events = self.rendered(
            f"  - sets: {sets}\n    phases: [{phases}]\n", pack, options)
        counts = [
            (event["set"], {part["text"]: part["due"] / 1e9 for part in event["parts"]})
            for event in events if event.get("kind") == "set-completion"]
        assert [number for number, _ in counts] == list(range(1, sets + 1)), "not every set is said"
        return Workout(samples, counts)

    def numbers(self, greatest, options=()):
        """The numbers from 0 on, each alone: (samples, [(number, its time in seconds, who said it)])."""
        texts = ", ".join(f"{{at: {4 + 3 * number}s, text: '{number}'}}" for number in range(greatest + 1))
        samples, events = self.rendered(
            f"  - phases: [{{work: {10 + 3 * greatest}s, say: [{texts}]}}]\n", None, options)
        said = [
            (int(event["text"]), event["parts"][0]["onset"] / 1e9, event.get("voice"))
            for event in events if event.get("kind") == "text"]
        assert [number for number, *_ in said] == list(range(greatest + 1)), "not every number is said"
        return samples, said

    def rendered(self, blocks, pack, options):
        """The samples of a workout, and the lines of its ledger."""
        preset = os.path.join(self.folder, "listen.yaml")
        sound, ledger = (os.path.join(self.folder, name) for name in ("l.wav", "l.jsonl"))
        with open(preset, "w") as file:
            file.write(f"name: Listen\nblocks:\n{blocks}")
        subprocess.run(
            [self.program, "render", preset, "--output", sound, "--ledger", ledger,
             "--sounds", pack or self.silence, *self.options, *options],
            check=True, timeout=300, stdout=subprocess.DEVNULL,
            env={**os.environ, "XDG_CONFIG_HOME": self.folder, "XDG_STATE_HOME": self.folder})
        with wave.open(sound) as file:
            samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2")
        with open(ledger) as file:
            events = [json.loads(line) for line in file]
        os.remove(ledger)
        return samples, events
