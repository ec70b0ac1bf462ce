"""The page in situations that are rare, or last for less than a second."""

import os
import signal
import time

from bed import until
from browser import (
    GAPS, LISTENER, WRONG_CLOCK, Lateness, boot_shift, held, network_address, new_requests, open_card, presses, start_preset, view)

# Notes phase, set and what is next of the first lane whenever one of them changes.
PLACES = """
(() => {
  const origin = performance.timeOrigin;
  window.places = [];
  let last = '';
  const look = () => {
    const shown = ['.phase', '.sets', '.next'].map((s) => document.querySelector(s)?.textContent ?? '');
    if (shown.join('|') !== last && shown[0]) places.push([origin + performance.now(), ...shown]);
    last = shown.join('|');
  };
  new MutationObserver(look).observe(document, {subtree: true, childList: true, characterData: true});
})();
"""


def double_tap(browser):
    """A second tap, before the answer or soon after it, begins nothing."""
    bed = browser.bed
    # The pause of the page's clock is a jump for it: the coach refuses the first request, and gets it again.
    begun = lambda: [each for each in bed.requests("start")  # noqa: E731
                     if abs(each["at"] - each.get("sentAt", each["at"])) < 2_000_000_000]
    starts = len(begun())
    button = "#start"
    with browser.page() as page:
        page.wait_for_selector(".preset")
        # The page's timers stand still.
        page.clock.install()
        page.clock.pause_at(time.time() + 3600)
        page.click('[data-preset="tabata"] .about')
        assert not page.is_enabled(button), "the second tap on a row starts it"
        page.clock.run_for(600)
        page.dblclick(button)
        # The card stays over what a second tap would hit.
        page.wait_for_selector('body[data-view="run"]')
        new_requests(bed, "start", 0)
        page.evaluate("(button) => document.querySelector(button).click()", button)
        page.clock.run_for(500)
        page.evaluate("""() => {
          document.querySelector('#top [data-tab=home]').click();
          document.querySelector('[data-preset=tabata] .about').click();
        }""")
        page.clock.run_for(450)
        page.evaluate("(button) => document.querySelector(button).click()", button)
        # Whatever came before this has come to the coach.
        presses(browser, bed, lambda: page.evaluate(
            "document.querySelector('[data-verb=where-am-i]').click()"), "where-am-i")
        assert len(begun()) == starts + 1, begun()[starts:]
        assert not page.is_enabled(button)
        page.clock.run_for(600)
        presses(browser, bed, lambda: page.click(button), "start")
    browser.idle()


def still_to_begin(browser):
    """A workout that begins later: it holds up no command for others, and can be taken back."""
    bed = browser.bed
    later = time.clock_gettime_ns(time.CLOCK_BOOTTIME) + 3600 * 10**9
    bed.ask(verb="start", preset="hours", lane="anna")
    bed.ask(verb="start", preset="hours", lane="ben", at=later)
    with browser.page() as page:
        page.wait_for_function("() => document.querySelectorAll('.lane').length === 2")
        for verb, word in (("pause", "Resume"), ("resume", "Pause")):
            presses(browser, bed, lambda: page.click('[data-verb="toggle"]'), verb)
            page.wait_for_function(
                "(word) => document.querySelector('#toggle-word').textContent === word", arg=word)
        request = presses(browser, bed, lambda: page.click("#stop"), "stop")
        assert request["lane"] == "anna", request
        # Its end is seen, and at a tap what is still to come.
        page.wait_for_selector(".end")
        assert page.is_hidden("#lanes") and "anna" in page.inner_text(".end"), page.inner_text("#ends")
        # No key ends what is not seen.
        stops = len(bed.requests("stop"))
        page.keyboard.press("q")
        page.keyboard.press("q")
        page.click("#top [data-tab=run]")
        page.wait_for_selector(".end", state="detached")
        assert "ben" in page.inner_text("#lanes") and len(bed.requests("stop")) == stops
        # It says when it begins, and nothing of it can be held or passed over.
        page.wait_for_function("() => /^at \\d/.test(document.querySelector('.sets').textContent)")
        for verb in ("toggle", "next", "back"):
            assert page.is_hidden(f'[data-verb="{verb}"]'), verb
        request = presses(browser, bed, lambda: page.click("#stop"), "stop")
        assert request["lane"] == "ben", request
        # It has come to nothing.
        view(page, "home")
        assert page.locator(".end").count() == 0
        # A start of tomorrow calls nobody who reads the list.
        tomorrow = time.clock_gettime_ns(time.CLOCK_BOOTTIME) + 20 * 3600 * 10**9
        bed.ask(verb="start", preset="hours", lane="ines", at=tomorrow)
        page.wait_for_selector("#plans li >> text=ines")
        view(page, "home")
        bed.ask(verb="stop", lane="ines")
        page.wait_for_selector("#plans li", state="detached")
    assert bed.ask(verb="status")[1]["snapshot"]["lanes"] == []


