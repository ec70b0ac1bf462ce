#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What another program sees of an input device, which is called by its name.

    evdev take NAME        tries to keep its keys from everybody else: "free", or why it cannot
    evdev type NAME CODE   a key of it is pressed for a moment
    evdev hear NAME        prints CLOCK_BOOTTIME, in nanoseconds, of each key that goes down
"""

import fcntl
import glob
import os
import struct
import sys
import time

GRAB, CLOCK = 0x40044590, 0x400445A0
EVENT = struct.Struct("=qqHHi")
REPORT, KEY = 0, 1


def device(name, flags):
    for file in glob.glob("/sys/class/input/event*/device/name"):
        with open(file) as text:
            if text.read().strip() == name:
                return os.open("/dev/input/" + file.split("/")[4], flags)
    sys.exit(f"there is no {name}")


def take(name):
    keys = device(name, os.O_RDONLY)
    try:
        fcntl.ioctl(keys, GRAB, 1)
        print("free")
    except OSError as error:
        print(os.strerror(error.errno))


def type_(name, code):
    keys = device(name, os.O_WRONLY)
    for is_down in 1, 0:
        os.write(keys, EVENT.pack(0, 0, KEY, int(code), is_down) + EVENT.pack(0, 0, REPORT, 0, 0))


def hear(name):
    keys = device(name, os.O_RDONLY)
    fcntl.ioctl(keys, CLOCK, struct.pack("i", time.CLOCK_BOOTTIME))
    while True:
        for seconds, micros, kind, _, value in EVENT.iter_unpack(os.read(keys, 64 * EVENT.size)):
            if (kind, value) == (KEY, 1):
                print(seconds * 10**9 + micros * 1000, flush=True)


{"take": take, "type": type_, "hear": hear}[sys.argv[1]](*sys.argv[2:])
