"""What the page's views show beside the running workout: notices, ends, settings, the list, the history, a television."""

import contextlib
import json
import os
import time

from bed import until
from browser import LISTENER, held, open_card, presses, start_preset, view
from fits import ATHLETES, FAULTS, KINDS, STAGE, lane, put, shipped, staged

SECOND = 10**9
# Windows of phones on both sides, a tablet, and televisions.
SCREENS = [(320, 568), (390, 844), (844, 390), (1024, 768), (1920, 1080), (3840, 2160)]
# People and phases in other scripts, and words that are not divided.
NAMES = [("عبد الرحمن", "تمارين القوة للمبتدئين"), ("さくら", "二十分間の有酸素運動と体幹トレーニング"),
         ("Anneliese", "Donaudampfschifffahrtsgesellschaftskapitänszirkeltraining")]


def boxes(page):
    return page.evaluate("""['#top', '#lanes', '.lane', '.countdown', '#controls'].map((name) => {
      const box = document.querySelector(name).getBoundingClientRect();
      return [box.x, box.y, box.width, box.height]; })""")


def notices(browser):
    """They move nothing, several wait, each can be closed; what lasts comes back by its mark."""
    bed = browser.bed
    bed.ask(verb="start", preset="hours")
    bed.ask(verb="next")
    bed.ask(verb="pause")
    with browser.page(scripts=(held(1100, 8000),)) as page:
        page.clock.install()
        view(page, "run")
        page.wait_for_selector(".lane .profile")
        before = boxes(page)
        bed.lose_device("gone", "no sound: it is not there")
        page.wait_for_selector("#lasting:not([hidden])")
        assert page.is_hidden("#passing"), "one fault is said twice"
        # The line that lasts has said it for the first second.
        page.clock.fast_forward(1100)
        for number in range(3):
            bed.lose_device("gone", f"line {number}")
        page.wait_for_function("() => document.querySelector('#passing .waiting').textContent === '+2'")
        assert boxes(page) == before, (before, boxes(page))
        for number, waiting in enumerate(("+2", "+1", "")):
            assert page.inner_text("#passing p") == f"line {number}", page.inner_text("#passing")
            assert page.inner_text("#passing .waiting") == waiting, page.inner_text("#passing")
            page.click("#passing button")
        assert page.is_hidden("#passing")
        page.click("#lasting button")
        assert page.is_hidden("#lasting")
        page.click("#mark")
        assert page.is_visible("#lasting")
        page.click("#lasting button")
        # What is new is shown, and the mark goes with its line.
        bed.lose_device("busy", "line 3")
        page.wait_for_selector("#lasting:not([hidden])")
        assert "another program" in page.inner_text("#notice")
        bed.lose_device(None, "the sound is back")
        page.wait_for_selector("#lasting", state="hidden")
        assert page.is_hidden("#mark")
        # They go by themselves.
        page.wait_for_selector("#passing:not([hidden])")
        page.evaluate("fire()")
        page.wait_for_selector("#passing", state="hidden")
        assert boxes(page) == before
    browser.idle()


