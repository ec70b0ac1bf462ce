# SPDX-License-Identifier: Apache-2.0
"""The machine is suspended to RAM in mid-run for ten seconds."""

import statistics

from rig.clocks import boottime, slept
from rig.coach import Listening
from scenarios.replug import PRESET

LENGTH, AWAKE, ASLEEP = 65, 12, 10
#: With a sound each second, so that one comes soon after the waking.
DENSE = """\
name: Dense
sets: 5
first: low
low: 4s
high: 4s
prepare: 5s
"""
DENSE_LENGTH = 45
DEVICES = {"HDA": "plughw:CARD=Intel", "USB": "plughw:CARD=Audio"}


def suspend(coach, verdict):
    coach.preset("suspend", PRESET)
    coach.preset("dense", DENSE)
    paused(coach, verdict)
    for name, device in DEVICES.items():
        goes_on(coach, verdict, name, device)


def paused(coach, verdict):
    """What is the default: the workout is paused where the sleep began."""
    machine = coach.machine
    coach.configure(device=DEVICES["USB"])
    coach.ctl("start suspend")
    machine.run(f"sleep {AWAKE}")
    asleep = sleep(machine)
    machine.run("sleep 2")
    lane = coach.status()["lanes"][0]
    verdict.measure("after the sleep it is", lane["state"], lane["state"] == "paused", "paused")
    begin, pause = (first(coach.ledger(), kind) for kind in ("start", "pause"))
    woken = boottime(machine) - 2e9
    off = abs(lane["elapsed"] - (pause - begin))
    verdict.measure("paused where it began: that much before the waking",
                    f"{(woken - pause) / 1e9:.2f} s", abs(woken - pause - asleep * 1e9) < 1.5e9,
                    f"the sleep's {asleep:.2f} s")
    verdict.measure("the status agrees with the ledger to", f"{off} ns", off == 0, "0 ns")
    said = machine.run("journalctl -u cuecoach -o cat -n 20 | grep -i 'slept' || true").strip()
    verdict.measure("it is said in the log", said or "nothing", said, "a line")
    coach.ctl("resume")
    machine.run(f"sleep {LENGTH - AWAKE + 3}")
    ledger = coach.ledger()
    resumed, end = first(ledger, "resume"), first(ledger, "finish")
    length = (end or 0) - (resumed or 0) + pause - begin
    verdict.measure("resumed by ctl, workout time to its end", f"{length / 1e9:.9f} s",
                    end and length == LENGTH * 10**9, f"{LENGTH} s")


def goes_on(coach, verdict, name, device):
    """`sleep: go-on`: the workout continues, in place."""
    machine = coach.machine
    coach.configure(device=device, sessions={"sleep": "go-on"})
    reference = coach.reference("dense")
    before = Listening(machine)
    coach.ctl("start dense")
    machine.run(f"sleep {AWAKE}")
    captured = machine.captured
    sleep(machine)
    woken = boottime(machine)
    machine.run(f"sleep {DENSE_LENGTH - AWAKE - ASLEEP + 5}")
    # The capture stands still during the sleep, so it needs a new mark. It comes after the workout: a mark on
    # the beginning of a cue makes the search take a later period of the cue's tone.
    after = Listening(machine, captured)
    ledger = coach.ledger()
    begin, end = first(ledger, "start"), first(ledger, "finish")
    verdict.measure(f"{name}, go-on: the workout took", f"{((end or begin) - begin) / 1e9:.9f} s",
                    end == begin + DENSE_LENGTH * 10**9, f"{DENSE_LENGTH} s")
    offsets = {}
    asleep_from = woken - (ASLEEP + 1) * 10**9
    for part, listening, since, until in (
            ("before", before, begin, asleep_from), ("after", after, woken - 500_000_000, (end or begin) + 1)):
        heard = listening.offsets(reference, ledger, since, until)
        offsets[part] = [one for one in heard if one[2] is not None]
        # A sound just at the sleep's begin or end may be either.
        since, until = (since, until - 1e9) if part == "before" else (since + 1.5e9, until)
        found = sum(since <= due < until for _, due, _ in offsets[part])
        count = reference.count(since - begin, until - begin)
        verdict.measure(f"{name}, go-on: cues heard {part}", f"{found} of {count}",
                        count and found == count, "all that a rendering has")
        if found != count:
            near = [event for event in ledger if event["event"] == "cue" and event["outcome"] != "played"]
            verdict.note(f"the waking was at {(woken - begin) / 1e9:.2f} s; not played: " + "; ".join(
                f"{event['kind']} {event['text']!r} at {(event['due'] - begin) / 1e9:.2f} s"
                f" {event['outcome']} ({event.get('reason')})" for event in near))
    if not offsets["after"]:
        return
    first_due = offsets["after"][0][1]
    onsets = [part["onset"] for event in ledger if event["event"] == "cue"
              for part in event.get("parts") or [event] if part["due"] == first_due and part.get("onset")]
    verdict.note(f"{name}: the first sound came {(first_due - woken) / 1e9:.1f} s after the waking, by the ledger"
                 f" {(min(onsets, default=first_due) - first_due) / 1000:+.1f} µs off its instant")
    median = statistics.median(offset for _, _, offset in offsets["after"])
    early = offsets["after"][0][2] - median
    verdict.measure(f"{name}, go-on: the first sound, off those after it", f"{early / 1000:+.1f} µs",
                    abs(early) <= 100_000, "≤ 100 µs")
    worst = max(abs(offset - median) for _, due, offset in offsets["after"] if due > woken + 2e9)
    verdict.measure(f"{name}, go-on: from 2 s after the waking on", f"{worst / 1000:.1f} µs",
                    worst <= 21_000, "≤ 21 µs")


def sleep(machine):
    """Suspends; returns for how long the machine slept by its own clocks."""
    before = slept(machine)
    machine.suspend(ASLEEP)
    return slept(machine) - before


def first(ledger, kind):
    return next((event["at"] for event in ledger if event["event"] == kind), None)
