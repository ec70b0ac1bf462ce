# SPDX-License-Identifier: Apache-2.0
"""Two simulated straps, the real bluetoothd: scanned, paired, heard in two workouts, lost and found again."""

import json

from rig.coach import exposure, property_of

STRAPS = "/run/straps"
PEOPLE = {"anna": ("C0:F1:F2:F3:F4:01", 150), "ben": ("C0:F1:F2:F3:F4:02", 120)}
PRESET = """\
name: Hearts
blocks:
  - phases:
      - work: 30m
        target: {heart-rate: 100 to 180}
"""
MOST_EXPOSED = 1.5
#: The first minute of a phase with a target for the heart rate is not coached.
SETTLE = 60
#: BlueZ tries for 40 s, then it is scanned for 20 s.
AWAY = 130
#: When the words of a lost sensor may be due, s after it has left: its last reading was up to a second older.
LOST = 9, 13


def bluetooth(coach, verdict):
    machine = coach.machine
    coach.preset("hearts", PRESET)
    coach.configure(device="plughw:CARD=Intel")
    for name, (_, rate) in PEOPLE.items():
        wear(machine, name, rate)
    try:
        plug(machine, *PEOPLE)
        pair(machine, verdict)
        serve(machine, verdict)
        hear(coach, verdict)
        strap_leaves(coach, verdict)
        strap_is_away(coach, verdict)
        adapter_pulled(coach, verdict)
        interrupted(coach, verdict, "bluetoothd is killed", "systemctl kill -s KILL bluetooth")
        interrupted(coach, verdict, "bluetoothd is stopped for 30 s",
                    "systemctl stop bluetooth; sleep 30; systemctl start bluetooth")
        interrupted(coach, verdict, "cuecoach-sense is killed", "systemctl kill -s KILL cuecoach-sense")
        interrupted(coach, verdict, "the coach is restarted", "systemctl restart cuecoach")
        stop(coach, verdict)
    finally:
        machine.run("systemctl disable -q --now cuecoach-sense; rm -f /etc/cuecoach/sensors.conf; cuecoach ctl stop",
                    checked=False)
        remove(machine)


def wear(machine, name, rate):
    """Somebody puts a strap on."""
    machine.run(f"mkdir -p {STRAPS}; echo {rate} > {STRAPS}/{name}")


def plug(machine, *names):
    """An adapter, with straps in its reach."""
    machine.run("modprobe hci_vhci")
    machine.background("straps", f"exec cuecoach-straps {STRAPS} {' '.join(names)}")
    await_(machine, "busctl get-property org.bluez /org/bluez/hci0 org.bluez.Adapter1 Address")


def remove(machine):
    """The machine has no Bluetooth any more, and BlueZ knows nobody."""
    machine.run("systemctl stop straps; sleep 1; systemctl stop bluetooth; modprobe -r hci_vhci;"
                f" rm -rf /var/lib/bluetooth/* {STRAPS}", checked=False)


def await_(machine, command, seconds=60):
    """Waits in the guest until a command succeeds; returns the seconds that took."""
    return float(machine.run(
        f"read begin rest < /proc/uptime; for try in $(seq {seconds * 5}); do"
        f" {{ {command}; }} > /dev/null 2>&1 && break; [ $try = {seconds * 5} ] && exit 1; sleep 0.2; done;"
        " read end rest < /proc/uptime; echo $begin $end | awk '{ print $2 - $1 }'", limit=seconds * 3 + 60))


def pair(machine, verdict):
    table = machine.run("cuecoach-sense scan")
    for name, (address, _) in PEOPLE.items():
        row = next((line for line in table.splitlines() if line.startswith(f"Strap {name} ")), "")
        verdict.measure(f"scan: Strap {name}", " ".join(row.split()) or table.strip(),
                        address in row and row.endswith("heart rate"), f"{address}, heart rate")
        machine.run(f"cuecoach-sense pair 'Strap {name}' --as {name}")
    listed = machine.run("grep -v '^#' /etc/cuecoach/sensors.conf; stat -c '%U:%G %a' /etc/cuecoach/sensors.conf")
    wanted = [f"{address} = {name}  # Strap {name}" for name, (address, _) in PEOPLE.items()]
    verdict.measure("the list of sensors", "; ".join(listed.splitlines()),
                    listed.splitlines() == [*wanted, "root:cuecoach-sense 640"], "both, for the service to read")


