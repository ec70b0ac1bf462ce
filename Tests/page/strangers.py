"""Texts that others have written: scripts in every field that can be written, a thousand hostile presets, a full disk."""

import itertools
import json
import time

from bed import until
from browser import open_card, presses, view
from editing import edit, edited
from engines import Firefox
from fits import lane, shipped, staged
from shown import KEPT, by, every

MARK = "<img src=x onerror='ran=1'><script>ran=1</script><b class=made>b</b>&lt;\"${ran=1}"
# What the coach passes on of others' texts, by the keys of its messages.
KEYS = ["workout", "label", "note", "intensity", "lane", "description", "for", "author", "source", "tags", "folder", "message", "text",
        "place", "outputs", "output", "voices", "reason", "language", "outcome", "streak", "set"]
# In the page: each such text has the mark behind it.
MARKED = """
(() => {
  const real = JSON.stringify;
  const marked = (each) => typeof each === 'string' && !each.includes('\\n') && !each.startsWith('<img') ? each + staged.mark : each;
  window.requested = real;
  JSON.stringify = (value, change, ...more) => change ? real(value, change, ...more) : real(value, (key, each) =>
    !KEYS.includes(key) ? each : Array.isArray(each) ? each.map(marked) : marked(each));
})();
"""
MADE = """
() => [...document.querySelectorAll('body img, body script, body b, body i, .made')].map((each) => each.outerHTML.slice(0, 100))
  .concat(window.ran === undefined ? [] : ['a script has run'])
"""


def markup(browser):
    """A script in every text of others, in every view: it stands there as text, none runs, and no element is made of it."""
    found, seen = [], 0
    values = staged(shipped()[:8], [lane("Anna", "Tabata")]) + f"""
      staged.mark = {json.dumps(MARK)};
      for (const each of staged.people) if (each.name) each.name += staged.mark;
      for (const each of staged.presets) Object.assign(each, {{ description: 'x', for: 'x', author: 'x', source: 'x', tags: ['x'] }});
      staged.text = staged.text.replace(/^( *(?:name|description|say): ).*$/gm, (line, key) => key + "'" + staged.mark.replaceAll("'", "''") + "'");
      staged.presets[7].error = staged.mark;
      localStorage['cuecoach-names'] = requested([staged.mark]);
      localStorage['cuecoach-draft'] = requested({{ hills: {{ key: 'hills', name: staged.mark, text: 'name: Hills\\n' }} }});
    """
    with browser.page((1024, 768), scripts=(KEPT, MARKED.replace("KEYS", json.dumps(KEYS)), values)) as page:
        for what in every(page, (1024, 768), mark=MARK):
            found += [f"{what}: {each}" for each in page.evaluate(MADE)]
            texts = page.evaluate("document.body.innerText + [...document.querySelectorAll('input, textarea')].map(({ value }) => value).join()")
            # Nothing of others is in the settings' words, nor on the lock.
            assert "onerror" in texts or what in ("the lock",), f"{what}: no such text"
            seen += texts.count("onerror")
        page.evaluate("(message) => tell({ type: 'warning', at: 0, message })", MARK)
        page.wait_for_selector("#passing >> text=onerror")
        found += [f"a notice: {each}" for each in page.evaluate(MADE)]
    assert not found, found[:10]
    return f"{seen} such texts seen"


def uploaded(browser):
    """A file whose name and text are scripts."""
    with browser.page((1024, 768), scripts=(staged(shipped()[:8], []),)) as page:
        page.wait_for_selector(".star")
        page.set_input_files("#upload", [dict(name=f"{MARK.replace('/', '')}.yaml", mimeType="text/yaml", buffer=f"name: {MARK}\n{MARK}: [".encode())])
        view(page, "edit")
        page.wait_for_selector(".whole")
        found = page.evaluate(MADE)
    assert not found, found


def hostile_texts():
    """Each with a name of its own: bombs, depths, long lines, signs of control, lies about what they are."""
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"{b}: &{b} [{','.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi"))
    deep = "name: Deep\nblocks:\n" + "".join(f"{'  ' * n}  - phases:\n" for n in range(1, 60))
    good = "name: {}\nsets: 2\nhigh: 20s\nlow: 10s\n"
    kinds = [bomb, deep, "{" * 900, "name: " + "A" * 499 + "\nsets: 2\nhigh: 1s\nlow: 1s\n", good.format(json.dumps(MARK)), "", "\n" * 900,
             "- - - - -", "name: x\nsets: 99999999999999999999\nhigh: 1s\n", "name: x\n" + "description: |\n" + "  ü" * 900,
             good.format("'\u202eevil\u202c'"), "%YAML 9.9\n---\nname: x\n...\n---\nname: y\n", "name: !!python/object:os.system x\n",
             "\ufeff" * 50 + "name: x\n", "? [a]\n: b\n", good.format("'" + "😀" * 200 + "'"), "name: \"\\x00\\x1b[31m\"\nsets: 1\nhigh: 1s\n"]
    names = ["<img src=x onerror=ran=1> {}", "عبد {}", "-{}", "{}.yaml", "con {}", "\u202ename {}", "A" * 36 + "{}", "' or 1=1 {}", "${{ran}} {}", "😀{}"]
    for number in itertools.count():
        yield names[number % len(names)].format(number), kinds[number % len(kinds)]


