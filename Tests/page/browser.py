"""The page in a real browser, with a coach that plays nothing."""

import contextlib
import http.server
import json
import os
import re
import signal
import socket
import threading
import time

from bed import PATIENCE, free_port, until

SIZES = {"small": (320, 568), "phone": (390, 844), "tablet": (820, 1180), "television": (1920, 1080),
         "phone-on-its-side": (844, 390)}
LANGUAGES = ["de", "en", "es", "fr", "it", "nl", "pl", "pt"]
BOUNDARY = 100  # ms between the sound's instant and the screen's

# Notes when the browser's timers stood still: what is late then is not the page's fault.
GAPS = """
(() => {
  window.gaps = [];
  let last = performance.now();
  const origin = performance.timeOrigin;
  setInterval(() => {
    const now = performance.now();
    if (now - last > 25) gaps.push([origin + last, origin + now]);
    last = now;
  }, 10);
})();
"""

# Notes when the texts of the first lane change, on a clock that the page cannot see.
RECORDER = """
(() => {
  const origin = performance.timeOrigin;
  window.seen = [];
  let last = '';
  const look = () => {
    const text = ['.phase', '.countdown'].map((s) => document.querySelector(s)?.textContent).join('|');
    if (text !== last) seen.push([origin + performance.now(), text]);
    last = text;
  };
  new MutationObserver(look).observe(document, {subtree: true, childList: true, characterData: true});
})();
"""

# What a screen reader is given to say.
LISTENER = """
(() => {
  window.said = [];
  let last = '';
  new MutationObserver(() => {
    const text = document.querySelector('#spoken')?.textContent ?? '';
    if (text && text !== last) said.push(text);
    last = text;
  }).observe(document, {subtree: true, childList: true, characterData: true});
})();
"""

# Timers of LEAST to MOST milliseconds wait for `fire()`: what a person has some seconds for ends when the check says so.
HELD = """
(() => {
  const { setTimeout: set, clearTimeout: clear } = window, held = new Map();
  let next = 1e9;
  window.setTimeout = (run, length, ...more) => {
    if (!(length >= LEAST && length <= MOST)) return set(run, length, ...more);
    held.set(next += 1, run);
    return next;
  };
  window.clearTimeout = (id) => { if (!held.delete(id)) clear(id); };
  window.fire = () => {
    const runs = [...held.values()];
    held.clear();
    for (const run of runs) run();
  };
})();
"""

# A phone whose clock of the day is an hour ahead.
WRONG_CLOCK = """
(() => {
  const hour = 3600000, Real = Date, now = Date.now.bind(Date), origin = performance.timeOrigin;
  window.Date = class extends Real {
    constructor(...words) { words.length ? super(...words) : super(now() + hour); }
    static now() { return now() + hour; }
  };
  Object.defineProperty(performance, 'timeOrigin', {value: origin + hour});
})();
"""


class Browser:
    def __init__(self, chromium, bed, shots, make_real_bed=None):
        self.chromium, self.bed, self.shots = chromium, bed, shots
        self.make_real_bed = make_real_bed
        self.errors = []
        # By their kinds.
        self.others = {}

    @contextlib.contextmanager
    def page(self, size="phone", address=None, scripts=(), **options):
        width, height = SIZES[size] if isinstance(size, str) else size
        context = self.chromium.new_context(
            viewport={"width": width, "height": height}, **{"locale": "en", "service_workers": "block", **options})
        context.set_default_timeout(PATIENCE * 1000)
        try:
            for script in scripts:
                context.add_init_script(script)
            page = context.new_page()
            page.on("pageerror", lambda error: self.errors.append(str(error)))
            page.on("console", lambda message: self.errors.append(message.text)
                    if "Content Security Policy" in message.text else None)
            page.goto(address or self.bed.address + "/")
            yield page
        finally:
            context.close()

    def idle(self):
        """Ends what runs."""
        self.bed.ask(verb="stop")


def boot_shift():
    """From the clock of the day to the coach's, which began with the machine; milliseconds."""
    return time.time() * 1000 - time.clock_gettime_ns(time.CLOCK_BOOTTIME) / 1e6


def held(least, most=None):
    return HELD.replace("LEAST", f"{least}").replace("MOST", f"{most or least}")