def serve(machine, verdict):
    machine.run("systemctl enable -q --now cuecoach-sense")
    state = property_of(machine, "cuecoach-sense", "ActiveState")
    verdict.measure("cuecoach-sense", state, state == "active", "active")
    score = exposure(machine, "cuecoach-sense")
    verdict.measure("its exposure", score, score <= MOST_EXPOSED, f"≤ {MOST_EXPOSED}")


def heard(name, rate):
    """A shell command that succeeds while a workout has the reading of its strap."""
    return (f"cuecoach ctl status --json | python3 -c '"
            "import json, sys; lanes = json.load(sys.stdin)[\"lanes\"];"
            f" sys.exit(not any(lane[\"name\"] == \"{name}\""
            f" and lane.get(\"target\", {{}}).get(\"value\") == {rate} for lane in lanes))'")


def all_heard(coach, verdict, what, most):
    """Both hearts have other rates from now on, which both workouts hear."""
    for name, (address, rate) in PEOPLE.items():
        PEOPLE[name] = address, rate + 1
        wear(coach.machine, name, rate + 1)
    for name, (_, rate) in PEOPLE.items():
        seconds = await_(coach.machine, heard(name, rate), 3 * most)
        verdict.measure(f"{what}: {name} has {rate}", f"after {seconds:.1f} s", seconds <= most, f"≤ {most} s")


def hear(coach, verdict):
    for name in PEOPLE:
        coach.ctl(f"start hearts --as {name}")
    all_heard(coach, verdict, "at the start", 30)
    coach.machine.run(f"sleep {SETTLE}")


def missing(coach, name):
    """The instants at which a workout said that it has no heart rate."""
    return [event["due"] for event in coach.ledger()
            if event["event"] == "cue" and event["lane"] == name and event["text"] == "No heart rate"]


def strap_leaves(coach, verdict):
    machine = coach.machine
    left = int(machine.run(f"rm {STRAPS}/anna; python3 -c 'import time; print(time.clock_gettime_ns(7))'; sleep 25"))
    said = [(instant - left) / 1e9 for instant in missing(coach, "anna")]
    verdict.measure("anna's strap leaves: \"No heart rate\"", [f"after {span:.1f} s" for span in said],
                    len(said) == 1 and LOST[0] <= said[0] <= LOST[1], "once, after 10 s")
    others = missing(coach, "ben")
    await_(machine, heard("ben", PEOPLE["ben"][1]), 5)
    verdict.measure("ben is heard meanwhile", "yes" if not others else others, not others, "yes")
    all_heard(coach, verdict, "it comes back", 30)


def strap_is_away(coach, verdict):
    """For longer than BlueZ tries to connect: it is scanned for and connected to in turn."""
    coach.machine.run(f"rm {STRAPS}/ben; sleep {AWAY}")
    all_heard(coach, verdict, f"it comes back after {AWAY} s", 30)


def adapter_pulled(coach, verdict):
    machine = coach.machine
    machine.run("systemctl kill -s KILL straps; sleep 15")
    verdict.measure("the adapter is pulled: an adapter", machine.run("ls /sys/class/bluetooth").strip() or "none",
                    not machine.run("ls /sys/class/bluetooth").strip(), "none")
    plug(machine, *PEOPLE)
    all_heard(coach, verdict, "the adapter is put back", 30)


def interrupted(coach, verdict, what, command):
    coach.machine.run(command)
    all_heard(coach, verdict, what, 30)


def stop(coach, verdict):
    machine = coach.machine
    machine.run("systemctl stop cuecoach-sense; sleep 2")
    for name, (address, _) in PEOPLE.items():
        path = f"/org/bluez/hci0/dev_{address.replace(':', '_')}"
        connected = machine.run(f"busctl get-property org.bluez {path} org.bluez.Device1 Connected").strip()
        verdict.measure(f"the service ends: {name}'s strap is connected", connected, connected == "b false", "b false")
    result = property_of(machine, "cuecoach-sense", "Result")
    verdict.measure("its result", result, result == "success", "success")
    lines = [json.loads(line) for line in machine.run(
        "journalctl -b -o json -t cuecoach-sense --no-pager").splitlines()]
    gaps = {}
    for line in lines:
        gaps.setdefault(line["_PID"], []).append(int(line["__MONOTONIC_TIMESTAMP"]) / 1e6)
        verdict.note(f"{int(line['__MONOTONIC_TIMESTAMP']) / 1e6:.0f} s, {line['_PID']}: {line['MESSAGE']}")
    shortest = min((after - before for times in gaps.values() for before, after in zip(times, times[1:])), default=60)
    verdict.measure("between two lines of its log", f"{shortest:.1f} s", shortest > 59, "a minute")