def ending(browser):
    """A workout's end: its time, sets, work and rest, told once; again under its name; one tap to the history."""
    bed = browser.bed
    with browser.page(scripts=(LISTENER,)) as page, browser.page() as other:
        other.wait_for_selector(".preset")
        # Its timers stand still.
        other.clock.install()
        other.clock.pause_at(time.time() + 3600)
        open_card(page, "quick")
        page.fill("#name", "Zoë")
        page.click("#start")
        page.wait_for_selector(".end")
        text = page.inner_text(".end")
        for part in ("Zoë · Quick sets", "Finished", "0:13", "Work\n0:06", "Rest\n0:04", "Sets\n2"):
            assert part in text, text
        said = page.evaluate("said")
        assert said[-1:] == ["Zoë · Quick sets: Finished. Total time: 13 seconds"], said
        # The page that has not started it knows the same, and the preset by its workout.
        other.wait_for_selector(".end")
        assert other.inner_text(".end") == text, other.inner_text(".end")
        # Not at once: a hand that meant a button that was here has not asked for it.
        starts = len(bed.requests("start"))
        other.click(".again")
        other.clock.run_for(1100)
        request = presses(browser, bed, lambda: other.click(".again"), "start")
        assert (request["preset"], request["lane"]) == ("quick", "Zoë"), request
        # The coach refuses the first request of a page whose clock has jumped, and gets it again.
        begun = lambda: [each for each in bed.requests("start")[starts:]  # noqa: E731
                         if abs(each["at"] - each.get("sentAt", each["at"])) < 2 * SECOND]
        until(begun, what="it begins")
        # Another is skipped in part, and stopped.
        bed.ask(verb="stop")
        bed.ask(verb="start", preset="hours", lane="Zoë")
        page.wait_for_function("() => document.querySelector('.lane .phase')?.textContent === 'Get ready'")
        page.wait_for_selector(".end", state="detached")
        # One tap has begun one workout, and this is the other.
        assert len(begun()) == 2, begun()
        presses(browser, bed, lambda: page.click('[data-verb="next"]'), "next")
        page.wait_for_function("() => document.querySelector('.phase').textContent === 'High'")
        presses(browser, bed, lambda: page.click('[data-verb="next"]'), "next")
        page.wait_for_function("() => document.querySelector('.phase').textContent === 'Rest'")
        bed.ask(verb="stop")
        page.wait_for_selector(".end")
        text = page.inner_text(".end")
        assert "Stopped" in text and "Sets\n0/8" in text and "0:13" not in text, text
        # On a television its time is as large as it can be, in the middle of the card.
        page.set_viewport_size({"width": 1920, "height": 1080})
        page.evaluate("location.hash = '#view'")
        view(page, "tv")
        card, total = (page.locator(each).bounding_box() for each in (".end", ".end .total"))
        assert total["height"] > 160 and abs(2 * (total["x"] - card["x"]) + total["width"] - card["width"]) < 8, (card, total)
        page.screenshot(path=os.path.join(browser.shots, "television-end.png"))
        page.keyboard.press("Escape")
        page.set_viewport_size({"width": 390, "height": 844})
        page.click("#top [data-tab=run]")
        page.click("#onward [data-tab=past]")
        view(page, "past")
        # Its button is not under the finger that ended it. What was read before may be shown until the answer comes.
        page.wait_for_function("() => document.querySelector('#history .past .facts')?.textContent.includes('Zoë')")
        facts = page.inner_text("#history .past .facts >> nth=0")
        assert facts.count("Zoë") == 1, facts
        assert page.inner_text("#history .past .title >> nth=0") == "Hours"
    browser.idle()


BEATS = """
(() => {
  window.beats = [];
  navigator.vibrate = (pattern) => { beats.push(['vibrate', pattern]); return true; };
  addEventListener('DOMContentLoaded', () => {
    const flash = document.querySelector('#flash');
    if (flash) new MutationObserver(() => {
      const { beat } = flash.dataset;
      if (beat) beats.push(['flash', beat, document.querySelector('.countdown')?.textContent,
        getComputedStyle(flash).backgroundColor]);
    }).observe(flash, { attributes: true });
  });
})();
"""


# Two sets, in seconds.
QUICK = [("prepare", 3), ("high", 3), ("rest", 2), ("high", 3), ("rest", 2)]
# In the page: the phase of that number has just begun.
BEGIN = """
([workout, index]) => {
  const now = performance.now() * 1e6, phase = staged.outline[index], length = phase.seconds * 1e9;
  const left = staged.outline.slice(index).reduce((sum, { seconds }) => sum + seconds, 0) * 1e9;
  window.running = { ...workout, state: 'running', phase: index, phases: staged.outline.length, kind: phase.kind,
    label: phase.label, elapsed: 13e9 - left, phaseElapsed: 0, phaseLeft: length, phaseEndsAt: now + length,
    workoutLeft: left, workoutEndsAt: now + left };
  if (index) tell({ type: 'lane', at: now, lane: running });
  else return put([running]);
}
"""


@contextlib.contextmanager
def still(browser, script, **options):
    """A page with a coach within, whose clock goes on when the check says so."""
    with browser.page(address="about:blank", scripts=(script,), **options) as page:
        page.clock.install()
        page.goto(browser.bed.address + "/")
        page.wait_for_selector(".preset", state="attached")
        page.clock.pause_at(time.time() + 3600)
        yield page


