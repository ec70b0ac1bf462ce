# SPDX-License-Identifier: Apache-2.0
"""The machine is suspended to RAM in mid-run for ten seconds."""

import statistics

from rig.coach import Listening
from rig.sleeping import sleep
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
#: With the kernel's name of what plays.
DEVICES = {"HDA": ("plughw:CARD=Intel", "pcmC0D0p"), "USB": ("plughw:CARD=Audio", "pcmC1D0p"),
           "dmix": ("default", "pcmC0D0p")}
#: What begins so long before the card stops may be cut off, by the card and by QEMU, ns.
CUT = 60_000_000
#: How long after the waking the card may take to play again, ns.
RESTART = 1_500_000_000
#: A cue that the card cannot play when it is due may be that late, ns.
LATE = 300_000_000
#: The loudest sample that is no sound.
QUIET = 100


def suspend(coach, verdict):
    coach.preset("suspend", PRESET)
    coach.preset("dense", DENSE)
    paused(coach, verdict)
    for name, card in DEVICES.items():
        goes_on(coach, verdict, f"{name}, go-on", *card)


def paused(coach, verdict):
    """What is the default: the workout is paused where the sleep began."""
    machine = coach.machine
    device, pcm = DEVICES["USB"]
    coach.configure(device=device)
    coach.ctl("start suspend")
    machine.run(f"sleep {AWAKE}")
    asleep = sleep(machine, ASLEEP, pcm)
    machine.run("sleep 2")
    lane = coach.status()["lanes"][0]
    verdict.measure("after the sleep it is", lane["state"], lane["state"] == "paused", "paused")
    begin, pause = (first(coach.ledger(), kind) for kind in ("start", "pause"))
    off = abs(lane["elapsed"] - (pause - begin))
    verdict.measure("paused where it began: that much before the waking",
                    f"{(asleep.thawed - pause) / 1e9:.2f} s", abs(asleep.thawed - pause - asleep.length * 1e9) < 1.5e9,
                    f"the sleep's {asleep.length:.2f} s")
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


def goes_on(coach, verdict, name, device, pcm):
    """`sleep: go-on`: the workout continues, in place; what the sleep itself cut off is said to be missed."""
    machine = coach.machine
    coach.configure(device=device, sessions={"sleep": "go-on"})
    reference = coach.reference("dense")
    before = Listening(machine)
    coach.ctl("start dense")
    machine.run(f"sleep {AWAKE}")
    captured = machine.captured
    asleep = sleep(machine, ASLEEP, pcm)
    machine.run(f"sleep {DENSE_LENGTH - AWAKE - ASLEEP + 5}")
    # The capture stands still during the sleep, so it needs a new mark. It comes after the workout: a mark on
    # the beginning of a cue makes the search take a later period of the cue's tone.
    after = Listening(machine, captured)
    ledger = coach.ledger()
    begin, end = first(ledger, "start"), first(ledger, "finish")
    verdict.measure(f"{name}: the workout took", f"{((end or begin) - begin) / 1e9:.9f} s",
                    end == begin + DENSE_LENGTH * 10**9, f"{DENSE_LENGTH} s")
    frozen, stopped, thawed = ((instant - begin) / 1e9 for instant in asleep[:3])
    verdict.note(f"programs were frozen at {frozen:.3f} s, the card stopped at {stopped:.3f} s, programs ran again"
                 f" at {thawed:.3f} s")
    # The first one may be heard some microseconds before the workout begins.
    earlier = before.sightings(reference, ledger, begin, begin - 10**9, asleep.stopped)
    later = after.sightings(reference, ledger, begin, asleep.thawed, begin + (DENSE_LENGTH + 3) * 10**9)
    compare(verdict, name, earlier, later, asleep)
    known = {cue.name for cue in earlier + later if cue.said is not None}
    cut = {cue: begin + place for cue, place in reference.places.items() if cue not in known}
    explain(verdict, name, ledger, cut, asleep)
    earlier, later = ([cue for cue in part if is_in_both(cue)] for part in (earlier, later))
    if not earlier or not later:
        return
    loudest = silence(
        machine, before, after, asleep.stopped + CUT, later[0].said + later[0].offset - 10_000_000)
    verdict.measure(f"{name}: the loudest sample between the sleep and the first cue", loudest,
                    loudest <= QUIET, f"≤ {QUIET} of 32767: nothing that was queued")
    place(verdict, name, [cue for cue in earlier if begin + 2e9 <= cue.due < asleep.stopped - CUT], later, asleep)


