# SPDX-License-Identifier: Apache-2.0
"""What other clients of the control socket do while somebody's workout runs."""

import collections
import json
import os
import socket
import threading
import time

from bench.served import Served

# A second workout runs from the start, so that names are said in calm, too.
QUIET = "name: quiet\ndensity: quiet\nblocks:\n  - phases:\n      - work: 1h\n"
# Words before and after each count, and texts at instants of their own.
PRESET = """\
name: steady
blocks:
  - sets: 3
    phases:
      - low: 5s
      - high: 6s
        target: {watts: 190 to 210}
        say: [{at: 2s, text: "{elapsed}"}]
"""
SECONDS = 34


class Client:
    """A connection to the coach that reads every answer and keeps those to its requests."""

    def __init__(self, run, name="control"):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(f"{run.folder}/runtime/cuecoach/{name}")
        self.lines = self.socket.makefile("rwb")
        self.lines.readline()
        self.number = 0

    def send(self, verb, **fields):
        self.number += 1
        self.lines.write(json.dumps({"id": self.number, "verb": verb, **fields}).encode() + b"\n")

    def request(self, verb, **fields):
        self.send(verb, **fields)
        self.lines.flush()
        return self.answer(self.number)

    def answer(self, number):
        while line := self.lines.readline():
            if json.loads(line).get("id") == number:
                return json.loads(line)
        raise ConnectionError("the coach closed the connection")

    def close(self):
        self.lines.close()
        self.socket.close()


def workout(sets, **lengths):
    return f"name: stranger\nsets: {sets}\n" + "".join(f"{kind}: {length}\n" for kind, length in lengths.items())


def phases(count, length, more="", times=1):
    one = f"      - work: {length}\n{more}"
    return f"name: stranger\nblocks:\n  - sets: {count}\n    phases:\n" + one * times


def nested(levels):
    """Groups within groups, each twice."""
    text, indent = "name: stranger\nblocks:\n  - phases:\n", "      "
    for _ in range(levels):
        text += f"{indent}- repeat: 2\n{indent}  phases:\n"
        indent += "    "
    return text + f"{indent}- work: 250ms\n"


def start(text, lane="y", times=1, then_stop=True):
    def attack(run):
        clients = [Client(run) for _ in range(times)]
        begin = time.monotonic()
        for number, client in enumerate(clients):
            client.send("start", lane=f"{lane}{number}", workout=text)
            client.lines.flush()
        answers = [client.answer(1) for client in clients]
        run.facts.append(f"answered after {time.monotonic() - begin:.1f} s: {say_of(answers[0])}")
    return attack


def say_of(answer):
    error = answer.get("error")
    if not error:
        return "ok"
    return f"{error}: {answer.get('message')}"


