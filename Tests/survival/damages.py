# SPDX-License-Identifier: Apache-2.0
"""Damaged databases and session records: nothing crashes, and readable data is rescued."""

import concurrent.futures
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess

from survival.harness import Home, checksum, end, survives

ROWS = 20
COLUMNS = (
    "id, lane, workout, outcome, started, ended, elapsed, pauses, pause_count, phases, phases_done, "
    "phases_skipped, sets, sets_done, sets_skipped, cues_played, cues_missed, checksum, rounds")
EXTREMES = [
    0, 1, -1, 10**9, 2**31, 2**32, -(2**31), 2**62, 2**63 - 1, -(2**63), 2**63, 10**30, 1.5, None,
    True, "", "x", [], {}, [0, 0], [-1, 0], [2**62, 2**63], [0, 2**64 - 1], [-(2**63), 0], "NaN",
    {"a": 1}, [[]], "a" * 5000,
]


def history_file(chance):
    lines = ['{"cuecoach":"history","version":1}']
    for number in range(ROWS):
        begin = 1_700_000_000_000_000_000 + number * 86_400_000_000_000
        lines.append(json.dumps({
            "cuesMissed": number % 3, "cuesPlayed": 29, "endedNanoseconds": begin + 39_000_000_000,
            "id": f"{chance.getrandbits(64):016x}", "lane": f"lane {number % 4}",
            "lengthNanoseconds": 39_000_000_000, "outcome": "finished", "pauseNanoseconds": number,
            "pauses": number % 2, "phases": 8, "phasesDone": 8, "phasesSkipped": 0, "sets": 3,
            "setsDone": 3, "setsSkipped": 0, "startedNanoseconds": begin,
            "workout": f"Workout {number} " + "x" * chance.choice([10, 200, 470])}))
    return "\n".join(lines) + "\n"


class Templates:
    """The folder to be damaged: as a killed program leaves it, or one that has ended."""

    def __init__(self, part):
        home = Home(part, "template")
        path = os.path.join(home.path, "history.jsonl")
        with open(path, "w") as file:
            file.write(history_file(random.Random(1)))
        answer = home.ask("import-history", path)
        if answer is None or answer.returncode != 0:
            raise RuntimeError(f"import-history: {answer}")
        with part.turn:
            self.interrupt(home)
        self.open = home.state
        self.closed = os.path.join(home.path, "closed")
        shutil.copytree(self.open, self.closed)
        database = sqlite3.connect(os.path.join(self.closed, "sessions.db"))
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.rows = {row[0]: row for row in database.execute(f"SELECT {COLUMNS} FROM history")}
        self.sessions = database.execute(
            "SELECT session.id, state, session.checksum, data, plan.checksum "
            "FROM session JOIN plan USING (id)").fetchall()
        database.close()
        if len(self.rows) != ROWS or len(self.sessions) != 1:
            raise RuntimeError("the folder to be damaged is not what it should be")

    def interrupt(self, home):
        """Leaves a session that was saved a second time, after its first phase."""
        process = home.start(*home.run_arguments())
        home.wait_for(lambda event: event["event"] == "cue" and event["kind"] == "countdown", process)
        phase = home.wait_for(lambda event: event["event"] == "phase", process)
        if phase is None or not home.wait_until_kept(process, since=phase["at"]):
            raise RuntimeError(f"nothing is kept: {end(process, 0)}")
        process.kill()
        process.communicate()


def damages(part):
    templates = Templates(part)
    seeds = range(part.seed, part.seed + part.options.damages)
    # Some of them wait for a workout that was begun.
    with concurrent.futures.ThreadPoolExecutor(part.options.jobs * 4) as pool:
        for future in [pool.submit(guarded, part, templates, seed) for seed in seeds]:
            future.result()


def guarded(part, templates, seed):
    try:
        one(part, templates, seed)
    except Exception as error:  # noqa: BLE001
        part.fault(f"seed {seed}: {type(error).__name__} {error}")


# MARK: Ways to damage


def flip(chance, path):
    """Flips some bits of a file, more often near its beginning."""
    size = os.path.getsize(path)
    if not size:
        return "nothing to flip"
    with open(path, "r+b") as file:
        for _ in range(chance.choice([1, 1, 3, 20, 300])):
            place = chance.randrange(min(size, chance.choice([100, 4096, size, size])))
            file.seek(place)
            byte = file.read(1)[0]
            file.seek(place)
            file.write(bytes([byte ^ 1 << chance.randrange(8)]))
    return "bits flipped"


def truncate(chance, path):
    size = os.path.getsize(path)
    os.truncate(path, chance.choice([0, 1, 16, 100, 4096, 8192, chance.randint(0, size)]))
    return "truncated"


