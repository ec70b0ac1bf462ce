"""Every view of the page, one after the other, and what holds for each of them: nothing is cut or covered, no fault is
found by axe, the keyboard alone comes to everything, and a screen reader is told what everything is."""

import importlib.resources
import re

from bed import until
from browser import LANGUAGES, held, open_card, view
from engines import Firefox, WebKit, using
from fits import ATHLETES, FAULTS, lane, put, shipped, staged
from views import NAMES, SCREENS, SECOND, television

# Captions are wanted, and one preset was left without being saved.
KEPT = """
  localStorage['cuecoach-setting-captions'] = 'on';
  localStorage['cuecoach-names'] = '["Zoë", "عبد الرحمن"]';
  localStorage['cuecoach-draft'] = JSON.stringify({ hills: { key: 'hills', name: 'hills', text: 'name: Hills\\n' } });
"""
TABBED = """
() => (document.querySelectorAll('[data-stop]').forEach((each) => delete each.dataset.stop), [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter((each) =>
  each.checkVisibility({ visibilityProperty: true }) && !each.disabled && each.tabIndex >= 0
  && !each.closest('details:not([open]) > :not(summary)')).map((each, index) => { each.dataset.stop = index; return each.outerHTML.slice(0, 90); }))
"""
# Of what has the focus: its number, whether it is seen, and its edge.
STOP = """
() => {
  const each = document.activeElement, box = each.getBoundingClientRect(), field = each.classList.contains('unseen') ? each.closest('label') : each;
  const at = field === each ? box : field.getBoundingClientRect();
  const hit = document.elementFromPoint(Math.min(innerWidth - 1, Math.max(0, at.x + at.width / 2)),
    Math.min(innerHeight - 1, Math.max(0, at.y + Math.min(at.height / 2, 24))));
  const style = getComputedStyle(field);
  // A notice is over the tabs, and is closed by its own button.
  return [each.dataset.stop, Boolean(hit?.closest('#over')) || field.contains(hit) || hit?.contains(field) && hit.closest('label') !== null,
    style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2, each.outerHTML.slice(0, 90)];
}
"""
SMALL = """
() => [...document.querySelectorAll('button, select, summary, textarea, label.button, input:not(.unseen, [type=checkbox])')].filter((each) =>
  each.checkVisibility() && !each.closest('.unseen')).map((each) => [each.getBoundingClientRect(), each])
  .filter(([box]) => box.width && (box.width < 48 || box.height < 48))
  .map(([box, each]) => `${each.outerHTML.slice(0, 80)} is ${box.width} × ${box.height}`)
"""


def opened(browser, window, count=65, **options):
    """What can be undone for five seconds can be for ever."""
    lanes = [lane(person, workout, n, label=workout, next=workout) for n, (person, workout) in enumerate(NAMES)]
    return browser.page(window, scripts=(KEPT, held(5000), staged(shipped()[:count], lanes)), **options)


def tab(page, name, sign):
    page.click(f"#top [data-tab={name}]")
    page.wait_for_selector(sign)


