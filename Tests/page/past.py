"""The history: its year, weeks and sessions, of whom and with which tag, and what was interrupted."""

import csv
import io
import json

from browser import held, view
from fits import FAULTS, KINDS, STAGE

# The page's clock goes on from the day of these sessions.
DATE = """
  { const real = Date, ahead = real.parse('2026-11-28T12:00Z') - real.now();
    window.Date = class extends real {
      constructor(...parts) { parts.length ? super(...parts) : super(Date.now()); }
      static now() { return real.now() + ahead; }
    }; }
"""
PEOPLE = ["Zoë", "=cmd|x, <b>", "tabata"]


def sessions(count):
    return [dict(id=f"s{number}", lane=PEOPLE[number % 3], person=number % 3 < 2, workout="<b>Tabata</b>" if number % 5 == 0 else "Tabata", preset="tabata",
                 outcome=["finished", "stopped", "missed"][number % 3], seconds=243.5, work=160, rest=80, sets=8, setsDone=8, complete=0.875,
                 tags=["short"] if number % 2 else ["short", "a b"],
                 # A quarter past midnight in the coach's zone is the day before in others.
                 startedAt=f"2026-{11 - number // 28:02}-{28 - number % 28:02}T00:15:00+02:00") for number in range(count)]


def opened(browser, count, size="phone", more=(), **options):
    summary = dict(days=[dict(date="2026-11-27", work=730, workouts=3), dict(date="2026-01-01", work=0, workouts=1)],
                   weeks=[dict(date="2026-11-23", work=1860, workouts=6)], streak=dict(now=1, best=4),
                   best=[dict(id="s0", preset="tabata", complete=1, work=160)])
    phases = [dict(kind=KINDS[number % 8], label="<i>All</i>", done=12.5, planned=None if number == 2 else 20, skipped=number == 1)
              for number in range(4)]
    del phases[2]["planned"]
    values = dict(lanes=[], outline=[], history=sessions(count), presets=[dict(name="tabata", workout="Tabata", seconds=240)],
                  summary=summary, phases=phases, sessions=[dict(lane="Ben", workout="Tabata", age=300, place="set 3 of 8")])
    answers = """
    'history-delete': ({ session }) => { staged.gone = staged.history; staged.history = staged.history.filter(({ id }) => id !== session); },
    'history-restore': () => { staged.history = staged.gone; },
    discard: () => { staged.sessions = []; },
    people: () => ({ people: ['', 'Zoë'].map((name) => ({ name, favourites: [], recent: [] })) }),
    """
    script = STAGE.replace("STAGED", json.dumps(values)).replace("const answers = {", "const answers = {" + answers)
    return browser.page(size, scripts=(DATE, script, *more), **options)


def last(page, verb):
    return page.evaluate("(verb) => requests.findLast((each) => each.verb === verb)", verb)


def show(page):
    page.wait_for_selector(".preset")
    page.click("#top [data-tab=past]")
    page.wait_for_selector(".week")


def looking(browser):
    """A year, weeks with their minutes, pages of twenty, whose and with which tag; the coach's days in any zone."""
    for zone in ("Europe/Berlin", "Pacific/Auckland", "America/Los_Angeles"):
        with opened(browser, 50, timezone_id=zone) as page:
            show(page)
            assert "Fri, Nov 27, 12:15" in page.inner_text("#history .past >> nth=1"), page.inner_text("#history .past >> nth=1")
            assert page.inner_text(".week h2 >> nth=0") == "Week of November 23, 2026"
            assert page.inner_text(".week > .facts >> nth=0") == "6 × · Work: 31 minutes"
    with opened(browser, 50) as page:
        show(page)
        assert page.locator("#past b, #past i").count() == 0
        assert page.inner_text("#year > .facts") == "2 days · Work: 12 minutes · In a row: 1 week, at best 4 weeks"
        assert page.locator(".calendar rect").count() == 365
        full = page.evaluate("[...document.querySelectorAll('.calendar rect')].map((each) => Number(each.getAttribute('fill-opacity')))")
        assert (full[0], full[330], full[5]) == (0.4, 1, 0.12), (full[0], full[330], full[5])
        assert page.get_attribute(".calendar", "aria-label").startswith("2026: 2 days")
        text = page.inner_text("#history .past >> nth=0")
        assert "88\xa0%" not in text and "87\xa0%" in text and "finished" in text and "4:03" in text, text
        assert page.locator("#history .past").count() == 20
        page.focus("#history .more")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelectorAll('#history .past').length === 40")
        assert last(page, "history")["before"] == "s19"
        assert page.evaluate("document.activeElement.dataset.at") == "s20"
        page.click("#history .more")
        page.wait_for_selector("#history .more", state="detached")
        assert page.locator("#history .past").count() == 50
        assert page.locator("#people .chip").all_inner_texts() == ["All", "Zoë", "=cmd|x, <b>"]
        page.click("#people >> text=Zoë")
        page.wait_for_function("() => document.querySelectorAll('#history .past').length === 17")
        assert page.evaluate("document.activeElement.textContent") == "Zoë"
        page.select_option('[data-at="tag"]', "a b")
        page.wait_for_function("() => document.querySelectorAll('#history .past').length === 9")
        asked = {key: last(page, "history-summary").get(key) for key in ("lane", "tag", "year")}
        assert asked == {"lane": "Zoë", "tag": "a b", "year": 2026}, asked
        page.click("#year .chip >> text=2025")
        page.wait_for_selector('#year .chip[aria-pressed=true] >> text=2025')
        assert last(page, "history-summary")["year"] == 2025
        assert page.evaluate("document.activeElement.textContent") == "2025"


