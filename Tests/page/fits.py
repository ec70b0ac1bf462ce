"""Whether everything fits: every shipped name in every window, many workouts, long names and notes, large
letters; nothing is cut, nothing overlaps, and every edge can be seen."""

import glob
import json
import os
import re

from bed import HERE
from browser import view

WINDOWS = [(844, 390), (667, 375), (390, 844), (375, 667), (320, 568), (1280, 800)]
# The browser's size of letters, pixels: as it comes, and 200 %.
LETTERS = [16, 32]
COUNTS = [1, 2, 3, 5, 8, 9]
LINES = ["Back straight, weight on the heels.", "Breathe out on the way up.", "Knees over the toes.",
         "Stop where it hurts.", "Ask the coach about the load."]
LINK = "https://en.wikipedia.org/wiki/Functional_threshold_power"
# As long as the coach takes it.
ATHLETES = ["Maximiliane-Alexandra von Hohenstaufen-G", "Anna", "Ben", "Wolfeschlegelsteinhausenbergerdorff",
            "Zoë", "Group 4, the lane at the window", "Li", "Ana Belén Rodríguez Fernández", "Jo"]
SCRIPTS = ["عبد الرحمن", "さくら"]
KINDS = ["prepare", "warmup", "low", "high", "work", "rest", "recovery", "cooldown"]

# A preset as people write it.
TEXT = ("name: Hügel und Täler, عبد الرحمن\ndescription: 二十分間の有酸素運動と体幹トレーニング\nblocks:\n  - phases:\n      - prepare: 10s\n"
        "  - sets: 3\n    between: {rest: 1m}\n    phases:\n      - work: 40s\n        name: Donaudampfschifffahrtsgesellschaft\n"
        "        target: {heart-rate: 140 to 150}\n        say: تمارين القوة\n      - rest: 20s\n      - sides: [left, right]\n"
        "        switch: 5s\n        phases:\n          - work: {reps: 10}\n")

# A coach within the page: it has the lanes that it was given, and nothing ends.
STAGE = """
(() => {
  const real = window.fetch;
  const json = (value) => new Response(JSON.stringify(value), { headers: { 'Content-Type': 'application/json' } });
  const staged = window.staged = STAGED;
  window.requests = [];
  const snapshot = () => ({ type: 'snapshot', at: 0, device: staged.device ?? { state: 'working' }, volume: 80,
    lanes: staged.lanes.map((lane) => ({ at: 0, lane })) });
  let write = () => {};
  let drawn = () => {};
  // Resolves when it is drawn but for the bars: the page asks for the presets in the same step.
  window.put = (lanes, device) => new Promise((resolve) => {
    drawn = resolve;
    Object.assign(staged, { lanes, device });
    write(snapshot());
  });
  window.tell = (message) => write(message);
  window.ended = (lane) => {
    staged.lanes = staged.lanes.filter(({ name }) => name !== lane.name);
    write({ type: 'ended', at: 0, lane });
  };
  const answers = {
    presets: ({ preset }) => {
      if (!preset) drawn();
      return { presets: preset
        ? [{ ...staged.presets.find(({ name }) => name === preset), outline: staged.outline }] : staged.presets };
    },
    history: ({ limit, before, lane, tag }) => {
      const found = staged.history.filter((each) => (!lane || each.lane === lane) && (!tag || each.tags?.includes(tag)));
      const start = before ? found.findIndex(({ id }) => id === before) + 1 : 0;
      return { history: found.slice(start, start + limit) };
    },
    'preset-read': ({ preset }) => ({ preset: { name: preset, workout: staged.theirs ?? staged.text, tag: 't', versions: [2, 1].map((number) => ({ number, saved: `2026-11-0${number}T18:30:00+01:00` })) } }),
    'preset-save': ({ preset, workout }) => staged.theirs ? { ok: false, error: 'changed', message: 'changed' }
      : { preset: { name: preset, workout, tag: 'u' } },
    'preset-check': () => ({ check: { seconds: 480, outline: staged.outline, faults: [], notes: staged.notes ?? [] } }),
    people: () => ({ people: staged.people ?? [] }),
    schedules: () => ({ schedules: staged.schedules ?? [] }),
    outputs: () => ({ outputs: staged.outputs ?? [] }),
    'history-summary': () => staged.summary,
    'history-phases': () => ({ phases: staged.phases }),
    sessions: () => staged.refusal ?? { sessions: staged.sessions },
    status: () => ({ outlines: Object.fromEntries(staged.lanes.map(({ name }) => [name, staged.outline])) }),
  };
  window.fetch = async (path, options) => {
    if (path === '/api/clock') return json({ now: performance.now() * 1e6 });
    if (path === '/api/request') {
      const request = JSON.parse(options.body);
      requests.push(request);
      return json({ id: 0, ok: true, ...answers[request.verb]?.(request) });
    }
    if (path !== '/api/events') return real(path, options);
    return new Response(new ReadableStream({ start(stream) {
      write = (message) => stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(message)}\\n\\n`));
      write(snapshot());
    } }));
  };
})();
"""

