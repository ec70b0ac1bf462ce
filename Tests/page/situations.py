"""The page in situations that are rare, or last for less than a second."""

import time

from browser import BOUNDARY, LISTENER, new_requests

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


def changing_blocks(browser):
    """Blocks of different sets, with an outline and without one: what is shown and said at each boundary,
    and when; up to three times on a busy machine."""
    figures = []
    for preset, sets in (("blocks", 3), ("endless", 300)):
        for _ in range(3):
            late = one_run_of_blocks(browser, preset, sets)
            if max(map(abs, late)) < BOUNDARY:
                break
        assert max(map(abs, late)) < BOUNDARY, (preset, late)
        figures.append(f"{preset} {max(map(abs, late)):.0f} ms off at most")
    return ", ".join(figures)


def one_run_of_blocks(browser, preset, sets):
    bed = browser.bed
    expected = [("Get ready", ""), ("High", "Set 1 of 1"), ("Rest", "Set 1 of 1"),
                ("Low", f"Set 1 of {sets}"), ("Recovery", f"Set 1 of {sets}")]
    with browser.page(scripts=(PLACES, LISTENER)) as page:
        page.wait_for_selector(f'[data-preset="{preset}"] .start')
        starts = len(bed.requests("start"))
        page.click(f'[data-preset="{preset}"] .start')
        begin = new_requests(bed, "start", starts)[0]["at"] / 1e6
        page.wait_for_function(
            "() => document.querySelector('.phase')?.textContent === 'Recovery'", timeout=60_000)
        # The event about it has come too.
        page.wait_for_function(
            "() => document.querySelector('.next').textContent === 'Next: Low'")
        seen, said = page.evaluate("places"), page.evaluate("said")
    browser.idle()
    shift = time.time() * 1000 - time.clock_gettime_ns(time.CLOCK_BOOTTIME) / 1e6
    firsts = {}
    for wall, phase, shown, following in seen:
        firsts.setdefault((phase, shown), wall - shift)
        assert "done" not in following, seen
    assert list(firsts) == expected, seen
    assert [text.split(", ")[0] for text in said] == [phase for phase, _ in expected], said
    assert [text.split(", ")[2:] for text in said[1:]] == [[shown] for _, shown in expected[1:]], said
    return [firsts[place] - begin - 2000 * number for number, place in enumerate(expected) if number]


CHECKS = {
    "blocks of different sets": changing_blocks,
}
