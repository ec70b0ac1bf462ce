"""What starts a workout beside its card's one button: the quick timer, favourites, hours, the style of one time."""

import contextlib

from bed import until
from browser import open_card, view
from fits import SCRIPTS, lane, shipped, staged
from views import still

SECOND = 10**9


@contextlib.contextmanager
def opened(browser, **options):
    """A page, and what it asks of its coach by a tap."""
    with browser.page(**options) as page:
        page.wait_for_selector(".star")

        def tap(verb, act):
            with page.expect_request(lambda each: f'"verb":"{verb}"' in (each.post_data or "")) as request:
                act()
            fields = request.value.post_data_json
            return {key: value for key, value in fields.items() if key not in ("id", "language", "verb", "sentAt")}

        yield page, tap


def quick(browser):
    """Three wheels and a start: four touches; keys turn them, and the browser keeps them."""
    with opened(browser) as (page, tap):
        for name, text in (("Sets", "9"), ("Work", "0:35"), ("Rest", "0:10")):
            page.click(f'.wheel[aria-label="{name}"] > :text-is("{text}")')
        wanted = {"sets": 9, "work": 35, "rest": 10}
        assert tap("start", lambda: page.click("#quick .go")) == {"quick": wanted}
        view(page, "run")
        page.wait_for_selector(".lane .profile")
        # The space bar pauses, and stripes say so.
        page.wait_for_function("() => document.activeElement.id === 'lanes'")
        page.keyboard.press(" ")
        page.wait_for_selector(".lane[data-state=paused]")
        stripes = page.evaluate("getComputedStyle(document.querySelector('.lane')).backgroundImage")
        assert "rgba(0, 0, 0, 0.15)" in stripes, stripes
        browser.idle()
        page.reload()
        page.wait_for_selector(".star")
        wheel = page.locator('.wheel[aria-label="Rest"]')
        assert wheel.get_attribute("aria-valuetext") == "10 seconds"
        page.wait_for_function("() => document.querySelectorAll('.wheel')[2].scrollTop > 0")
        wheel.focus()
        for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"):
            page.keyboard.press(key)
        assert wheel.get_attribute("aria-valuetext") == "5 seconds"
        # A finger turns it.
        page.mouse.move(*[wheel.bounding_box()[side] + 30 for side in ("x", "y")])
        page.mouse.wheel(0, 48 * 3)
        page.wait_for_function("() => document.querySelectorAll('.wheel')[2].ariaValueNow === '20'")
        assert tap("start", lambda: page.click("#quick .go")) == {"quick": {**wanted, "rest": 20}}
    browser.idle()
    return "4 touches"