def thousand(browser):
    """The real coach keeps them or says why not; the list has them all and is used; nothing of it becomes markup."""
    if not browser.make_real_bed:
        return "no coach was given: not tested"
    bed = browser.make_real_bed()
    try:
        shipped, refused, saved = len(bed.ask(verb="presets")[1]["presets"]), {}, set()
        for name, text in hostile_texts():
            status, answer = bed.ask(verb="preset-save", preset=name, workout=text)
            if status == 200:
                saved.add(name)
            else:
                refused[answer["error"]] = len(saved)
            if "full" in refused:
                break
        assert refused.keys() == {"bad-name", "full"} and len(saved) == refused["full"] == 1000, (refused, len(saved))
        begin = time.monotonic()
        with browser.page(address=bed.address + "/") as page:
            page.wait_for_selector(".preset")
            page.wait_for_function("document.querySelectorAll('.preset').length >= 90")
            length = time.monotonic() - begin
            # The rows come as one scrolls.
            page.wait_for_function("""(count) => {
              scrollTo(0, document.documentElement.scrollHeight);
              return document.querySelectorAll('.preset').length >= count; }""", arg=shipped + 1000)
            listed = page.evaluate("[...document.querySelectorAll('.preset')].map((row) => row.dataset.preset)")
            assert len(listed) == len(set(listed)) == shipped + 1000 and saved < set(listed), (len(listed), len(set(listed)))
            assert page.evaluate(MADE) == []
            page.fill("#search", "onerror")
            page.wait_for_function("document.querySelectorAll('.preset').length < 1000")
            assert page.locator(".preset").count() > 20
            typed = page.evaluate("""() => {
              const begin = performance.now(), search = document.querySelector('#search');
              for (const text of ['a', 'ab', 'b', '']) { search.value = text; search.dispatchEvent(new Event('input')); }
              return (performance.now() - begin) / 4; }""")
            page.locator(".preset .about").first.click()
            page.wait_for_selector("#card h2")
            assert page.evaluate(MADE) == []
            page.click("#card .close")
            # The others are still started.
            page.fill("#search", "lifts")
            open_card(page, "lifts")
            page.click("#start")
            view(page, "run")
            page.wait_for_selector(".lane .profile")
        bed.ask(verb="stop")
    finally:
        bed.end()
    return f"1000 kept, the others refused; listed after {length:.1f} s, {typed:.0f} ms for each letter typed"


def full(browser):
    """No room for a preset, and a phone that goes away while it saves: it is said, and what was written is not lost."""
    bed = browser.bed
    bed.ask(verb="preset-save", preset="room", workout="name: Room\nblocks:\n  - phases:\n      - work: 30s\n")
    with browser.page() as page:
        page.wait_for_selector(".star")
        edit(page, "room")
        page.fill('#edit [data-at="name"]', "Written")
        page.route("**/api/request", lambda route: route.fulfill(
            status=409, content_type="application/json",
            body='{"id":0,"ok":false,"error":"failed","message":"room.yaml: No space left on device"}')
            if "preset-save" in route.request.post_data else route.continue_())
        page.click(".save")
        page.wait_for_selector("#passing >> text=No space left on device")
        view(page, "edit")
        assert "name: Written" in edited(page)
        page.unroute("**/api/request")
        # The request has gone, and the phone with it.
        request = presses(browser, bed, lambda: page.evaluate("document.querySelector('.save').click()"), "preset-save")
        page.goto("about:blank")
        assert "name: Written" in request["workout"]
        until(lambda: "name: Written" in bed.ask(verb="preset-read", preset="room")[1]["preset"]["workout"], what="it is saved whole")
        page.goto(bed.address + "/")
        page.wait_for_selector(".star")
        # Whether the answer has come or not: the draft is gone, or saving it once more changes nothing.
        if page.locator("#drafts button").count():
            page.click("#drafts button")
            page.click(".save")
            page.wait_for_selector("#start:enabled")
        assert bed.ask(verb="preset-read", preset="room")[1]["preset"]["workout"].startswith("name: Written\n")


CHECKS = {
    "strangers: markup in every text": markup,
    "Firefox: markup in every text": by(Firefox, markup),
    "strangers: an upload": uploaded,
    "strangers: a thousand presets": thousand,
    "strangers: no room, and a phone that goes": full,
}
