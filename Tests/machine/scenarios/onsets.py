# SPDX-License-Identifier: Apache-2.0
"""When sounds are heard, on an HDA card, a USB card, and through dmix."""

import statistics

from rig.coach import Listening

PRESET = """\
name: Onsets
sets: 2
first: low
low: 6s
high: 6s
prepare: 5s
"""
DEVICES = {"HDA": "plughw:CARD=Intel", "USB": "plughw:CARD=Audio", "dmix": "default"}
#: Greatest distances from the median, ns.
SETTLED, FIRST = 21_000, 100_000


def onsets(coach, verdict):
    coach.preset("onsets", PRESET)
    for name, device in DEVICES.items():
        coach.configure(device=device)
        # The first run meets a card that has never been played on; the second knows its drift.
        for known in ("never met", "met before"):
            measure(coach, verdict, f"{name}, {known}")


def measure(coach, verdict, name):
    reference = coach.reference("onsets")
    before = len(coach.ledger())
    listening = Listening(coach.machine)
    coach.ctl("start onsets")
    coach.machine.run("sleep 33")
    ledger = coach.ledger()[before:]
    begin = next(event["at"] for event in ledger if event["event"] == "start")
    heard = listening.offsets(reference, ledger)
    found = [(due, offset) for _, due, offset in heard if offset is not None]
    verdict.measure(f"{name}: cues heard", f"{len(found)} of {len(heard)}",
                    heard and len(found) == len(heard), "all")
    if not found:
        return
    median = statistics.median(offset for _, offset in found)
    for part, most, inside in (("first 2 s", FIRST, lambda due: due < begin + 2e9),
                               ("from 2 s on", SETTLED, lambda due: due >= begin + 2e9)):
        worst = max((abs(offset - median) for due, offset in found if inside(due)), default=None)
        if worst is None:
            continue
        verdict.measure(f"{name}: {part}, off the median by", f"{worst / 1000:.1f} µs",
                        worst <= most, f"≤ {most // 1000} µs")
    verdict.note(f"QEMU's own delay, the median: {median / 1e6:+.3f} ms")
    xruns = sum(event["event"] == "xrun" for event in ledger)
    verdict.measure(f"{name}: xruns", xruns, xruns == 0, "0")