def favourites(browser):
    """Kept by the coach, for each person; first in the list."""
    rows = "[...document.querySelectorAll('.preset')].map((row) => row.dataset.preset)"
    with opened(browser) as (page, tap):
        star = '.preset[data-preset="norwegian-4x4"] .star'
        assert tap("favourite", lambda: page.click(star)) == {"preset": "norwegian-4x4", "person": "", "on": True}
        page.wait_for_selector(star + '[aria-pressed="true"]')
        assert page.evaluate(rows)[0] == "norwegian-4x4"
        assert page.inner_text(".folder >> nth=0") == "Favourites"
        assert page.evaluate("document.activeElement.className") == "star"
        page.click("#who .chip >> text=Zoë <b>")
        assert page.evaluate(rows)[0] == "long"
        assert tap("favourite", lambda: page.click('.preset[data-preset="long"] .star')) == {
            "preset": "long", "person": "Zoë <b>", "on": False}
        page.wait_for_selector("#presets .folder", state="detached")
        page.reload()
        page.wait_for_selector("#who .chip[aria-pressed=true] >> text=Zoë <b>")
        # Another phone stars one, and starts one each day. The focus stays where it is.
        bed = browser.bed
        page.locator('.preset[data-preset="hours"] .about').focus()
        assert bed.ask(verb="favourite", preset="tabata", person="Zoë <b>", on=True)[0] == 200
        page.wait_for_selector('.preset[data-preset="tabata"] .star[aria-pressed="true"]')
        assert page.evaluate("document.activeElement.parentNode.dataset.preset") == "hours"
        plan = bed.ask(verb="schedule", preset="tabata", time="18:00", days="daily")[1]["schedule"]["id"]
        page.wait_for_selector("#plans li >> text=18:00")
        assert bed.ask(verb="unschedule", schedule=plan)[0] == 200
        page.wait_for_selector("#plans li >> text=18:00", state="detached")
        # Who trains for the first time is there at once.
        assert bed.ask(verb="start", preset="hours", lane="Ines")[0] == 200
        view(page, "run")
        page.click("#top [data-tab=home]")
        page.click("#who .chip >> text=Ines")
        assert tap("favourite", lambda: page.click('.preset[data-preset="tabata"] .star')) == {
            "preset": "tabata", "person": "Ines", "on": True}
    browser.idle()
    # A coach that knows nobody.
    browser.bed.coach.end()
    browser.bed.start_coach("--old")
    try:
        until(browser.bed.finds_coach)
        with browser.page() as page:
            page.wait_for_selector(".preset")
            assert page.locator(".star").count() == 0 and page.is_hidden("#who")
    finally:
        browser.bed.coach.end()
        browser.bed.start_coach()
        until(browser.bed.finds_coach)


def hours(browser):
    """At a time, daily and on weekdays; those that come again are listed, and ended there."""
    with opened(browser, timezone_id="Asia/Kathmandu") as (page, tap):
        open_card(page, "tabata")
        page.select_option("#delay", "weekdays")
        page.fill("#card [type=time]", "06:30")
        page.fill("#name", "Zoë")
        page.click("#card summary")
        sounds = page.locator('[data-at="sounds"] option').all_inner_texts()
        assert sounds == ["as usual", "standard", "for loud rooms", "low"], sounds
        page.select_option('[data-at="density"]', "counts")
        page.select_option('[data-at="language"]', "de")
        assert tap("schedule", lambda: page.click("#start")) == {
            "preset": "tabata", "lane": "Zoë", "time": "06:30", "days": "weekdays", "style": {"language": "de", "density": "counts"}}
        page.wait_for_selector("#plans:not([hidden])")
        # That is said, and the focus is where it came from.
        page.wait_for_selector("#passing >> text=06:30 on weekdays")
        page.wait_for_function("() => document.activeElement.closest('.preset')?.dataset.preset === 'tabata'")
        assert "Zoë · 06:30 on weekdays" in page.inner_text("#plans"), page.inner_text("#plans")
        assert "by the coach’s clock" in page.inner_text("#plans")
        assert page.inner_text("#plans .title") == page.inner_text('.preset[data-preset="tabata"] .title')
        tap("unschedule", lambda: page.click("#plans .resume"))
        page.wait_for_selector("#plans", state="hidden")
        page.wait_for_selector("#passing >> text=will not begin")
        page.wait_for_function("() => document.activeElement.dataset.tab === 'home'")
        # It can be undone.
        assert tap("schedule", lambda: page.click("#passing .act"))["time"] == "06:30"
        page.wait_for_selector("#plans:not([hidden])")
        tap("unschedule", lambda: page.click("#plans .resume"))
        page.wait_for_selector("#plans", state="hidden")
        # The next start is as ever, and another at an hour of the clock.
        open_card(page, "quick")
        assert page.input_value("#delay") == "0" and page.input_value('[data-at="density"]') == ""
        page.select_option("#delay", "time")
        page.fill("#card [type=time]", page.evaluate(
            "new Date(Date.now() + 7200000).toTimeString().slice(0, 5)"))
        # An emptied hour is the one that it was.
        hour = page.input_value("#card [type=time]")
        page.fill("#card [type=time]", "")
        page.locator("#card [type=time]").blur()
        assert page.input_value("#card [type=time]") == hour
        request = tap("start", lambda: page.click("#start"))
        assert request.keys() == {"preset", "at"}, request
        page.wait_for_function("() => document.querySelector('.phase')?.textContent === 'Begins in'")
        wait = page.inner_text(".countdown")
        assert wait.startswith(("1:59:", "2:00:", "1:58:")), wait
        # A page that is opened now has the workouts first; the list has this start, too.
        page.reload()
        page.wait_for_selector("#plans .title")
        view(page, "home")
        plans = page.inner_text("#plans")
        assert plans.lower().startswith("quick") and ":" in plans and page.locator("#plans li").count() == 1, plans
        page.click("#plans .resume")
        page.wait_for_selector("#held:not([hidden]) >> text=will not begin.")
        browser.bed.ask(verb="stop", lane="quick")
        page.wait_for_selector("#plans", state="hidden")
        page.wait_for_selector("#passing >> text=will not begin.")