def zero(chance, path):
    fill(chance, path, lambda count: bytes(count))
    return "zeroed pages"


def noise(chance, path):
    fill(chance, path, chance.randbytes)
    return "random pages"


def fill(chance, path, data):
    pages = max(1, os.path.getsize(path) // 4096)
    with open(path, "r+b") as file:
        for _ in range(chance.choice([1, 1, 2, 3])):
            page = chance.randrange(pages)
            file.seek(page * 4096 + chance.choice([0, 0, 8, 100]))
            file.write(data(chance.choice([8, 100, 512, 3000, 3996])))


def swap(chance, path):
    pages = os.path.getsize(path) // 4096
    if pages < 2:
        return "nothing to swap"
    first, second = chance.sample(range(pages), 2)
    with open(path, "r+b") as file:
        def page(number):
            file.seek(number * 4096)
            return file.read(4096)
        one, other = page(first), page(second)
        file.seek(first * 4096)
        file.write(other)
        file.seek(second * 4096)
        file.write(one)
    return "swapped pages"


def place(chance, path):
    """Replaces a file by something else."""
    for suffix in ("", "-wal", "-shm") if chance.random() < 0.5 else ("",):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)
    kind = chance.choice(["directory", "full directory", "empty", "fifo", "noise", "text", "loop", "dangling", "device", "locked directory"])
    if kind in ("directory", "full directory"):
        os.mkdir(path)
        if kind == "full directory":
            open(os.path.join(path, "a"), "w").close()
    elif kind == "empty":
        open(path, "w").close()
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "noise":
        with open(path, "wb") as file:
            file.write(chance.randbytes(chance.choice([1, 100, 5000, 50_000])))
    elif kind == "text":
        with open(path, "w") as file:
            file.write("hello\n" * chance.choice([1, 1000]))
    elif kind == "loop":
        os.symlink(path, path)
    elif kind == "dangling":
        os.symlink("/nowhere/at/all", path)
    elif kind == "device":
        os.symlink(chance.choice(["/dev/null", "/dev/zero", "/dev/full"]), path)
    else:
        os.mkdir(path, 0o000)
    return f"{kind} in the place of {os.path.basename(path)}"


def edit(path, body):
    database = sqlite3.connect(path)
    try:
        body(database)
        database.commit()
    finally:
        database.close()


def version(chance, path):
    number = chance.choice([0, 2, 99, -1, 2**31 - 1])
    edit(path, lambda database: database.execute(f"PRAGMA user_version = {number}"))
    return f"user_version {number}"


def application(chance, path):
    edit(path, lambda database: database.execute(f"PRAGMA application_id = {chance.choice([0, 1, -1])}"))
    return "application_id"


def schema(chance, path):
    statement = chance.choice([
        "DROP TABLE session", "DROP TABLE plan", "DROP TABLE history", "DROP INDEX history_started",
        "ALTER TABLE session DROP COLUMN damage", "ALTER TABLE history DROP COLUMN cues_missed",
        "ALTER TABLE plan RENAME TO other", "ALTER TABLE history RENAME COLUMN lane TO name",
        "CREATE VIEW plans AS SELECT * FROM plan", "DELETE FROM plan", "DELETE FROM session",
        "CREATE TRIGGER t AFTER UPDATE ON session BEGIN SELECT RAISE(ABORT, 'no'); END",
        "CREATE TRIGGER t BEFORE INSERT ON history BEGIN SELECT RAISE(IGNORE); END",
        "ALTER TABLE session ADD COLUMN more", "CREATE TABLE more(a)",
        "UPDATE session SET id = ''", "UPDATE session SET id = x'00'", "UPDATE session SET state = 5",
        "UPDATE session SET checksum = 'x'", "UPDATE history SET started = 'yesterday'",
        "UPDATE history SET lane = x'ff00ff'", "PRAGMA journal_mode = DELETE", "VACUUM",
        "PRAGMA auto_vacuum = FULL", "PRAGMA page_size = 512", "REINDEX"])

    def body(database):
        database.isolation_level = None
        database.execute(statement)

    try:
        edit(path, body)
    except sqlite3.Error as error:
        return f"nothing: {error}"
    return statement


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, item in value.items():
            yield (*path, key)
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield (*path, index)
            yield from leaves(item, (*path, index))


