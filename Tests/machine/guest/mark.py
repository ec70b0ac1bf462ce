#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Beeps for 5 ms on the PC speaker, at 1 kHz; prints CLOCK_BOOTTIME then, in nanoseconds.

The beep is found in the capture: it ties the capture to the guest's clock.
"""

import os
import time

CONTROL, CHANNEL, GATE = 0x43, 0x42, 0x61
DIVISOR = 1_193_182 // 1000

ports = os.open("/dev/port", os.O_RDWR)


def write(port, value):
    os.pwrite(ports, bytes([value]), port)


write(CONTROL, 0xB6)
write(CHANNEL, DIVISOR & 255)
write(CHANNEL, DIVISOR >> 8)
time.sleep(0.1)
on = os.pread(ports, 1, GATE)[0] | 3
before = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
write(GATE, on)
after = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
time.sleep(0.005)
write(GATE, on & 0xFC)
print((before + after) // 2)