def clocks(browser):
    """Where the phone's clock is not the coach's, the hours of the coach are called so, also before there are any."""
    for zone, wrong, is_named in (("Europe/Paris", 0, False), ("Asia/Kathmandu", 0, True), ("Europe/Paris", 600_000, True)):
        script = f"(() => {{ const now = Date.now; Date.now = () => now() + {wrong}; const Real = Date; " \
            "window.Date = class extends Real { constructor(...given) { super(...given.length ? given : [Real.now()]); } }; })()"
        with opened(browser, timezone_id=zone, scripts=[script]) as (page, tap):
            open_card(page, "tabata")
            text = page.inner_text('#delay option[value="daily"]')
            assert text == ("daily, by the coach’s clock" if is_named else "daily"), (zone, wrong, text)


def many(browser):
    """Of many people those whose names were used last are there, and the others at a touch."""
    with opened(browser) as (page, tap):
        shown = page.evaluate("""async () => {
          const { people } = await import('/lists.js');
          localStorage['cuecoach-names'] = JSON.stringify(['P40', 'P7']);
          const group = document.createElement('div'), names = new Set(Array.from({length: 50}, (_, n) => `P${n}`));
          document.body.append(group);
          people(group, names, 'P30', () => {}, ['', 'All']);
          const texts = () => [...group.children].map((each) => each.textContent), before = texts();
          people(group, names, 'P1', () => {}, ['', 'All']);
          group.lastChild.click();
          return [before, texts().length, [...group.children].filter((each) => each.ariaPressed === 'true').map((each) => each.textContent)]; }""")
        assert shown == [["All", "P40", "P7", "P0", "P1", "P2", "P3", "P4", "P5", "P30", "More"], 51, ["P1"]], shown


def output(browser):
    """Where the sound comes out, and silence."""
    with opened(browser) as (page, tap):
        page.click("#top [data-tab=settings]")
        assert tap("output", lambda: page.select_option('[data-at="output"]', "hw:1,0")) == {"output": "hw:1,0"}
        page.click("#top [data-tab=home]")
        page.click("#top [data-tab=settings]")
        page.wait_for_selector('[data-at="output"]')
        assert page.input_value('[data-at="output"]') == "hw:1,0"
        browser.bed.ask(verb="start", preset="tabata")
        view(page, "run")
        box = page.locator("#mute").bounding_box()
        assert box["width"] >= 48 and box["height"] >= 48, box
        for muted in (True, False):
            assert tap("volume", lambda: page.click("#mute")) == {"muted": muted}
            page.wait_for_selector(f'#mute[aria-pressed="{str(muted).lower()}"]')
        # Another surface does it.
        browser.bed.ask(verb="volume", muted=True)
        page.wait_for_selector('#mute[aria-pressed="true"]')
        browser.bed.ask(verb="volume", muted=False)
    browser.idle()


