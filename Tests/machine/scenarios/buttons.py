# SPDX-License-Identifier: Apache-2.0
"""A USB keypad beside the machine's own keyboard: learnt, kept from the console, pressed, pulled out and put back."""

from rig.coach import property_of
from scenarios.bluetooth import await_

#: What QEMU's call themselves, and the code of the key A.
KEYPAD, KEYBOARD, LETTER = "QEMU QEMU USB Keyboard", "AT Translated Set 2 keyboard", 30
UNIT, FILE, LEARNT = "cuecoach-buttons", "/etc/cuecoach/buttons.yaml", "/root/learnt.yaml"
MAP = f"""\
devices:
  - name: {KEYPAD}
    keys:
      kp1: start keypad
      kp0: {{short: pause, double: next}}
      kpplus: next
      kpenter: {{short: pause, long: stop}}
"""
PRESET = "name: Keypad\nsets: 20\nfirst: low\nlow: 60s\nhigh: 60s\n"
COMMANDS = "start", "pause", "resume", "next", "stop", "finish"
#: Presses whose times are measured.
PRESSES = 8


def buttons(coach, verdict):
    machine = coach.machine
    coach.preset("keypad", PRESET)
    coach.configure(device="plughw:CARD=Intel")
    machine.push(MAP, FILE)
    machine.run("systemctl stop getty@tty1")
    machine.background("console", "exec < /dev/tty1; stty raw -echo; exec cat")
    pad = Pad(coach, verdict)
    try:
        free(pad)
        learnt(pad)
        taken(pad)
        obeyed(pad)
        pulled(pad)
        coach_restarted(pad)
        shared(pad)
    finally:
        machine.run(f"systemctl stop {UNIT} console hear; cuecoach ctl stop; systemctl start getty@tty1;"
                    f" rm -f {FILE} {LEARNT} console.log hear.log", checked=False)
        pad.pull()


class Pad:
    """The keypad, and what became of a press of it."""

    def __init__(self, coach, verdict):
        self.coach, self.machine, self.verdict = coach, coach.machine, verdict
        self.is_there = False

    def plug(self):
        self.machine.plug_keypad()
        self.is_there = True

    def pull(self):
        if self.is_there:
            self.machine.unplug("keypad")
            self.is_there = False
            self.machine.run("sleep 3")

    def press(self, key, command, held=0.1):
        """Presses it; the last command that the coach has obeyed by then is to be that one."""
        before = self.obeyed()
        self.machine.press(key, held, f"sleep {held + 2}")
        new = self.obeyed()[len(before):]
        self.verdict.measure(f"{key} for {held} s", " ".join(new) or "nothing", new == [command], command)

    def obeyed(self):
        return [event["event"] for event in self.coach.ledger() if event["event"] in COMMANDS]

    def typed(self):
        """What the console got since it was asked last."""
        return self.machine.run("cat console.log; : > console.log")

    def measure_own(self, what, aim):
        taken = self.machine.run(f"evdev take '{KEYPAD}'").strip()
        self.verdict.measure(f"{what}: the keypad, to another program", taken, taken == aim, aim)


def free(pad):
    """Without the service: what it keeps from the console must have come there."""
    pad.plug()
    pad.machine.run("sleep 2; udevadm settle")
    pad.machine.press("kp_1", 0.1, "sleep 1")
    typed = pad.typed()
    pad.verdict.measure("before the service: the console gets", repr(typed), typed, "a key of the keypad")
    pad.measure_own("before the service", "free")


def learnt(pad):
    machine = pad.machine
    machine.background("learn", f"exec cuecoach-buttons learn 'start keypad' --config {LEARNT}")
    machine.run("sleep 2")
    machine.press("kp_1", 0.1, "sleep 3")
    found = machine.run(f"cat {LEARNT}", checked=False)
    verdict = pad.verdict
    verdict.measure("learnt", found.split("\n", 1)[-1].strip().replace("\n", " "),
                    KEYPAD in found and "kp1: start keypad" in found, "the keypad and its key")
    pad.typed()