def every(page, window, television=True, mark=""):
    """Goes from view to view, and says which one is shown. mark: behind people's names and what is next."""
    lanes = [lane(person + mark, workout, n, label=workout, next=workout + mark) for n, (person, workout) in enumerate(NAMES)]
    view(page, "run")
    for count in (3, 2, 1):
        put(page, lanes[:count])
        yield f"{count} workouts"
    for kind, fields in (("repetitions", dict(state="running", reps=12, repsDone=10, phaseLeft=None, signal="next")),
                         ("a clock that counts up", dict(mayEndEarly=True, phaseElapsed=3725 * SECOND)),
                         ("a later start", dict(state="ready", startsAt=7500 * SECOND))):
        put(page, [{**lane("Anna", "Tabata"), **fields}])
        yield kind
    say = """(isSaid) => { const now = performance.now() * 1e6; tell({ type: 'speech', at: 0, lanes: ['Anna'], from: now - 1e9 * 60,
      text: 'Donaudampfschifffahrtsgesellschaft, 1 minute 30 seconds, さくら', until: now + 1e15, withdrawn: !isSaid }); }"""
    put(page, lanes[:1])
    page.evaluate(say, True)
    page.wait_for_selector("#caption:not([hidden])")
    yield "a caption"
    page.evaluate("tell({ type: 'snapshot', at: 0, device: { state: 'working' }, volume: 80, lanes: [] })")
    page.reload()
    page.wait_for_selector(".lane .profile")
    put(page, lanes[:1], dict(state="lost", reason="unsupported"))
    page.wait_for_selector("#lasting:not([hidden])")
    page.click("#stop")
    page.wait_for_selector("#held:not([hidden])")
    yield "a notice, and a stop that can be undone"
    page.click("#undo")
    put(page, lanes[:1])
    page.wait_for_selector("#lasting", state="hidden")
    tab(page, "home", "#plans:not([hidden])")
    page.wait_for_selector(".star")
    page.wait_for_selector("#drafts button")
    yield "the list"
    open_card(page, shipped()[0][0])
    page.select_option("#delay", "weekdays")
    page.click("#card summary")
    yield "a card"
    page.click("#card .edit")
    page.wait_for_selector(".drawn .profile")
    yield "the editor"
    # The opened phase has what is said about it.
    page.click("#edit .step .step >> nth=1 >> .about")
    page.wait_for_selector("#edit .step .step >> nth=1 >> .fields")
    page.wait_for_selector("#edit .remark")
    yield "a phase in the editor"
    page.click("#edit .step >> nth=0 >> .about >> nth=0")
    page.click("#edit details > summary")
    yield "a block in the editor"
    page.evaluate("staged.theirs = 'name: 二十分間\\nblocks:\\n  - phases:\\n      - work: 30s\\n'")
    page.fill('#edit [data-at="name"]', "Anneliese")
    page.click(".save")
    page.wait_for_selector(".clash pre")
    yield "two texts"
    page.evaluate("staged.theirs = null")
    page.click(".clash button >> nth=0")
    page.wait_for_selector("#card h2")
    page.click("#card .edit")
    page.wait_for_selector("#edit .drawn .profile")
    page.click("#edit .parts > button")
    page.wait_for_selector(".whole")
    yield "a preset's text"
    page.click("#edit .close")
    tab(page, "past", "#history .past")
    yield "the history"
    page.click("#year summary")
    page.click("#history .about >> nth=0")
    page.wait_for_selector("#history .piece")
    yield "a session, and the best"
    tab(page, "settings", "#output select")
    yield "the settings"
    put(page, lanes[:2])
    # In another view a notice about each would be over the tabs.
    tab(page, "run", ".lane .profile")
    page.evaluate("""(lanes) => lanes.forEach((lane) => ended({ ...lane, state: 'finished', phase: 8, sets: 12, setsDone: 9, skipped: 3,
      workElapsed: 1e12, restElapsed: 5e11 }))""", lanes[:2])
    page.wait_for_selector(".end")
    yield "two ends"
    page.evaluate("document.body.dataset.view = 'locked'")
    yield "the lock"
    if television:
        page.evaluate("location.hash = '#view'")
        view(page, "tv")
        for count in (1, 2, 9):
            put(page, [{**lane(ATHLETES[n] + mark, shipped()[n * 5][1], n), **({"workout": NAMES[n % 3][1]} if n < 3 else {})} for n in range(count)])
            yield f"a television with {count}"


def fitting(browser):
    """Each view in each window and both schemes, the languages in turn: nothing is cut or covered, no button is too small."""
    found, count, number = [], 0, 0
    for window in SCREENS:
        for scheme in ("light", "dark"):
            language = LANGUAGES[number % len(LANGUAGES)]
            number += 1
            with opened(browser, window, color_scheme=scheme, locale=language) as page:
                for what in every(page, window, television=window[0] >= 1024):
                    page.evaluate("scrollTo(0, 0)")
                    found += [f"{window} {scheme} {language}, {what}: {fault}" for check in (FAULTS, SMALL)
                              for fault in page.evaluate(check)]
                    count += 1
    assert not found, f"{len(found)} faults\n  " + "\n  ".join(found[:60])
    return f"{count} in {len(SCREENS)} windows, both schemes, Arabic, Japanese and German names"


