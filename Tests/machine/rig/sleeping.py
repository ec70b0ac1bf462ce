# SPDX-License-Identifier: Apache-2.0
"""The machine asleep: between which instants, by the kernel's own trace."""

import re
import typing

from rig.clocks import slept
from rig.machine import GuestError

TRACING = "/sys/kernel/tracing"


class Sleep(typing.NamedTuple):
    """Instants of CLOCK_BOOTTIME, ns."""
    #: Programs are frozen: nothing more reaches the cards.
    frozen: int
    #: The kernel stops the card.
    stopped: int
    #: Programs run again.
    thawed: int
    #: How long the machine slept by its own clocks, s.
    length: float


def sleep(machine, seconds, pcm):
    """Suspends; `pcm` is the kernel's name of what plays, "pcmC0D0p" for device 0 of card 0."""
    event = f"{TRACING}/events/power"
    machine.run(
        f"echo boot > {TRACING}/trace_clock; echo 'device ~ \"{pcm}\"' > {event}/device_pm_callback_start/filter;"
        f" echo 1 > {event}/device_pm_callback_start/enable; echo 1 > {event}/suspend_resume/enable;"
        f" echo > {TRACING}/trace")
    before = slept(machine)
    machine.suspend(seconds)
    length = slept(machine) - before
    trace = machine.run(f"cat {TRACING}/trace; echo 0 > {TRACING}/events/enable")
    return Sleep(
        instant(trace, r"freeze_processes\[0\] begin"), instant(trace, pcm + r",.*\btype \[suspend\]"),
        instant(trace, r"thaw_processes\[0\] begin"), length)


def instant(trace, event):
    """The first one of an event, ns."""
    if found := re.search(r" (\d+\.\d+): \w+: .*" + event, trace):
        return round(float(found.group(1)) * 1e9)
    raise GuestError(f"the kernel's trace of the sleep has no {event}")
