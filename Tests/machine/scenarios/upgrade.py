# SPDX-License-Identifier: Apache-2.0
"""The packages are upgraded in mid-workout: it continues where it would be, and nothing is said twice."""

import collections
import os
import subprocess
import tempfile

from scenarios.replug import PRESET

LENGTH, RUN = 65, 20


def upgrade(coach, verdict):
    machine = coach.machine
    coach.preset("upgrade", PRESET)
    coach.configure(device="plughw:CARD=Intel")
    with tempfile.TemporaryDirectory() as folder:
        for deb in coach.debs:
            newer = with_greater_version(deb, folder)
            with open(newer, "rb") as file:
                machine.push(file.read(), "/root/newer/" + os.path.basename(newer))
    coach.ctl("start upgrade")
    machine.run(f"sleep {RUN}")
    before = machine.run("systemctl show -p MainPID --value cuecoach cuecoach-web").split()
    output = machine.run("DEBIAN_FRONTEND=noninteractive dpkg -i /root/newer/*.deb 2>&1")
    after = machine.run("systemctl show -p MainPID --value cuecoach cuecoach-web").split()
    verdict.measure("the services run the new version", f"{before} {after}",
                    len(after) == 2 and not set(before) & set(after) and "0" not in after,
                    "other processes")
    lanes = coach.status()["lanes"]
    state = lanes[0]["state"] if lanes else "not there"
    verdict.measure("right after it the workout is", state, state == "running", "running")
    machine.run(f"sleep {LENGTH - RUN + 3}")
    ledger = coach.ledger()
    begin = next(event["at"] for event in ledger if event["event"] == "start")
    end = next((event["at"] for event in ledger if event["event"] == "finish"), begin)
    verdict.measure("time: the workout took", f"{(end - begin) / 1e9:.9f} s",
                    end - begin == LENGTH * 10**9, f"{LENGTH} s")
    # By its text and not by its instant: words that are said again have another one.
    once, said = times_said(coach.reference_ledger("upgrade")), times_said(ledger)
    twice = sorted(str(cue) for cue, count in said.items() if count > once.get(cue, 1))
    verdict.measure("said twice", twice or "nothing", not twice, "nothing")
    lost = [event["text"] for event in ledger
            if event["event"] == "cue" and event["outcome"] in ("missed", "withdrawn")]
    verdict.note(f"missed or withdrawn meanwhile: {', '.join(lost) or 'none'}")
    verdict.note("dpkg: " + output.strip().splitlines()[-1])


def times_said(ledger):
    return collections.Counter(
        (event["kind"], event.get("set"), event["text"]) for event in ledger
        if event["event"] == "cue" and event["outcome"] in ("played", "shortened"))


def with_greater_version(deb, folder):
    """The same package under a version that is one greater."""
    tree = os.path.join(folder, "tree")
    subprocess.run(["rm", "-rf", tree], check=True)
    subprocess.run(["dpkg-deb", "--raw-extract", deb, tree], check=True)
    control = os.path.join(tree, "DEBIAN", "control")
    with open(control) as file:
        text = file.read()
    version = next(line for line in text.splitlines() if line.startswith("Version:")).split()[1]
    with open(control, "w") as file:
        file.write(text.replace(version, version + "+newer"))
    newer = os.path.join(folder, os.path.basename(deb))
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", tree, newer], check=True,
                   stdout=subprocess.DEVNULL)
    return newer
