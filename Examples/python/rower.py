#!/usr/bin/env python3
"""A rowing computer in Python: its strokes and its heart-rate sensor, both simulated, end the phases of a
workout that `cuecoach serve` plays, and each rest says the heart rate. The standard library alone.

    cuecoach serve &
    python3 rower.py            or with the path of the socket: python3 rower.py /run/cuecoach/control
"""
import json
import os
import socket
import sys
import time

WORKOUT = """
name: Python rows
values: [heart-rate]
blocks:
  - sets: 2
    phases:
      - work: {reps: 6}
      - rest: {until: heart-rate-low, at-most: 60s}
        say: "{heart-rate}"
        at: 1s
"""


class Coach:
    """A connection to the coach: one request, one answer. Documentation/control.md has them all."""

    def __init__(self, path):
        connection = socket.socket(socket.AF_UNIX)
        if connection.connect_ex(path) != 0:
            sys.exit(f"{path}: no coach; cuecoach serve starts one")
        self.lines = connection.makefile("rw", encoding="utf-8")
        self.greeting = json.loads(self.lines.readline())
        self.count = 0

    def ask(self, verb, **fields):
        self.count += 1
        self.lines.write(json.dumps({"id": self.count, "verb": verb, **fields}) + "\n")
        self.lines.flush()
        return json.loads(self.lines.readline() or sys.exit("the coach has ended"))

    def tell(self, verb, **fields):
        answer = self.ask(verb, **fields)
        return answer if answer["ok"] else sys.exit(answer["message"])

    def workout(self, name):
        """Where that workout is; None when it is over."""
        lanes = self.tell("status")["snapshot"]["lanes"]
        return next((lane for lane in lanes if lane["name"] == name), None)


def heart_rate(workout):
    """Beats a minute: what a chest strap would report. In a rest they calm down by 10 a second."""
    calming = 10 * workout["phaseElapsed"] / 1e9 if workout["kind"] == "rest" else 0
    return round(160 - calming)


path = os.environ.get("XDG_RUNTIME_DIR", "") + "/cuecoach/control"
coach = Coach(sys.argv[1] if len(sys.argv) > 1 else path)
name = coach.tell("start", workout=WORKOUT)["lanes"][0]
shown = None
while (workout := coach.workout(name)) and workout["state"] not in ("stopped", "finished"):
    time.sleep(0.7)
    if workout["state"] == "paused":
        continue
    if workout["phase"] != shown:
        shown = workout["phase"]
        print(workout["label"], flush=True)
    beats = heart_rate(workout)
    # The text that says it is worded when it is heard; a value from before is not said.
    coach.ask("value", lane=name, name="heart-rate", number=beats, unit="beats-per-minute", validFor=9000)
    if workout["kind"] == "work":
        # A stroke. The last one ends the piece.
        coach.ask("rep", lane=name)
    elif beats < 120:
        coach.ask("signal", lane=name, signal="heart-rate-low")
print("Done")