def changing_blocks(browser):
    """Blocks of different sets, with an outline and without one: what is shown and said at each boundary, and when."""
    return ", ".join(f"{preset}: {one_run_of_blocks(browser, preset, sets)}"
                     for preset, sets in (("blocks", 3), ("endless", 300)))


def one_run_of_blocks(browser, preset, sets):
    bed = browser.bed
    expected = [("Get ready", ""), ("High", "Set 1 of 1"), ("Rest", "Set 1 of 1"),
                ("Low", f"Set 1 of {sets}"), ("Recovery", f"Set 1 of {sets}")]
    with browser.page(scripts=(GAPS, PLACES, LISTENER)) as page:
        page.wait_for_selector(f'[data-preset="{preset}"]')
        starts = len(bed.requests("start"))
        start_preset(page, preset)
        begin = new_requests(bed, "start", starts)[0]["at"] / 1e6
        page.wait_for_function(
            "() => places.some(([, phase]) => phase === 'Recovery')")
        # The event about it has come too.
        page.wait_for_function(
            "() => places.some(([, phase,, next]) => phase === 'Recovery' && next === 'Next: Low')")
        seen, said, lateness = page.evaluate("places"), page.evaluate("said"), Lateness(page, boot_shift())
    browser.idle()
    firsts = {}
    for wall, phase, shown, following in seen:
        firsts.setdefault((phase, shown), wall - boot_shift())
        assert "done" not in following, seen
    # The first two blocks; what was there while the page stood still it has not seen.
    firsts = {place: at for place, at in firsts.items() if place in expected}
    whole = not lateness.stood_still(2)
    assert [place for place in expected if place in firsts] == list(firsts), seen
    assert list(firsts) == expected or not whole, seen
    spoken = [(phase, *([shown] if shown else [])) for phase, shown in expected]
    told = [(text.split(", ")[0], *text.split(", ")[2:]) for text in said][:len(expected)]
    assert told == spoken or not whole, said
    for number, place in enumerate(expected):
        # The first is the start itself.
        if number:
            lateness.note(begin + 2000 * number, [(at, what) for what, at in firsts.items()], place)
    lateness.judge()
    return str(lateness)


def restarted(browser):
    """What was opened and typed in the list outlives the coach, also where the list has changed."""
    bed = browser.bed
    with browser.page((1280, 800)) as page:
        open_card(page, "pyramid")
        page.fill("#name", "Zoë")
        bed.coach.end(signal.SIGKILL)
        page.wait_for_selector("#lasting:not([hidden])")
        os.unlink(bed.socket)
        bed.start_coach("--also", "another")
        page.wait_for_selector('.preset[data-preset="another"]')
        page.wait_for_selector("#card .phases")
        assert page.get_attribute('[data-preset="pyramid"] .about', "aria-expanded") == "true"
        assert page.input_value("#name") == "Zoë"
        bed.coach.end(signal.SIGKILL)
        os.unlink(bed.socket)
        bed.start_coach()
        page.wait_for_selector('.preset[data-preset="another"]', state="detached")
        request = presses(browser, bed, lambda: page.click("#start"), "start")
        assert request["lane"] == "Zoë", request
    browser.idle()


