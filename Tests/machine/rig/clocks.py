# SPDX-License-Identifier: Apache-2.0
"""The guest's clocks."""


def python(machine, expression):
    return machine.run(f"python3 -c 'import time; print({expression})'").strip()


def boottime(machine):
    """CLOCK_BOOTTIME, ns: the clock of the ledger and of the snapshots."""
    return int(python(machine, "time.clock_gettime_ns(time.CLOCK_BOOTTIME)"))


def slept(machine):
    """How long the machine has slept since it booted, seconds."""
    return float(python(
        machine,
        "time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)"))