def beats(browser):
    """Off by default; then each count and each boundary is seen and felt."""
    workout = lane("Anna", "Quick sets", countdown=3)
    script = staged(shipped(), []) + "staged.outline = " + json.dumps(
        [dict(kind=kind, label=kind, seconds=seconds) for kind, seconds in QUICK]) + ";" + BEATS

    def run(page):
        """The whole workout; the coach's event about each phase comes late."""
        for index, (_, seconds) in enumerate(QUICK):
            page.evaluate(BEGIN, [workout, index])
            if not index:
                page.wait_for_selector(".lane .profile")
            for _ in range(seconds):
                page.clock.run_for(1000)
        page.evaluate("ended({ ...running, state: 'finished', elapsed: 13e9, phase: 5 })")
        page.wait_for_selector(".end")
        return page.evaluate("beats")

    for motion in ("no-preference", "reduce"):
        with still(browser, script, reduced_motion=motion) as page:
            assert run(page) == []
            page.click("#top [data-tab=settings]")
            for setting in ("flash", "vibrate"):
                page.clock.run_for(500)
                page.check(f"[data-setting={setting}]")
            # It shows at once what it does, and both are kept.
            assert {kind for kind, *_ in page.evaluate("beats")} == {"flash", "vibrate"}, page.evaluate("beats")
            page.reload()
            page.click("#top [data-tab=settings]")
            assert page.is_checked("[data-setting=flash]") and page.is_checked("[data-setting=vibrate]")
            assert not page.is_checked("[data-setting=media]")
            page.clock.run_for(500)
            found = run(page)
            felt = [pattern for kind, pattern, *_ in found if kind == "vibrate"]
            flashes = [(kind, text) for what, kind, text, _ in (each for each in found if each[0] == "flash")]
            # 3 s, then twice 3 s and 2 s: the seconds that a phase begins with are its boundary.
            assert flashes[:-1] == [("count", "0:02"), ("count", "0:01"), ("boundary", "0:03"), ("count", "0:02"),
                                    ("count", "0:01"), ("boundary", "0:02"), ("count", "0:01"), ("boundary", "0:03"),
                                    ("count", "0:02"), ("count", "0:01"), ("boundary", "0:02"), ("count", "0:01")], flashes
            assert flashes[-1][0] == "boundary", flashes
            assert felt == [80 if kind == "count" else [250, 80, 250] for kind, _ in flashes], felt
            grounds = {colour for *_, kind, _, colour in (each for each in found if each[0] == "flash")
                       if kind == "boundary"}
            # Where less motion is asked for, only the edge of the screen flashes.
            assert grounds == {"rgb(255, 255, 255)" if motion == "no-preference" else "rgba(0, 0, 0, 0)"}, grounds


MEDIA = """
(() => {
  window.handlers = {};
  const set = MediaSession.prototype.setActionHandler;
  MediaSession.prototype.setActionHandler = function (action, handler) {
    handlers[action] = handler;
    return set.call(this, action, handler);
  };
  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () { window.playing = this; return play.call(this); };
})();
"""


def media(browser):
    """Nothing plays before somebody asks for it; then the lock screen has the phase, and its buttons work."""
    bed = browser.bed
    with browser.page(scripts=(MEDIA,)) as page:
        start_preset(page, "tabata")
        page.wait_for_selector("#card", state="hidden")
        presses(browser, bed, lambda: page.click('[data-verb="next"]'), "next")
        assert page.evaluate("window.playing === undefined && navigator.mediaSession.metadata === null")
        page.click("#top [data-tab=settings]")
        page.check("[data-setting=media]")
        page.click("#top [data-tab=run]")
        page.wait_for_function("() => playing.currentTime > 0 && playing.duration === 10 && !playing.error")
        page.wait_for_function("() => navigator.mediaSession.metadata?.title === 'High'")
        assert page.evaluate("[navigator.mediaSession.metadata.artist, navigator.mediaSession.metadata.album]") == [
            "Set 1 of 8", "Tabata"]
        for action, verb, state in (("pause", "pause", "paused"), ("play", "resume", "playing"),
                                    ("nexttrack", "next", "playing"), ("previoustrack", "back", "playing")):
            presses(browser, bed, lambda a=action: page.evaluate("(action) => handlers[action]()", a), verb)
            page.wait_for_function("(state) => navigator.mediaSession.playbackState === state", arg=state)
        bed.ask(verb="stop")
        page.wait_for_selector(".end")
        assert page.evaluate("playing.paused && navigator.mediaSession.playbackState === 'none'")
        # Whoever starts one here and puts the phone away.
        page.click("#onward [data-tab=home]")
        start_preset(page, "tabata")
        page.wait_for_function("() => !playing.paused && navigator.mediaSession.metadata?.album === 'Tabata'")
    browser.idle()