class Lateness:
    """How late a page shows something, in milliseconds, less what the machine is to blame for: its timers that stood
    still, and the way to the server and back by which the page reads the coach's clock. Each list of changes shown
    is of [instant, what], in order."""

    def __init__(self, page, shift=0):
        # Instants of a page's clock of the day that is wrong are on that clock.
        self.gaps = [[start - shift, end - shift] for start, end in page.evaluate("gaps")]
        self.error = min(page.evaluate(
            "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/clock'))"
            ".map(({ duration }) => duration)")) / 2
        self.raw, self.blamed = [], []

    def note(self, due, shown, what, error=0):
        """`what` is due then, and was shown whenever the list says so."""
        at = min((at for at, text in shown if text == what), key=lambda at: abs(at - due), default=float("inf"))
        late = at - due
        # One that a page that stood still has never shown: the next second was there first.
        end = at if late < 1000 else due + 1000
        still = sum(max(0, min(end, stop) - max(due, start)) for start, stop in self.gaps)
        if late < 1000:
            self.raw.append(late)
        self.blamed.append((max(0, abs(end - due) - still - self.error - error), what))

    def stood_still(self, seconds):
        """Whether the page has not looked for so long, and so may have missed what was there meanwhile."""
        return any(stop - start >= seconds * 1000 - BOUNDARY for start, stop in self.gaps)

    def judge(self):
        assert max(self.blamed)[0] < BOUNDARY, (self.blamed, self.gaps, self.error)

    def __str__(self):
        late = sorted(self.raw, key=abs)
        blamed = max(self.blamed)[0]
        return (f"{late[len(late) // 2]:.0f} ms late at the median, {abs(late[-1]):.0f} at most"
                + (f", {blamed:.0f} without the machine's" if blamed < abs(late[-1]) - 20 else ""))


def view(page, name):
    page.wait_for_selector(f'body[data-view="{name}"]')


def open_card(page, preset):
    """The card of a preset, whose start takes a tap."""
    page.click('#top [data-tab="home"]')
    # One that is open hides the list in a narrow window.
    page.evaluate("document.querySelector('#card:not([hidden]) .close')?.click()")
    page.click(f'.preset[data-preset="{preset}"] .about')
    # It is drawn anew when its phases come; this one is too long for them.
    if preset != "endless":
        page.wait_for_selector("#card .phases")
    page.wait_for_selector("#start:enabled")


def start_preset(page, preset):
    open_card(page, preset)
    page.click("#start")


def new_requests(bed, verb, before, count=1):
    until(lambda: len(bed.requests(verb)) >= before + count, what=f"{verb} comes to the coach")
    return bed.requests(verb)[before:]


def presses(browser, bed, press, verb):
    """What the coach gets."""
    before = len(bed.requests(verb))
    press()
    return new_requests(bed, verb, before)[0]


def starting(browser):
    bed = browser.bed
    with browser.page() as page:
        page.wait_for_selector('.preset[data-preset="tabata"]')
        text = page.inner_text('.preset[data-preset="tabata"]')
        assert "4:10" in text and "8 sets" in text, text
        # A touch on a row starts nothing, nor does a second one.
        starts = len(bed.requests("start"))
        page.dblclick('.preset[data-preset="tabata"] .about', position={"x": 150, "y": 10})
        phases = page.inner_text("#card .phases")
        assert re.search(r"8 ×\s+High 0:20\s+Rest 0:10", phases), phases
        assert page.is_visible("#card .profile")
        page.wait_for_selector("#start:enabled")
        assert len(bed.requests("start")) == starts
        request = presses(browser, bed, lambda: page.click("#start"), "start")
        assert request["preset"] == "tabata" and "lane" not in request, request
        view(page, "run")
        page.wait_for_function("() => document.querySelector('.lane .profile')")
        # Another one, for somebody: its name goes with it.
        open_card(page, "pyramid")
        page.fill("#name", "Zoë <b>")
        request = presses(browser, bed, lambda: page.click("#start"), "start")
        assert request["lane"] == "Zoë <b>", request
        page.wait_for_function("() => document.querySelectorAll('.lane').length === 2")
        assert "Zoë <b> · Pyramid" in page.inner_text("#lanes")
    browser.idle()


def commands(browser):
    bed = browser.bed
    bed.ask(verb="start", preset="tabata")
    with browser.page() as page:
        view(page, "run")
        for verb, expected in (("next", "next"), ("back", "back"), ("where-am-i", "where-am-i"),
                               ("toggle", "pause")):
            request = presses(
                browser, bed, lambda v=verb: page.click(f'[data-verb="{v}"]'), expected)
            assert request.keys() == {"at", "id", "language", "lane", "sentAt", "verb"}, request
            assert request["lane"] == "tabata", request
        page.wait_for_function("() => document.querySelector('#toggle-word').textContent === 'Resume'")
        assert "paused" in page.inner_text(".sets")
        frozen = page.inner_text(".countdown")
        presses(browser, bed, lambda: page.click('[data-verb="toggle"]'), "resume")
        page.wait_for_function("() => document.querySelector('#toggle-word').textContent === 'Pause'")
        page.wait_for_function(
            f"() => document.querySelector('.countdown').textContent !== '{frozen}'")
        request = presses(browser, bed, lambda: page.fill("#volume", "35"), "volume")
        assert request["volume"] == 35, request
        # Another surface's volume shows here.
        bed.ask(verb="volume", volume=65)
        page.wait_for_function("() => document.querySelector('#volume').value === '65'")
        bed.ask(verb="volume", volume=33)
        page.wait_for_function("() => document.querySelector('#volume').value === '33'")
        request = presses(browser, bed, lambda: page.click("#stop"), "pause")
        assert request["lane"] == "tabata", request
        request = new_requests(bed, "stop", len(bed.requests("stop")))[0]
        assert request["lane"] == "tabata", request
        page.wait_for_selector(".end")
        page.click("#onward [data-tab=past]")
        view(page, "past")
        page.wait_for_selector("#history .past")
        assert "stopped" in page.inner_text("#history")