def taken(pad):
    machine, verdict = pad.machine, pad.verdict
    machine.run(f"systemctl start {UNIT}; sleep 2")
    pad.measure_own("with the service", "Device or resource busy")
    other = machine.run(f"evdev take '{KEYBOARD}'").strip()
    verdict.measure("the other keyboard, to another program", other, other == "free", "free")
    pid = property_of(machine, UNIT, "MainPID")
    opened = machine.run(f"ls -l /proc/{pid}/fd | grep -c /dev/input/event", checked=False).strip()
    verdict.measure("input devices that are open", opened, opened == "1", "1")
    numbers = machine.run(f"sed -n 's/^Groups://p' /proc/{pid}/status").strip()
    groups = machine.run(f"getent group {numbers} | cut -d: -f1 | sort | xargs").strip()
    verdict.measure("groups of the process", groups, groups == "cuecoach-buttons cuecoach-web input",
                    "cuecoach-buttons cuecoach-web input")
    own = machine.run(f"id -nG {UNIT}").strip()
    verdict.measure("groups of its user", own, own == UNIT, UNIT)


def obeyed(pad):
    pad.press("kp_1", "start")
    pad.press("kp_enter", "pause")
    pad.press("kp_enter", "resume")
    pad.press("kp_add", "next")
    before = pad.obeyed()
    typed = pad.typed()
    pad.verdict.measure("the console gets of the keypad", repr(typed), not typed, "nothing")
    pad.machine.run(f"evdev type '{KEYBOARD}' {LETTER}; sleep 1")
    typed = pad.typed()
    pad.verdict.measure("and of the other keyboard", repr(typed), typed == "a", "'a'")
    pad.verdict.measure("which the coach takes for", pad.obeyed()[len(before):] or "nothing",
                        pad.obeyed() == before, "nothing")


def pulled(pad):
    """In mid-press, of a key that acts when it is let go; then it is put back."""
    machine, verdict = pad.machine, pad.verdict
    before = pad.obeyed()
    machine.hold("kp_0", "sleep 0.3")
    pad.pull()
    new = pad.obeyed()[len(before):]
    verdict.measure("pulled out while kp_0 is held", new or "nothing", not new, "nothing")
    said = machine.run(f"journalctl -b -o cat -t {UNIT} --no-pager | tail -n 1").strip()
    verdict.measure("its log", said, " is gone: " in said, "it is gone")
    # It logs a line a minute, so that it is read is seen by the file that it opens.
    pid = property_of(machine, UNIT, "MainPID")
    pad.plug()
    passed = await_(machine, f"ls -l /proc/{pid}/fd | grep -q /dev/input/event")
    verdict.measure("put back: it is read", f"after {passed:.1f} s", passed <= 2, "≤ 2 s")
    machine.run("sleep 1")
    pad.measure_own("put back", "Device or resource busy")
    pad.press("kp_enter", "pause")


def coach_restarted(pad):
    pad.machine.run("systemctl restart cuecoach; sleep 3")
    pad.press("kp_enter", "resume")
    pad.press("kp_enter", "stop", held=1.5)


def shared(pad):
    """With `grab: no` others hear the keypad too. One of them says when its keys went down."""
    machine, verdict = pad.machine, pad.verdict
    machine.push(MAP.replace("    keys:", "    grab: no\n    keys:"), FILE)
    machine.run(f"systemctl restart {UNIT}; sleep 2")
    machine.background("hear", f"exec evdev hear '{KEYPAD}'")
    machine.run("sleep 1")
    pad.measure_own("with grab: no", "free")
    pad.press("kp_1", "start")
    pad.typed()
    for _ in range(PRESSES):
        machine.press("kp_add", 0.1, "sleep 1.3")
    typed = pad.typed()
    verdict.measure("the console gets", repr(typed), typed == PRESSES * "+", f"{PRESSES} times '+'")
    pressed = [int(line) for line in machine.run("cat hear.log").split()]
    done = [event["at"] for event in pad.coach.ledger() if event["event"] in ("start", "next")][-len(pressed):]
    late = [(at - press) / 1e6 for press, at in zip(pressed, done)]
    # A preset is read and a workout prepared before its start is noted.
    verdict.note(f"from a key to a start: {late[0]:.0f} ms" if late else "no press was heard")
    verdict.measure("from a key to the coach", [f"{passed:.1f} ms" for passed in late[1:]],
                    len(late) == PRESSES + 1 and all(0 <= passed <= 60 for passed in late[1:]), "≤ 60 ms each")
