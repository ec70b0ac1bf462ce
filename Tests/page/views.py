"""What the page's views show beside the running workout: notices, ends, settings, the list, the history, a television."""

import json
import time

from browser import LISTENER, open_card, presses, start_preset, view
from fits import ATHLETES, FAULTS, KINDS, STAGE, lane, shipped, staged

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
    bed.ask(verb="start", preset="tabata")
    bed.ask(verb="next")
    bed.ask(verb="pause")
    with browser.page() as page:
        view(page, "run")
        page.wait_for_selector(".lane .profile")
        before = boxes(page)
        bed.lose_device("gone", "no sound: it is not there")
        page.wait_for_selector("#lasting:not([hidden])")
        assert page.is_hidden("#passing"), "one fault is said twice"
        page.wait_for_timeout(1100)
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
        page.wait_for_selector("#passing", state="hidden")
        assert boxes(page) == before
    browser.idle()


def ending(browser):
    """A workout's end: its time, sets, work and rest, told once; again under its name; one tap to the history."""
    bed = browser.bed
    with browser.page(scripts=(LISTENER,)) as page, browser.page() as other:
        open_card(page, "quick")
        page.fill("#name", "Zoë")
        page.click("#start")
        page.wait_for_selector(".end", timeout=60_000)
        text = page.inner_text(".end")
        for part in ("Zoë · Quick sets", "Finished", "0:13", "Work\n0:06", "Rest\n0:04", "Sets\n2"):
            assert part in text, text
        said = page.evaluate("said")
        assert said[-1:] == ["Zoë · Quick sets: Finished. Total time: 13 seconds"], said
        # The page that has not started it knows the same, and the preset by its workout.
        other.wait_for_selector(".end")
        assert other.inner_text(".end") == text, other.inner_text(".end")
        # Not at once: a hand that meant a button that was here has not asked for it.
        other.wait_for_timeout(1000)
        request = presses(browser, bed, lambda: other.click(".again"), "start")
        assert (request["preset"], request["lane"]) == ("quick", "Zoë"), request
        page.wait_for_selector(".lane .profile")
        assert page.locator(".end").count() == 0, page.inner_text(".end")
        # It is skipped in part, and stopped.
        presses(browser, bed, lambda: page.click('[data-verb="next"]'), "next")
        page.wait_for_function("() => document.querySelector('.phase').textContent === 'High'")
        presses(browser, bed, lambda: page.click('[data-verb="next"]'), "next")
        page.wait_for_function("() => document.querySelector('.phase').textContent === 'Rest'")
        bed.ask(verb="stop")
        page.wait_for_selector(".end")
        text = page.inner_text(".end")
        assert "Stopped" in text and "Sets\n0/2" in text and "0:13" not in text, text
        page.click("#onward [data-tab=past]")
        view(page, "past")
        # Its button is not under the finger that ended it.
        facts = page.inner_text(".past .facts >> nth=0")
        assert facts.count("Zoë") == 1, facts
    browser.idle()


BEATS = """
(() => {
  window.beats = [];
  navigator.vibrate = (pattern) => { beats.push(['vibrate', pattern]); return true; };
  addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
    const { beat } = document.querySelector('#flash').dataset;
    if (beat) beats.push(['flash', beat, document.querySelector('.countdown')?.textContent,
      getComputedStyle(document.querySelector('#flash')).backgroundColor]);
  }).observe(document.querySelector('#flash'), { attributes: true }));
})();
"""


def beats(browser):
    """Off by default; then each count and each boundary is seen and felt."""
    bed = browser.bed
    for motion in ("no-preference", "reduce"):
        with browser.page(scripts=(BEATS,), reduced_motion=motion) as page:
            bed.ask(verb="start", preset="quick")
            page.wait_for_selector(".lane .profile")
            for phase in ("High", "Rest"):
                bed.ask(verb="next")
                page.wait_for_function("(name) => document.querySelector('.phase').textContent === name", arg=phase)
            assert page.evaluate("beats") == [], page.evaluate("beats")
            browser.idle()
            page.click("#top [data-tab=settings]")
            for setting in ("flash", "vibrate"):
                page.check(f"[data-setting={setting}]")
                page.wait_for_timeout(500)
            page.reload()
            page.click("#top [data-tab=settings]")
            assert page.is_checked("[data-setting=flash]") and page.is_checked("[data-setting=vibrate]")
            assert not page.is_checked("[data-setting=media]")
            page.wait_for_timeout(500)
            start_preset(page, "quick")
            page.wait_for_selector(".end", timeout=60_000)
            found = page.evaluate("beats")
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
    browser.idle()


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
    browser.idle()