def without_server(browser):
    """Where a browser may keep it, the page opens without its machine, says that this does not answer, and goes on by itself."""
    bed = browser.bed
    with browser.page(service_workers="allow") as page:
        page.wait_for_selector(".preset")
        page.wait_for_function("""async () => {
          const store = await caches.open('page');
          return (await Promise.all(['/', '/page.js', '/lane.js', '/page.css', '/words/en.json'].map((each) => store.match(each)))).every(Boolean);
        }""")
        page.reload()
        page.wait_for_selector(".preset")
        # No request to the coach waits for the worker.
        sources = page.evaluate("""performance.getEntriesByType('resource').map(({ name, workerStart, workerFinalSourceType }) =>
          [name.includes('/api/'), workerStart > 0, workerFinalSourceType])""")
        assert [False, True, ""] in sources and [True, True, "network"] in sources, sources
        assert all(each in ([False, True, ""], [True, True, "network"]) for each in sources), sources
        bed.web.end()
        try:
            page.goto(bed.address + "/")
            page.wait_for_selector("#lasting >> text=The coach's machine does not answer.")
        finally:
            bed.start_web()
        page.wait_for_selector(".preset")
        page.wait_for_selector("#lasting", state="hidden")
        # One that takes the connection and says nothing.
        os.kill(bed.web.pid, signal.SIGSTOP)
        try:
            page.goto(bed.address + "/")
            page.wait_for_selector("#lasting >> text=The coach's machine does not answer.")
        finally:
            os.kill(bed.web.pid, signal.SIGCONT)
        page.wait_for_selector(".preset")
        page.wait_for_selector("#lasting", state="hidden")


def wrong_tokens(browser):
    """After too many wrong tokens the page says so; the right one opens, and a wrong link does not replace it."""
    bed, address = browser.bed, network_address()
    if not address:
        return "this machine has no other address: not tested"

    def wrong():
        return bed.get("/api/clock", {"Authorization": "Bearer wrong"}, host=address)[0]

    many = "() => document.querySelector('#notice').textContent.includes('too many wrong tokens')"
    link = bed.tool("link", "--plain", "--port", str(bed.port), "--host", address)
    with browser.page(address=f"http://{address}:{bed.port}/") as page:
        view(page, "locked")
        until(lambda: wrong() == 429, what="it is slowed down")
        page.fill("#link", "wrong-token-wrong-token")
        page.click("#unlock button")
        page.wait_for_function(many)
        assert page.is_visible("#notice")
    until(lambda: wrong() == 429, what="it is slowed down")
    with browser.page(address=link) as page:
        page.wait_for_selector(".preset")
        assert page.is_hidden("#notice")
        page.goto(f"http://{address}:{bed.port}/#x")
        page.wait_for_function("() => document.querySelector('#passing p').textContent.includes('does not open')")
        view(page, "home")
        page.reload()
        page.wait_for_selector(".preset")
    # Where no token is needed, a wrong one opens the page, and is not kept either.
    with browser.page() as page:
        page.evaluate("localStorage.setItem('cuecoach-token', 'good')")
        page.goto("about:blank")
        # The clock is asked for when the page is open.
        with page.expect_request(lambda one: "/api/clock" in one.url and "authorization" in one.headers):
            page.goto(bed.address + "/#x")
        assert page.evaluate("localStorage.getItem('cuecoach-token')") == "good"


def refusals(browser):
    """What the coach says comes in the page's language; what the page does not know, as it came."""
    bed = browser.bed
    bed.ask(verb="start", preset="hours")
    with browser.page(locale="de", scripts=(held(1100, 8000),)) as page:
        view(page, "run")

        def notice(text, where="#passing"):
            page.wait_for_function(
                "([text, where]) => document.querySelector(`${where} p`).textContent === text", arg=[text, where])
            if where == "#passing":
                page.click("#passing button")

        for status, answer, text in (
                (409, '{"id":0,"ok":false,"error":"no-effect","message":"pause changes nothing"}',
                 "Das ändert jetzt nichts."),
                (409, '{"id":0,"ok":false,"error":"failed","message":"the disk is full"}',
                 "Das geht jetzt nicht: the disk is full"),
                (409, '{"id":0,"ok":false,"error":"new","message":"a later coach"}', "a later coach"),
                (504, "The coach does not answer.", "Der Coach antwortet gerade nicht.")):
            kind = "application/json" if answer.startswith("{") else "text/plain"
            fields = dict(status=status, content_type=kind, body=answer)
            page.route("**/api/request", lambda route: route.fulfill(**fields))
            page.click('[data-verb="toggle"]')
            notice(text)
            page.unroute("**/api/request")
        bed.lose_device("gone", "no sound: it is not there")
        notice("Kein Ton: das Gerät ist nicht da", "#lasting")
        bed.lose_device("odd", "no sound: nobody knows")
        notice("Kein Ton: odd", "#lasting")
        bed.lose_device(None, "the sound is back")
        notice("(de) the sound is back")
    browser.idle()


