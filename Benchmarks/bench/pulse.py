# SPDX-License-Identifier: Apache-2.0
"""PulseAudio's null sink: exact about distances, poor about instants."""

import os
import shutil
import subprocess
import time

import truth
from bench.card import boot_offset, own_home
from bench.match import Match
from bench.table import Row
from bench.workout import read_ledger, timeline, write_preset

RATE = 48000
CONFIG = """pcm.!default { type pulse }
ctl.!default { type pulse }
"""


class Server:
    """A PulseAudio of the bench's own, with a null sink and nothing else."""

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
    return [Row("PulseAudio null sink, spacing", 0, None, None, None, notes=[f"skipped: {reason}"])]


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
            ["parecord", "--raw", "--format=s16le", f"--rate={RATE}", "--channels=2",
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
    # A card that would have begun to play with the first sound; its instants mean nothing.
    log = [f"rate {RATE}", "start 0 0"]
    with open(f"{folder}/capture", "rb") as capture:
        heard = list(truth.onsets(capture, log, threshold=1))
    first = min(cue["due"] for cue in ledger if cue["event"] == "cue")
    # The first sound of all is the least sure, so the offset is that of the middle.
    planned = timeline(bench.program, preset)
    rough = Match(ledger, heard, [], first - heard[0][0], planned)
    shift = sorted(error for _, error in rough.errors)[len(rough.errors) // 2]
    match = Match(ledger, heard, [], first - heard[0][0] - shift, planned)
    errors = [error * RATE / 1e9 for _, error in match.errors]
    steps = [abs(after - before) for before, after in zip(errors, errors[1:])]
    # Which of the two came in the first 2 s: these do not count against the aim.
    begun = [due for due in sorted({cue["due"] for cue in ledger if cue["event"] == "cue"})
             if due - first < 2e9]
    early, late = steps[:len(begun) - 1], steps[len(begun) - 1:]
    return Row(
        "PulseAudio null sink, spacing", len(errors), sorted(steps)[len(steps) // 2],
        max(early, default=None), max(late, default=None), aim_late=3,
        missing=match.missing, doubled=match.doubled,
        notes=[f"between the earliest and the latest of all: {max(errors) - min(errors):.1f} "
               f"frames; from 2 s on {max(errors[len(begun):]) - min(errors[len(begun):]):.1f}"],
        show=lambda frames: f"{frames:.1f} fr")