def voices(browser):
    """Where the coach offers voices, a start has the chosen one, and this browser keeps the choice."""
    bed = browser.bed
    with browser.page() as page:
        open_card(page, "tabata")
        assert not page.is_visible("#voice"), "a choice of nothing"
        bed.tell(verb="offer", voices=["en-gb", "flite:slt"])
        page.reload()
        for choice, style in (("", None), ("flite:slt", {"voice": "flite:slt"})):
            open_card(page, "tabata")
            assert page.locator("#voice option").all_inner_texts() == ["as usual", "en-gb", "flite:slt"]
            page.select_option("#voice", choice)
            request = presses(browser, bed, lambda: page.click("#start"), "start")
            assert request.get("style") == style, request
            browser.idle()
            page.wait_for_selector("#card", state="hidden")
        page.reload()
        open_card(page, "tabata")
        assert page.input_value("#voice") == "flite:slt"
        bed.tell(verb="offer", voices=[])
        page.reload()
        open_card(page, "tabata")
        assert not page.is_visible("#voice")
        request = presses(browser, bed, lambda: page.click("#start"), "start")
        assert "style" not in request, request
    browser.idle()


def press_tabs_to(page, what, key):
    """Goes on with the keyboard until what is wanted has the focus, and presses a key there."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("(what) => document.activeElement.matches(what)", what):
            return page.keyboard.press(key) if key else None
    raise AssertionError(f"the keyboard does not come to {what}")


def keyboard(browser):
    bed = browser.bed
    bed.ask(verb="start", preset="hours")
    with browser.page(scripts=(held(4000),)) as page:
        view(page, "run")
        for key, verb in ((" ", "pause"), (" ", "resume"), ("n", "next"), ("B", "back"),
                          ("w", "where-am-i")):
            presses(browser, bed, lambda k=key: page.keyboard.press(k), verb)
            page.wait_for_function(
                "(paused) => document.body.classList.contains('paused') === paused",
                arg=verb == "pause")
        # The key asks once more, and the question is taken back by itself.
        stops = len(bed.requests("stop"))
        page.keyboard.press("q")
        page.wait_for_function("() => document.querySelector('#stop-word').textContent === 'Really?'")
        page.evaluate("fire()")
        page.wait_for_function("() => document.querySelector('#stop-word').textContent === 'Stop'")
        assert len(bed.requests("stop")) == stops, "one press stops"
        page.keyboard.press("q")
        presses(browser, bed, lambda: page.keyboard.press("q"), "stop")
        page.wait_for_selector(".end")
        # Everything can be reached and pressed with the keyboard alone.
        press_tabs_to(page, "[data-tab=home]", "Enter")
        view(page, "home")
        press_tabs_to(page, "#search", None)
        page.keyboard.type("TÁBATA")
        page.wait_for_function("() => document.querySelectorAll('.preset').length === 1")
        press_tabs_to(page, ".preset .about", "Enter")
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.closest('.preset').dataset.preset") == "tabata"
        page.keyboard.press("Enter")
        page.wait_for_selector("#start:enabled")
        press_tabs_to(page, "#start", None)
        presses(browser, bed, lambda: page.keyboard.press("Enter"), "start")
    browser.idle()


def boundaries(browser):
    """Seen on two screens, one with a wrong clock, against the coach's instants."""
    bed = browser.bed
    with browser.page(scripts=(GAPS, RECORDER, LISTENER)) as page, \
            browser.page(scripts=(GAPS, RECORDER, WRONG_CLOCK)) as wrong:
        assert wrong.evaluate("Date.now()") - page.evaluate("Date.now()") > 3_500_000
        for each in (page, wrong):
            each.wait_for_selector(".preset")
        starts = len(bed.requests("start"))
        start_preset(page, "quick")
        begin = new_requests(bed, "start", starts)[0]["at"] / 1e6
        for each in (page, wrong):
            each.wait_for_selector(".end")
        said = page.evaluate("said")
        screens = [(each.evaluate("seen"), Lateness(each, boot_shift())) for each in (page, wrong)]
    # No second of the countdown is said; a phase that a page that stood still has not seen is not said either.
    assert said.pop() == "Quick sets: Finished. Total time: 13 seconds", said
    phases = [text.split(", ")[0] for text in said]
    assert phases == ["Get ready", "High", "Rest", "High", "Rest"] or screens[0][1].stood_still(2), said
    assert all(re.fullmatch(r"(High|Rest), \d seconds?, Set \d of 2", text) for text in said[1:]), said
    figures = []
    for seen, lateness in screens:
        shown, at = [(wall - boot_shift(), text) for wall, text in seen], 0
        for label, seconds in [("Get ready", 3)] + [("High", 3), ("Rest", 2)] * 2:
            for left in range(seconds, 0, -1):
                # The first is the start itself: the coach's time of the request is later than its own.
                if at or left < seconds:
                    lateness.note(begin + (at + seconds - left) * 1000, shown, f"{label}|0:{left:02}")
            at += seconds
        assert len(lateness.blamed) == 12
        lateness.judge()
        figures.append(f"{lateness}")
    return f"12 changes, {figures[0]}; with a clock that is wrong by an hour {figures[1]}"


