# SPDX-License-Identifier: Apache-2.0
"""A kill or an error at every single write, sync and rename of the store."""

import concurrent.futures
import contextlib
import os
import random
import re
import shutil
import sqlite3

from survival.harness import Home, end
from survival.damages import Templates, identities

# Three phases of 2 s: each begins with a save.
PRESET = "name: Short\nblocks:\n  - sets: 3\n    phases:\n      - work: 2s\n"
# The same without announcements; these runs are awaited.
SHORT = f"density: quiet\n{PRESET}"
CALLS = ["pwrite64", "fdatasync", "fsync", "ftruncate", "rename", "unlink"]
FAULTS = ["signal=KILL", "error=EIO", "error=ENOSPC"]
WARNING = "the session cannot be saved"
RECOVERED = "the session is saved again"
JOBS = 14


def preset(part):
    return SHORT if part.options.short else PRESET


def strace(log, *injections):
    rules = [rule for injection in injections for rule in ("-e", f"inject={injection}")]
    return ["strace", "-f", "-y", "-s", "24", "-o", log, "-e", f"trace=write,{','.join(CALLS)}", *rules]


def lines(log):
    try:
        with open(log, errors="replace") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def of_database(line):
    return "/sessions.db" in line


def counts(log):
    """The most calls of each kind by one thread on the database, because strace counts by thread."""
    found = {}
    for line in lines(log):
        match = re.match(r"(\d+) +(\w+)\(", line)
        if match and match[2] in CALLS:
            found.setdefault(match[2], {}).setdefault(match[1], 0)
            found[match[2]][match[1]] += 1
    return {call: max(threads.values()) for call, threads in found.items()}


def writes(part):
    if shutil.which("strace") is None:
        return "strace is not installed"
    tasks, places = [], []
    for task in (run, run_fresh):
        home = Home(part, f"count-{task.__name__}", preset(part))
        if task is run:
            home.sessions()
        log = os.path.join(home.path, "strace")
        with part.turn:
            code, errors = end(home.start(*home.run_arguments(), prefix=strace(log)))
        if code != 0 or not home.history():
            return f"the program does not run under strace: {code} {errors[:200]!r}"
        most = counts(log)
        places += [f"{number} {call}" for call, number in most.items()]
        tasks += [
            (task, call, fault, number)
            for call in CALLS for fault in FAULTS for number in range(1, most.get(call, 0) + 2)]
        # Every write from there on fails; or all of them for some time.
        tasks += [
            (task, call, fault, f"{number}{more}")
            for call in ("pwrite64", "fdatasync") for fault in FAULTS[1:]
            for number in (1, 3, 9, 12) for more in ("+", "..14")]
    templates = Templates(part)
    aside = Home(part, "count-aside")
    log = os.path.join(aside.path, "strace")
    damaged(aside, templates)
    end(aside.start("history", prefix=strace(log)))
    for call, number in counts(log).items():
        tasks += [(set_aside, call, fault, k) for fault in FAULTS for k in range(1, number + 2)]
    part.count(f"places (a thread's most: {', '.join(places)})", len(tasks))
    if part.options.short:
        some = [task for task in tasks if task[0] is set_aside]
        chance = random.Random(part.seed)
        tasks = chance.sample([t for t in tasks if t[0] is not set_aside], 10) + chance.sample(some, 16)
    jobs = 4 if part.options.short else JOBS
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for future in [pool.submit(guarded, part, templates, *task) for task in tasks]:
            future.result()
    return None


def guarded(part, templates, task, call, fault, number):
    where = f"{call}:{fault}:when={number}"
    try:
        with contextlib.nullcontext() if task is set_aside else part.turn:
            task(part, templates, call, fault, number, where)
    except Exception as error:  # noqa: BLE001
        part.fault(f"{task.__name__} {where}: {type(error).__name__} {error}")


def run(part, templates, call, fault, number, where, is_fresh=False):
    """With an existing database."""
    home = Home(part, f"{'fresh' if is_fresh else 'run'}-{call}-{fault}-{number}", preset(part))
    if not is_fresh:
        home.sessions()
    log = os.path.join(home.path, "strace")
    process = home.start(*home.run_arguments(), prefix=strace(log, where))
    code, errors = end(process)
    told = lines(log)
    if not any("INJECTED" in line or "killed by SIGKILL" in line for line in told):
        part.count("not reached")
        if code == 0:
            home.remove()
            return
    where = f"{'run on a new database' if is_fresh else 'run'} {where}"
    if code is None:
        part.fault(f"{where}: hangs")
    elif fault.startswith("signal"):
        part.count("kills")
        after_kill(part, home, told, where)
    else:
        part.count("errors")
        injected = sum("INJECTED" in line for line in told)
        after_error(part, home, code, errors, number, injected, where)
    home.remove()


def run_fresh(*arguments):
    """With a new database."""
    run(*arguments, is_fresh=True)