# What is wrong with what is shown, one line each.
FAULTS = """
() => {
  const found = [], texts = [];
  const canvas = document.createElement('canvas').getContext('2d');
  const shown = (box) => Object.values(box).map(Math.round).join(' ');
  const meet = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
  const within = (a, b) => a.left >= b.left - 1 && a.top >= b.top - 1 && a.right <= b.right + 1
    && a.bottom <= b.bottom + 1;
  const isEmpty = (a) => a.right - a.left <= 1 || a.bottom - a.top <= 1;
  const inner = (element) => { const box = element.getBoundingClientRect();
    return { left: box.left + element.clientLeft, top: box.top + element.clientTop,
      right: box.left + element.clientLeft + element.clientWidth,
      bottom: box.top + element.clientTop + element.clientHeight }; };
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, element = text.parentElement;
    if (!text.data.trim() || element.closest('.unseen, option, noscript, script, .wheel, details:not([open]) > :not(summary)')) continue;
    const style = getComputedStyle(element);
    canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const size = canvas.measureText(text.data);
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const line of range.getClientRects()) {
      if (line.width < 1) continue;
      // The letters alone: a line is higher.
      const base = line.top + (line.height - size.fontBoundingBoxAscent - size.fontBoundingBoxDescent) / 2
        + size.fontBoundingBoxAscent;
      const ink = { left: line.left, top: base - size.actualBoundingBoxAscent, right: line.right,
        bottom: base + size.actualBoundingBoxDescent };
      const name = `"${text.data.trim().slice(0, 40)}"`;
      let seen = ink;
      for (let each = element; each !== document.documentElement; each = each.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(each);
        if (overflowX === 'visible' && overflowY === 'visible') continue;
        const box = inner(each);
        // Cards may scroll; what has to be seen of them is asked for below.
        if (!each.matches('#lanes, #card, #rested, pre') && !isEmpty(meet(seen, box)) && !within(seen, box)) {
          found.push(`${name} is cut by ${each.id || each.className}: ${shown(ink)} in ${shown(box)}`);
        }
        seen = meet(seen, box);
      }
      if (ink.left < -1 || ink.right > innerWidth + 1) found.push(`${name} is beside the window: ${shown(ink)}`);
      const holder = element.closest('button, select, .lane, .end, .piece, .preset, .past, .notice, #card, #top, #held');
      const box = holder?.getBoundingClientRect();
      // The card scrolls up and down.
      const height = holder?.id === 'card' ? { top: box.top, bottom: box.bottom } : {};
      if (box && !within({ ...ink, ...height }, box)) found.push(`${name} leaves its box: ${shown(ink)} of ${shown(box)}`);
      const fixed = element.closest('#over');
      seen = meet(seen, screen);
      if (!isEmpty(seen) && !fixed) texts.push({ name, element, seen });
    }
  }
  texts.forEach((one, index) => {
    for (const other of texts.slice(index + 1)) {
      if (other.element !== one.element && !isEmpty(meet(one.seen, other.seen))) {
        found.push(`${one.name} over ${other.name}: ${shown(one.seen)}, ${shown(other.seen)}`);
      }
    }
  });
  for (const each of document.querySelectorAll('body *')) {
    const style = getComputedStyle(each);
    if (!each.offsetParent || each.closest('.unseen')) continue;
    const isHidden = style.overflowX === 'hidden' || style.overflowX === 'clip';
    // A field scrolls.
    if (isHidden && each.tagName !== 'INPUT' && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)) {
      found.push(`${each.id || each.className} is cut off: "${each.textContent.slice(0, 40)}"`);
    }
  }
  const parts = ['#top', '#choice', '#lanes', '#rested', '#controls'].map((name) => document.querySelector(name))
    .filter((part) => part.offsetParent);
  parts.forEach((one, index) => {
    for (const other of parts.slice(index + 1)) {
      if (!isEmpty(meet(one.getBoundingClientRect(), other.getBoundingClientRect()))) {
        found.push(`#${one.id} over #${other.id}`);
      }
    }
  });
  if (document.body.dataset.view === 'run' && document.querySelector('.lane')) {
    for (const button of document.querySelectorAll('#controls button, #controls input')) {
      if (button.offsetParent && !within(button.getBoundingClientRect(), screen)) {
        found.push(`the button ${button.textContent} is out of the window`);
      }
    }
    const card = document.querySelector('.lane:not(.small)');
    const area = meet(inner(document.querySelector('#lanes')), screen);
    const isOne = document.querySelectorAll('.lane:not(.small)').length === 1;
    const bar = card.querySelector('.profile')?.getBoundingClientRect();
    if (!bar || bar.height < 10 || isOne && !within(bar, area)) found.push(`the bar is not seen: ${bar && shown(bar)}`);
    const countdown = card.querySelector('.countdown').getBoundingClientRect();
    if (countdown.height < 32) found.push(`the countdown is ${countdown.height} high`);
    if (isOne && !within(countdown, area)) found.push('the countdown is not seen');
    const link = card.querySelector('.link');
    if (link && isOne) {
      link.scrollIntoView({ block: 'nearest' });
      const line = [...link.getClientRects()].sort((a, b) => b.width - a.width)[0] ?? link.getBoundingClientRect();
      const hit = document.elementFromPoint(line.left + line.width / 2, line.top + line.height / 2);
      if (hit !== link) found.push(`the link is not seen: ${shown(line)} ${hit?.id} ${hit?.className}`);
      document.querySelector('#lanes').scrollTop = 0;
    }
  }
  return found;
}
"""