def one(browser):
    """The phases of a session against the plan; it is deleted, and comes back."""
    with opened(browser, 3) as page:
        show(page)
        row = "#history .past >> nth=1"
        page.focus(row + " >> .about")
        page.keyboard.press("Enter")
        page.wait_for_selector(row + " >> .piece")
        assert page.locator(row + " >> .piece").all_inner_texts() == [
            "<i>All</i> 0:13 / 0:20", "<i>All</i> 0:13 / 0:20", "<i>All</i> 0:13", "<i>All</i> 0:13 / 0:20"]
        assert page.locator(".skipped").count() == 1 and "Skipped phases: 1" in page.inner_text(row)
        assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
        page.click(row + " >> button >> text=Delete")
        page.wait_for_function("() => document.querySelectorAll('#history .past').length === 2")
        assert last(page, "history-delete")["session"] == "s1"
        assert page.evaluate("document.activeElement.className") == "about"
        page.click("#passing .act")
        page.wait_for_function("() => document.querySelectorAll('#history .past').length === 3")
        assert last(page, "history-restore")["session"] == "s1"
        page.click("#year summary")
        page.click("#year .past .about")
        page.wait_for_selector("#year .piece")
        assert page.inner_text("#year .past .title") == "Tabata" and "100\xa0%" in page.inner_text("#year .past .facts")


def interrupted(browser):
    """Resumed, or discarded by a second press; one press does nothing."""
    with opened(browser, 1, more=(held(4000),)) as page:
        show(page)
        page.click("#interrupted .resume")
        page.wait_for_function("() => requests.some(({ verb, lane }) => verb === 'resume' && lane === 'Ben')")
        view(page, "run")
        page.click("#top [data-tab=past]")
        page.click("#interrupted .discard")
        assert page.inner_text("#interrupted .discard") == "Really?" and last(page, "discard") is None
        page.evaluate("fire()")
        page.wait_for_selector("#interrupted .discard >> text=Discard")
        for _ in range(2):
            page.click("#interrupted .discard")
        page.wait_for_selector("#interrupted", state="hidden")
        assert last(page, "discard")["lane"] == "Ben"


def downloads(browser):
    """All of them, also beyond the coach's longest answer; no cell is a formula."""
    with opened(browser, 251) as page:
        show(page)
        for kind in ("CSV", "JSON"):
            with page.expect_download() as download:
                page.click(f"#history .download >> text={kind}")
            assert download.value.suggested_filename == f"cuecoach.{kind.lower()}"
            with open(download.value.path(), encoding="utf-8", newline="") as file:
                text = file.read()
            if kind == "CSV":
                rows = list(csv.DictReader(io.StringIO(text)))
                assert [row["startedAt"] for row in rows] == [each["startedAt"] for each in sessions(251)]
                assert rows[1]["lane"] == "'=cmd|x, <b>" and rows[0]["tags"] == "short a b" and rows[0]["seconds"] == "243.5", rows[:2]
            else:
                assert json.loads(text) == sessions(251)


def refused(browser):
    """Where the coach cannot read its sessions, the page does not say that there is none."""
    with opened(browser, 3) as page:
        page.wait_for_selector(".preset")
        page.evaluate("staged.refusal = { ok: false, error: 'storage', message: 'sessions.db: damaged' }")
        page.click("#top [data-tab=past]")
        page.wait_for_selector("#passing >> text=sessions.db: damaged")
        assert page.locator("#history .none").count() == 0
        page.evaluate("staged.refusal = undefined")
        page.click("#top [data-tab=home]")
        page.click("#top [data-tab=past]")
        page.wait_for_selector(".week")


def fitting(browser):
    """In each window and language: nothing overlaps, and no button is below 48 px."""
    found = []
    for *window, language in ((320, 568, "de"), (320, 568, "fr"), (320, 568, "pl"), (844, 390, "es"), (1024, 768, "en")):
        with opened(browser, 30, window, locale=language) as page:
            show(page)
            page.click("#year summary")
            page.click("#history .about >> nth=0")
            page.wait_for_selector("#history .piece")
            page.evaluate("scrollTo(0, 0)")
            found += [f"{window} {language}: {fault}" for fault in page.evaluate(FAULTS)]
            found += [f"{window} {language}: {text}" for text in page.evaluate("""
              [...document.querySelectorAll('#past :is(button, select, summary)')].filter((each) => each.offsetParent).map((each) =>
                [each.getBoundingClientRect(), each.textContent]).filter(([box]) => box.height < 48 || box.width < 48)
                .map(([box, text]) => `${text} is ${box.width} × ${box.height}`)""")]
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (window, language)
    assert not found, "\n  ".join(found[:20])


CHECKS = {
    "the history": looking,
    "the history of one": one,
    "the history of what was interrupted": interrupted,
    "the history as a file": downloads,
    "a history that is refused": refused,
    "the history fits": fitting,
}