def finding(browser):
    """Words, folders, and what was used last; the list asks for no phases; nothing of others becomes markup."""
    bed = browser.bed
    presets = [dict(name=name, workout=workout, seconds=600, sets=3, folder=["boxing", "rehab", None][number % 3],
                    tags=["geriatría"] if number == 7 else ["any-sport"],
                    description="<img src=x onerror=alert(1)>" if number == 8 else f"Number {number}.")
               for number, (name, workout) in enumerate(shipped())]
    script = STAGE.replace("STAGED", json.dumps(dict(lanes=[], outline=[], presets=presets, history=[])))
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


def television(browser):
    """No controls; all figures as high as they are to be, nothing cut, at both sizes and for up to nine."""
    figures = []
    for window in ((1920, 1080), (3840, 2160)):
        address = browser.bed.address + "/#view"
        with browser.page(window, address=address, scripts=(staged(shipped(), []),)) as page:
            view(page, "tv")
            page.wait_for_selector("#nothing")
            for count in range(1, 10):
                least = 0.25 if count <= 2 else 0.12
                for left in (20, 605, 3725) if count <= 2 else (20, 605):
                    lanes = [lane(ATHLETES[n], shipped()[n * 5][1], n, state="running", phaseLeft=left * SECOND,
                                  phaseEndsAt=10**15 + left * SECOND)
                             for n in range(count)]
                    for each in lanes:
                        each.update(state="paused")
                        del each["phaseEndsAt"]
                    page.evaluate("(lanes) => put(lanes)", lanes)
                    page.wait_for_function(
                        "(count) => document.querySelectorAll('.lane .profile').length === count", arg=count)
                    found = page.evaluate(FAULTS)
                    ink = page.evaluate(INK)
                    assert len(ink) == count and min(ink) >= least, (window, count, left, ink)
                    assert not found, (window, count, left, found)
                    seen = page.evaluate("""[...document.querySelectorAll('.lane')].map((each) => {
                      const box = each.getBoundingClientRect();
                      return box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight; })""")
                    assert all(seen), (window, count, seen)
                wide = page.evaluate("""(() => { const boxes = [...document.querySelectorAll('.lane')]
                  .map((each) => each.getBoundingClientRect());
                  return (Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left)))
                    / innerWidth; })()""")
                assert wide > 0.97, (window, count, wide)
                if window[0] == 1920:
                    figures.append(f"{count}: {min(ink):.0%}")
            buttons = page.evaluate("[...document.querySelectorAll('button')].filter((e) => e.offsetParent).length")
            assert buttons == 0, buttons
            # A touch offers the way back; Escape is one.
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
    return "figures of the height, " + ", ".join(figures)


def everything(browser):
    """Each view in each window and both schemes: nothing is cut or covered."""
    found = []
    for scheme in ("light", "dark"):
        for window in SCREENS:
            lanes = [lane(person, workout, n, label=workout, next=workout) for n, (person, workout) in enumerate(NAMES)]
            with browser.page(window, scripts=(staged(shipped(), lanes),), color_scheme=scheme) as page:
                def look(what):
                    found.extend(f"{scheme} {window}, {what}: {fault}" for fault in page.evaluate(FAULTS))

                view(page, "run")
                for count in (3, 2, 1):
                    page.evaluate("(lanes) => put(lanes)", lanes[:count])
                    page.wait_for_function(
                        "(count) => document.querySelectorAll('.lane .profile').length === count", arg=count)
                    look(f"{count} in other scripts")
                for kind, fields in (("repetitions", dict(reps=12, repsDone=10, phaseLeft=None)),
                                     ("a clock that counts up", dict(mayEndEarly=True, phaseElapsed=3725 * SECOND))):
                    page.evaluate("(lanes) => put(lanes)", [{**lane("Anna", "Tabata"), **fields}])
                    page.wait_for_selector(".lane .profile")
                    look(kind)
                for tab in ("home", "past", "settings"):
                    page.click(f"#top [data-tab={tab}]")
                    look(tab)
                open_card(page, shipped()[0][0])
                page.wait_for_selector("#card .profile")
                look("a card")
                page.evaluate("(lanes) => lanes.forEach((lane) => put([]))", lanes)
                page.evaluate("""(lanes) => { put(lanes); lanes.forEach((lane) => ended({ ...lane, state: 'finished',
                  phase: 8 })); }""", lanes[:1])
                page.click("#top [data-tab=run]")
                page.wait_for_selector(".end")
                look("an end")
    assert not found, f"{len(found)} faults\n  " + "\n  ".join(found[:60])
    return f"{len(SCREENS)} windows, both schemes, Arabic, Japanese and German names"


CHECKS = {
    "notices over the page": notices,
    "an end": ending,
    "flash and vibration": beats,
    "the lock screen": media,
    "finding a preset": finding,
    "a later start": later,
    "a television": television,
    "every view fits": everything,
}