def after_kill(part, home, told, where):
    begun = next((i for i, line in enumerate(told) if '{\\"event\\":\\"start' in line), None)
    # The first one may be the write of the journal's header.
    acknowledged = begun is not None and 1 < sum(
        "fdatasync(" in line and "-wal>" in line and line.endswith("= 0") for line in told[begun:])
    answer = home.ask("sessions", "--json")
    if answer is None or answer.returncode != 0 or answer.stderr.count(b"\n") > (not answer.stdout):
        part.fault(f"{where}: sessions: {answer and (answer.returncode, answer.stderr[:300])}")
        return
    history = home.history()
    found = len(answer.stdout.splitlines()), len(history)
    if found not in [(1, 0), (0, 1)] and (acknowledged or found != (0, 0)):
        part.fault(f"{where}: {found[0]} sessions and {found[1]} rows in the history")
        return
    if found == (1, 0):
        code, errors = end(home.start(*home.resume_arguments()))
        if code not in (0, 1) or (code == 1 and "nothing to resume" not in errors):
            part.fault(f"{where}: resume: {code} {errors[:300]!r}")
        if home.sessions() or len(home.history()) != 1:
            part.fault(f"{where}: {len(home.history())} rows in the history after it was resumed")


def after_error(part, home, code, errors, number, injected, where):
    events = home.events()
    told = errors.strip().splitlines()
    if code not in (0, 1) or "Fatal" in errors:
        part.fault(f"{where}: ends with {code}: {errors[:300]!r}")
        return
    if not any(event["event"] == "finish" for event in events):
        part.fault(f"{where}: the workout did not come to its end ({code}): {errors[:300]!r}")
        return
    # strace counts by thread: on a busy machine several threads write, and each fails once. A failure
    # that lasts is reported once, and the next one only after a save has succeeded.
    reports = [line for line in told if WARNING in line or RECOVERED in line]
    repeated = any(WARNING in one and WARNING in next for one, next in zip(reports, reports[1:]))
    if repeated or sum(WARNING in line for line in reports) > injected:
        part.fault(f"{where}: {injected} failures are reported so: {errors[:400]!r}")
    rows = home.history()
    if len(rows) == 1 and rows[0]["outcome"] == "finished":
        return
    if "this workout cannot be resumed" in errors and not rows:
        # The first writes failed, and were not retried.
        part.count("never kept because the opening failed")
        if str(number).isdigit():
            part.fault(f"{where}: one error at the opening, and the whole workout was not kept: {errors[:300]!r}", "opening")
        return
    if str(number).endswith(("+", "..14")) and not rows and not home.sessions():
        part.count("never kept")
        if code != 1 or not told:
            part.fault(f"{where}: nothing could be kept, and it ends with {code}: {errors[:300]!r}")
        return
    if code == 1 and injected > 1 and not rows:
        # Each thread gets its own error, so the row was refused twice.
        home.ask("resume", "--no-sound")
        rows = home.history()
        if len(rows) == 1 and rows[0]["outcome"] == "finished" and not home.sessions():
            part.count("in the history by the next program")
            return
    part.fault(f"{where}: {len(rows)} rows in the history ({code}): {errors[:300]!r}", "errors")


def damaged(home, templates):
    """A database that is set aside although everything in it is readable."""
    shutil.copytree(templates.open, home.state)
    database = sqlite3.connect(home.database)
    database.execute("PRAGMA user_version = 0")
    database.commit()
    # Without a checkpoint, so that the journal matters.
    wal = home.database + "-wal"
    shutil.copy(home.database, home.path + "/db")
    shutil.copy(wal, home.path + "/wal")
    database.close()
    shutil.copy(home.path + "/db", home.database)
    shutil.copy(home.path + "/wal", wal)


def set_aside(part, templates, call, fault, number, where):
    home = Home(part, f"aside-{call}-{fault}-{number}")
    damaged(home, templates)
    log = os.path.join(home.path, "strace")
    code, errors = end(home.start("history", "--json", prefix=strace(log, where)))
    where = f"setting aside, {where}"
    if code is None:
        part.fault(f"{where}: hangs")
    elif "Fatal" in errors or code not in (0, 1, -9, 137):
        part.fault(f"{where}: ends with {code}: {errors[:300]!r}")
    part.count("set aside")
    answers = [home.ask(command, "--json") for command in ("history", "sessions")]
    if any(answer is None or answer.returncode for answer in answers):
        part.fault(f"{where}: afterwards: {[a and (a.returncode, a.stderr[:200]) for a in answers]}")
    elif identities(answers[0].stdout) != set(templates.rows) or not answers[1].stdout:
        part.fault(
            f"{where}: {len(identities(answers[0].stdout))} of {len(templates.rows)} rows and "
            f"{len(answers[1].stdout.splitlines())} of 1 sessions are left (first {code}: {errors[:150]!r}, then {answers[0].stderr[:150]!r})", f"aside {call} {fault}")
    home.remove()