def open_ends(browser):
    """The real coach: a button counts repetitions, and ends a phase that waits for a signal."""
    if not browser.make_real_bed:
        return "no coach was given: not tested"
    bed = browser.make_real_bed()
    try:
        with browser.page(address=bed.address + "/") as page:
            start_preset(page, "lifts")
            view(page, "run")
            page.wait_for_selector("#end:not([hidden])")
            assert page.inner_text("#end-word") == "Count one", page.inner_text("#end-word")
            assert page.inner_text(".phase") == "Work", page.inner_text(".phase")
            assert page.inner_text(".countdown") == "0/2", page.inner_text(".countdown")
            assert page.inner_text(".next") == "Next: Rest", page.inner_text(".next")
            until(lambda: bed.ask(verb="status")[1]["snapshot"]["lanes"][0]["elapsed"] > 0, what="its start")
            page.click("#end")
            until(lambda: bed.ask(verb="status")[1]["snapshot"]["lanes"][0]["repsDone"] == 1, what="a count")
            page.wait_for_function("() => document.querySelector('.countdown').textContent === '1/2'")
            # One that is still to begin does not take the button away; a pause does.
            later = time.clock_gettime_ns(time.CLOCK_BOOTTIME) + 3600 * 10**9
            assert bed.ask(verb="start", preset="lifts", lane="ben", at=later)[0] == 200
            page.wait_for_function("() => document.querySelectorAll('.lane').length === 2")
            assert page.is_visible("#end")
            page.click('[data-verb="toggle"]')
            page.wait_for_selector("#end", state="hidden")
            page.click('[data-verb="toggle"]')
            page.wait_for_selector("#end:not([hidden])")
            # It counts, and is no signal.
            page.keyboard.press("s")
            page.keyboard.press("r")
            page.wait_for_function("() => document.querySelector('#end-word').textContent === 'Done'")
            page.wait_for_function(
                "() => /^until ready · at most 2:[0-5]\\d more · /.test(document.querySelector('.next').textContent)")
            # What has passed, and not what would be left.
            page.wait_for_function(
                "() => /^0:[0-5]\\d$/.test(document.querySelector('.countdown').textContent)")
            # It looks otherwise than one that counts down.
            assert "up" in page.get_attribute(".countdown", "class")
            # It ends no phase that waits for a signal.
            page.keyboard.press("r")
            page.wait_for_selector("#passing:not([hidden])")
            assert page.inner_text("#end-word") == "Done"
            page.keyboard.press("s")
            # The last phase waits for `next` alone.
            page.wait_for_selector("#end", state="hidden")
            page.wait_for_function(
                "() => document.querySelector('.next').textContent.startsWith('until next')")
            assert bed.ask(verb="status")[1]["snapshot"]["lanes"][0]["phase"] == 2
    finally:
        bed.end()
    return None


def taps_in_a_stall(page, bed, program):
    """Next, four times, while a program stands still: nothing of it is done later, and the page says so."""
    lane = lambda: bed.ask(verb="status")[1]["snapshot"]["lanes"][0]  # noqa: E731
    with page.expect_response(lambda answer: "where-am-i" in (answer.request.post_data or "")):
        page.click('[data-verb="where-am-i"]')
    page.wait_for_function("() => !document.querySelector('[aria-busy]')")
    phase = lane()["phase"]
    os.kill(program.pid, signal.SIGSTOP)
    try:
        for _ in range(4):
            page.click('[data-verb="next"]')
        page.wait_for_selector('[data-verb="next"][aria-busy="true"]')
        page.wait_for_selector("#notice:not([hidden])")
        assert "does not answer" in page.inner_text("#notice"), page.inner_text("#notice")
        page.wait_for_function("() => !document.querySelector('[aria-busy]')")
    finally:
        os.kill(program.pid, signal.SIGCONT)
    page.wait_for_selector("#notice", state="hidden")
    assert lane()["phase"] == phase, lane()
    # What is tapped now is done, once.
    page.click('[data-verb="next"]')
    until(lambda: lane()["phase"] == phase + 1, what="the next phase")
    return phase + 1


