# SPDX-License-Identifier: Apache-2.0
"""The power fails in mid-workout; after the boot, `cuecoach ctl resume` continues it."""

from rig.coach import DATABASE
from scenarios.replug import PRESET

LENGTH, RUN = 65, 33.3


def power_cut(coach, verdict):
    machine = coach.machine
    coach.preset("cut", PRESET)
    coach.configure(device="plughw:CARD=Intel")
    coach.ctl("start cut")
    machine.run(f"sleep {RUN}")
    cut_at = coach.status()["lanes"][0]["elapsed"] / 1e9
    machine.kill()
    machine.boot()

    verdict.measure("after the boot the services are", states(machine), states(machine) == "active active",
                    "active active")
    whole = coach.is_whole()
    verdict.measure("the database", whole, whole == "ok", "ok")
    lanes = coach.status()["lanes"]
    place = lanes[0]["elapsed"] / 1e9 if lanes else -1
    state = lanes[0]["state"] if lanes else "not there"
    verdict.measure("the workout is", state, state == "paused", "paused: held where it was saved")
    verdict.measure("saved before the cut", f"{cut_at - place:.3f} s", 0 <= cut_at - place <= 10.5,
                    "≤ 10 s and what a status takes")
    said = machine.run("journalctl -b -u cuecoach -o cat | grep 'ctl resume' || true").strip()
    verdict.measure("the log says how to continue", said or "nothing", said, "a line")
    coach.ctl("resume")
    machine.run(f"sleep {LENGTH - place + 3}")
    ledger = coach.ledger()
    ended = [event for event in ledger if event["event"] == "finish"]
    verdict.measure("it ran to its end", f"{len(ended)} times", len(ended) == 1, "once")
    ends = [event["at"] for event in ledger if event["event"] == "resume"]
    if ended and ends:
        took = (ended[0]["at"] - ends[-1]) / 1e9
        verdict.measure("from the resume to the end", f"{took:.3f} s",
                        abs(took - (LENGTH - place)) < 0.001, f"{LENGTH - place:.3f} s")
    torn = machine.run(
        "python3 - <<'END'\nimport json\n"
        "lines = open('/var/lib/cuecoach/ledger.jsonl', 'rb').read().split(b'\\n')\n"
        "torn = 0\n"
        "for line in filter(None, lines):\n"
        "    try: json.loads(line)\n"
        "    except ValueError: torn += 1\n"
        "print(torn, len(lines) - 1)\nEND").split()
    verdict.measure("torn lines in the ledger", f"{torn[0]} of {torn[1]}", torn[0] == "0", "0")
    rows = machine.run(
        f"sqlite3 {DATABASE} 'select count(*) from history'", checked=False).strip()
    verdict.note(f"entries in the history: {rows}")
    history = coach.ctl("history --json")
    verdict.measure("in the history, finished", "yes" if '"finished"' in history else history,
                    '"finished"' in history, "yes")


def states(machine):
    return " ".join(machine.run(
        "systemctl is-active cuecoach cuecoach-web", checked=False).split())
