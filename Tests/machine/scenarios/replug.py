# SPDX-License-Identifier: Apache-2.0
"""The USB card is pulled out in mid-cue for five seconds."""

import statistics

from rig.clocks import slept
from rig.coach import Listening
from rig.hearing import lateness

PRESET = """\
name: Replug
sets: 2
first: low
low: 15s
high: 15s
prepare: 5s
"""
#: The announcement "Set 1 completing in" begins at 30 s: it is being said then.
UNPLUGGED, AWAY, LENGTH = 30.8, 5, 65


def replug(coach, verdict):
    machine = coach.machine
    coach.preset("replug", PRESET)
    coach.configure(device="plughw:CARD=Audio")
    reference = coach.reference("replug")
    listening = Listening(machine)
    coach.ctl("start replug")
    machine.run(f"sleep {UNPLUGGED}")
    machine.unplug()
    machine.run(f"sleep {AWAY}")
    lost = coach.status()["device"]
    machine.replug()
    machine.run(f"sleep {LENGTH + 3 - UNPLUGGED - AWAY}")

    ledger = coach.ledger()
    begin = next(event["at"] for event in ledger if event["event"] == "start")
    end = next((event["at"] for event in ledger if event["event"] == "finish"), None)
    verdict.measure("while it was away, the status said", lost["state"], lost["state"] == "lost", "lost")
    verdict.measure("time: the workout took", f"{((end or begin) - begin) / 1e9:.9f} s",
                    end == begin + LENGTH * 10**9, f"{LENGTH} s")
    back = [event["at"] for event in ledger if event["event"] == "device-back"]
    found = enumeration(machine)
    verdict.measure("it plays, after the enumeration",
                    f"{(back[-1] - found) / 1e9:.3f} s" if back else "never",
                    back and back[-1] - found <= 2e9, "≤ 2 s")
    if not back:
        return
    heard, late = listening.offsets(reference, ledger), lateness(ledger)
    # Instants of the workout. A sound just before the card was pulled out, or just as it came back, may be either.
    for name, since, until in (("before", 0, UNPLUGGED * 1e9 - 1e9),
                               ("after", back[-1] - begin + 1e9, LENGTH * 1e9 + 1)):
        found = [(key, due, offset) for key, due, offset in heard
                 if offset is not None and since <= due - begin < until]
        count = reference.count(since, until)
        verdict.measure(f"cues heard {name}", f"{len(found)} of {count}",
                        count and len(found) == count, "all that a rendering has")
        if found:
            median = statistics.median(offset for _, _, offset in found)
            key, due, offset = max(found, key=lambda each: abs(each[2] - median))
            worst = abs(offset - median)
            verdict.measure(f"{name}: off the median by", f"{worst / 1000:.1f} µs",
                            worst <= 100_000, "≤ 100 µs")
            if worst > 100_000:
                verdict.note(f"that is {key} at {(due - begin) / 1e9:.3f} s, late by the ledger {late[due] / 1e6:.3f} ms")
            verdict.note(f"QEMU's own delay, the median: {median / 1e6:+.3f} ms")
    missed = [event for event in ledger if event["event"] == "cue" and event["outcome"] == "missed"]
    verdict.note(f"missed while it was away: {len(missed)} cues")


def enumeration(machine):
    """CLOCK_BOOTTIME when the kernel found the card, ns."""
    monotonic = machine.run(
        "dmesg | grep 'New USB device found' | tail -n 1 | sed 's/^\\[ *\\([0-9.]*\\)\\].*/\\1/'")
    return round((float(monotonic) + slept(machine)) * 1e9)