def record(chance, path):
    """Sets values that a session never has, with a matching checksum."""
    table, column = chance.choice([("session", "state"), ("session", "state"), ("plan", "data")])
    told = []

    def body(database):
        ((data,),) = database.execute(f"SELECT {column} FROM {table}").fetchall()
        value = json.loads(data)
        for _ in range(chance.choice([1, 1, 1, 2, 4])):
            where = chance.choice(list(leaves(value)))
            inner = value
            for key in where[:-1]:
                inner = inner[key]
            old = inner[where[-1]]
            if chance.random() < 0.15:
                del inner[where[-1]]
                told.append(f"no {'.'.join(map(str, where))}")
                continue
            fitting = [new for new in EXTREMES if type(new) is type(old)]
            new = chance.choice(fitting if fitting and chance.random() < 0.75 else EXTREMES)
            inner[where[-1]] = new
            told.append(f"{'.'.join(map(str, where))} = {str(new)[:40]}")
        data = json.dumps(value, separators=(",", ":")).encode()
        database.execute(f"UPDATE {table} SET {column} = ?, checksum = ?", (data, checksum(data)))

    edit(path, body)
    return f"{table}: " + "; ".join(told)


def entry(chance, path):
    """Sets figures that a history never has, with a matching checksum."""
    told = []

    def body(database):
        ids = [row[0] for row in database.execute("SELECT id FROM history")]
        for id in chance.sample(ids, chance.choice([1, 2, 20])):
            row = list(database.execute(f"SELECT {COLUMNS} FROM history WHERE id = ?", (id,)).fetchone())
            for _ in range(chance.choice([1, 2, 5])):
                index = chance.choice([*range(4, 17), 18])
                row[index] = chance.choice([n for n in EXTREMES[:10]])
                if len(told) < 5:
                    told.append(f"{COLUMNS.split(', ')[index]} = {row[index]}")
            counted = row[:17] + [rounds for rounds in row[18:] if rounds]
            row[17] = checksum("\0".join(str(value) for value in counted).encode())
            places = ", ".join("?" * 19)
            database.execute(f"INSERT OR REPLACE INTO history({COLUMNS}) VALUES({places})", row)

    edit(path, body)
    return "history: " + "; ".join(told)


WAYS = [flip] * 5 + [truncate, truncate, zero, noise, swap, place, version, application, schema, record, record, entry]


# MARK: One damage


def damage(chance, templates, state):
    template = templates.open if chance.random() < 0.5 else templates.closed
    shutil.copytree(template, state)
    path = os.path.join(state, "sessions.db")
    way = chance.choice(WAYS)
    if way in (flip, truncate, zero, noise, swap, place):
        names = sorted(os.listdir(state)) if chance.random() < 0.3 else ["sessions.db"]
        if template == templates.open and chance.random() < 0.6:
            names = ["sessions.db-wal"]
        target = os.path.join(state, chance.choice(names))
        return way, f"{os.path.basename(template)}: {way(chance, target)} in {os.path.basename(target)}"
    return way, f"{os.path.basename(template)}: {way(chance, path)}"


def readable(state, folder, templates):
    """What SQLite can still read unchanged: ids of the history, and whether the session is intact."""
    copy = os.path.join(folder, "copy")
    os.makedirs(copy)
    for suffix in ("", "-wal"):
        path = os.path.join(state, "sessions.db" + suffix)
        if os.path.isfile(path) and not os.path.islink(path):
            shutil.copy(path, os.path.join(copy, "sessions.db" + suffix))
    rows, sought, sessions = set(), set(), set()
    if not os.path.exists(os.path.join(copy, "sessions.db")):
        return rows, sought, sessions, 1
    number = 1
    database = sqlite3.connect(os.path.join(copy, "sessions.db"), timeout=1)
    database.text_factory = bytes
    plain = lambda value: value.decode(errors="replace") if isinstance(value, bytes) else value  # noqa: E731

    def take(query, into):
        try:
            for row in database.execute(query):
                row = tuple(map(plain, row))
                if templates.rows.get(row[0]) == row:
                    into.add(row[0])
        except (sqlite3.Error, UnicodeDecodeError):
            pass

    try:
        number = database.execute("PRAGMA user_version").fetchone()[0]
    except (sqlite3.Error, UnicodeDecodeError):
        pass
    for order in ("ASC", "DESC"):
        take(f"SELECT {COLUMNS} FROM history NOT INDEXED ORDER BY rowid {order}", rows)
    for rowid in range(1, ROWS + 1):
        take(f"SELECT {COLUMNS} FROM history NOT INDEXED WHERE rowid = {rowid}", sought)
    try:
        found = [
            (plain(id), state, sum, data, other) for id, state, sum, data, other in database.execute(
                "SELECT session.id, state, session.checksum, data, plan.checksum "
                "FROM session NOT INDEXED JOIN plan NOT INDEXED ON plan.id = session.id")]
        sessions = {row[0] for row in found if row in templates.sessions}
    except (sqlite3.Error, UnicodeDecodeError):
        pass
    database.close()
    return rows, sought, sessions, number


