# SPDX-License-Identifier: Apache-2.0
"""The services idle for an hour of the guest's time: wake-ups, memory, what is written to the disk."""

HOUR = 3600
#: Wake-ups in the hour that nobody would notice.
FEW = 60
#: The most of each, kB.
MEMORY = {"cuecoach": 24_000, "cuecoach-web": 16_000, "cuecoach-sense": 16_000, "cuecoach-buttons": 10_000,
          "cuecoach-notify": 10_000, "cuecoach-desktop": 10_000}
#: A desktop's bus, without a desktop.
BUS = "unix:path=/run/session-bus"
#: Of a device that is not there, and of a program that does nothing.
FILES = {"buttons": "devices: [{name: none, keys: {a: pause}}]\n", "notify": "notices: [{run: [/bin/true]}]\n"}


def idle(coach, verdict):
    machine = coach.machine
    # After a workout, so that everything has been used once.
    coach.preset("short", "name: Short\nsets: 1\nfirst: low\nlow: 10s\nhigh: 10s\n")
    coach.configure(device="plughw:CARD=Intel")
    for name, text in FILES.items():
        machine.push(text, f"/etc/cuecoach/{name}.yaml")
    # The list of sensors is empty.
    machine.run("systemctl start cuecoach-sense cuecoach-buttons cuecoach-notify")
    machine.background("session-bus", f"exec dbus-daemon --session --nofork --address={BUS}")
    machine.background("cuecoach-desktop", f"sleep 1; export DBUS_SESSION_BUS_ADDRESS={BUS};"
                       " exec cuecoach-desktop --sockets /run/cuecoach")
    coach.http("start", preset="short")
    machine.run("sleep 40; systemctl stop cuecoach-silence; sync; sleep 5")
    before = {unit: reading(machine, unit) for unit in MEMORY}
    disk = sectors(machine)
    machine.run(f"sleep {HOUR}", limit=HOUR + 600)
    written = sectors(machine) - disk
    for unit, most in MEMORY.items():
        switches, memory, bytes_written = reading(machine, unit)
        woken = switches - before[unit][0]
        verdict.measure(f"{unit}: wake-ups in the hour", woken, woken <= FEW, f"≤ {FEW}")
        verdict.measure(f"{unit}: memory", f"{memory} kB", memory <= most, f"≤ {most} kB")
        by_it = bytes_written - before[unit][2]
        verdict.measure(f"{unit}: written to the disk", f"{by_it} bytes", by_it == 0, "0")
    verdict.note(f"the whole machine wrote {written * 512 // 1024} kB")
    machine.run("systemctl stop cuecoach-sense cuecoach-buttons cuecoach-notify cuecoach-desktop session-bus;"
                " systemctl start cuecoach-silence; sleep 2; rm /etc/cuecoach/buttons.yaml /etc/cuecoach/notify.yaml")


def reading(machine, unit):
    """Context switches of all threads, resident kB, bytes written."""
    words = machine.run(
        f"pid=$(systemctl show -p MainPID --value {unit});"
        " cat /proc/$pid/task/*/status"
        " | awk '/^(non)?voluntary_ctxt_switches/ { sum += $2 } END { print sum + 0 }';"
        " awk '/^VmRSS/ { print $2 }' /proc/$pid/status;"
        " awk '/^write_bytes/ { print $2 }' /proc/$pid/io").split()
    return tuple(int(word) for word in words)


def sectors(machine):
    """Written to the disk since the boot."""
    return int(machine.run("sync; awk '{ print $7 }' /sys/block/pmem0/stat"))
