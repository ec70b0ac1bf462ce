# SPDX-License-Identifier: Apache-2.0
"""Documentation/raspberry-pi.md, typed line by line by a new user on a machine without the packages."""

import os
import re
import shlex

from scenarios.bluetooth import await_, heard, plug, remove, wear

PACKAGES = "cuecoach-web cuecoach-sense cuecoach-mqtt cuecoach"
PAGE = os.path.join(os.path.dirname(__file__), "../../../Documentation/raspberry-pi.md")
#: Lines that cannot be typed here, and why.
ELSEWHERE = {
    "ssh you@gym.local": "this is the machine",
    "make deb ARCH=arm64": "make check-deb ARCH=arm64 does it",
    "sudo apt update": "the machine has no network",
    "sudo apt install pipewire-pulse wireplumber pipewire-alsa libspa-0.2-bluetooth":
        "the machine has no network",
    "exit": "each line is typed after a login of its own",
}
#: The machine's packages are those of its processor.
ARCHITECTURE = ("_arm64.deb", "_amd64.deb")
#: What the cards of the page are called.
CARDS = {0: "Headphones", 1: "Device"}
#: What a line answers, where its exit status does not say it all.
ANSWERS = {
    "cuecoach devices": "plughw:CARD=Headphones",
    "cuecoach test-sound --device plughw:CARD=Headphones --volume 60": "Set 3 completing in 3, 2, 1, 0",
    "cuecoach ctl status": "Demo",
    "sudo cuecoach-web link": "http://",
    "cuecoach-sense scan": "Strap 42",
    "cuecoach-web link": "http://",
    "journalctl -u cuecoach -n 20": "cuecoach",
}
#: After these the capture has sound.
SOUNDS = {"cuecoach test-sound --device plughw:CARD=Headphones --volume 60", "cuecoach ctl start demo"}
HEARD = 1000
#: After this the workout of that name has the heart rate of the page's strap.
COACHED, NAME, RATE = "cuecoach ctl start easy-ride --as anna", "anna", 131


def raspberry_pi(coach, verdict):
    machine = coach.machine
    names = machine.run("cat /sys/class/sound/card0/id /sys/class/sound/card1/id").split()
    prepare(machine)
    try:
        follow(machine, verdict)
    finally:
        for card, name in enumerate(names):
            machine.run(f"printf {name} > /sys/class/sound/card{card}/id")
        machine.run("loginctl disable-linger you; loginctl terminate-user you", checked=False)
        remove(machine)
    state = machine.run(f"dpkg-query -W -f '${{db:Status-Status}} ' {PACKAGES} 2> /dev/null; ls /var/lib/cuecoach")
    verdict.measure("removed; the history stays", " ".join(state.split()),
                    "sessions.db" in state and " installed" not in " " + state, "sessions.db")
    coach.install()


def prepare(machine):
    """The machine as the page finds it: no packages, and a user as the Imager makes one."""
    machine.run(f"DEBIAN_FRONTEND=noninteractive dpkg --purge {PACKAGES}")
    machine.run("rm -rf /etc/cuecoach /etc/systemd/system/cuecoach*.d; systemctl daemon-reload")
    machine.run("useradd -m -s /bin/bash -G sudo,adm you; mkdir -p /etc/sudoers.d;"
                " echo 'you ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/you; cp /root/debs/*.deb /home/you")
    # sudo looks the machine's name up.
    machine.run("echo 127.0.1.1 machine >> /etc/hosts")
    wear(machine, "42", RATE)
    plug(machine, "42")
    for card, name in CARDS.items():
        machine.run(f"printf {name} > /sys/class/sound/card{card}/id")


def follow(machine, verdict):
    for language, path, lines in blocks():
        if language == "ini":
            # `systemctl edit` keeps what stands below the two lines with which its text begins.
            machine.push(lines, "/usr/local/share/page-block")
            machine.push('#!/bin/sh\nfor file; do :; done\nsed -i "2r /usr/local/share/page-block" "$file"\n',
                         "/usr/local/bin/page-editor", 0o755)
    for language, path, lines in blocks():
        if path.startswith("/etc/"):
            # Its folder is there, as for the person who opens the file in an editor.
            machine.run(f"test -d {os.path.dirname(path)}")
            machine.push(lines, path)
        elif path.startswith("~"):
            # The text has `mkdir -p` for its folder.
            machine.push(lines, "/home/you" + path[1:])
            machine.run("chown -R you: /home/you")
        for line in lines.splitlines() if language == "sh" else []:
            step(machine, verdict, line)


def step(machine, verdict, line):
    if reason := ELSEWHERE.get(line):
        verdict.note(f"not typed: {line} ({reason})")
        return
    before = machine.captured
    # `systemctl edit` wants a terminal, and apt a yes.
    typed = f"export SYSTEMD_EDITOR=page-editor; {line.replace(*ARCHITECTURE)}"
    if " edit " in line:
        typed = f"script -qec {shlex.quote(typed)} /dev/null"
    output = machine.run(f"echo y | su -l you -c {shlex.quote(typed)} 2>&1; echo \"status ${{PIPESTATUS[1]}}\"")
    status = output.split()[-1]
    wanted = ANSWERS.get(line, "")
    verdict.measure(line, f"exit {status}" + ("" if status == "0" else ": " + output.strip()[-400:]),
                    status == "0" and wanted in output, f"exit 0{', ' * bool(wanted)}{wanted}")
    if line == COACHED:
        seconds = await_(machine, heard(NAME, RATE))
        verdict.measure(f"  the heart rate of {NAME}", f"{RATE} after {seconds:.1f} s", seconds <= 30, f"{RATE}, ≤ 30 s")
    if line in SOUNDS:
        machine.run("sleep 3")
        peak = max(map(abs, machine.sound(before)), default=0)
        verdict.measure("  what is heard: its peak", peak, peak > HEARD, f"> {HEARD}")


def blocks():
    """The page's blocks of code: language, the file that their first line names, content."""
    with open(PAGE, encoding="utf-8") as page:
        for match in re.finditer(r"^```(\w+)\n(.*?)^```", page.read(), re.M | re.S):
            language, lines = match.groups()
            named = re.match(r"# (\S+)\n", lines) if language == "yaml" else None
            yield language, named.group(1) if named else "", lines
