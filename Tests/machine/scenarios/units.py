# SPDX-License-Identifier: Apache-2.0
"""The units under a real systemd: started, exposed, stopped; a user's own; the sleep inhibited."""

from rig.coach import exposure, property_of

MOST_EXPOSED = {"cuecoach": 1.5, "cuecoach-web": 2.0, "cuecoach-sense": 1.5, "cuecoach-mqtt": 1.5,
                "cuecoach-buttons": 1.5, "cuecoach-notify": 1.5}
#: Of a broker that is not there.
MQTT = "/etc/cuecoach/mqtt.yaml"
#: Of a device that is not there.
BUTTONS = "/etc/cuecoach/buttons.yaml"
#: Of a program that does nothing.
NOTIFY = "/etc/cuecoach/notify.yaml"


def units(coach, verdict):
    coach.preset("units", "name: Units\nsets: 2\nfirst: low\nlow: 20s\nhigh: 20s\n")
    coach.configure(device="default")
    coach.machine.push("broker: {host: localhost}\n", MQTT)
    coach.machine.push("devices: [{name: none, keys: {a: pause}}]\n", BUTTONS)
    coach.machine.push("notices: [{run: [/bin/true]}]\n", NOTIFY)
    coach.machine.run("systemctl start cuecoach-sense cuecoach-mqtt cuecoach-buttons cuecoach-notify; sleep 2")
    states(coach.machine, verdict)
    page(coach, verdict)
    inhibitor(coach, verdict)
    start_unit(coach, verdict)
    shared_card(coach, verdict)
    user_unit(coach.machine, verdict)
    ended_by_signal(coach.machine, verdict)


def states(machine, verdict):
    for unit, most in MOST_EXPOSED.items():
        state = " ".join(property_of(machine, unit, name) for name in ("ActiveState", "SubState", "Result"))
        verdict.measure(unit, state, state == "active running success", "active running success")
        score = exposure(machine, unit)
        verdict.measure(f"{unit}: exposure, of the running unit", score,
                        score <= most, f"≤ {most}")


def page(coach, verdict):
    """The page's server commands the coach."""
    answer = coach.http("start", preset="units", lane="anna")
    verdict.measure("start by HTTP", answer.get("lanes") or answer, answer.get("ok") is True, "done")
    seen = [lane["name"] for lane in coach.status()["lanes"]]
    verdict.measure("which ctl sees as", " ".join(seen), seen == ["anna"], "anna")


def inhibitor(coach, verdict):
    """A workout runs: logind keeps the machine awake."""
    machine = coach.machine
    machine.run("sleep 1")
    held = listed(machine)
    verdict.measure("while it runs, the inhibitor of sleep", held or "none", "block" in held, "block")
    coach.http("stop", lane="anna")
    machine.run("sleep 1")
    left = listed(machine)
    verdict.measure("after it", left or "none", not left, "none")


def start_unit(coach, verdict):
    """The unit that a timer starts: it starts the preset that its name has."""
    for preset, starts in ("units", True), ("no-such-preset", False):
        coach.machine.run(f"systemctl start cuecoach-start@{preset}", checked=False)
        result = property_of(coach.machine, f"cuecoach-start@{preset}", "Result")
        verdict.measure(f"cuecoach-start@{preset}", result, (result == "success") == starts,
                        "success" if starts else "failed")
        seen = [lane["name"] for lane in coach.status()["lanes"]]
        verdict.measure("which ctl sees as", " ".join(seen) or "nothing",
                        seen == ([preset] if starts else []), preset if starts else "nothing")
        coach.ctl("stop", checked=False)
        coach.machine.run("sleep 1")
    coach.machine.run("systemctl reset-failed 'cuecoach-start@*'")


def listed(machine):
    lines = machine.run("systemd-inhibit --list --no-pager --no-legend | grep '^cuecoach ' || true")
    return " ".join(lines.split())


def shared_card(coach, verdict):
    """With dmix another program plays on the same card, beside the coach."""
    machine = coach.machine
    coach.ctl("start units")
    machine.run("sleep 2")
    output = machine.run(
        "aplay -q -D default -d 1 -f S16_LE -r 48000 -c 2 /dev/zero 2>&1", checked=False).strip()
    verdict.measure("aplay beside it, through dmix", output or "plays", not output, "plays")
    device = coach.status()["device"]["state"]
    verdict.measure("the coach's device then", device, device == "working", "working")
    coach.ctl("stop")


def user_unit(machine, verdict):
    """A user's own coach, beside the machine's."""
    machine.run("id walker > /dev/null 2>&1 || useradd -m -G audio walker; loginctl enable-linger walker;"
                " for try in $(seq 40); do"
                " [ -S /run/user/$(id -u walker)/systemd/private ] && break; sleep 0.5; done")
    by = "runuser -u walker -- env XDG_RUNTIME_DIR=/run/user/$(id -u walker) "
    output = machine.run(by + "systemctl --user enable --now cuecoach 2>&1", checked=False).strip()
    state = machine.run(
        by + "systemctl --user show -p ActiveState,SubState --value cuecoach", checked=False).split()
    verdict.measure("the user unit", " ".join(state) or output, state == ["active", "running"],
                    "active running")
    status = machine.run(by + "cuecoach ctl status --json", checked=False).strip()
    verdict.measure("the user's ctl reaches it", "yes" if '"lanes"' in status else status,
                    '"lanes"' in status, "yes")
    machine.run(by + "systemctl --user disable --now cuecoach", checked=False)
    machine.run("loginctl disable-linger walker; loginctl terminate-user walker", checked=False)


def ended_by_signal(machine, verdict):
    """A service that was asked to end has not failed."""
    for unit in MOST_EXPOSED:
        machine.run(f"systemctl kill -s SIGTERM {unit}; sleep 3")
        state = " ".join(property_of(machine, unit, name) for name in ("ActiveState", "Result", "ExecMainStatus"))
        verdict.measure(f"{unit} after SIGTERM", state, state == "inactive success 0",
                        "inactive success 0")
    machine.run(f"rm {MQTT} {BUTTONS} {NOTIFY}; systemctl start cuecoach cuecoach-web")
