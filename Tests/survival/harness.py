# SPDX-License-Identifier: Apache-2.0
"""Shared by all parts: a folder for each session, the program, its ledger and its database."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time

FRAME = 20_834  # ns, of 48 kHz, rounded up
# Seconds. Longer than any machine needs, so reaching it means a hang.
PATIENCE = 600

PRESET = """name: Survival
blocks:
  - sets: 3
    phases:
      - high: 5s
      - low: 6s
  - phases:
      - rest: 20s
        say: Drink a little
        at: 3s
      - work: 4s
        name: Push
"""
# A similar workout of 13 s.
SHORT = """name: Survival
blocks:
  - sets: 2
    phases:
      - high: 1s
      - low: 4s
  - phases:
      - rest: 3s
        say: Drink
        at: 1s
"""


def boot():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def checksum(data):
    """FNV-1a over 64 bits, as SQLite keeps it."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value - (1 << 64) if value >> 63 else value


def until(condition, process=None, timeout=PATIENCE):
    """Waits until `condition` returns something true, and returns it. If `process` ends first, returns the
    last result of `condition`; None after the timeout."""
    stop = time.monotonic() + timeout
    while time.monotonic() < stop:
        has_ended = process is not None and process.poll() is not None
        if (found := condition()) or has_ended:
            return found
        time.sleep(0.05)
    return None


def elapse(seconds):
    """Lets a random time pass, such as between a kill and the next start."""
    time.sleep(seconds)


