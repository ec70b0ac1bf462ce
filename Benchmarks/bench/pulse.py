# SPDX-License-Identifier: Apache-2.0
"""PulseAudio's null sink: accurate for distances between sounds, inaccurate for instants."""

import collections
import os
import shutil
import statistics
import subprocess
import time

import truth
from bench.card import own_home
from bench.match import Match
from bench.table import Row
from bench.workout import read_ledger, sound_of, timeline, write_preset

RATE = 48000
WINDOW = (-0.2, 0.5)
CONFIG = """pcm.!default { type pulse }
ctl.!default { type pulse }
"""


class Server:
    """A separate PulseAudio with only a null sink."""

    def __init__(self, folder):
        runtime = f"{folder}/run"
        os.makedirs(runtime, mode=0o700)
        with open(f"{folder}/asound.conf", "w") as file:
            file.write(CONFIG)
        self.environment = own_home(
            f"{folder}/home", XDG_RUNTIME_DIR=runtime, PULSE_SERVER=f"unix:{runtime}/socket",
            PULSE_COOKIE=f"{folder}/cookie", ALSA_CONFIG_PATH=f"{folder}/asound.conf")
        self.process = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
             "--disable-shm=yes", "--log-target=stderr",
             "-L", f"module-null-sink sink_name=bench rate={RATE} channels=2",
             "-L", f"module-native-protocol-unix auth-anonymous=1 socket={runtime}/socket"],
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(f"{runtime}/socket"):
            if self.process.poll() is not None:
                raise OSError("pulseaudio does not start")
            time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def skipped(reason):
    return [Row("PulseAudio null sink, spacing", 0, None, None, None, None, notes=[f"skipped: {reason}"])]


def row(bench, folder):
    if not (shutil.which("pulseaudio") and shutil.which("parecord")):
        return skipped("pulseaudio or parecord is not installed")
    os.makedirs(folder, exist_ok=True)
    preset = write_preset(f"{folder}/onsets.yaml", bench.seconds)
    try:
        server = Server(folder)
    except OSError as error:
        return skipped(error)
    with server, open(f"{folder}/capture", "wb") as capture:
        recording = subprocess.Popen(
            ["parecord", "--raw", "--latency-msec=20", "--format=s16le", f"--rate={RATE}", "--channels=2",
             "--device=bench.monitor"], env=server.environment, stdout=capture,
            stderr=subprocess.DEVNULL)
        while recording.poll() is None and not os.path.getsize(f"{folder}/capture"):
            time.sleep(0.05)
        subprocess.run(
            [bench.program, "run", preset, "--ledger", f"{folder}/ledger"], check=True,
            env=server.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        time.sleep(1)
        recording.terminate()
        recording.wait()
    return [judged(bench, folder, preset)]


def judged(bench, folder, preset):
    ledger = read_ledger(f"{folder}/ledger")
    # Stands for a card that began to play with the first sound; its instants have no meaning.
    log = [f"rate {RATE}", "start 0 0"]
    with open(f"{folder}/capture", "rb") as capture:
        heard = list(truth.onsets(capture, log, threshold=1))
    dues = sorted({cue["due"] for cue in ledger if cue["event"] == "cue" and sound_of(cue)})
    # What most of the pairs agree on, then the middle of what is left.
    votes = collections.Counter(round((due - ns) / 5e6) for due in dues for ns, _ in heard)
    offset = votes.most_common(1)[0][0] * 5_000_000
    planned = timeline(bench.program, preset)
    rough = Match(ledger, heard, [], offset, planned, WINDOW)
    offset -= round(statistics.median(error for _, error in rough.errors))
    match = Match(ledger, heard, [], offset, planned, WINDOW)
    errors = [error * RATE / 1e9 for _, error in match.errors]
    early = sum(due - dues[0] < 2e9 for due in match.dues)
    steps = [abs(after - before) for before, after in zip(errors, errors[1:])]
    settled = errors[early:]
    return Row(
        "PulseAudio null sink, spacing", len(errors), None, statistics.median(steps),
        max(steps[:early], default=None), max(steps[early:], default=None), aim_late=3,
        missing=match.missing, doubled=match.doubled,
        notes=[*match.notes, f"from 2 s on all lie within {max(settled) - min(settled):.1f} frames; "
               f"the first is {errors[0] * 1e3 / RATE:.0f} ms from its place among the others"],
        show=lambda frames: f"{frames:.1f} fr")
