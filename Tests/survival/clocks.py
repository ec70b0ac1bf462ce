# SPDX-License-Identifier: Apache-2.0
"""Jumps of the wall clock, stopped processes, long gaps and reboots: cues keep their times."""

import concurrent.futures
import os
import random
import shutil
import signal
import subprocess
import sys
import time

from survival.harness import FRAME, PATIENCE, Home, Reference, boot, end, survives, timed, until
from survival.kills import SECOND, workout_time

MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 86_400 * SECOND
LONG = "name: Long\nblocks:\n  - sets: 60\n    phases:\n      - work: 15m\n      - rest: 5m\n"
# As long, with fewer announcements to measure.
LONG_SETS = "name: Long\nblocks:\n  - sets: 4\n    phases:\n      - work: 4h\n      - rest: 1h\n"


def clocks(part):
    home = Home(part, "reference")
    reference = Reference(home)
    tasks = [(stops, part, reference, part.seed)]
    library, reason = stepped_clock(part)
    if reason:
        part.count(f"wall clock is not stepped: {reason}")
    else:
        for number, jumps in enumerate(JUMPS if not part.options.short else JUMPS[:2]):
            tasks.append((jump, part, reference, library, number, *jumps))
    with part.turn:
        template, saved = interrupted(part)
    for number, case in enumerate(cases(part)):
        tasks.append((gap, part, template, saved, number, *case))
    tasks.append((crashes, part))
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for future in [pool.submit(guarded, part, *task) for task in tasks]:
            future.result()


def guarded(part, task, *arguments):
    try:
        with part.turn:
            task(*arguments)
    except Exception as error:  # noqa: BLE001
        part.fault(f"{task.__name__} {arguments[3:]}: {type(error).__name__} {error}")


# MARK: Times of cues


def check(part, reference, home, where):
    """Checks that every cue is at the same time as in an uninterrupted run."""
    events = home.events()
    begun = next((event["at"] for event in events if event["event"] == "start"), None)
    if begun is None:
        part.fault(f"{where}: it did not begin")
        return
    heard = 0
    for event in events:
        if event["event"] == "phase" and event["at"] - begun not in reference.phases:
            part.fault(f"{where}: phase {event['text']} ends at {event['at'] - begun}")
        if event["event"] != "cue" or event["outcome"] not in ("played", "shortened"):
            continue
        part.heard(event, where)
        for key, due in timed(event):
            heard += 1
            off = min((abs(due - begun - other) for other in reference.sounds.get(key, [])), default=None)
            if off is None or off > 0:
                part.fault(f"{where}: {key} at {due - begun}, {off} ns off")
            else:
                part.maximum("ns off at most", off)
    part.count("cues", heard)
    if not any(event["event"] == "finish" and event["at"] == begun + reference.end for event in events):
        part.fault(f"{where}: it does not finish where it should")
    rows = home.history()
    if len(rows) != 1 or rows[0]["outcome"] != "finished" or rows[0]["lengthNanoseconds"] != reference.end:
        part.fault(f"{where}: the history has {rows}")
    return heard


# MARK: Stopped processes


def stops(part, reference, seed):
    """Stops and continues the process twelve times."""
    chance = random.Random(seed)
    home = Home(part, "stops")
    process = home.start(*home.run_arguments("--record", home.sound))
    home.wait_for(lambda event: event["event"] == "start", process)
    longest = 0.5 if part.options.short else 4
    for _ in range(12):
        if not survives(process, chance.uniform(0.2, 1)):
            break
        process.send_signal(signal.SIGSTOP)
        survives(process, 0.1 + longest * chance.random() ** 2)
        process.send_signal(signal.SIGCONT)
        part.count("stops")
    code, errors = end(process)
    if code != 0:
        part.fault(f"stops (seed {seed}): ends with {code}: {errors[:200]!r}")
    check(part, reference, home, f"stops (seed {seed})")


# MARK: A wall clock that jumps