def ledger(browser):
    """The real coach: what the screen shows against what its ledger says was heard; then a power cut."""
    if not browser.make_real_bed:
        return "no coach was given: not tested"
    bed = browser.make_real_bed()
    try:
        lateness, taps = against_ledger(browser, bed)
    finally:
        bed.end()
    return (f"{len(lateness.raw)} boundaries, {lateness} beside the sound; tap to sound: start {taps[0]} ms, "
            f"next {taps[1]} and {taps[2]} ms")


def against_ledger(browser, bed):
    with browser.page(address=bed.address + "/", scripts=(GAPS, RECORDER)) as page:
        start_preset(page, "short")
        page.wait_for_selector(".end")
        seen = page.evaluate("seen")
        text = page.inner_text(".end")
        # An easy phase, `low`, is neither work nor rest.
        assert "0:22" in text and "Work\n0:10" in text and "Rest" not in text and "Sets\n2" in text, text
        page.click("#onward [data-tab=past]")
        page.wait_for_selector("#history .past")
        lateness = Lateness(page, boot_shift())
        # A phase begins with its name, and "three" is said when 0:03 is there.
        shown = []
        for (at, text), (_, before) in zip(seen[1:], seen):
            label, countdown = text.split("|")
            if label != before.split("|")[0]:
                shown.append((at - boot_shift(), label))
            shown.append((at - boot_shift(), countdown))
        cues = until(lambda: bed.cues("finish") and bed.cues("transition") + bed.cues("countdown"),
                     what="the ledger is complete")
        for cue in cues:
            assert cue["onset"] is not None, cue
            text = f"0:0{cue['text']}" if cue["kind"] == "countdown" else cue["text"]
            # The first is the start itself, and after the last nothing is shown.
            if text not in ("Get ready", "Finish"):
                # Where the card was late the screen is not, and other checks see to the sound.
                lateness.note(cue["onset"] / 1e6, shown, text, abs(cue["onset"] - cue["due"]) / 1e6)
        # Four phases, and a beep before each of three: a countdown takes a third of its phase at most.
        assert len(lateness.blamed) >= 7, cues
        lateness.judge()
        # From a tap to its sound: the start, for which the device is opened, and two phases.
        page.evaluate("""const origin = performance.timeOrigin; window.taps = [];
          document.addEventListener('click', (event) => taps.push(origin + event.timeStamp), true)""")
        taps = []
        open_card(page, "hours")
        for button, label in (("#start", "Get ready"),
                              ('[data-verb="next"]', "Low"), ('[data-verb="next"]', "High")):
            page.click(button)
            tap = page.evaluate("taps.at(-1)") - boot_shift()
            sound = until(lambda: [cue["onset"] / 1e6 for cue in bed.cues("transition")
                                   if cue["text"] == label and cue["onset"] and cue["onset"] / 1e6 > tap],
                          what=f"{label} is in the ledger")[0]
            taps.append(round(sound - tap))
        # The plug is pulled, and the coach comes back: the page shows where it was.
        bed.coach.end(signal.SIGKILL)
        bed.web.end(signal.SIGKILL)
        page.wait_for_function("() => !document.querySelector('#lasting').hidden")
        bed.start_coach()
        bed.start_web()
        page.wait_for_function("() => document.querySelector('#lasting').hidden")
        page.wait_for_function("() => document.querySelector('.lane .phase')?.textContent === 'High'")
    return lateness, taps


