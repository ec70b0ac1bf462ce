# SPDX-License-Identifier: Apache-2.0
"""kill -9 at random instants of a running session, which is then resumed until its end."""

import concurrent.futures
import os
import pty
import random
import threading

from survival.harness import FRAME, Home, Reference, boot, elapse, end, survives, timed, word_key

SECOND = 1_000_000_000
JOBS = 20
# A busy machine held the process up before its kill: it had not checked for longer than it ever waits. What was
# due since is not expected of it.
HELD_UP = "kills of a process that was held up"
GREATEST_WAIT = 750_000_000
# The line of a sound is written at the first check after its end; none of the timed sounds is longer.
SOUND = 900_000_000


class Life:
    """One process of a session: when it started or resumed it, and when it was killed."""

    def __init__(self, killed=None, alive=None):
        """`alive` is its last heartbeat before the kill."""
        self.killed, self.alive = killed, alive
        self.events = []
        self.begun = self.base = None
        self.saved = None


def kills(part):
    home = Home(part, "reference")
    reference = Reference(home)
    left = [part.options.kills]

    def sessions():
        seed = part.seed
        while left[0] > 0:
            chance = random.Random(seed)
            left[0] -= (number := chance.randint(1, 4))
            yield seed, number
            seed += 1

    with concurrent.futures.ThreadPoolExecutor(min(JOBS, part.options.jobs * 10)) as pool:
        for future in [pool.submit(guarded, part, reference, *some) for some in sessions()]:
            future.result()
    # The short form runs beside the tests, which hold it up.
    held_up = part.figures.get(HELD_UP, 0)
    if not part.options.short and held_up > max(1, part.figures["kills"] // 50):
        part.fault(f"{held_up} {HELD_UP}, expected at most 2 %")


def guarded(part, reference, seed, number):
    # Every fourth is resumed with hold instead of continue.
    try:
        with part.turn:
            session(part, reference, seed, number, is_held=seed % 4 == 3)
    except Exception as error:  # noqa: BLE001
        part.fault(f"seed {seed}: {type(error).__name__} {error}")


def session(part, reference, seed, number, is_held):
    chance = random.Random(seed * 1000 + number)
    home = Home(part, f"kill-{seed}")
    home.keep_heartbeats()
    where = f"seed {seed} ({'hold' if is_held else 'continue'})"
    killed, alive, saved, ends = [], [], [None], []
    # Whether the session was in the database at the kill.
    was_kept = False
    elapse(chance.random() * (0.5 if part.options.short else 3))
    process = home.start(*home.run_arguments("--record", home.sound))
    faults = part.faults
    longest = 4 if part.options.short else 12
    for _ in range(number):
        if not reach(part, home, process, chance, longest, ends[-1] if ends else 0):
            break
        before = home.events()
        was_kept = was_kept or bool(home.stored())
        process.kill()
        killed.append(boot())
        process.communicate()
        alive.append(home.heartbeat())
        part.count("kills")
        ends.append(len(home.events()))
        elapse(chance.choice([0, 0.2, 1.5]) * chance.random() + (
            chance.uniform(0, longest) if chance.random() < 0.1 else 0))
        stored = home.stored()
        saved.append(stored[0] if stored else None)
        started = next((e for e in before if e["event"] == "start"), None)
        if not stored and started and not home.history() and not may_be_gone(part, started, killed[-1], was_kept):
            part.fault(f"{where}: killed {(killed[-1] - started['at']) / 1e9:.2f} s after its start and not kept")
        process = resume(part, home, chance, is_held, ends[-1], where)
    code, errors = end(process)
    if code is None:
        part.fault(f"{where}: does not end")
    elif code not in (0, 1) or (code == 1 and "nothing to resume" not in errors):
        part.fault(f"{where}: ends with {code}: {errors[:300]!r}")
    part.count("sessions")
    kills = list(zip(killed, alive))
    check(part, reference, home, kills, saved, ends, is_held, was_kept, where)
    if os.environ.get("KEEP_FAULTY") and part.faults > faults:
        return
    home.remove()


def reach(part, home, process, chance, longest, offset):
    """Waits for the time of the kill; False if the process ends before."""
    seconds = chance.choice([0.05, 0.2, 1, 2]) + chance.uniform(0, longest)
    if not part.options.short:
        return survives(process, seconds)
    # Some are killed while they start, most while they run.
    if chance.random() < 0.8:
        home.wait_for(lambda event: event["event"] in ("start", "restored"), process, after=offset)
    if not survives(process, seconds):
        return False
    if seconds > 2:
        home.wait_until_kept(process)
    return process.poll() is None


def may_be_gone(part, started, killed, was_kept):
    """Whether a session may be lost because it was killed before its first save; the short form allows any
    time for that save."""
    return not was_kept if part.options.short else killed - started["at"] < 2 * SECOND


def resume(part, home, chance, is_held, offset, where):
    arguments = home.resume_arguments("--record", home.sound)
    if not is_held:
        return home.start(*arguments)
    # A held session is resumed with a key, so it needs a terminal.
    leader, follower = pty.openpty()
    process = home.start(
        *arguments, "--hold", more={"TERM": "xterm"}, stdin=follower, stdout=follower)
    os.close(follower)
    threading.Thread(target=drain, args=(leader,), daemon=True).start()
    # Either the session is resumed, or there was none to resume.
    if home.wait_for(lambda event: event["event"] == "restored", process, after=offset):
        survives(process, chance.uniform(0.05, 1.5))
        try:
            os.write(leader, b" ")
        except OSError:
            pass
    elif process.poll() is None:
        part.fault(f"{where}: not resumed")
    return process


def drain(leader):
    try:
        while os.read(leader, 65536):
            pass
    except OSError:
        pass
    os.close(leader)


def lives(events, kills, saved, ends):
    """What each process did; one may have been killed before it resumed the session."""
    some = []
    for index, first in enumerate([0, *ends]):
        life = Life(*(kills[index] if index < len(kills) else ()))
        life.events = events[first:ends[index]] if index < len(ends) else events[first:]
        life.saved = saved[index]
        life.begun = next(
            (e["at"] for e in life.events if e["event"] in ("start", "restored")), None)
        some.append(life)
    return some


def workout_time(state):
    """The position of a stored session, in nanoseconds of workout time."""
    anchors = state["record"]["anchors"]
    instant = anchors.get("pausedSince") or state["record"]["at"]
    return instant - anchors["started"] - nanoseconds(anchors["pauses"])


def nanoseconds(duration):
    """Swift encodes a Duration as the high and low halves of its attoseconds."""
    high, low = duration
    return ((high << 64) + low) // 1_000_000_000


def check(part, reference, home, kills, saved, ends, is_held, was_kept, where):
    events = home.events()
    history, left = home.history(), home.sessions()
    started = [e for e in events if e["event"] == "start"]
    if left:
        part.fault(f"{where}: still unfinished: {left}")
    if not started:
        if len(history) > 1:
            part.fault(f"{where}: {len(history)} rows of a session that did not begin")
        return
    if len(history) != 1:
        # Killed before its first save was acknowledged, it may be lost.
        if not history and kills and may_be_gone(part, started[0], kills[0][0], was_kept):
            part.count("ended before they were kept")
            return
        part.fault(f"{where}: {len(history)} rows in the history")
        return
    row = history[0]
    said = {}
    some = lives(events, kills, saved, ends)
    heard = set()
    cut = {}
    for index, life in enumerate(some):
        if life.begun is None:
            continue
        taken = next((e for e in life.events if e["event"] == "restored"), None)
        if taken is None:
            life.base = life.begun
        elif not is_held:
            life.base = started[0]["at"]
            if taken["outcome"] != "running" and life.begun < life.base + reference.end:
                part.fault(f"{where}: resumed as {taken['outcome']}")
        else:
            if life.saved is None:
                part.fault(f"{where}: resumed without having been stored")
                continue
            gone = next((e["at"] for e in life.events if e["event"] == "resume"), None)
            if gone is None:
                life.base = None
            else:
                life.base = gone - workout_time(life.saved)
        if taken:
            part.count("resumed")
        check_life(part, reference, life, said, index, where)
        if not is_held:
            told_twice(part, life, heard)
            said_again(part, reference, life, cut, index, where)
    spoken = [key for key, count in said.items() if count > 1]
    for key in spoken:
        part.fault(f"{where}: {key} said {said[key]} times")
    if row["outcome"] not in ("finished", "unattended"):
        part.fault(f"{where}: the history has it as {row['outcome']}")
    part.count(row["outcome"])
    length, phases, sets = reference.end, len(reference.phases), len(reference.sets)
    if row["outcome"] == "unattended":
        # What passed while it was not running is not done: the row has what was stored before.
        # On a busy machine one that is killed after its end may have stood still since before it.
        last = next((life for life in reversed(some) if life.killed is not None), None)
        until = last and (ran_until(part, last) if last.begun is not None else last.killed)
        if not (saved[-1] and last and until < started[0]["at"] + reference.end):
            part.fault(f"{where}: unattended, though it was not killed before its end")
            return
        length, sets = workout_time(saved[-1]), row["setsDone"]
        phases = sum(end <= length for end in reference.phases)
    if row["lengthNanoseconds"] != length:
        part.fault(f"{where}: the history has a length of {row['lengthNanoseconds']} of {length} ({row['outcome']})")
    if row["phasesDone"] != phases or row["setsDone"] != sets:
        part.fault(f"{where}: {row['phasesDone']} phases and {row['setsDone']} sets done ({row['outcome']})")
    if not is_held and (row["pauses"] or row["pauseNanoseconds"]):
        part.fault(f"{where}: {row['pauses']} pauses in the history of a session that was not paused")


def was_held_up(life):
    return life.killed is not None and life.alive is not None and (
        life.killed - max(life.alive, life.begun) > GREATEST_WAIT)


def ran_until(part, life):
    """Until when a process did what was due. In the short form, on a busy machine, until its last heartbeat."""
    if life.alive is not None and (part.options.short or was_held_up(life)):
        return min(life.killed, max(life.alive, life.begun))
    return life.killed


def told_twice(part, life, heard):
    """Counts cues that were heard before a kill and recorded as missed after it."""
    for event in life.events:
        if event["event"] != "cue":
            continue
        key = event["kind"], event["set"], event["text"], event["due"]
        if event["outcome"] in ("played", "shortened"):
            heard.add(key)
        elif event["outcome"] == "missed" and key in heard:
            part.count("heard, then told as missed")


def said_again(part, reference, life, cut, index, where):
    """Words that had begun when the program was killed are not begun again."""
    for event in life.events:
        if event["event"] == "cue" and event["outcome"] in ("played", "shortened") and words(event):
            key = word_key(event)
            if key in cut and key[0] != "set-completion":
                part.fault(f"{where}: life {index}: {key} is said again, {cut[key]} ms after it had begun")
            elif key in cut:
                part.count("lead-ins begun again")
    if life.killed is None:
        return
    told = {word_key(event) for event in life.events}
    for key, due in reference.words.items():
        # What was said at the beginning may have moved it.
        if life.begun + 6 * SECOND < life.base + due < ran_until(part, life) - 30_000_000 and key not in told:
            cut[key] = (life.killed - life.base - due) // 1_000_000
            part.count("announcements cut off by a kill")


def check_life(part, reference, life, said, index, where):
    heard = set()
    for event in life.events:
        if event["event"] == "phase" and life.base is not None and event["at"] >= life.begun:
            if event["at"] - life.base not in reference.phases:
                part.fault(f"{where}: life {index}: phase {event['text']} ends at {event['at'] - life.base}")
        if event["event"] != "cue":
            continue
        if event["kind"] == "acknowledgement" and event["outcome"] in ("played", "shortened"):
            if event["text"].startswith("Resuming"):
                part.count("said aloud")
        if event["outcome"] == "missed" and event.get("reason") != "its time had passed":
            part.count("missed while running")
        if event["outcome"] not in ("played", "shortened"):
            continue
        if (key := word_key(event)) and words(event):
            said[key] = said.get(key, 0) + 1
            first = event["due"]
            if life.begun > first + FRAME:
                part.fault(f"{where}: life {index}: {key} was said before the session was resumed")
        if life.base is None:
            continue
        part.heard(event, f"{where}: life {index}")
        for key, due in timed(event):
            part.count("cues")
            place = due - life.base
            if key in heard and (key, place) in heard:
                part.fault(f"{where}: life {index}: {key} twice at {place}")
            heard.add((key, place))
            off = min((abs(place - other) for other in reference.sounds.get(key, [])), default=None)
            if key[2] == "Set end" and place in reference.phases:
                off = 0
            if off is None:
                part.fault(f"{where}: life {index}: {key} at {place} is in no unbroken run")
            else:
                part.maximum("ns off at most", off)
                if off > FRAME:
                    part.fault(f"{where}: life {index}: {key} is {off} ns from its place")
            if due < life.begun - FRAME:
                part.fault(f"{where}: life {index}: {key} of before is played at {place}")
    if life.base is None:
        return
    # Everything that was due while it ran was heard.
    first = life.begun - life.base + (1 * SECOND if index else 0)
    last = reference.end
    if life.killed:
        checked = life.killed if life.alive is None else max(life.alive, life.begun)
        last = min(ran_until(part, life) - 1 * SECOND, checked - SOUND) - life.base
    if was_held_up(life):
        part.count(HELD_UP)
    resumed = [e["at"] for e in life.events if e["event"] == "resume"]
    if resumed:
        first = resumed[0] - life.base + SECOND
    places = {place for _, place in heard}
    missed = {
        place for event in life.events if event["event"] == "cue" and event["outcome"] != "played"
        for place in [event["due"] - life.base]}
    for key, dues in reference.sounds.items():
        if key[0] == "number" or (key[0] == "countdown" and key[2] == "0"):
            continue
        for due in dues:
            if first < due < last and due not in places:
                if due in missed:
                    part.count("due and not heard")
                elif is_number(reference, key, due):
                    part.count("numbers that had no room")
                else:
                    part.fault(
                        f"{where}: life {index}: {key} at {due} is not in the ledger; killed at "
                        f"{(life.killed or life.begun) - life.base}, its last check was at "
                        f"{(life.alive or life.begun) - life.base}")


def is_number(reference, key, due):
    return any(kind == "number" and due in dues for (kind, _, _), dues in reference.sounds.items())


def words(event):
    """True if the announcement had more than its numbers."""
    return any(not part["text"].isdigit() for part in event["parts"])