def stepped_clock(part):
    """Builds the library that changes the wall clock of a program. Returns its path, or why it cannot be built."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        return None, "no C compiler"
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stepped-clock.c")
    library = os.path.join(part.folder, "stepped-clock.so")
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", library, source], check=True, timeout=PATIENCE)
    file = os.path.join(part.folder, "probe")
    step(file, DAY)
    code = "import time; print(time.time_ns(), time.clock_gettime_ns(time.CLOCK_BOOTTIME))"
    before = boot(), time.time_ns()
    answer = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **stepped(library, file)},
        capture_output=True, timeout=PATIENCE, text=True)
    wall, running = map(int, answer.stdout.split())
    if not (before[0] <= running <= boot() and before[1] <= wall - DAY <= time.time_ns()):
        return None, "it does not work here"
    return library, None


def step(file, nanoseconds):
    """Sets the wall clock ahead by this much."""
    mode = "r+b" if os.path.exists(file) else "wb"
    with open(file, mode, buffering=0) as written:
        written.write(nanoseconds.to_bytes(8, sys.byteorder, signed=True))


def stepped(library, file):
    return {"LD_PRELOAD": library, "STEPPED_CLOCK": file}


def since_1970():
    """The offset of a clock that was never set: it shows 10 s after 1970."""
    return 10 * SECOND - time.time_ns()


# The offset of the clock after each jump, the time zone, and whether the program is killed at each jump.
JUMPS = [
    ([0, DAY, -DAY], "UTC", False),
    ([None, 0], "UTC", True),
    ([None, 0], "UTC", False),
    ([0, -DAY, DAY, 0], "America/St_Johns", False),
    ([0, -DAY], "UTC", True),
    ([0, DAY], "Pacific/Kiritimati", True),
    ([0, HOUR, 0], "Europe/Berlin", False),
    ([0, 0], "zone", False),
    ([0, 0], "zone", True),
]


def jump(part, reference, library, number, ahead, zone, is_killed):
    where = f"wall clock {number}: {ahead}, {zone}, {'killed' if is_killed else 'running'}"
    home = Home(part, f"jump-{number}")
    file = os.path.join(home.path, "clock")
    step(file, since_1970() if ahead[0] is None else ahead[0])
    more = {"TZ": zone, **stepped(library, file)}
    if zone == "zone":
        # The machine moves to another time zone.
        more["TZ"] = ":" + os.path.join(home.path, "zone")
        shutil.copy("/usr/share/zoneinfo/UTC", home.path + "/zone")
    process = home.start(*home.run_arguments("--record", home.sound), more=more)
    for nanoseconds in ahead[1:]:
        run_on(part, home, process)
        if is_killed:
            process.kill()
            process.communicate()
        step(file, nanoseconds)
        if zone == "zone":
            shutil.copy("/usr/share/zoneinfo/Asia/Tokyo", home.path + "/new")
            os.rename(home.path + "/new", home.path + "/zone")
        if is_killed:
            process = home.start(*home.resume_arguments("--record", home.sound), more=more)
        part.count("jumps")
    code, errors = end(process)
    rows = [(row["outcome"], row["lengthNanoseconds"]) for row in home.history()]
    if is_killed and len(rows) == 1 and rows[0][0] == "unattended" and rows[0][1] < reference.end:
        # Starting the program took longer than the rest of the workout: it has what was done before.
        part.count("over before they were resumed")
        return
    if code != 0:
        part.fault(f"{where}: ends with {code}: {errors[:200]!r}")
    check(part, reference, home, where)


def run_on(part, home, process):
    """Waits until the current program has stored the session and played something; in the long form for
    some time more."""
    home.wait_until_kept(process)
    events = len(home.events())
    home.wait_for(lambda event: event["event"] == "cue", process, after=events)
    if not part.options.short:
        survives(process, 6)


# MARK: Gaps and reboots


def long_preset(part):
    return LONG_SETS if part.options.short else LONG


def interrupted(part):
    """Makes a long session whose program was killed. Returns its state."""
    home = Home(part, "template", long_preset(part))
    process = home.start(*home.run_arguments())
    if not home.wait_until_kept(process):
        raise RuntimeError(f"nothing is kept: {end(process, 0)}")
    process.kill()
    process.communicate()
    return home, home.stored()[0]


def cases(part):
    """A case: the policy, the age of the session, whether it is from this boot, and whether the clock was
    set then and is set now."""
    for command in (["run"], ["run", "--resume", "hold"], ["run", "--resume", "discard"], ["resume"], ["resume", "--hold"]):
        for age in (MINUTE, 12 * HOUR - MINUTE, 12 * HOUR + MINUTE):
            yield command, age, True, False, False
    if part.options.short or shutil.which("strace") is None:
        return
    for command in (["run"], ["run", "--resume", "continue"], ["resume"]):
        for then in (False, True):
            for now in (False, True):
                for age in (12 * HOUR - MINUTE, 12 * HOUR + MINUTE, -MINUTE):
                    yield command, age, False, then, now


def expected(command, age, is_same_boot, then, now):
    is_known = is_same_boot or (then and now and age >= 0)
    if "discard" in command:
        return "new"
    if command[0] == "run" and is_known and age > 12 * HOUR:
        return "new"
    if "--hold" in command or "hold" in command:
        return "paused"
    if is_same_boot or ("continue" in command and is_known):
        return "running"
    # There is no keyboard here, so sessions are held only if that is requested.
    return "there"


def gap(part, template, saved, number, command, age, is_same_boot, then, now):
    where = (
        f"gap {' '.join(command)}, {age // SECOND} s ago, {'same' if is_same_boot else 'other'} boot, "
        f"clock set then {then}, now {now}")
    home = Home(part, f"gap-{number}", long_preset(part))
    shutil.copytree(template.state, home.state)
    stood = workout_time(saved)
    wanted = {}

    def edit(state):
        back = boot() - age if is_same_boot else 7 * HOUR
        move(state, back - saved["record"]["at"])
        state["clocks"].update(boot=back, wall=time.time_ns() - age, isSynchronised=then)
        if not is_same_boot:
            state["clocks"]["bootID"] = "11111111-2222-3333-4444-555555555555"
        wanted["started"] = state["record"]["anchors"]["started"]
        wanted["wall"] = state["clocks"]["wall"]

    home.change(edit)
    prefix = []
    if not is_same_boot:
        # 5 is TIME_ERROR: the clock is not set.
        value = 0 if now else 5
        prefix = [
            "strace", "-f", "-o", "/dev/null", "-e", "trace=adjtimex,clock_adjtime",
            "-e", f"inject=adjtimex,clock_adjtime:retval={value}"]
    arguments = home.resume_arguments() if command[0] == "resume" else home.run_arguments()
    process = home.start(arguments[0], *command[1:], *arguments[1:], prefix=prefix)
    wish = expected(command, age, is_same_boot, then, now)
    event = home.wait_for(lambda event: event["event"] in ("start", "restored"), process)
    if prefix:
        # strace exits like the program, but not by the same signal.
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True)
        for child in children.stdout.split():
            os.kill(int(child), signal.SIGTERM)
    else:
        process.send_signal(signal.SIGTERM)
    code, errors = end(process)
    part.count("gaps")
    found = "nothing" if event is None else event.get("outcome", "new")
    if found == "running" and wish == "there":
        found = "there"
    if found != wish and found == expected(command, time.time_ns() - wanted["wall"], is_same_boot, then, now):
        # Starting the program took longer than the remaining time until the greatest age.
        part.count("too old before they were looked at")
        return
    if found != wish:
        part.fault(f"{where}: {found} instead of {wish} ({code}): {errors[:300]!r}")
        return
    if wish == "new":
        rows = home.history()
        if len(rows) != 1 or rows[0]["outcome"] != "abandoned":
            part.fault(f"{where}: the history has {rows}")
        return
    state = home.stored()
    if len(state) != 1:
        part.fault(f"{where}: {len(state)} sessions are kept")
        return
    anchors = state[0]["record"]["anchors"]
    if wish == "paused":
        part.maximum("ns off when held at most", abs(workout_time(state[0]) - stood))
        if anchors["state"] != "paused" or workout_time(state[0]) != stood:
            part.fault(f"{where}: held at {workout_time(state[0])} instead of {stood}")
        return
    if wish == "there":
        # From its stored position, since it was resumed.
        off = abs(workout_time(state[0]) - stood - (state[0]["record"]["at"] - event["at"]))
        part.maximum("ns off from there at most", off)
        if off > 0:
            part.fault(f"{where}: {off} ns off")
        home.remove()
        return
    if is_same_boot:
        off = abs(anchors["started"] - wanted["started"])
    else:
        # Its start on this boot clock, computed from the wall clock.
        begun = wanted["wall"] - stood - ahead_of_boot()
        off = abs(anchors["started"] - begun)
    part.maximum(f"ns off {'in the same boot' if is_same_boot else 'by the wall clock'} at most", off)
    if off > (0 if is_same_boot else 5_000_000):
        part.fault(f"{where}: {off} ns off")
    home.remove()


def ahead_of_boot():
    """The wall clock minus the boot clock: of several readings, the pair that was closest together."""
    readings = [(boot(), time.time_ns(), boot()) for _ in range(20)]
    first, wall, last = min(readings, key=lambda reading: reading[2] - reading[0])
    return wall - (first + last) // 2


def move(state, shift):
    record = state["record"]
    record["at"] += shift
    record["anchors"]["started"] += shift
    for some, keys in ((record["announcements"]["gate"]["recent"], ["due"]), (record["announcements"]["open"], ["first", "until"])):
        for item in some:
            for key in keys:
                item[key] += shift


def begun(home):
    """How each process began; None for a new session."""
    return [e.get("outcome") for e in home.events() if e["event"] in ("start", "restored")]


def crashes(part):
    """After three crashes in a row the session is held."""
    home = Home(part, "crashes", long_preset(part))
    found = []
    for number in range(4):
        process = home.start(*home.run_arguments())
        until(lambda: len(begun(home)) > number, process)
        # The number of crashes is stored with the session.
        until(lambda: [state["crashes"] for state in home.stored()] == [number], process)
        process.kill() if number < 3 else process.send_signal(signal.SIGTERM)
        end(process)
        found = begun(home)
    if found != [None, "running", "running", "paused"]:
        part.fault(f"crashes: resumed as {found}")
    part.count("crashes in a row", 3)