def captions(browser):
    """What is said stands there while it is heard, where somebody wants it; what is withdrawn does not."""
    with still(browser, staged(shipped(), [lane("Anna", "Tabata", state="running")])) as page:
        page.click("#top [data-tab=run]")
        say = """([text, from, until, more]) => tell({ type: 'speech', at: 0, text, lanes: ['Anna'],
          from: (performance.now() + from) * 1e6, until: (performance.now() + until) * 1e6, ...more })"""
        page.evaluate(say, ["unwanted", -100, 60_000, {}])
        page.clock.run_for(100)
        assert page.is_hidden("#caption")
        page.click("#top [data-tab=settings]")
        page.check("[data-setting=captions]")
        page.click("#top [data-tab=run]")
        page.wait_for_selector("#caption >> text=unwanted")
        page.reload()
        view(page, "run")
        page.wait_for_selector(".lane .profile")
        page.evaluate(say, ["<b>Set 3</b> of 8", 300, 1200, {}])
        page.clock.run_for(295)
        assert page.is_hidden("#caption")
        page.clock.run_for(10)
        page.wait_for_selector("#caption >> text=<b>Set 3</b> of 8")
        page.clock.run_for(890)
        assert page.is_visible("#caption")
        page.clock.run_for(10)
        page.wait_for_selector("#caption", state="hidden")
        page.evaluate("""() => { const from = (performance.now() + 400) * 1e6;
          const message = { type: 'speech', at: 0, text: 'gone', lanes: ['Anna'], from, until: from + 1e12 };
          tell(message); tell({ ...message, withdrawn: true }); }""")
        page.clock.run_for(800)
        assert page.is_hidden("#caption")


def reading(browser):
    """Who types a name on a card, or reads the history, stays there when somebody starts: letters are no keys."""
    bed = browser.bed
    with opened(browser, size=(1280, 900)) as (page, _):
        open_card(page, "pyramid")
        page.locator("#name").press_sequentially("An")
        count = len(bed.requests())
        bed.ask(verb="start", preset="tabata")
        page.wait_for_selector(".lane", state="attached")
        page.locator("#name").press_sequentially("n b")
        view(page, "home")
        assert page.input_value("#name") == "Ann b"
        assert not {"next", "back"} & {each["verb"] for each in bed.requests()[count:]}
        browser.idle()
        # A message that it has stopped is over the tabs.
        page.dispatch_event("#top [data-tab=past]", "click")
        bed.ask(verb="start", preset="tabata")
        page.wait_for_selector(".lane", state="attached")
        view(page, "past")
        # The list gives way.
        browser.idle()
        page.wait_for_selector(".lane", state="detached")
        page.dispatch_event("#top [data-tab=home]", "click")
        page.dispatch_event("#card .close", "click")
        bed.ask(verb="start", preset="tabata")
        view(page, "run")
    browser.idle()


def back(browser):
    """A phone's Back leads from each view to the list of workouts, and from there out of the page."""
    is_list = "document.body.dataset.view === 'home' && !document.body.classList.contains('card-open')"
    with opened(browser) as (page, _):
        # What the phone showed before.
        outside = browser.bed.address + "/manifest.webmanifest"
        page.goto(outside)
        page.goto(browser.bed.address + "/")

        def returns():
            page.evaluate("history.back()")
            page.wait_for_function(is_list)

        for tab in ("past", "run", "settings"):
            page.click(f"#top [data-tab={tab}]")
            returns()
        open_card(page, "quick")
        returns()
        # From one view to the next: one step.
        for tab in ("past", "run", "settings"):
            page.click(f"#top [data-tab={tab}]")
        returns()
        page.click("#new")
        view(page, "edit")
        page.fill('#edit [data-at="name"]', "Typed")
        returns()
        assert page.inner_text("#drafts") == "Not saved: Typed"
        # From the screen of a television to what runs, from there to the list.
        page.click("#top [data-tab=settings]")
        page.click("#view")
        view(page, "tv")
        page.evaluate("history.back()")
        page.wait_for_function("document.body.dataset.view !== 'tv'")
        assert "#" not in page.url
        page.wait_for_function(is_list)
        # A link with a token that is opened in the same tab is a step of its own.
        page.click("#top [data-tab=past]")
        page.evaluate("location.hash = 'a-new-token'")
        page.wait_for_function("location.hash === ''")
        returns()
        # Back in the list by a tab: out at once.
        page.click("#top [data-tab=past]")
        page.click("#top [data-tab=home]")
        page.evaluate("history.back()")
        page.wait_for_url(outside)
    browser.idle()