def stalled_for_real(browser):
    """The same with the real coach, on a phone whose clock is right and on one whose clock is not."""
    if not browser.make_real_bed:
        return "no coach was given: not tested"
    bed = browser.make_real_bed()
    try:
        for scripts in ((), (WRONG_CLOCK,)):
            assert bed.ask(verb="start", preset="lifts")[0] == 200
            with browser.page(address=bed.address + "/", scripts=scripts) as page:
                view(page, "run")
                for program in (bed.web, bed.coach):
                    taps_in_a_stall(page, bed, program)
            bed.ask(verb="stop")
            until(lambda: bed.ask(verb="status")[1]["snapshot"]["lanes"] == [], what="its end")
    finally:
        bed.end()
    return None


def cut_off(browser):
    """Without a connection a tap is refused at once and not done later; the notice stays until it is back."""
    bed = browser.bed
    bed.ask(verb="start", preset="tabata")
    bed.ask(verb="pause")
    with browser.page() as page:
        view(page, "run")
        page.wait_for_selector(".lane .profile")
        nexts = len(bed.requests("next"))
        page.clock.install()
        page.context.set_offline(True)
        page.click('[data-verb="next"]')
        page.wait_for_selector("#notice:not([hidden])")
        # Longer than a message that goes by itself.
        page.clock.run_for(9000)
        page.wait_for_selector("body.unreachable")
        assert "does not answer" in page.inner_text("#notice"), page.inner_text("#notice")
        page.context.set_offline(False)
        page.wait_for_selector("#notice", state="hidden")
        assert len(bed.requests("next")) == nexts
        page.clock.resume()
        presses(browser, bed, lambda: page.click('[data-verb="next"]'), "next")
    browser.idle()


def stalled(browser):
    """What is tapped while the page's server, or the coach, stands still is not done later; the page says
    that it waits."""
    bed = browser.bed
    bed.ask(verb="start", preset="hours")
    lane = lambda: bed.ask(verb="status")[1]["snapshot"]["lanes"][0]  # noqa: E731
    bed.ask(verb="next")
    with browser.page() as page:
        view(page, "run")
        for program in (bed.web, bed.coach):
            phase = taps_in_a_stall(page, bed, program) - 1
        # With a clock that has stood still in a sleep, a tap is measured anew.
        page.evaluate("""() => {
          const real = window.fetch;
          window.fetch = (path, options) => {
            if (!options.body?.includes('sentAt')) return real(path, options);
            window.fetch = real;
            const fields = JSON.parse(options.body);
            return real(path, { ...options, body: JSON.stringify({ ...fields, sentAt: fields.sentAt - 60e9 }) });
          };
        }""")
        before = len(bed.requests("next"))
        page.click('[data-verb="next"]')
        until(lambda: lane()["phase"] == phase + 2, what="the phase after it")
        assert len(new_requests(bed, "next", before, 2)) == 2


