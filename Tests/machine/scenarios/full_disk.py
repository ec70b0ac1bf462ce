# SPDX-License-Identifier: Apache-2.0
"""The root file system is full in mid-workout: it runs on, says so, and is saved once there is room."""

from scenarios.replug import PRESET

LENGTH, FULL_FROM, FULL_FOR = 65, 12, 30
#: In memory, so that the ledger is whole.
LEDGER = "/run/cuecoach/ledger.jsonl"


def full_disk(coach, verdict):
    machine = coach.machine
    coach.preset("full", PRESET)
    coach.configure(device="plughw:CARD=Intel", ledger=LEDGER)
    machine.run(f"rm -f {LEDGER}; systemctl restart cuecoach")
    coach.ctl("start full")
    machine.run(f"sleep {FULL_FROM}")
    # The reserve for root is not the coach's; what is left for others is 0.
    machine.run("fallocate -l $(df --output=avail -B1 / | tail -1) /filler || true;"
                " cat /dev/zero > /filler2 2> /dev/null || true; sync")
    left = machine.run("df --output=avail / | tail -1").strip()
    verdict.measure("room on the disk", f"{left} kB", left == "0", "0 kB")
    machine.run(f"sleep {FULL_FOR}")
    state = coach.status()["lanes"][0]["state"]
    verdict.measure("the workout is", state, state == "running", "running")
    warned = coach.status()["warnings"]
    verdict.measure("warnings", warned, len(warned) == 1, "one")
    machine.run("rm -f /filler /filler2; sync; touch /root/room; sleep 12")
    saved = machine.run("find /var/lib/cuecoach -name 'sessions.db*' -newer /root/room").split()
    verdict.measure("saved once there is room", "yes" if saved else "no", saved, "yes, within 10 s")
    machine.run(f"sleep {LENGTH - FULL_FROM - FULL_FOR - 12 + 3}")
    ledger = coach.ledger(LEDGER)
    begin = next(event["at"] for event in ledger if event["event"] == "start")
    end = next((event["at"] for event in ledger if event["event"] == "finish"), begin)
    verdict.measure("time: the workout took", f"{(end - begin) / 1e9:.9f} s",
                    end - begin == LENGTH * 10**9, f"{LENGTH} s")
    lost = [event["text"] for event in ledger
            if event["event"] == "cue" and event["outcome"] != "played"]
    verdict.measure("cues not played", lost or "none", not lost, "none")
    whole = coach.is_whole()
    verdict.measure("the database", whole, whole == "ok", "ok")
    history = coach.ctl("history --json --limit 1")
    verdict.measure("in the history", "yes" if '"finished"' in history else history.strip(),
                    '"finished"' in history, "yes, finished")
