#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints when sounds began on the emulated card: CLOCK_MONOTONIC ns and capture frame, one a line.

A sound begins at a sample louder than the threshold that is heard --gap ms or more after the last
such sample, whether the gap was silence or a stopped card. A sound that continues after an xrun or a
stall of that length counts as a new one, as it does for the ear.
"""

import argparse
import array
import bisect
import sys

CHANNELS = 2
BLOCK = 4096  # samples; quiet blocks are skipped at the speed of min and max


class Truth:
    """When each frame of a capture was heard."""

    def __init__(self, log):
        self.frames, self.anchors = [], []  # where each run begins; (ns, frames per second)
        rate = None
        for line in log:
            event, *values = line.split()
            if event == "rate":
                rate = float(values[0])
            elif event in ("start", "resume"):
                ns, frame = int(values[0]), int(values[1])
                # A start after which nothing was heard has the frame of the next start.
                if self.frames and self.frames[-1] == frame:
                    self.frames.pop()
                    self.anchors.pop()
                self.frames.append(frame)
                self.anchors.append((ns, rate))

    def instant(self, frame):
        run = bisect.bisect_right(self.frames, frame) - 1
        if run < 0:
            raise ValueError(f"frame {frame} lies before the first start in the log")
        ns, rate = self.anchors[run]
        return ns + round((frame - self.frames[run]) * 1e9 / rate)


def loud_frames(capture, threshold):
    base = 0
    while block := capture.read(BLOCK * 2):
        samples = array.array("h", block[: len(block) // 2 * 2])
        if sys.byteorder == "big":
            samples.byteswap()
        if samples and (max(samples) > threshold or min(samples) < -threshold):
            for i, sample in enumerate(samples):
                if sample > threshold or sample < -threshold:
                    yield (base + i) // CHANNELS
        base += len(samples)


def onsets(capture, log, gap_ms=20.0, threshold=0):
    """Yields (ns, frame) for each sound of a capture (binary file) with its log (text file)."""
    truth = Truth(log)
    last = None
    boundaries = set(truth.frames)
    for frame in loud_frames(capture, threshold):
        if last is not None and frame - last <= 1 and frame not in boundaries:
            last = frame
            continue
        ns = truth.instant(frame)
        if last is None or ns - truth.instant(last) > gap_ms * 1e6:
            yield ns, frame
        last = frame


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("capture")
    parser.add_argument("log")
    parser.add_argument("--gap", type=float, default=20, metavar="MS",
                        help="silence before a sound (20)")
    parser.add_argument("--threshold", type=int, default=0, metavar="N",
                        help="samples up to this are silence; 1 for a dithered keep-alive (0)")
    arguments = parser.parse_args()
    try:
        with open(arguments.capture, "rb") as capture, open(arguments.log, encoding="ascii") as log:
            for ns, frame in onsets(capture, log, arguments.gap, arguments.threshold):
                print(ns, frame)
    except (OSError, ValueError) as error:
        sys.exit(f"truth.py: {error}")


if __name__ == "__main__":
    main()