def finding(browser):
    """Words, folders, and what was used last; the list asks for no phases; nothing of others becomes markup."""
    bed = browser.bed
    presets = [dict(name=name, workout=workout, seconds=600, sets=3, folder=["boxing", "rehab", None][number % 3],
                    tags=["geriatría"] if number == 7 else ["any-sport"],
                    description="<img src=x onerror=alert(1)>" if number == 8 else f"Number {number}.")
               for number, (name, workout) in enumerate(shipped())]
    script = STAGE.replace("STAGED", json.dumps(dict(lanes=[], outline=[dict(kind="work", label="Work", seconds=30)], presets=presets,
                                                      history=[])))
    asked = """(() => { const real = window.fetch; window.asked = [];
      window.fetch = (path, options) => { if (options?.body) asked.push(JSON.parse(options.body)); return real(path, options); };
    })();"""
    rows = "[...document.querySelectorAll('.preset')].map((row) => row.dataset.preset)"
    with browser.page(scripts=(script, asked)) as page:
        page.wait_for_selector(".preset")
        assert len(page.evaluate(rows)) == len(presets)
        height = page.evaluate("document.documentElement.scrollHeight")
        assert height < 68 * len(presets), height
        assert not page.evaluate("asked.some(({ verb, preset }) => verb === 'presets' && preset)")
        for text, expected in (("GERIATRIA", [presets[7]["name"]]), ("number 12.", [presets[12]["name"]]),
                               ("onerror", [presets[8]["name"]]), (presets[20]["name"], [presets[20]["name"]]),
                               ("no such thing", [])):
            page.fill("#search", text)
            assert page.evaluate(rows) == expected or set(expected) <= set(page.evaluate(rows)), (text, page.evaluate(rows))
        assert "Nothing" in page.inner_text("#presets")
        page.fill("#search", "")
        page.click("#folders >> text=rehab")
        assert page.evaluate(rows) == [each["name"] for each in presets if each["folder"] == "rehab"]
        assert page.evaluate("document.activeElement.textContent") == "rehab"
        page.click("#folders >> text=All")
        open_card(page, presets[8]["name"])
        page.wait_for_selector("#card .description")
        assert page.locator("#card img").count() == 0
        assert "onerror" in page.inner_text("#card .description")
        # What was started here is first the next time.
        for number in (30, 40):
            start_preset(page, presets[number]["name"])
            page.wait_for_selector("#card", state="hidden")
        page.reload()
        page.wait_for_selector(".preset")
        assert page.evaluate(rows)[:2] == [presets[40]["name"], presets[30]["name"]], page.evaluate(rows)[:3]
        assert page.inner_text(".folder >> nth=0") == "Last used"
        length = page.evaluate("""() => { const search = document.querySelector('#search');
          const begin = performance.now();
          for (const text of ['a', 'ab', 'b', '']) { search.value = text; search.dispatchEvent(new Event('input')); }
          document.body.offsetHeight;
          return (performance.now() - begin) / 4; }""")
    return f"{len(presets)} rows, {height} px high on a phone, {length:.1f} ms for each letter typed"


def later(browser):
    """A start in some minutes, for somebody who has trained before."""
    bed = browser.bed
    with browser.page() as page:
        open_card(page, "tabata")
        page.fill("#name", "Zoë")
        page.select_option("#delay", "10")
        request = presses(browser, bed, lambda: page.click("#start"), "start")
        begun = bed.ask(verb="status")[1]["snapshot"]["lanes"][0]["startsAt"]
        assert abs(begun - request["sentAt"] - 600 * SECOND) < SECOND, request
        page.wait_for_selector("#card", state="hidden")
        page.wait_for_function("() => document.querySelector('.phase').textContent === 'Begins in'")
        bed.ask(verb="stop", lane="Zoë")
        open_card(page, "pyramid")
        assert page.input_value("#delay") == "0", "the next start is late as well"
        page.click("#card .chip >> text=Zoë")
        assert page.input_value("#name") == "Zoë"
        request = presses(browser, bed, lambda: page.click("#start"), "start")
        assert request["lane"] == "Zoë", request
    browser.idle()


INK = """
() => [...document.querySelectorAll('.lane .countdown')].map((each) => {
  const style = getComputedStyle(each), canvas = document.createElement('canvas').getContext('2d');
  canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  return canvas.measureText('0').actualBoundingBoxAscent / innerHeight;
})
"""


SAID = """(isSaid) => {
  localStorage['cuecoach-setting-captions'] = isSaid ? 'on' : 'off';
  tell({ type: 'speech', at: 0, lanes: ['Anna'], from: 0, until: (performance.now() + 1e9) * 1e6, withdrawn: !isSaid,
    text: 'Donaudampfschifffahrtsgesellschaft, 1 minute 30 seconds, さくら. '.repeat(2) });
}"""