def names(browser):
    """A lane that is called as its preset has its workout's name alone; cards say what the lines about ends have said; beside an
    Arabic name what it stands with keeps its order."""
    lanes = [lane("boxing-amateur", "Boxing 3 rounds", 0, preset="boxing-amateur"), lane("Anna", "Tabata", 1, preset="tabata"),
             lane("Jo", "Jogging", 2, preset="jogging"), lane("🦊", "Tabata", 3, preset="tabata"), lane("Rows 2", "Rows", 4),
             lane("a-name-of-a-file-that-has-39-let", "Long names", 5, preset="a-name-of-a-file-that-has-39-letters-here")]
    with browser.page(scripts=[staged(shipped(), lanes)]) as page:
        page.wait_for_selector(".lane .profile")
        assert page.locator(".lane .name").all_inner_texts() == [
            "Boxing 3 rounds", "Anna · Tabata", "Jo · Jogging", "🦊 · Tabata", "Rows 2", "Long names"]
        for count in range(len(lanes)):
            page.evaluate("ended({ ...staged.lanes[0], state: 'stopped' })")
            if count == 0:
                page.wait_for_selector("#passing >> text=Boxing 3 rounds: stopped")
        page.wait_for_selector(".end >> nth=5")
        # Nobody's workout is nobody's again, and Anna's is hers.
        for one, title, person in ((lanes[0], "Boxing 3 rounds", None), (lanes[1], "Anna · Tabata", "Anna")):
            # A start takes the cards away.
            page.evaluate("(one) => ended({ ...one, state: 'stopped' })", one)
            page.evaluate("requests.length = 0")
            until(lambda: page.click(f".end:has-text('{title}') .again") or page.evaluate("requests.some(({ verb }) => verb === 'start')"),
                  what="it begins again")
            assert page.evaluate("requests.find(({ verb }) => verb === 'start').lane ?? null") == person
            page.wait_for_selector(".end", state="detached")
        page.wait_for_selector("#passing", state="hidden")
        page.evaluate(f"staged.history[0].lane = '{SCRIPTS[0]}'")
        for tab, rows in (("past", "#history .about"), ("home", "#plans .past")):
            page.click(f"#top [data-tab={tab}]")
            page.wait_for_selector(rows)
            found = page.evaluate("""(rows) => [...document.querySelectorAll(rows)].map((row) =>
              [...row.querySelectorAll('bdi')].map((each) => each.getClientRects()[0]).map(({ x, y }) => [Math.round(y), Math.round(x)]))""", rows)
            assert found and all(len(each) > 2 and each == sorted(each) for each in found), (tab, found)
        # An event takes nothing from who is about to remove a start.
        page.focus("#plans .resume >> nth=1")
        page.evaluate("put([])")
        assert page.evaluate("document.activeElement.className") == "resume"


CHECKS = {
    "desk: Back": back,
    "desk: reading": reading,
    "desk: the quick timer": quick,
    "desk: favourites": favourites,
    "desk: hours": hours,
    "desk: two clocks": clocks,
    "desk: many people": many,
    "desk: output": output,
    "desk: captions": captions,
    "desk: names": names,
}
