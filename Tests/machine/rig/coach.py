# SPDX-License-Identifier: Apache-2.0
"""The coach in the machine: installed from its packages, run by systemd, commanded by ctl and HTTP."""

import array
import io
import json
import os
import typing
import wave

from rig import hearing

FOLDER = "/var/lib/cuecoach"
LEDGER = FOLDER + "/ledger.jsonl"
PRESETS = "/etc/cuecoach/presets"
DATABASE = FOLDER + "/sessions.db"
#: What the service's units set.
ENVIRONMENT = (
    "XDG_STATE_HOME=/var/lib XDG_CACHE_HOME=/var/cache XDG_CONFIG_HOME=/etc HOME=/var/lib/cuecoach")


class Coach:
    def __init__(self, machine, debs):
        self.machine = machine
        self.debs = debs
        self.references, self.ledgers = {}, {}

    def install(self):
        """Installs the packages and starts both services, as a person would."""
        for deb in self.debs:
            with open(deb, "rb") as file:
                self.machine.push(file.read(), f"/root/debs/{os.path.basename(deb)}")
        self.machine.run("DEBIAN_FRONTEND=noninteractive dpkg -i /root/debs/*.deb && sync")
        self.machine.run("systemctl enable -q --now cuecoach cuecoach-web")

    def configure(self, ledger=LEDGER, **parts):
        """Writes config.yaml anew and restarts the service, with an empty ledger."""
        # The ledger is the scenarios' own; everything else is as the packages have it.
        self.machine.push(
            f"[Service]\nExecStart=\nExecStart=/usr/bin/cuecoach serve --ledger {ledger}\n",
            "/etc/systemd/system/cuecoach.service.d/ledger.conf")
        lines = []
        for name, value in parts.items():
            if isinstance(value, dict):
                lines.append(f"{name}:")
                lines += [f"  {key}: {below}" for key, below in value.items()]
            else:
                lines.append(f"{name}: {value}")
        self.machine.push("\n".join(lines) + "\n", "/etc/cuecoach/config.yaml")
        self.machine.run(
            f"systemctl daemon-reload; cuecoach ctl stop; systemctl stop cuecoach; rm -f {ledger};"
            " systemctl start cuecoach")

    def preset(self, name, text):
        self.machine.push(text, f"{PRESETS}/{name}.yaml")

    def ctl(self, words, checked=True):
        return self.machine.run(f"cuecoach ctl {words}", checked=checked)

    def status(self):
        return json.loads(self.ctl("status --json"))

    def http(self, verb, **fields):
        """A request as the page makes it. It waits for the page's server to find a coach that was restarted, and
        what curl says of that would be in the answer."""
        body = json.dumps({"id": 1, "verb": verb, **fields})
        return json.loads(self.machine.run(
            "curl -s --fail --retry 30 --retry-delay 1 -H 'Content-Type: application/json' -H 'Origin: http://localhost:8642'"
            f" -d '{body}' http://localhost:8642/api/request"))

    def ledger(self, path=LEDGER):
        lines = self.machine.pull(path).decode().splitlines()
        return [json.loads(line) for line in lines if line.strip()]

    def reference(self, preset):
        """How the cues of a preset sound, rendered in the machine with the service's words."""
        if preset not in self.references:
            self.machine.run(
                f"cd /tmp; rm -f reference.*; runuser -u cuecoach -- env {ENVIRONMENT}"
                f" cuecoach render {preset} --output reference.wav --ledger reference.jsonl")
            ledger = [json.loads(line) for line in
                      self.machine.pull("/tmp/reference.jsonl").decode().splitlines()]
            self.references[preset] = hearing.Reference(
                wave_of(self.machine.pull("/tmp/reference.wav")), ledger)
            self.ledgers[preset] = ledger
        return self.references[preset]

    def reference_ledger(self, preset):
        """The ledger of that rendering."""
        self.reference(preset)
        return self.ledgers[preset]

    def is_whole(self):
        """What sqlite3 says of the database."""
        return self.machine.run(f"sqlite3 {DATABASE} 'pragma integrity_check'").strip()


class Sighting(typing.NamedTuple):
    """What a ledger and the capture say of a part of a cue: instants of CLOCK_BOOTTIME and spans, ns."""
    name: tuple
    due: int
    #: When it was heard, by the ledger; None where it says that it was not.
    said: int | None
    #: How much later than said, or than due, it was heard; None where it was not.
    offset: float | None


class Listening:
    """What was heard from now on, tied to the guest's clock by a beep of the PC speaker.

    `first` is an earlier frame of the capture to listen from.
    """

    def __init__(self, machine, first=None):
        self.machine = machine
        now = machine.captured
        self.first = now if first is None else first
        self.instant = int(machine.run("mark; sleep 0.3"))
        self.beep = now + hearing.mark(machine.sound(now))

    def frame_of(self, instant):
        """Within the sound that `offsets` hears."""
        return self.beep - self.first + (instant - self.instant) * hearing.RATE / 1e9

    def offsets(self, reference, ledger, begin=0, end=1 << 63):
        """For each cue that was due within these instants and played: its name, when it was due, and how
        many ns later it was heard; None where it was not."""
        sound = self.machine.sound(self.first)
        return list(reference.offsets(sound, ledger, self.frame_of, begin, end))

    def sightings(self, reference, ledger, start, begin, end):
        """Each part of a cue that a rendering has between two instants, of a workout started at `start`."""
        said = {name: part for name, part in hearing.named(ledger) if part.get("onset") is not None}
        instants = {name: said[name]["onset"] if name in said else start + place
                    for name, place in reference.places.items()}
        within = sorted((instant, name) for name, instant in instants.items() if begin <= instant < end)
        sound = self.machine.sound(self.first)
        return [Sighting(name, start + reference.places[name], said[name]["onset"] if name in said else None, offset)
                for name, _, offset in
                reference.search(sound, ((name, instant) for instant, name in within), self.frame_of)]


def property_of(machine, unit, name):
    return machine.run(f"systemctl show -p {name} --value {unit}").strip()


def exposure(machine, unit):
    """What `systemd-analyze security` says of it, from 0 (safe) to 10."""
    return float(machine.run(
        f"systemd-analyze security --no-pager {unit}.service"
        " | sed -n 's/.*exposure level for [^:]*: \\([0-9.]*\\).*/\\1/p'"))


def wave_of(data):
    """The first channel of a WAV in 16 bits."""
    with wave.open(io.BytesIO(data)) as file:
        frames = array.array("h", file.readframes(file.getnframes()))
        return frames[:: file.getnchannels()]