def one(part, templates, seed):
    chance = random.Random(seed)
    home = Home(part, f"damage-{seed}")
    way, told = damage(chance, templates, home.state)
    where = f"seed {seed}: {told}"
    rows, sought, sessions, number = readable(home.state, home.path, templates)
    if way in (record,):
        sessions = set()
    part.count("damaged")
    steps = [["history", "--json"], ["sessions", "--json"]]
    chance.shuffle(steps)
    if chance.random() < (0.5 if way in (record, place) else 0.06):
        steps.insert(chance.randrange(3), ["resume"])
        if chance.random() < 0.3:
            steps.insert(chance.randrange(3), ["run"])
    if way is entry or chance.random() < 0.1:
        steps += [["history"], ["history", "--csv"], ["export"]]
    answers = {}
    resumed = False
    for step in steps:
        if step[0] in ("resume", "run"):
            resumed = True
            with part.turn:
                answer = brief(part, home, step[0], where, chance)
        else:
            answer = home.ask(*step)
            if answer is None:
                part.fault(f"{where}: {' '.join(step)} hangs")
                continue
            judge(part, where, " ".join(step), answer.returncode, answer.stderr.decode(errors="replace"))
        answers[" ".join(step)] = (answer, resumed)
    again = home.ask("history", "--json")
    if again is None:
        part.fault(f"{where}: history hangs")
    elif b"it was damaged and is now" in again.stderr:
        part.fault(f"{where}: is reported as damaged again: {again.stderr[:300]!r}")
    if number > 1:
        part.count("of a newer version")
    else:
        (listed, _), (kept, was_resumed) = answers["history --json"], answers["sessions --json"]
        if listed is not None:
            ids = identities(listed.stdout)
            if "in the place of" in told and listed.returncode == 1 and listed.stderr:
                part.count("refused with a word")
            elif lost := rows - ids:
                part.fault(f"{where}: {len(lost)} of {len(rows)} readable rows are lost (status {listed.returncode}): {listed.stderr[:300]!r}", f"rows {way.__name__}")
            elif lost := sought - ids:
                part.count("rows that only seeking finds, lost", len(lost))
                part.figures.setdefault("the seed of the first such", seed)
            part.count("rows kept", len(ids))
        if kept is not None and sessions and not was_resumed and not kept.stdout and not (
            "in the place of" in told and kept.returncode == 1 and kept.stderr
        ):
            part.fault(f"{where}: the readable session is lost (status {kept.returncode}): {kept.stderr[:300]!r}", f"session {way.__name__}")
        if kept is not None and kept.stdout:
            part.count("sessions kept")
    unlock(home.path)
    home.remove()


def unlock(path):
    for name in ("sessions.db", "sessions.lock", "lanes.lock"):
        try:
            os.chmod(os.path.join(path, "cuecoach", name), 0o700)
        except OSError:
            pass


def identities(output):
    ids = set()
    for line in output.splitlines():
        try:
            ids.add(json.loads(line)["id"])
        except (ValueError, KeyError):
            pass
    return ids


def brief(part, home, command, where, chance):
    """Resumes or runs until it has begun, and for two seconds more."""
    arguments = home.resume_arguments() if command == "resume" else home.run_arguments()
    events = len(home.events())
    output = os.path.join(home.path, "output")
    with open(output, "wb") as file:
        process = home.start(*arguments, stdout=file)
    home.wait_for(lambda event: event["event"] in ("start", "restored"), process, after=events)
    if survives(process, 2):
        process.send_signal(signal.SIGTERM)
    code, errors = end(process)
    if code is None:
        part.fault(f"{where}: {command} does not end on SIGTERM")
        return None
    judge(part, where, command, code, errors, more=(143,))
    part.count("resumed or run")
    with open(output, "rb") as file:
        return subprocess.CompletedProcess([], code, file.read(), errors.encode())


def judge(part, where, command, code, errors, more=()):
    kind = f"{command.split()[0]} {code} {where.split(': ')[2].split(' = ')[0]}"
    if code not in (0, 1, 2, *more):
        part.fault(f"{where}: {command} ends with {code}: {errors[-300:]!r}", kind)
    elif "Fatal error" in errors or errors.count("\n") > 5 or len(errors) > 2000:
        part.fault(f"{where}: {command} says {errors[:300]!r}", kind)
    elif code != 0 and not errors:
        part.fault(f"{where}: {command} ends with {code} without a word", kind)