def undoing(browser):
    """One tap on Stop holds; it can be undone, by whoever lets the workout go on; two taps are one."""
    bed = browser.bed
    lanes = lambda: {lane["name"]: lane["state"]  # noqa: E731
                     for lane in bed.ask(verb="status")[1]["snapshot"]["lanes"]}
    bed.ask(verb="start", preset="hours", lane="anna")
    bed.ask(verb="start", preset="hours", lane="ben")
    bed.ask(verb="pause", lane="ben")
    stops = len(bed.requests("stop"))
    # The five seconds do not end.
    with browser.page(scripts=(LISTENER, held(5000))) as page:
        page.wait_for_function("() => document.querySelectorAll('.lane').length === 2")
        for undo in (lambda: page.click("#undo"), lambda: page.keyboard.press(" "),
                     lambda: bed.ask(verb="resume", lane="anna")):
            page.dblclick("#stop")
            until(lambda: lanes() == {"anna": "paused", "ben": "paused"}, what="both are held")
            page.wait_for_function("() => document.querySelector('.lane').dataset.state === 'paused'")
            box, stop = page.locator("#undo").bounding_box(), page.locator("#stop").bounding_box()
            assert box["y"] + box["height"] < stop["y"], (box, stop)
            page.evaluate("document.activeElement.blur()")
            undo()
            until(lambda: lanes()["anna"] == "running", what="it goes on")
            page.wait_for_selector("#held", state="hidden")
            bed.ask(verb="pause", lane="ben")
            page.wait_for_function(
                "() => [...document.querySelectorAll('.lane')].map((each) => each.dataset.state).join() === 'running,paused'")
        # Also by whoever lets one go on that was paused before the tap.
        bed.ask(verb="pause", lane="anna")
        page.wait_for_function(
            "() => [...document.querySelectorAll('.lane')].every((each) => each.dataset.state === 'paused')")
        page.click("#stop")
        page.wait_for_selector("#held:not([hidden])")
        bed.ask(verb="resume", lane="ben")
        page.wait_for_selector("#held", state="hidden")
        assert len(bed.requests("stop")) == stops, "it was stopped"
        # Nobody can undo it on a page that goes.
        page.click("#stop")
        until(lambda: lanes() == {"anna": "paused", "ben": "paused"}, what="both are held")
        page.goto("about:blank")
        until(lambda: lanes() == {}, what="both have ended")
    bed.ask(verb="start", preset="hours")
    with browser.page() as page:
        view(page, "run")
        # A tap that nobody hears holds nothing, and ends nothing.
        stops = len(bed.requests("stop"))
        page.route("**/api/request", lambda route: route.fulfill(
            status=409, content_type="application/json", body='{"id":0,"ok":false,"error":"failed","message":"x"}'))
        page.click("#stop")
        page.wait_for_selector("#passing:not([hidden])")
        page.wait_for_selector("#held", state="hidden")
        page.unroute("**/api/request")
        assert lanes() == {"hours": "running"} and len(bed.requests("stop")) == stops
        # One of two that is not held lets the other go on.
        sent = page.evaluate("""async () => {
          const { Stopping } = await import('/stopping.js'), sent = [];
          const stopping = new Stopping(async ({ verb, lane }) => {
            sent.push(`${verb} ${lane}`);
            return verb === 'pause' && lane === 'ben' ? null : {};
          }, () => {});
          await stopping.hold([{ name: 'anna', state: 'running' }, { name: 'ben', state: 'running' }]);
          return [sent, stopping.isHolding]; }""")
        assert sent == [["pause anna", "pause ben", "resume anna"], False], sent
    browser.idle()


def ended(browser):
    """A card whose workout has ended says that, and counts nothing."""
    with browser.page() as page:
        shown = page.evaluate("""async () => {
          const { LanePanel, spoken, standing } = await import('/lane.js');
          const lane = { name: 'Tabata', workout: 'Tabata', state: 'finished', phase: 16, phases: 16,
            elapsed: 240e9, phaseElapsed: 0, phaseLeft: 0, workoutLeft: 0 };
          const entry = { lane, at: 0, parts: null, outline: null };
          const place = standing(entry, 1000);
          const panel = new LanePanel();
          panel.show(entry, place);
          const visible = [...panel.element.querySelectorAll('p')].filter((part) => !part.hidden);
          return [panel.element.dataset.kind, visible.map((part) => part.textContent).join('|'), spoken(place)];
        }""")
    kind, text, spoken = shown
    assert kind == "finish" and spoken == "Finished", shown
    assert text.startswith("Finished|") and "0:00" not in text and "done" not in text, shown


def slow_clock(browser):
    """A clock that is a little slow shows no more than the whole phase."""
    with browser.page() as page:
        left = page.evaluate("""async () => {
          const { standing } = await import('/lane.js');
          const lane = { name: 'Tabata', workout: 'Tabata', state: 'running', phase: 1, phases: 16,
            elapsed: 10e9, phaseElapsed: 0, phaseLeft: 20e9, phaseEndsAt: 31e9, workoutLeft: 230e9 };
          return [10990, 11000, 11400].map((now) => standing({ lane, at: 11e9, outline: null }, now).left);
        }""")
    assert left == [20000, 20000, 19600], left


CHECKS = {
    "a workout that has ended": ended,
    "a clock that is slow": slow_clock,
    "counts and signals": open_ends,
    "a double tap": double_tap,
    "taps while nobody answers": stalled,
    "taps while the real coach does not": stalled_for_real,
    "taps without a connection": cut_off,
    "a stop that is undone": undoing,
    "a workout that is still to begin": still_to_begin,
    "blocks of different sets": changing_blocks,
    "the list after a restart": restarted,
    "the page without its server": without_server,
    "too many wrong tokens": wrong_tokens,
    "refusals": refusals,
}