def coach_gone(browser):
    bed = browser.bed
    bed.ask(verb="start", preset="hours")
    with browser.page() as page:
        view(page, "run")
        bed.coach.end(signal.SIGKILL)
        page.wait_for_function("() => document.querySelector('#notice').textContent.includes('not running')")
        # One that is opened now says how a coach is started.
        with browser.page() as other:
            other.wait_for_selector("#presets >> text=systemctl start cuecoach")
        os.unlink(bed.socket)
        status, _ = bed.ask(verb="next")
        assert status == 503, status
        subscribed = len(bed.requests("subscribe"))
        bed.start_coach()
        new_requests(bed, "subscribe", subscribed)
        page.wait_for_function("() => document.querySelector('#lasting').hidden")
        view(page, "home")
        bed.ask(verb="start", preset="hours")
        page.wait_for_function("() => document.querySelector('.phase')?.textContent === 'Get ready'")
        begin = time.monotonic()
        bed.web.end(signal.SIGKILL)
        page.wait_for_function(
            "() => document.querySelector('#notice').textContent.includes('does not answer')")
        bed.start_web()
        page.wait_for_function("() => document.querySelector('#lasting').hidden")
        length = time.monotonic() - begin
        presses(browser, bed, lambda: page.click('[data-verb="next"]'), "next")
        page.wait_for_function("() => document.querySelector('.phase').textContent === 'High'")
    browser.idle()
    return f"the page's server is back on the screen after {length:.1f} s"


def twenty(browser):
    bed = browser.bed
    with contextlib.ExitStack() as stack:
        pages = [stack.enter_context(browser.page()) for _ in range(20)]
        bed.ask(verb="start", preset="hours")
        bed.ask(verb="next")
        for page in pages:
            page.wait_for_function("() => document.querySelector('.phase')?.textContent === 'High'")
        presses(browser, bed, lambda: pages[7].click('[data-verb="toggle"]'), "pause")
        for page in pages:
            page.wait_for_selector("body.paused")
        texts = {page.inner_text(".countdown") for page in pages}
        assert len(texts) == 1, texts
        # All come back at once.
        bed.web.end(signal.SIGKILL)
        for page in pages:
            page.wait_for_selector("#notice:not([hidden])")
        bed.start_web()
        presses(browser, bed, lambda: bed.ask(verb="resume"), "resume")
        for page in pages:
            page.wait_for_function("() => document.querySelector('#lasting').hidden")
            page.wait_for_selector("body:not(.paused)")
    browser.idle()
    return f"all show {texts.pop()}"


class HostilePage(http.server.BaseHTTPRequestHandler):
    target = ""

    def do_GET(self):
        script = """
        const target = TARGET, body = JSON.stringify({id: 1, verb: 'start', preset: 'tabata'});
        const tries = [];
        const attempt = (name, work) => tries.push(
          Promise.resolve().then(work).then((value) => [name, String(value)], () => [name, 'refused']));
        for (const mode of ['cors', 'no-cors']) {
          for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
            attempt(`${mode} ${type}`, async () => {
              const answer = await fetch(target + '/api/request', {method: 'POST', mode, body,
                headers: {'Content-Type': type}, credentials: 'include'});
              return answer.type === 'opaque' ? 'opaque' : await answer.text();
            });
          }
        }
        for (const path of ['/api/events', '/api/clock', '/api/request', '/', '/page.js']) {
          attempt('read ' + path, async () => (await fetch(target + path)).text());
        }
        attempt('beacon', () => navigator.sendBeacon(target + '/api/request', body) ? 'sent' : 'refused');
        attempt('image', () => new Promise((resolve, reject) => {
          const image = new Image(); image.onload = resolve; image.onerror = reject;
          image.src = target + '/icon.svg'; }));
        attempt('script', () => new Promise((resolve, reject) => {
          const element = document.createElement('script'); element.onload = resolve;
          element.onerror = reject; element.src = target + '/api/clock'; document.body.append(element); }));
        const form = document.createElement('form');
        form.method = 'POST'; form.enctype = 'text/plain'; form.action = target + '/api/request';
        form.target = 'frame';
        const field = document.createElement('input'); field.name = body.slice(0, -1) + ',"x":"';
        field.value = '"}'; form.append(field); document.body.append(form); form.submit();
        window.done = Promise.all(tries);
        """.replace("TARGET", json.dumps(self.target))
        page = (f"<!doctype html><body><iframe name=frame></iframe>"
                f"<iframe id=embedded src='{self.target}/'></iframe><script>{script}</script>").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *words):
        pass


