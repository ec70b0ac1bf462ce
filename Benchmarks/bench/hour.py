# SPDX-License-Identifier: Apache-2.0
"""The cost of a long run, second by second, and of a pause."""

import os
import signal
import statistics
import subprocess
import time

from bench.card import Card, boot_offset, cpu_ns, monotonic, task_files
from bench.runs import sleep_until
from bench.terminal import Terminal
from bench.workout import read_ledger, timeline

# A second is near a cue when one is due within it, in the 2 s after it or in the second before.
AHEAD, BEHIND = 2e9, 1e9


def write_tabata(path, minutes):
    with open(path, "w") as file:
        file.write(f"name: Tabata\nsets: {max(1, round(minutes * 2))}\nfirst: high\n"
                   "high: 20s\nlow: 10s\n")
    return path


def status(text, name):
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name}:"))


class Sample:
    """The state of a process: its CPU time, its waits, its memory."""

    def __init__(self, pid):
        self.at = monotonic()
        self.cpu = cpu_ns(pid)
        texts = list(task_files(pid, "status"))
        self.waits = sum(status(text, "voluntary_ctxt_switches") for text in texts)
        with open(f"/proc/{pid}/status") as file:
            text = file.read()
        self.rss, self.peak = (status(text, name) for name in ("VmRSS", "VmHWM"))


def watch(pid, until):
    """Samples once a second until `until()`, or until the process has ended."""
    samples, at = [], monotonic()
    while not until():
        try:
            samples.append(Sample(pid))
        except (FileNotFoundError, StopIteration, ProcessLookupError):
            break
        at += 1_000_000_000
        sleep_until(at)
    return samples


def per_second(pairs):
    if not pairs:
        return "none"
    waits = statistics.mean((b.waits - a.waits) / (b.at - a.at) * 1e9 for a, b in pairs)
    cpu = statistics.mean((b.cpu - a.cpu) / (b.at - a.at) for a, b in pairs)
    return f"{waits:.1f} waits/s, {cpu * 100:.2f} % of a core ({len(pairs)} s)"


def run(program, library, folder, minutes):
    card = Card(library, f"{folder}/card", capture=False)
    preset = write_tabata(f"{folder}/tabata.yaml", minutes)
    offset = boot_offset()
    process = subprocess.Popen(
        [program, "run", preset, "--ledger", f"{folder}/ledger"],
        env=card.environment(f"{folder}/home"), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL)
    samples = watch(process.pid, lambda: process.poll() is not None)
    _, ended = process.wait(), monotonic()
    begin = next(e["at"] for e in read_ledger(f"{folder}/ledger") if e["event"] == "start") - offset
    dues = [begin + cue["at"] * 1e9 for cue in timeline(program, preset)]
    near, far = [], []
    for pair in zip(samples, samples[1:]):
        is_near = any(pair[0].at - BEHIND <= due < pair[1].at + AHEAD for due in dues)
        (near if is_near else far).append(pair)
    length = (ended - samples[0].at) / 1e9
    print(f"a run of {length:.0f} s: {samples[-1].cpu / 1e9:.2f} s of CPU "
          f"({samples[-1].cpu / 1e7 / length:.2f} % of a core), "
          f"{samples[-1].waits / length:.1f} waits/s")
    print(f"  with a cue near:    {per_second(near)}")
    print(f"  without:            {per_second(far)}")
    memory(samples)


def memory(samples):
    # The first seconds load voices and sounds.
    rest = samples[min(len(samples) // 4, 30):]
    seconds = [(sample.at - rest[0].at) / 1e9 for sample in rest]
    slope = statistics.linear_regression(seconds, [sample.rss for sample in rest]).slope
    quarters = [rest[len(rest) * i // 4].rss for i in range(4)] + [rest[-1].rss]
    print(f"  memory: peak {samples[-1].peak / 1024:.1f} MB; resident over time "
          + ", ".join(f"{rss / 1024:.1f}" for rss in quarters)
          + f" MB; {slope * 3600 / 1024:+.2f} MB an hour")


def pause(program, library, folder, seconds):
    card = Card(library, f"{folder}/paused", capture=False)
    preset = write_tabata(f"{folder}/tabata.yaml", 30)
    terminal = Terminal(program, preset, f"{folder}/ledger", card.environment(f"{folder}/home"))
    sleep_until(terminal.begin() + 5e9)
    pressed = terminal.press(" ")
    time.sleep(3)  # until the device is closed
    until = monotonic() + seconds * 1e9
    samples = watch(terminal.pid, lambda: monotonic() >= until)
    closed = [ns for ns in card.events("close") if ns > pressed]
    os.kill(terminal.pid, signal.SIGTERM)
    terminal.end()
    print(f"paused: {per_second(list(zip(samples, samples[1:])))}; the device is "
          + (f"closed {(closed[0] - pressed) / 1e9:.2f} s after the key" if closed else "kept open"))


def measure(program, library, folder, minutes):
    run(program, library, folder, minutes)
    pause(program, library, folder, 60 if minutes >= 10 else 20)
