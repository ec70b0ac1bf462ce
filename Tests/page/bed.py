"""Starts what the tests of the page need, and counts what went wrong."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
# Seconds. The limit is for a check that would never end, also on a machine that is ten times slower.
PATIENCE = 120


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def until(condition, seconds=PATIENCE, what=""):
    """Waits for a state."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"it did not come to pass: {what or condition}")
        time.sleep(0.01)


class Program:
    """A process, its end, and what it takes."""

    def __init__(self, words, environment=None):
        self.process = subprocess.Popen(
            words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})})

    @property
    def pid(self):
        return self.process.pid

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.wait(PATIENCE)
        return self.process.returncode

    def status(self, field):
        """A number of /proc/PID/status, such as VmHWM in kB."""
        with open(f"/proc/{self.pid}/status") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith(field + ":"))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def cpu(self):
        """Seconds."""
        with open(f"/proc/{self.pid}/stat") as line:
            fields = line.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Bed:
    """A coach, the page's server, and the folder that they share."""

    def __init__(self, program, folder, events=0, network=False):
        self.program, self.folder, self.network = program, str(folder), network
        self.events = events
        self.socket = os.path.join(self.folder, "remote")
        self.log = os.path.join(self.folder, "requests.jsonl")
        self.port = free_port()
        self.environment = {"XDG_STATE_HOME": os.path.join(self.folder, "state")}
        self.coach = self.web = None
        self.start_coach()
        self.start_web()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def start_coach(self, *words):
        self.coach = Program([
            sys.executable, os.path.join(HERE, "fake-coach"), self.socket, "--log", self.log,
            "--events", str(self.events), *words])
        until(lambda: os.path.exists(self.socket), what="the coach's socket")

    def start_web(self):
        self.web = Program(
            [self.program, "--listen", f"{'[::]' if self.network else '127.0.0.1'}:{self.port}",
             "--socket", self.socket], self.environment)
        until(self.answers, what="the page's server answers")
        until(self.finds_coach, what="it has found the coach")

    def tool(self, *words):
        """What a command of the program prints."""
        return subprocess.run(
            [self.program, *words], env={**os.environ, **self.environment}, check=True, text=True,
            capture_output=True).stdout.strip()

    def finds_coach(self):
        return self.ask(verb="status")[0] == 200

    def answers(self):
        try:
            return self.get("/api/clock")[0] == 200
        except OSError:
            return False

    def requests(self, verb=None):
        """What came to the coach."""
        if not os.path.exists(self.log):
            return []
        with open(self.log) as lines:
            entries = [json.loads(line) for line in lines]
        return [entry for entry in entries if verb in (None, entry["verb"])]

    def get(self, path, headers=None, method="GET", body=None, host="127.0.0.1", timeout=PATIENCE):
        connection = http.client.HTTPConnection(host, self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def ask(self, **fields):
        status, body = self.get(
            "/api/request", {"Content-Type": "application/json"}, "POST",
            json.dumps({"id": 1, **fields}))
        return status, (json.loads(body) if body.startswith(b"{") else body)

    def lose_device(self, reason, message):
        """The coach's device is lost for a reason; None: it is back."""
        self.tell(verb="device", reason=reason, message=message)

    def tell(self, **fields):
        """A request that only the coach of these tests knows."""
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(self.socket)
            lines = client.makefile("rw")
            lines.readline()
            lines.write(json.dumps(dict(id=1, **fields)) + "\n")
            lines.flush()
            assert json.loads(lines.readline())["ok"]

    def end(self):
        for program in (self.web, self.coach):
            if program:
                program.end(signal.SIGKILL if program is self.coach else signal.SIGTERM)


class RealBed(Bed):
    """The same with the real coach, which plays on the emulated card."""

    OPEN = ("name: Lifts\nblocks:\n  - phases:\n      - work: {reps: 2}\n      - rest: {until: ready, at-most: 3m}\n"
            "      - work: {until: next}\n")
    PRESET = "name: Short\nsets: 2\nprepare: 4s\nhigh: 5s\nlow: 4s\n"
    # No phase of it ends while a check looks at it.
    HOURS = "name: Hours\nsets: 2\nprepare: 1h\nhigh: 1h\nlow: 1h\n"

    def __init__(self, program, coach, card, folder):
        self.coach_program, root = coach, os.path.dirname(os.path.dirname(HERE))
        run, presets = os.path.join(folder, "run"), os.path.join(folder, "config/cuecoach/presets")
        os.makedirs(run, 0o700)
        os.makedirs(presets)
        for name, text in (("short", self.PRESET), ("lifts", self.OPEN), ("hours", self.HOURS)):
            with open(os.path.join(presets, f"{name}.yaml"), "w") as file:
                file.write(text)
        with open(f"{root}/Tests/EmulatedCard/card.conf.in") as template:
            text = template.read().replace("@LIB@", card).replace("@DIR@", folder)
        with open(os.path.join(folder, "card.conf"), "w") as config:
            config.write("\n".join(line for line in text.split("\n")
                                   if not line.startswith("  capture ")))
        with open(os.path.join(folder, "control"), "w") as control:
            control.write("run")
        self.ledger = os.path.join(folder, "ledger.jsonl")
        self.coach_environment = {
            "XDG_RUNTIME_DIR": run, "XDG_CONFIG_HOME": os.path.join(folder, "config"),
            "XDG_STATE_HOME": os.path.join(folder, "state"),
            "XDG_CACHE_HOME": os.path.join(folder, "cache"),
            "ALSA_CONFIG_PATH": os.path.join(folder, "card.conf")}
        super().__init__(program, folder)

    def start_coach(self):
        self.socket = os.path.join(self.coach_environment["XDG_RUNTIME_DIR"], "cuecoach/remote")
        self.coach = Program(
            [self.coach_program, "serve", "--ledger", self.ledger], self.coach_environment)
        until(self.listens, what="the coach's socket")

    def listens(self):
        with socket.socket(socket.AF_UNIX) as client:
            try:
                client.connect(self.socket)
            except OSError:
                return False
            return True

    def cues(self, kind):
        with open(self.ledger) as lines:
            entries = [json.loads(line) for line in lines]
        return [entry for entry in entries if entry.get("kind") == kind]


class Report:
    """One line for each check."""

    def __init__(self):
        self.faults = 0

    def check(self, name, test, *arguments):
        begin = time.monotonic()
        try:
            figures = test(*arguments) or ""
            print(f"✔ {name}{': ' + figures if figures else ''} ({time.monotonic() - begin:.1f} s)",
                  flush=True)
        except Exception as error:  # noqa: BLE001 – every failure is one line
            self.faults += 1
            places = [frame for frame in traceback.extract_tb(error.__traceback__) if HERE in frame.filename]
            where = f"{os.path.basename(places[-1].filename)}:{places[-1].lineno}"
            print(f"✘ {name}: {where}: {type(error).__name__}: {error}", flush=True)