def hostile_page(browser):
    bed = browser.bed
    bed.ask(verb="start", preset="tabata")
    HostilePage.target = bed.address
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), HostilePage)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    before = len(bed.requests())
    try:
        # Another port of this machine, and a name that points here.
        for address in (f"http://127.0.0.1:{server.server_port}/",
                        f"http://evil.example:{server.server_port}/"):
            with browser.page(address=address) as page:
                for name, value in page.evaluate("done"):
                    assert value in ("refused", "opaque", "sent"), (address, name, value)
                frame = page.query_selector("#embedded").content_frame()
                assert not frame or frame.query_selector("#run") is None, "it is in a frame"
        # A name that was made to point here, calling its own origin.
        context = browser.chromium.new_context()
        page = context.new_page()
        answer = page.goto(f"http://rebound.example:{bed.port}/")
        assert answer.status == 421, answer.status
        status = page.evaluate("""async () => (await fetch('/api/request', {method: 'POST',
          headers: {'Content-Type': 'application/json'}, body: '{"id":1,"verb":"stop"}'})).status""")
        assert status == 421, status
        context.close()
    finally:
        server.shutdown()
    came = bed.requests()[before:]
    assert not came, f"it came to the coach: {came}"
    # The browser reports each frame that it did not show.
    assert any("frame-ancestors" in error for error in browser.errors), browser.errors
    browser.errors.clear()
    browser.idle()


def network_address():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = probe.getsockname()[0]
    return None if address.startswith("127.") else address


def link(browser):
    bed, address = browser.bed, network_address()
    if not address:
        return "this machine has no other address: not tested"
    with browser.page(address=f"http://{address}:{bed.port}/") as page:
        view(page, "locked")
        page.fill("#link", "wrong-token-wrong-token")
        page.click("#unlock button")
        page.wait_for_selector("#passing >> text=That link does not open this page.")
        view(page, "locked")
        link = bed.tool("link", "--plain", "--port", str(bed.port), "--host", address)
        assert re.fullmatch(rf"http://{re.escape(address)}:{bed.port}/#[\w-]{{22}}", link), link
        page.fill("#link", link)
        page.click("#unlock button")
        view(page, "home")
        page.wait_for_selector(".preset")
        assert page.is_hidden("#passing")
    with browser.page(address=link) as page:
        page.wait_for_selector(".preset")
        assert "#" not in page.url, "the token stays in the address"
        page.reload()
        page.wait_for_selector(".preset")
        # The same link for a television.
        with browser.page(address=link.replace("#", "#view,")) as television:
            view(television, "tv")
            television.wait_for_selector("#nothing")
            assert television.url.endswith("/#view"), television.url
            television.reload()
            view(television, "tv")
        # One to look on has nothing that it may not do.
        bed.ask(verb="start", preset="hours")
        with browser.page(address=bed.tool("link", "--view", "--plain", "--port", str(bed.port), "--host", address)) as looking:
            view(looking, "tv")
            looking.wait_for_selector(".lane")
            looking.keyboard.press("Escape")
            view(looking, "run")
            assert looking.is_hidden("#controls") and looking.is_hidden("#top [data-tab=past]")
            looking.click("#top [data-tab=home]")
            looking.click('.preset[data-preset="tabata"] .about')
            looking.wait_for_selector("#card .phases")
            for part in ("#quick", "#new", "#new + label", "#start", "#card .edit"):
                assert looking.is_hidden(part), part
            assert looking.is_hidden("#passing"), looking.inner_text("#passing")
        browser.idle()
        manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
        assert not manifest["errors"], manifest
        start = json.loads(manifest["data"])["start_url"]
        assert start == link, start
        # A home screen may have another storage: it begins with the token, and goes on without it when that is an old one.
        with browser.page(address=start) as installed:
            installed.wait_for_selector(".preset")
            renewed = bed.tool("token", "--renew")
            # A request with the new one comes before the service has noticed.
            bed.get("/api/clock", {"Authorization": f"Bearer {renewed}"}, host=address)
            view(page, "locked")
            view(installed, "locked")
            installed.fill("#link", bed.tool("token"))
            installed.click("#unlock button")
            view(installed, "home")
            installed.goto("about:blank")
            installed.goto(start)
            installed.wait_for_selector(".preset")
            assert installed.is_hidden("#passing") and "#" not in installed.url