def shipped():
    """Each preset's file name and its workout's name."""
    found = []
    for path in sorted(glob.glob(os.path.join(HERE, "../../Presets/**/*.yaml"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            name = re.search(r"^name: *(.+)$", file.read(), re.MULTILINE).group(1).strip("\"'")
        found.append((os.path.splitext(os.path.basename(path))[0], name))
    assert len(found) >= 65, len(found)
    return found


def lane(name, workout, number=0, **fields):
    """Paused, so that its texts are the longest and stay."""
    second = 10**9
    return {**dict(name=name, workout=workout, state="paused", phase=number % 8, phases=8, kind=KINDS[number % 8],
                   label=["Get ready", "Other two exercises", "High", "Rest", "Recovery"][number % 5], set=10, sets=12,
                   next="Push-ups on the knees", elapsed=3725 * second, phaseElapsed=0, phaseLeft=605 * second,
                   workoutLeft=3605 * second), **fields}


def staged(presets, lanes):
    outline = [dict(kind=kind, label=kind, seconds=60) for kind in KINDS]
    values = dict(
        lanes=lanes, outline=outline, text=TEXT, notes=[dict(line=10, phase=1, message="a listener is not told this")],
        people=[dict(name=name, favourites=[presets[3][0]], recent=[]) for name in ["", *ATHLETES[:3], *SCRIPTS]],
        schedules=[dict(id=f"p{n}", preset=presets[n][0], lane=name, time="18:00", days="weekdays", next="2026-11-28T18:00:00+01:00",
                        missed="2026-11-27T18:00:00+01:00") for n, name in enumerate(SCRIPTS)],
        outputs=["default", "hw:CARD=Headphones,DEV=0"],
        presets=[dict(name=name, workout=workout, seconds=3725, sets=12, folder="strength")
                 for name, workout in presets],
        history=[dict(id=f"{number}", lane=ATHLETES[number % 9], person=True, workout=workout, startedAt="2026-11-24T22:00:00+00:00", seconds=3725,
                      outcome="unattended", complete=0.25, tags=["interval training", "strength"])
                 for number, (_, workout) in enumerate(presets[:30])],
        summary=dict(days=[dict(date=f"2026-{month:02}-{month + 3:02}", work=60 * month, workouts=1) for month in range(1, 12)],
                     weeks=[dict(date="2026-11-23", work=7320, workouts=30)], streak=dict(now=3, best=12),
                     best=[dict(id=f"{number}", preset=name, complete=0.5, work=725) for number, (name, _) in enumerate(presets[:12])]),
        phases=[dict(kind=kind, label=f"Push-ups on the knees {kind}", done=605, planned=605, skipped=kind == "low") for kind in KINDS],
        sessions=[dict(lane=name, workout=presets[0][1], age=300, place="set 3 of 8, Rest, 0:04 left") for name in ATHLETES[:2]])
    return STAGE.replace("STAGED", json.dumps(values))


def put(page, lanes, device=None):
    """Shows these lanes, with their bars."""
    page.evaluate("([lanes, device]) => put(lanes, device)", [lanes, device])
    page.wait_for_function(
        "(count) => document.querySelectorAll('.lane .profile').length === count", arg=len(lanes))


class Stage:
    """A page in a window, with letters of a size."""

    def __init__(self, page, window, letters):
        self.page, self.name, self.found = page, f"{window[0]}x{window[1]}, letters of {letters} px", []
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": letters}})

    def put(self, lanes, choose=0, device=None):
        """Shows these lanes, with one of them chosen; 0 for none."""
        put(self.page, lanes, device)
        if len(lanes) > 1:
            self.page.evaluate(f"document.querySelectorAll('#choice button')[{choose}].click()")

    def look(self, what):
        self.found += [f"{self.name}, {what}: {fault}" for fault in self.page.evaluate(FAULTS)]


def everywhere(browser, test):
    """Runs `test(stage)` in each window with each size of letters, and reports every fault."""
    presets, found = shipped(), []
    for window in WINDOWS:
        for letters in LETTERS:
            with browser.page(window, scripts=(staged(presets, []),)) as page:
                page.wait_for_selector(".preset")
                stage = Stage(page, window, letters)
                test(stage, presets)
                found += stage.found
    assert not found, f"{len(found)} faults\n  " + "\n  ".join(found[:400])


def names(browser):
    """The name of every shipped preset: in the list, as a workout, and as one of two."""
    def test(stage, presets):
        stage.look("the list")
        for file, workout in presets:
            stage.put([lane(file, workout)])
            stage.look(file)
        for one, other in zip(presets[::2], presets[1::2] + presets[:1]):
            stage.put([lane(*one), lane(*other, 3)])
            stage.look(f"{one[0]} and {other[0]}")
    everywhere(browser, test)
    return f"{len(shipped())} names in {len(WINDOWS)} windows, letters as they come and of 200 %"


def counts(browser):
    """Several workouts, of short names and long ones, with one of them chosen, and for all."""
    def test(stage, presets):
        longest = sorted(presets, key=lambda each: -len(each[1]))
        stage.put([lane("Ben", "Tabata")])
        for count in COUNTS:
            lanes = [lane(ATHLETES[n], longest[n][1], n) for n in range(count)]
            stage.put(lanes)
            stage.look(f"{count} workouts")
            names = stage.page.locator(".lane .name").all_inner_texts()
            assert [name.split(" · ")[0] for name in names] == ATHLETES[:count], names
            if count > 1:
                stage.put(lanes, count)
                stage.look(f"the last of {count} chosen")
                stage.put(lanes, 1)
                stage.look(f"the first of {count} chosen")
    everywhere(browser, test)


def longest(browser):
    """Names of 129 letters."""
    long = " ".join(["Twenty minutes of strengthening the knees, slowly"] * 3)[:129]

    def test(stage, presets):
        for fields in (dict(label=long), dict(label=long, next=long), dict(workout=long, label=long, next=long)):
            stage.put([lane(**{"name": "anna", "workout": "FTP test", **fields})])
            stage.look(f"long: {', '.join(fields)}")
    everywhere(browser, test)


def notes(browser):
    """Notes of one to five sentences with a link."""
    def test(stage, presets):
        for count in range(1, len(LINES) + 1):
            noted = dict(note=" ".join(LINES[:count]), link=LINK, intensity="80 % of FTP")
            stage.put([lane("anna", "FTP test, 20 minutes", 3, **noted)])
            stage.look(f"a note of {count}")
            stage.put([lane(name, "FTP test, 20 minutes", n, **noted) for n, name in enumerate(ATHLETES[:3])], 2)
            stage.look(f"a note of {count}, one of three")
    everywhere(browser, test)


def extras(browser):
    """A notice, and the button that ends a phase."""
    def test(stage, presets):
        lost = dict(state="lost", reason="unsupported")
        lanes = [lane(name, "Tabata", n, state="running", signal="heart-rate-low", mayEndEarly=True)
                 for n, name in enumerate(["Anna", "Ben"])]
        for count in (1, 2):
            stage.put(lanes[:count], count - 1, lost)
            stage.page.wait_for_selector("#end:not([hidden])")
            stage.page.wait_for_selector("#notice:not([hidden])")
            stage.look(f"{count} with a notice and a button more")
        # What a sensor measures, beside the target.
        target = dict(kind="heart-rate", words="Heart rate 148, target 140 to 155")
        stage.put([lane("Anna", "Tabata", 3, state="running", target=target)])
        stage.page.wait_for_selector(f".lane >> text={target['words']}")
        stage.look("a value and its target")
    everywhere(browser, test)


# The contrast of each edge against what is beside it, and of each phase of the bar against the gaps.
EDGES = """
() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const light = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
    const part = (v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return a < 1 ? null : 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const ground = (element) => { for (let each = element; each; each = each.parentElement) {
    const colour = getComputedStyle(each).backgroundColor;
    if (light(colour) !== null) return colour; } };
  const found = {};
  for (const each of document.querySelectorAll('button, select, input[type=text]')) {
    const style = getComputedStyle(each);
    if (!each.offsetParent || each.disabled || style.borderTopStyle === 'none') continue;
    const outside = ground(each.parentElement);
    // A button in a colour of its own needs no other edge.
    found[each.id || each.className || each.textContent] = Math.max(ratio(style.borderTopColor, outside),
      ratio(ground(each), outside));
  }
  for (const bar of document.querySelectorAll('.profile')) {
    if (!bar.clientWidth) continue;
    const gap = getComputedStyle(bar).backgroundColor, parts = [...bar.querySelectorAll('[data-kind]')];
    for (const part of parts) found[`bar ${part.dataset.kind}`] = ratio(getComputedStyle(part).fill, gap);
    const [one, other] = parts.map((part) => part.getBoundingClientRect());
    found[`gap of ${bar.clientWidth} px`] = other.left - one.right >= 1 ? 21 : other.left - one.right;
  }
  return found;
}
"""


def edges(browser):
    """Edges of controls, and the phases of the bar, at 3 : 1 in both schemes."""
    worst = 99
    for scheme in ("light", "dark"):
        lanes = [lane("anna", "Tabata"), lane("ben", "Tabata", 1)]
        with browser.page("phone", scripts=(staged(shipped(), lanes),), color_scheme=scheme) as page:
            view(page, "run")
            page.wait_for_function("() => document.querySelectorAll('.lane .profile').length === 2")
            ratios = page.evaluate(EDGES)
            for tab in ("past", "settings", "home"):
                page.click(f"#top [data-tab={tab}]")
                ratios |= page.evaluate(EDGES)
            page.click(".preset .about")
            page.wait_for_selector("#card .profile")
            page.wait_for_selector("#start:enabled")
            ratios |= page.evaluate(EDGES)
            low = {name: round(ratio, 2) for name, ratio in ratios.items() if ratio < 3}
            assert not low, (scheme, low)
            assert {f"bar {kind}" for kind in KINDS} <= ratios.keys() and len(ratios) > 15, ratios
            worst = min(worst, *ratios.values())
    return f"at least {worst:.1f} : 1"


CHECKS = {
    "edges and bars": edges,
    "names fit": names,
    "long names fit": longest,
    "many workouts fit": counts,
    "notes fit": notes,
    "notices fit": extras,
}