def television(browser):
    """No controls; all figures as high as they are to be, nothing cut, at both sizes and for as many as a coach runs; whose each
    is stands on a line of its own."""
    figures, long = [], [workout for _, workout in NAMES]
    for window in ((1920, 1080), (3840, 2160)):
        address = browser.bed.address + "/#view"
        with browser.page(window, address=address, scripts=(staged(shipped(), []),)) as page:
            view(page, "tv")
            page.wait_for_selector("#nothing")
            for count in (*range(1, 10), 10, 16, 32):
                least = 0.25 if count <= 2 else 0.12 if count <= 9 else 0.09 if count <= 16 else 0.045
                for left in (20, 605, 3725) if count <= 2 else (20, 605):
                    names = [(ATHLETES if count > 9 else [*ATHLETES[:6], *long])[n % 9] + " II" * (n // 9) for n in range(count)]
                    lanes = [lane(names[n], shipped()[n][1], n, state="running", phaseLeft=left * SECOND,
                                  phaseEndsAt=10**15 + left * SECOND)
                             for n in range(count)]
                    for each in lanes:
                        each.update(state="paused")
                        del each["phaseEndsAt"]
                    put(page, lanes)
                    found = page.evaluate(FAULTS)
                    ink = page.evaluate(INK)
                    assert len(ink) == count and min(ink) >= least, (window, count, left, ink)
                    assert not found, (window, count, left, found)
                    seen = page.evaluate("""[...document.querySelectorAll('.lane')].map((each) => {
                      const box = each.getBoundingClientRect();
                      return box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight; })""")
                    assert all(seen), (window, count, seen)
                    who = page.evaluate("[...document.querySelectorAll('.who')].map((each) => [each.textContent, each.getClientRects().length])")
                    assert [name for name, _ in who] == names and (count > 9 or all(lines == 1 for _, lines in who)), who
                    beside = page.evaluate("""[...document.querySelectorAll('.who')].flatMap((who) => {
                      const { top, bottom } = who.getBoundingClientRect();
                      return [...who.closest('.lane').querySelectorAll('p, .what')].filter((other) => other.offsetParent && !other.closest('.clock'))
                        .filter((other) => { const box = other.getBoundingClientRect(); return box.top < bottom - 1 && box.bottom > top + 1; })
                        .map((other) => `${who.textContent}: ${other.textContent}`); })""")
                    assert not beside, (window, count, beside)
                wide = page.evaluate("""(() => { const boxes = [...document.querySelectorAll('.lane')]
                  .map((each) => each.getBoundingClientRect());
                  return (Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left)))
                    / innerWidth; })()""")
                assert wide > 0.97, (window, count, wide)
                if window[0] == 1920:
                    figures.append(f"{count}: {min(ink):.0%}")
                # What is said stands below all of them, in two lines.
                page.evaluate(SAID, True)
                page.wait_for_selector("#caption:not([hidden])")
                found, ink = page.evaluate(FAULTS), page.evaluate(INK)
                low = page.evaluate("Math.max(...[...document.querySelectorAll('.lane')].map((each) => each.getBoundingClientRect().bottom))")
                top = page.evaluate("document.querySelector('#caption').getBoundingClientRect().top")
                assert not found and low <= top and min(ink) >= least, (window, count, found, low, top, ink)
                page.evaluate(SAID, False)
            buttons = page.evaluate("[...document.querySelectorAll('button')].filter((e) => e.offsetParent).length")
            assert buttons == 0, buttons
    return "figures of the height, " + ", ".join(figures)


def leaving(browser):
    """A touch offers the way back from a television; Escape is one."""
    address = browser.bed.address + "/#view"
    with browser.page("television", address=address, scripts=(staged(shipped(), [lane("Anna", "Tabata")]),)) as page:
        view(page, "tv")
        page.wait_for_selector(".lane .profile")
        page.mouse.click(400, 400)
        page.wait_for_selector("#leave")
        page.click("#leave")
        view(page, "run")
        assert page.url.endswith("/")
        page.click("#top [data-tab=settings]")
        page.click("#view")
        view(page, "tv")
        assert page.url.endswith("#view")
        page.keyboard.press("Escape")
        view(page, "run")


CHECKS = {
    "notices over the page": notices,
    "an end": ending,
    "flash and vibration": beats,
    "the lock screen": media,
    "finding a preset": finding,
    "a later start": later,
    "a television": television,
    "a television is left": leaving,
}