def languages(browser):
    """Every text of every language, in the smallest window."""
    bed = browser.bed
    keys = None
    bed.ask(verb="start", preset="long", lane="a-long-name-of-somebody")
    bed.ask(verb="start", preset="tabata")
    for language in LANGUAGES:
        with browser.page("small", locale=language) as page:
            page.wait_for_function(f"() => document.documentElement.lang === '{language}'")
            words = page.evaluate(f"fetch('/words/{language}.json').then((r) => r.json())")
            keys = keys or set(words)
            assert set(words) == keys, set(words) ^ keys
            view(page, "run")
            for name in ("run", "home", "card", "past", "settings"):
                if name == "card":
                    open_card(page, "long")
                elif name != "run":
                    page.click(f"#top [data-tab={name}]")
                wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert wide <= 0, f"{language}, {name}: {wide} pixels too wide"
                cut = page.evaluate("""[...document.querySelectorAll('button, h2:not(.name), .facts')]
                  .filter((e) => e.offsetParent && e.scrollWidth > e.clientWidth + 1)
                  .map((e) => e.textContent)""")
                assert not cut, f"{language}, {name}: cut off: {cut}"
    # The menu chooses, and the choice is kept.
    with browser.page(locale="xx") as page:
        page.wait_for_function("() => document.documentElement.lang === 'en'")
        page.click("[data-tab=settings]")
        page.select_option("#language", "pl")
        page.wait_for_function("() => document.documentElement.lang === 'pl'")
        page.reload()
        page.wait_for_function("() => document.documentElement.lang === 'pl'")
    browser.idle()
    return f"{len(keys)} texts in {len(LANGUAGES)} languages"


def readers(browser):
    """What a screen reader meets: names of the controls, and one message at each change of phase."""
    bed = browser.bed
    bed.ask(verb="start", preset="hours")
    with browser.page(scripts=(LISTENER,)) as page:
        view(page, "run")
        page.wait_for_selector(".lane .profile")
        for verb in ("next", "toggle", "toggle", "next"):
            count = page.evaluate("said.length")
            page.click(f'[data-verb="{verb}"]')
            page.wait_for_function("(count) => said.length > count", arg=count)
        for name in ("run", "home", "past", "settings", "card"):
            if name == "card":
                open_card(page, "tabata")
            elif name != "run":
                page.click(f"#top [data-tab={name}]")
            nameless = page.evaluate("""[...document.querySelectorAll('button, input, select')].filter(
              (e) => e.offsetParent && !(e.textContent.trim() || e.ariaLabel
                || e.labels?.[0]?.textContent.trim())).map((e) => e.outerHTML)""")
            assert not nameless, nameless
            small = page.evaluate("""[...document.querySelectorAll('button, select, label:has([type=checkbox])')].filter((e) => {
              const box = e.getBoundingClientRect();
              return e.offsetParent && (box.width < 48 || box.height < 48); }).map((e) => e.outerHTML)""")
            assert not small, f"smaller than 48 pixels: {small}"
        said = page.evaluate("said")
    browser.idle()
    assert [text.split(",")[0] for text in said] == ["High", "paused", "High", "Rest"], said
    assert said[0] == "High, 1 hour, Set 1 of 8", said


def schemes(browser):
    """Contrast of letters on every ground; no motion where the system asks for none."""
    worst = 99
    for scheme in ("light", "dark"):
        with browser.page(color_scheme=scheme, reduced_motion="reduce") as page:
            page.wait_for_selector(".preset")
            ratios = page.evaluate("""() => {
              const part = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
              const light = (c) => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number);
                return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b); };
              const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
                return (x + 0.05) / (y + 0.05); };
              const found = {};
              for (const kind of ['prepare', 'warmup', 'low', 'high', 'work', 'rest', 'recovery',
                                  'cooldown']) {
                const e = document.createElement('article');
                e.className = 'lane'; e.dataset.kind = kind; document.body.append(e);
                const style = getComputedStyle(e);
                found[kind] = ratio(style.color, style.backgroundColor);
                found.motion = style.transitionDuration;
              }
              const style = getComputedStyle(document.querySelector('.facts'));
              found.facts = ratio(style.color,
                getComputedStyle(document.querySelector('.preset .about')).backgroundColor);
              return found; }""")
            motion = ratios.pop("motion")
            assert motion == "0s", motion
            for kind, ratio in ratios.items():
                assert ratio >= 4.5, f"{scheme} {kind}: {ratio:.1f}"
            worst = min(worst, *ratios.values())
    return f"at least {worst:.1f} : 1"