def compare(verdict, name, earlier, later, asleep):
    """The ledger and the capture agree, and only what the sleep cut off was not heard."""
    # What began just before the card stopped may be cut off, so the capture cannot tell.
    certain = [cue for cue in earlier if (cue.said or cue.due) < asleep.stopped - CUT]
    for part, cues, is_right in (
            ("cues heard before the card stopped",
             [cue for cue in earlier if cue.due < asleep.stopped - CUT], is_in_both),
            ("cues heard after the sleep", [cue for cue in later if cue.due >= asleep.thawed + RESTART], is_in_both),
            ("cues heard if the ledger says so, and only those", certain + later,
             lambda cue: (cue.said is None) == (cue.offset is None))):
        wrong = [cue for cue in cues if not is_right(cue)]
        verdict.measure(f"{name}: {part}", f"{len(cues) - len(wrong)} of {len(cues)}", cues and not wrong, "all")
        for cue in wrong:
            verdict.note(f"{cue.name}: {'heard' if cue.said else 'not heard'} by the ledger,"
                         f" {'heard' if cue.offset is not None else 'not heard'} by the capture")


def explain(verdict, name, ledger, cut, asleep):
    """What was not heard was due in the sleep, or while the card stopped or started, and the ledger says why."""
    wrong = [cue for cue, due in cut.items()
             if not asleep.stopped - CUT <= due < asleep.thawed + RESTART
             or not any(explains(event, cue, due) for event in ledger)]
    verdict.measure(f"{name}: cues that the sleep cut off, with a reason in the ledger",
                    f"{len(cut) - len(wrong)} of {len(cut)}", cut and not wrong, "all")
    for cue in wrong:
        verdict.note(f"{cue}: no reason")


def place(verdict, name, earlier, later, asleep):
    """Each cue was heard in its place, and as the ledger says."""
    verdict.note(f"the first sound came {(later[0].said - asleep.thawed) / 1e9:.2f} s after the waking, by the ledger"
                 f" {(later[0].said - later[0].due) / 1000:+.1f} µs off its instant")
    latest = max(cue.said - cue.due for cue in later)
    verdict.measure(f"{name}: the latest cue, by the ledger", f"{latest / 1e6:.3f} ms", latest <= LATE,
                    f"≤ {LATE / 1e6:.0f} ms")
    early = later[0].offset - statistics.median(cue.offset for cue in later)
    verdict.measure(f"{name}: the first sound, off those after it and the ledger", f"{early / 1000:+.1f} µs",
                    abs(early) <= 100_000, "≤ 100 µs")
    for part, cues in (("before the sleep, from 2 s on", earlier),
                       ("from 2 s after the waking on", [cue for cue in later if cue.due > asleep.thawed + 2e9])):
        median = statistics.median(cue.offset for cue in cues)
        verdict.note(f"QEMU's own delay, the median: {median / 1e6:+.3f} ms")
        worst = max(max(abs(cue.offset - median), abs(cue.said - cue.due)) for cue in cues)
        verdict.measure(f"{name}: {part}, off the median and by the ledger", f"{worst / 1000:.1f} µs",
                        worst <= 21_000, "≤ 21 µs")


def is_in_both(cue):
    """It was heard, and the ledger says so."""
    return cue.said is not None and cue.offset is not None


def explains(event, name, due):
    """This line of the ledger says why a part was not heard."""
    kind, number, text, _ = name
    if event["event"] != "cue" or (event["kind"], event.get("set")) != (kind, number):
        return False
    if event["outcome"] == "played" or not event.get("reason"):
        return False
    if event["parts"]:
        return any(part["due"] == due and part["onset"] is None for part in event["parts"])
    return text in event["text"] and 0 <= due - event["due"] < 5e9


def silence(machine, before, after, since, until):
    """The loudest sample from an instant before a sleep to one after it."""
    first = round(before.first + before.frame_of(since))
    count = round(after.first + after.frame_of(until)) - first
    return max(map(abs, machine.sound(first, count)), default=0) if count > 0 else 0


def first(ledger, kind):
    return next((event["at"] for event in ledger if event["event"] == kind), None)
