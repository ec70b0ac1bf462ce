# SPDX-License-Identifier: Apache-2.0
"""From power on to a coach that is ready."""

from rig.coach import property_of

#: Microseconds, on one slow core that everything else is started on as well.
MOST = 5_000_000


def boot(coach, verdict):
    machine = coach.machine
    machine.power_off()
    machine.boot()
    times = machine.run("systemd-analyze --no-pager | head -n 1").strip()
    verdict.note(times)
    for unit in ("cuecoach", "cuecoach-web"):
        begun, ready = (int(property_of(machine, unit, name)) for name in
                        ("ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic"))
        verdict.measure(f"{unit}: ready after its start", f"{(ready - begun) / 1e6:.3f} s",
                        0 <= ready - begun <= MOST, f"≤ {MOST // 1_000_000} s")
        used = int(property_of(machine, unit, "CPUUsageNSec"))
        verdict.note(f"{unit}: {used / 1e9:.3f} s of the processor")
        verdict.note(f"{unit}: ready {ready / 1e6:.3f} s after the kernel's start")
    failed = machine.run("systemctl --failed --no-legend --plain").strip()
    verdict.measure("failed units", failed or "none", not failed, "none")
    answer = coach.http("status")
    verdict.measure("the page answers", answer.get("ok"), answer.get("ok") is True, "True")