def pictures(browser):
    """Screenshots to be looked at, and nothing out of the window."""
    bed, count = browser.bed, 0
    for scheme in ("light", "dark"):
        for size in SIZES:
            with browser.page(size, color_scheme=scheme) as page:
                def shot(name):
                    nonlocal count
                    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                    assert wide <= 0, f"{size} {name}: {wide} pixels too wide"
                    page.screenshot(path=os.path.join(browser.shots, f"{name}-{size}-{scheme}.png"))
                    count += 1

                page.wait_for_selector('.preset[data-preset="long"]')
                shot("home")
                open_card(page, "pyramid")
                page.wait_for_selector("#card .phases")
                shot("card")
                # Whoever reads a card stays there when somebody starts.
                page.click("#card .close")
                bed.ask(verb="start", preset="tabata")
                bed.ask(verb="next")
                page.wait_for_selector(".lane .profile")
                inside = page.evaluate("""[...document.querySelectorAll('.lane *, #controls *')].filter((e) => {
                  const box = e.getBoundingClientRect();
                  return box.width && (box.bottom > innerHeight + 1 || box.right > innerWidth + 1); })
                  .map((e) => e.className || e.tagName)""")
                assert not inside, f"{size}: out of the window: {inside}"
                part = page.evaluate("""(() => { const box = document.querySelector('.countdown')
                  .getBoundingClientRect(); return box.width / innerWidth; })()""")
                least = {"phone-on-its-side": 0.3, "television": 0.4}.get(size, 0.6)
                assert part >= least, f"{size}: the countdown has {part:.2f} of the width"
                shot("running")
                bed.ask(verb="pause")
                page.wait_for_selector("body.paused")
                shot("paused")
                bed.ask(verb="start", preset="pyramid", lane="Anna")
                bed.ask(verb="start", preset="long", lane="Ben")
                page.wait_for_function("() => document.querySelectorAll('.lane .profile').length === 3")
                shot("three")
                page.click("#choice button >> nth=2")
                page.wait_for_function("() => document.querySelectorAll('.small').length === 2")
                shot("chosen")
                browser.idle()
                page.wait_for_selector(".end")
                shot("end")
                page.click("#top [data-tab=past]")
                page.wait_for_selector("#history .past")
                shot("history")
                page.click("[data-tab=settings]")
                shot("settings")
    return f"{count} in {browser.shots}"


def installable(browser):
    with browser.page() as page:
        session = page.context.new_cdp_session(page)
        errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
        # Every test page is in a private window, which installs nothing.
        errors = [error["errorId"] for error in errors if error["errorId"] != "in-incognito"]
        assert not errors, errors
        manifest = page.evaluate("fetch('/manifest.webmanifest').then((r) => r.json())")
        for icon in manifest["icons"]:
            size = page.evaluate("""(source) => new Promise((resolve, reject) => {
              const image = new Image(); image.onload = () => resolve(image.naturalWidth);
              image.onerror = reject; image.src = source; })""", icon["src"])
            assert icon["sizes"] in ("any", f"{size}x{size}"), (icon, size)


def hidden(browser):
    """A page that nobody sees leaves its connection, and is right again when it is looked at."""
    bed = browser.bed
    script = """let hidden = false; Object.defineProperty(document, 'hidden', {get: () => hidden});
      window.hide = (value) => { hidden = value; document.dispatchEvent(new Event('visibilitychange')); }"""
    with browser.page(scripts=(script,)) as page:
        page.wait_for_selector(".preset")
        descriptors = bed.web.descriptors()
        page.evaluate("hide(true)")
        until(lambda: bed.web.descriptors() < descriptors, what="the connection is closed")
        bed.ask(verb="start", preset="hours")
        page.evaluate("hide(false)")
        page.wait_for_function("() => document.querySelector('.phase')?.textContent === 'Get ready'")
        assert page.is_hidden("#notice")
    browser.idle()


def tap(browser):
    """From the tap to the coach: what the page adds to the way to the sound."""
    bed, ways = browser.bed, []
    bed.ask(verb="start", preset="tabata")
    with browser.page() as page:
        view(page, "run")
        page.evaluate("""const origin = performance.timeOrigin; window.taps = [];
          document.querySelector('[data-verb="where-am-i"]').addEventListener('click',
            (event) => taps.push(origin + event.timeStamp), true)""")
        for _ in range(20):
            request = presses(
                browser, bed, lambda: page.click('[data-verb="where-am-i"]'), "where-am-i")
            ways.append(request["at"] / 1e6 + boot_shift() - page.evaluate("taps.at(-1)"))
    browser.idle()
    ways.sort()
    return f"{ways[10]:.1f} ms at the median, {ways[-1]:.1f} at most"


CHECKS = {
    "start from the list": starting,
    "pause, next, back, where am I, volume, stop": commands,
    "a choice of voices": voices,
    "the keyboard": keyboard,
    "countdown and boundaries": boundaries,
    "countdown and the coach's ledger, and a power cut": ledger,
    "coach and server killed, and back": coach_gone,
    "20 pages at once": twenty,
    "a hostile page": hostile_page,
    "link and token": link,
    "languages": languages,
    "screen readers": readers,
    "contrast and motion": schemes,
    "screenshots": pictures,
    "installable": installable,
    "out of sight": hidden,
    "tap to coach": tap,
}


def run(report, browser):
    def checked(test):
        figures = test(browser)
        assert not browser.errors, browser.errors
        return figures

    for name, test in CHECKS.items():
        browser.errors.clear()
        report.check(name, checked, test)
        browser.idle()