def flood(seconds, verb, clients=1, socket_name="control", **fields):
    def attack(run):
        counts = [0] * clients

        def loop(place):
            client = Client(run, socket_name)
            end = time.monotonic() + seconds
            try:
                while time.monotonic() < end:
                    first = client.number + 1
                    for _ in range(16):
                        client.send(verb, **fields)
                    client.lines.flush()
                    for number in range(first, client.number + 1):
                        client.answer(number)
                        counts[place] += 1
            except (ConnectionError, OSError):
                pass

        threads = [threading.Thread(target=loop, args=(place,)) for place in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        run.facts.append(f"{sum(counts)} answers, ledger {os.path.getsize(run.ledger_path) // 1024} KiB")
    return attack


def readings(seconds, rate):
    """A sensor that has gone mad: so many readings a second, of the workout itself."""
    def attack(run):
        client = Client(run, "sense")
        begin = time.monotonic()
        while (now := time.monotonic() - begin) < seconds:
            while client.number < now * rate:
                client.send("value", name="watts", number=190 + client.number % 20, lane="steady")
            client.lines.flush()
            if not client.answer(client.number).get("ok"):
                raise RuntimeError("a reading is refused")
            time.sleep(0.01)
        run.facts.append(f"{client.number / seconds:.0f} readings a second")
    return attack


def burst(seconds, every, count, text):
    def attack(run):
        client = Client(run)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for number in range(count):
                client.send("say", text=f"{number} {text}", lane="steady")
            client.lines.flush()
            client.answer(client.number)
            time.sleep(every)
    return attack


LONG = "some words that take quite long and never end " * 10 + "so it goes"
TEXTS = "        say:\n" + "".join(f'          - {{at: 2s, text: "text number {n} of many"}}\n' for n in range(100))

ATTACKS = {
    "calm": lambda run: None,
    "1 ms": start(workout(1000, low="1ms", high="1ms")),
    "10 000 x 250 ms": start(workout(10000, low="250ms", high="250ms")),
    "100 000 x 800 ms": start(phases(10_000, "800ms", times=10)),
    "100 000 x 250 ms": start(phases(10_000, "250ms", times=10)),
    "64 levels": start(nested(64)),
    "16 levels": start(nested(16)),
    "500 texts": start(phases(3, "5s", TEXTS, times=5)),
    "31 starts of 250 ms": start(workout(10000, low="250ms", high="250ms"), times=31),
    "31 starts of 100 000": start(phases(10_000, "800ms", times=10), times=31),
    "31 starts of 500 texts": start(phases(3, "5s", TEXTS, times=5), times=31),
    "30 small starts": start(workout(3, low="2s", high="4s"), times=30),
    "say in a loop": flood(25, "say", text=LONG, lane="steady"),
    "8 says each 2 s": burst(25, 2, 8, "a text of some length that is said in between, by a stranger"),
    "8 long says each 2 s": burst(25, 2, 8, LONG[:490]),
    "1000 readings a second": readings(25, 1000),
    "readings in a loop": flood(25, "value", socket_name="sense", name="watts", number=200, lane="steady"),
    "where-am-i": flood(25, "where-am-i", socket_name="remote"),
    "status outlines": flood(25, "status", clients=4, outline=True),
}


class Strange(Served):
    last_sounds = 8  # the words of the end, too

    def __init__(self, bench, folder, attack):
        self.facts = []
        os.makedirs(folder, exist_ok=True)
        preset = f"{folder}/steady.yaml"
        with open(preset, "w") as file:
            file.write(PRESET)
        super().__init__(bench, folder, attacks=None, preset=preset, during=attack, before=self.start_quiet)

    def start_quiet(self, _):
        Client(self).request("start", lane="quiet", workout=QUIET)

    def cues(self):
        """The planned cues of the workout by kind, set and number, in the order of their instants."""
        cues = sorted((cue for cue in self.ledger if cue["event"] == "cue" and cue["lane"] == self.lane
                       and cue["kind"] not in ("message", "where-am-i")),
                      key=lambda cue: cue.get("planned", cue["due"]))
        numbers = collections.Counter()
        found = {}
        for cue in cues:
            key = cue["kind"], cue["set"]
            numbers[key] += 1
            found[*key, numbers[key]] = cue
        return found

    @property
    def begin(self):
        return next(event["at"] for event in self.ledger if event["event"] == "start" and event["lane"] == self.lane)

    def differences(self, calm):
        """The cues that are not as in a calm run, a line each; and the greatest error of an onset, nanoseconds."""
        mine, theirs, lines, worst = self.cues(), calm.cues(), [], 0
        for key, before in theirs.items():
            kind, number, _ = key
            at = (before.get("planned", before["due"]) - calm.begin) / 1e9
            name = f"{kind}{f' of set {number}' if number else ''} at {at:.2f} s"
            cue = mine.get(key)
            if cue is None:
                lines.append(f"{name}: no line in the ledger")
                continue
            if (cue["outcome"], cue["text"]) != (before["outcome"], before["text"]):
                lines.append(f"{name}: {cue['outcome']} \"{cue['text']}\" ({cue.get('reason')}) "
                             f"instead of {before['outcome']} \"{before['text']}\"")
            elif cue["onset"]:
                worst = max(worst, abs(cue["onset"] - cue["due"]))
                moved = (cue["due"] - self.begin) - (before["due"] - calm.begin)
                # A rendering of the same word is some samples longer or shorter than another.
                if abs(moved) > (2e6 if before["parts"] and len(before["text"]) > 1 else 21e3):
                    lines.append(f"{name}: due {moved / 1e6:+.1f} ms")
        if worst > 21e3 and worst > calm.worst:
            lines.append(f"an onset is {worst / 1e3:.1f} us off")
        self.worst = worst
        return lines, worst

    worst = 0