def axe(browser):
    """No rule of axe is broken in any view: a phone by day, a large screen by night."""
    script = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    found, count = [], 0
    for window, scheme in (((390, 844), "light"), ((1920, 1080), "dark")):
        with opened(browser, window, 12, color_scheme=scheme) as page:
            for what in every(page, window):
                if not page.evaluate("Boolean(window.axe)"):
                    page.evaluate(f"() => {{ {script} }}")
                result = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
                found += [f"{window} {scheme}, {what}: {each['id']}: {each['nodes'][0]['html'][:160]} {each['nodes'][0]['failureSummary'][:200]}"
                          for each in result["violations"]]
                count += 1
    assert not found, f"{len(found)} violations\n  " + "\n  ".join(found[:30])
    return f"{count} views"


def tabbed(page, what):
    """How many stops a view has, and what is wrong with them; None where some were drawn anew meanwhile."""
    page.bring_to_front()
    page.evaluate("() => { document.activeElement.blur(); getSelection().collapse(document.body, 0); scrollTo(0, 0); }")
    stops = page.evaluate(TABBED)
    found, reached, edged = [], set(), set()
    for _ in range(len(stops) + 5):
        # One more would go to the browser's own buttons.
        if len(edged) == len(stops):
            break
        page.keyboard.press("Tab")
        number, isSeen, hasEdge, element = page.evaluate(STOP)
        if number is None:
            continue
        reached.add(int(number))
        # The icon within a field of an hour has an edge of its own.
        if hasEdge:
            edged.add(int(number))
        if not isSeen:
            found.append(f"{what}: covered: {element}")
    if page.evaluate("document.querySelectorAll('[data-stop]').length") < len(stops):
        return None
    return len(stops), found + [f"{what}: {word}: {stop}" for word, some in (("not reached", reached), ("no edge", edged))
                                for index, stop in enumerate(stops) if index not in some]


def keyboard(browser):
    """Tab comes to everything that can be pressed or filled in, in every view; what has the focus is seen, and that it has it."""
    found, count = [], 0
    with opened(browser, (390, 844), 6) as page:
        for what in every(page, (390, 844), television=False):
            if what == "the lock":
                continue
            stops, faults = until(lambda: tabbed(page, what), what=f"the stops of {what}")
            found += faults
            count += stops
    assert not found, f"{len(found)} faults\n  " + "\n  ".join(found[:30])
    return f"{count} stops"


NAMELESS = re.compile(r"- (button|textbox|searchbox|combobox|checkbox|slider|spinbutton|link|img|image|heading|switch)(?: \[[^]]*\])*:?$")


def tree(browser):
    """What a screen reader is given: every view is a named region in the main part, and everything in it has a name."""
    found, count = [], 0
    with opened(browser, (390, 844), 6) as page:
        for what in every(page, (390, 844), television=False):
            lines = page.aria_snapshot().split("\n")
            found += [f"{what}: no name: {line.strip()}" for line in lines if NAMELESS.search(line)]
            # The lock is a sentence and a field.
            if what != "the lock" and not any(re.match(r' *- region "', line) for line in lines):
                found.append(f"{what}: no region")
            count += len(lines)
    assert not found, f"{len(found)} faults\n  " + "\n  ".join(found[:30])
    return f"{count} lines"


def by(kind, check):
    return lambda browser: check(using(browser, kind))


CHECKS = {"every view fits": fitting, "every view by axe": axe, "every view by the keyboard": keyboard, "every view to a screen reader": tree}
CHECKS |= {f"Firefox: {name}": by(Firefox, check) for name, check in {**CHECKS, "a television": television}.items()}
CHECKS |= {f"WebKit: {name}": by(WebKit, check) for name, check in (("every view fits", fitting), ("a television", television))}
