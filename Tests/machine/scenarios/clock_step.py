# SPDX-License-Identifier: Apache-2.0
"""A late time server sets the wall clock by ten years in mid-workout, as on a Pi without a clock."""

import json
import statistics

from rig.coach import Listening
from scenarios.onsets import PRESET, SETTLED

LENGTH, RUN = 29, 9.3


def clock_step(coach, verdict):
    machine = coach.machine
    coach.preset("onsets", PRESET)
    coach.configure(device="plughw:CARD=Intel")
    reference = coach.reference("onsets")
    listening = Listening(machine)
    coach.ctl("start onsets")
    machine.run(f"sleep {RUN}")
    machine.run("date -s '10 years' > /dev/null")
    machine.run(f"sleep {LENGTH - RUN + 4}")
    ledger = coach.ledger()
    begin = next(event["at"] for event in ledger if event["event"] == "start")
    end = next((event["at"] for event in ledger if event["event"] == "finish"), begin)
    verdict.measure("time: the workout took", f"{(end - begin) / 1e9:.9f} s",
                    end - begin == LENGTH * 10**9, f"{LENGTH} s")
    heard = listening.offsets(reference, ledger)
    found = [offset for _, due, offset in heard if offset is not None and due >= begin + 2e9]
    count = sum(offset is not None for *_, offset in heard)
    verdict.measure("cues heard", f"{count} of {reference.count()}", count == reference.count(),
                    "all that a rendering has")
    worst = max(abs(offset - statistics.median(found)) for offset in found)
    verdict.measure("off the median by", f"{worst / 1000:.1f} µs", worst <= SETTLED, "≤ 21 µs")
    entry = json.loads(coach.ctl("history --json --limit 1"))
    verdict.note(f"the history says: {json.dumps(entry)[:300]}")
    machine.run("date -s '-10 years' > /dev/null; systemctl restart cuecoach")
