# SPDX-License-Identifier: Apache-2.0
"""A whole Debian 13 machine in QEMU, emulated throughout, with an HDA and a USB sound card.

Its clock counts instructions (`-icount`), so how busy this machine is does not exist for it. Where the
guest waits, the clock jumps (`sleep=off`): an idle minute passes in a moment. Between two requests the
guest stands still, so that waits belong inside it: `machine.run("sleep 5")`.
"""

import array
import fcntl
import json
import os
import shlex
import signal
import socket
import subprocess
import time

from rig.monitor import Monitor

RATE = 48_000
HEADER = 44
FRAME = 4


class GuestError(Exception):
    """A command in the guest that failed."""


class Machine:
    def __init__(self, folder, memory=1024):
        self.folder = folder
        self.memory = memory
        self.process = None
        self.runs = os.path.join(folder, "run")
        os.makedirs(self.runs, exist_ok=True)
        self.lock = open(os.path.join(folder, "lock"), "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit(f"another check uses the machine in {folder}") from None

    def path(self, name):
        return os.path.join(self.runs, name)

    @property
    def disk(self):
        return self.path("disk.ext4")

    @property
    def capture(self):
        return self.path("sound.wav")

    # Power

    def renew(self):
        """A fresh disk."""
        subprocess.run(
            ["cp", "--sparse=always", os.path.join(self.folder, "base.ext4"), self.disk],
            check=True)

    def boot(self):
        """Boots; returns the guest's seconds until systemd had started everything."""
        for name in ("monitor", "agent", "sound.wav"):
            if os.path.exists(self.path(name)):
                os.unlink(self.path(name))
        # It ends with this process, however that ends.
        words = ["setpriv", "--pdeathsig", "KILL", "nice", "-n", "10", *self.command()]
        with open(self.path("qemu.log"), "w") as log:
            self.process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        # Its monitor answers when its sockets are there.
        while not self.listens():
            time.sleep(0.1)
            if self.process.poll() is not None:
                with open(self.path("qemu.log")) as log:
                    raise GuestError("qemu: " + log.read().strip())
        return float(self.run(
            "systemctl is-system-running --wait > /dev/null; udevadm settle;"
            " for try in $(seq 60); do"
            "   grep -q RUNNING /proc/asound/card7/pcm0p/sub0/status && break; sleep 1; done;"
            " systemd-analyze --no-pager | sed -n 's/.*= *//p'; cut -d' ' -f1 /proc/uptime"
        ).split()[-1])

    def listens(self):
        try:
            with self.monitor() as monitor:
                return bool(monitor.status)
        except OSError:
            return False

    def power_off(self):
        if self.process is None:
            return
        self.ask({"do": "run", "command": "(sleep 0.2; systemctl poweroff) > /dev/null 2>&1 &",
                  "limit": 20}, moves_on=True)
        try:
            self.process.wait(120)
        except subprocess.TimeoutExpired:
            self.kill()
        self.process = None

    def kill(self):
        """A power cut: the disk stays as it was."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def monitor(self):
        return Monitor(self.path("monitor"))

    # Requests

    def run(self, command, limit=600, checked=True, first=None):
        """Runs a command as root; returns what it wrote. `first` is for the monitor."""
        status, output = self.ask({"do": "run", "command": command, "limit": limit}, wait=limit, first=first)
        text = output.decode(errors="replace")
        if checked and status != 0:
            raise GuestError(f"{command!r} ended with {status}: {text.strip()[-2000:]}")
        return text

    def push(self, data, path, mode=0o644):
        if isinstance(data, str):
            data = data.encode()
        status, answer = self.ask(
            {"do": "push", "path": path, "length": len(data), "mode": mode}, data)
        if status != 0:
            raise GuestError(answer.decode())

    def pull(self, path):
        status, answer = self.ask({"do": "pull", "path": path})
        if status != 0:
            raise GuestError(answer.decode())
        return answer

    def background(self, name, command):
        """Runs a command as a transient unit, with its output in /root/NAME.log."""
        self.run(
            f"rm -f {name}.log; systemd-run -q --collect --unit={name} --setenv=HOME=/root"
            f" -p WorkingDirectory=/root -p StandardOutput=append:/root/{name}.log"
            f" -p StandardError=append:/root/{name}.log /bin/bash -c {shlex.quote(command)}")

    def ask(self, request, data=b"", wait=600, moves_on=False, first=None):
        connection = socket.socket(socket.AF_UNIX)
        # The guest's seconds are not ours: a busy one may take ten of ours.
        connection.settimeout(60 + wait * 20)
        connection.connect(self.path("agent"))
        with self.monitor() as monitor:
            monitor.do("cont")
            if first:
                monitor.do(**first)
            try:
                connection.sendall(json.dumps(request).encode() + b"\n" + data)
                answer = connection.makefile("rb")
                head = json.loads(answer.readline() or b'{"status": 126, "length": 0}')
                return head["status"], answer.read(head["length"])
            finally:
                connection.close()
                if not moves_on:
                    monitor.do("stop")

    # What happens to a machine

    def unplug(self, device="usbcard"):
        with self.monitor() as monitor:
            monitor.do("device_del", id=device)

    def replug(self):
        with self.monitor() as monitor:
            monitor.do(
                "device_add", driver="usb-audio", id="usbcard", audiodev="sound", bus="xhci.0")

    def plug_keypad(self):
        """A USB keyboard, whose keys are pressed from now on until it is unplugged."""
        with self.monitor() as monitor:
            monitor.do("device_add", driver="usb-kbd", id="keypad", bus="xhci.0")

    def press(self, key, held, meanwhile):
        """Presses a key for some seconds of the guest's, while a command runs. QEMU forgets keys of a guest that stands
        still, so it is pressed as the guest moves on."""
        self.run(meanwhile, first={"command": "send-key", "keys": [{"type": "qcode", "data": key}],
                                   "hold-time": round(held * 1000)})

    def hold(self, key, meanwhile):
        """Presses a key and does not let go of it."""
        event = {"type": "key", "data": {"down": True, "key": {"type": "qcode", "data": key}}}
        self.run(meanwhile, first={"command": "input-send-event", "events": [event]})

    def suspend(self, seconds):
        """Suspends to RAM and wakes up after that many seconds of ours, which the guest's RTC counts.

        Not through logind, which the coach has asked to keep the machine awake.
        """
        self.ask({"do": "run", "limit": 20,
                  "command": "(sleep 0.3; systemctl start suspend.target) > /dev/null 2>&1 &"},
                 moves_on=True)
        with self.monitor() as monitor:
            end = time.monotonic() + 120
            while monitor.status != "suspended":
                time.sleep(0.05)
                if time.monotonic() > end:
                    monitor.do("stop")
                    raise GuestError("the guest does not fall asleep")
            time.sleep(seconds)
            monitor.do("system_wakeup")
            while monitor.status == "suspended":
                time.sleep(0.05)
            monitor.do("stop")

    # Sound

    @property
    def captured(self):
        """The frames that have been captured."""
        return (os.path.getsize(self.capture) - HEADER) // FRAME

    def sound(self, first, count=None):
        """The left channel of the capture, from a frame on."""
        with open(self.capture, "rb") as file:
            file.seek(HEADER + first * FRAME)
            data = file.read(-1 if count is None else count * FRAME)
        return array.array("h", data[: len(data) // FRAME * FRAME])[::2]

    def command(self):
        size = os.path.getsize(self.disk)
        return [
            "qemu-system-x86_64", "-accel", "tcg,tb-size=512", "-icount", "shift=1,sleep=off",
            "-machine", "q35,usb=off,nvdimm=on,pcspk-audiodev=sound", "-cpu", "max,la57=off",
            "-smp", "1", "-m", f"{self.memory},slots=2,maxmem=16G",
            "-nodefaults", "-display", "none", "-vga", "none", "-nic", "none",
            # How long a sleep lasts is this machine's time: the guest's clock stands still in it.
            "-rtc", "base=utc,clock=host", "-global", "ICH9-LPC.disable_s3=0",
            "-kernel", os.path.join(self.folder, "vmlinuz"),
            "-initrd", os.path.join(self.folder, "initrd"),
            "-append", "console=ttyS0 root=/dev/pmem0 rw quiet nokaslr mitigations=off audit=0"
            " tsc=reliable no_timer_check systemd.show_status=0 systemd.gpt_auto=0",
            # A disk that is waited for would make the clock jump, so the disk is memory.
            "-object", f"memory-backend-file,id=disk,share=on,mem-path={self.disk},size={size}",
            "-device", "nvdimm,memdev=disk",
            "-object", "rng-random,id=random,filename=/dev/urandom",
            "-device", "virtio-rng-pci,rng=random",
            "-chardev", f"socket,id=agent,path={self.path('agent')},server=on,wait=off",
            "-device", "virtio-serial-pci",
            "-device", "virtserialport,chardev=agent,name=cuecoach",
            "-qmp", f"unix:{self.path('monitor')},server=on,wait=off",
            "-serial", f"file:{self.path('console.log')}",
            # One capture of all cards, at the guest's time. The AC97 plays silence, so that it runs on.
            "-audiodev", f"wav,id=sound,path={self.capture},timer-period=1000,"
            f"out.frequency={RATE},out.channels=2,out.format=s16,out.buffer-length=20000",
            "-device", "ich9-intel-hda", "-device", "hda-output,audiodev=sound",
            "-device", "AC97,audiodev=sound",
            "-device", "qemu-xhci,id=xhci",
            "-device", "usb-audio,id=usbcard,audiodev=sound,bus=xhci.0",
        ]