def survives(process, seconds):
    """Whether the process still runs after a random time."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


class Part:
    """The figures of one part of the torture, and the violations that it found."""

    def __init__(self, name, program, folder, seed, options):
        self.name, self.program, self.folder, self.seed = name, program, folder, seed
        self.options = options
        self.preset = SHORT if options.short else PRESET
        self.figures, self.faults, self.kinds = {}, 0, {}
        self.lock = threading.Lock()
        # Held by each task that runs workouts in real time: in the short form all parts share a limited number.
        self.turn = options.turn

    def count(self, what, number=1):
        with self.lock:
            self.figures[what] = self.figures.get(what, 0) + number

    def maximum(self, what, value):
        with self.lock:
            self.figures[what] = max(value, self.figures.get(what, value))

    def fault(self, text, kind=""):
        """Reports a violation; of each kind only the first ones are printed."""
        with self.lock:
            self.faults += 1
            self.kinds[kind] = self.kinds.get(kind, 0) + 1
            if self.kinds[kind] <= 8:
                print(f"{self.name}: {text}", flush=True)
            elif self.kinds[kind] == 9:
                print(f"{self.name}: further ones are only counted", flush=True)

    def heard(self, event, where):
        """Checks that a sound was heard within a frame of its due time. The short form only counts late sounds,
        because the machine has other work."""
        if event["onset"] is None or event["kind"] not in ("transition", "countdown"):
            return
        late = abs(event["onset"] - event["due"])
        self.maximum("ns from due to onset at most", late)
        if late > FRAME:
            self.count("sounds late by more than a frame")
            if not self.options.short:
                self.fault(f"{where}: {event['kind']} {event['text']} heard {late} ns from its due time")

    def line(self, seconds):
        figures = ", ".join(f"{value} {what}" for what, value in self.figures.items())
        return f"{self.name}: {figures}; {self.faults} violations, {seconds:.0f} s"


class Home:
    """A separate state folder, and the program that uses it."""

    def __init__(self, part, name, preset=None):
        self.program = part.program
        self.path = os.path.join(part.folder, name)
        os.makedirs(self.path)
        self.state = os.path.join(self.path, "cuecoach")
        self.database = os.path.join(self.state, "sessions.db")
        self.preset = os.path.join(self.path, "survival.yaml")
        self.ledger = os.path.join(self.path, "ledger.jsonl")
        self.sound = os.path.join(self.path, "sound.wav")
        with open(self.preset, "w") as file:
            file.write(preset or part.preset)
        kept = {key: os.environ[key] for key in ("PATH", "LANG", "TZ") if key in os.environ}
        self.environment = {**kept, "HOME": self.path, "XDG_STATE_HOME": self.path}

    def start(self, *arguments, prefix=(), more=None, **options):
        options = {
            "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL,
            "stderr": subprocess.PIPE, **options}
        return subprocess.Popen(
            [*prefix, self.program, *arguments], env={**self.environment, **(more or {})},
            cwd=self.path, **options)

    def ask(self, *arguments, more=None, timeout=PATIENCE):
        """Runs the program and returns the result; None if it does not end in time."""
        try:
            return subprocess.run(
                [self.program, *arguments], env={**self.environment, **(more or {})},
                cwd=self.path, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return None

    def run_arguments(self, *more):
        files = ["--no-sound", "--ledger", self.ledger, *more]
        return ["run", f"a={self.preset}", *files]

    def resume_arguments(self, *more):
        return ["resume", "--no-sound", "--ledger", self.ledger, *more]

    def history(self):
        answer = self.ask("history", "--json")
        if answer is None or answer.returncode != 0:
            raise RuntimeError(f"history: {answer and (answer.returncode, answer.stderr)}")
        return [json.loads(line) for line in answer.stdout.splitlines()]

    def sessions(self):
        answer = self.ask("sessions", "--json")
        if answer is None or answer.returncode != 0:
            raise RuntimeError(f"sessions: {answer and (answer.returncode, answer.stderr)}")
        return [json.loads(line) for line in answer.stdout.splitlines()]

    def events(self):
        return read_ledger(self.ledger)

    def keep_heartbeats(self):
        """Lets `heartbeat` read them: otherwise they lie where those of all programs of this user do."""
        runtime = os.path.join(self.path, "runtime")
        os.mkdir(runtime, 0o700)
        self.environment["XDG_RUNTIME_DIR"] = runtime

    def heartbeat(self):
        """When a program of a session last checked, in CLOCK_BOOTTIME nanoseconds; None if none has."""
        instants = []
        for folder, _, files in os.walk(self.environment["XDG_RUNTIME_DIR"]):
            for file in files:
                try:
                    with open(os.path.join(folder, file), "rb") as opened:
                        instants.append(int.from_bytes(opened.read(8), sys.byteorder))
                except OSError:
                    pass
        return max(filter(None, instants), default=None)

    def stored(self):
        """The states of the stored sessions, read from a copy so that the database is not checkpointed."""
        copy = os.path.join(self.path, "copy")
        shutil.rmtree(copy, ignore_errors=True)
        os.makedirs(copy)
        for suffix in ("", "-wal"):
            if os.path.exists(self.database + suffix):
                shutil.copy(self.database + suffix, os.path.join(copy, "sessions.db" + suffix))
        try:
            with sqlite3.connect(os.path.join(copy, "sessions.db")) as database:
                rows = database.execute("SELECT state FROM session").fetchall()
            database.close()
            return [json.loads(row[0]) for row in rows]
        except sqlite3.Error:
            return []

    def change(self, edit):
        """Changes the state of the only session in place, with its checksum."""
        database = sqlite3.connect(self.database)
        ((row, data),) = database.execute("SELECT id, state FROM session").fetchall()
        state = json.loads(data)
        edit(state)
        data = json.dumps(state, separators=(",", ":"), sort_keys=True).encode()
        database.execute(
            "UPDATE session SET state = ?, checksum = ? WHERE id = ?", (data, checksum(data), row))
        database.commit()
        database.close()

    def wait_for(self, condition, process=None, after=0):
        """Waits until the ledger has an event for which `condition` holds, after the first `after` events.
        Returns it, or None if `process` has ended without it."""
        return until(lambda: next(filter(condition, self.events()[after:]), None), process)

    def wait_until_kept(self, process, since=None):
        """Waits until the database has a session, saved at `since` or later; returns its state."""
        def kept():
            return next((s for s in self.stored() if since is None or s["record"]["at"] >= since), None)
        return until(kept, process)

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


def read_ledger(path):
    events = []
    try:
        with open(path) as file:
            for line in file:
                # A program that was killed may have left half a line.
                try:
                    events.append(json.loads(line))
                except ValueError:
                    pass
    except FileNotFoundError:
        pass
    return events


def end(process, grace=PATIENCE):
    """Waits for a process and kills it if it does not end. Returns status and stderr."""
    try:
        _, errors = process.communicate(timeout=grace)
        return process.returncode, (errors or b"").decode(errors="replace")
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, ""


class Reference:
    """The cues of an uninterrupted run, in nanoseconds of workout time."""

    def __init__(self, home):
        path = os.path.join(home.path, "reference.jsonl")
        sound = os.path.join(home.path, "reference.wav")
        subprocess.run(
            [home.program, "render", home.preset, "--output", sound, "--ledger", path],
            env=home.environment, check=True, timeout=PATIENCE)
        os.remove(sound)
        self.sounds, self.words, self.phases, self.sets = {}, {}, [], set()
        for event in read_ledger(path):
            if event["event"] == "phase":
                self.phases.append(event["at"])
            if event["event"] == "finish":
                self.end = event["at"]
            for key, due in timed(event):
                self.sounds.setdefault(key, set()).add(due)
            if event.get("kind") == "set-completion":
                self.sets.add(event["set"])
            if word := word_key(event):
                self.words[word] = event["due"]
        # Numbers may be replaced by beeps.
        for (kind, number, text), dues in list(self.sounds.items()):
            if kind == "number":
                self.sounds.setdefault(("countdown", number, text), set()).update(dues)


def timed(event):
    """Yields the key and the due time of each exactly timed part of a cue."""
    if event["event"] != "cue":
        return
    kind = event["kind"]
    if kind in ("transition", "countdown"):
        yield (kind, event["set"], event["text"]), event["due"]
    if kind == "set-completion":
        for part in event["parts"]:
            if part["text"].isdigit():
                yield ("number", event["set"], part["text"]), part["due"]


def word_key(event):
    """The key of an announcement of the workout; None for answers, which may be repeated."""
    if event["event"] == "cue" and event["kind"] in ("set-completion", "text", "next", "halfway", "finish"):
        return event["kind"], event["set"]
    return None
