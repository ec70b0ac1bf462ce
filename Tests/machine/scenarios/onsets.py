# SPDX-License-Identifier: Apache-2.0
"""When sounds are heard, on an HDA card, a USB card, and through dmix."""

import statistics

from rig.coach import Listening
from rig.hearing import lateness

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
#: How late a cue may be and say so.
LATE = 100_000


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
    coach.machine.run("sleep 36")
    ledger = coach.ledger()[before:]
    begin = next(event["at"] for event in ledger if event["event"] == "start")
    heard = listening.offsets(reference, ledger)
    found = [(due, offset) for _, due, offset in heard if offset is not None]
    verdict.measure(f"{name}: cues heard", f"{len(found)} of {reference.count()}",
                    len(found) == reference.count(), "all that a rendering has")
    if not found:
        return
    median = statistics.median(offset for _, offset in found)
    late = lateness(ledger)
    settled = [offset - median for due, offset in found if due >= begin + 2e9]
    first = [offset - median - late[due] for due, offset in found if due < begin + 2e9]
    for part, off, most in (("from 2 s on, off the median by", settled, SETTLED),
                            ("first 2 s, off the median and the ledger by", first, FIRST)):
        worst = max(map(abs, off), default=0)
        verdict.measure(f"{name}: {part}", f"{worst / 1000:.1f} µs",
                        off and worst <= most, f"≤ {most // 1000} µs")
    slowest = max(late[due] for due, _ in found)
    verdict.measure(f"{name}: the latest cue, by the ledger", f"{slowest / 1e6:.3f} ms",
                    slowest <= LATE, f"≤ {LATE / 1e6} ms")
    verdict.note(f"QEMU's own delay, the median: {median / 1e6:+.3f} ms")
    xruns = sum(event["event"] == "xrun" for event in ledger)
    verdict.measure(f"{name}: xruns", xruns, xruns == 0, "0")
