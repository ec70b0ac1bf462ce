"""Making a workout on the page: the text is edited and not written anew, and nothing of it is lost."""

import contextlib
import glob
import os
import time

from bed import HERE, until
from browser import new_requests, open_card, view
from fits import EDGES, FAULTS

KINDS = ["prepare", "warmup", "low", "high", "work", "rest", "recovery", "cooldown"]
# In the page: each length changed, each phase added, copied, wrapped, removed and moved.
ALL = """
async ([text, kinds]) => {
  const { PresetText } = await import('/yaml.js');
  const faults = [], lines = text.split('\\n'), doc = new PresetText(text);
  const check = (what, isRight) => { if (!isRight) faults.push(what); };
  let count = 0;
  const walk = (node, path) => {
    for (const { key, value } of node.entries ?? []) {
      if (kinds.includes(key) && path.length !== 1) {
        const other = value.type === 'text' ? doc.set([...path, key], '99s') : doc.put([...path, key], '{reps: 99}');
        const now = other.split('\\n'), changed = now.filter((line, index) => line !== lines[index]);
        check(`${[...path, key]}: ${changed}`, now.length === lines.length && changed.length === 1);
        count += 1;
        new PresetText(other);
      }
      walk(value, [...path, key]);
    }
    node.items?.forEach((item, index) => walk(item.node, [...path, index]));
  };
  walk(doc.root, []);
  const sorted = (each) => each.split('\\n').map((line) => line.trim()).sort().join('\\n');
  const blocks = doc.at(['blocks'])?.items ?? [];
  blocks.forEach((_, block) => {
    const path = ['blocks', block, 'phases'], list = doc.at(path);
    for (let index = 0; index <= list.items.length; index += 1) {
      const line = ' '.repeat(list.col) + '- work: 77s' + doc.newline;
      check(`add ${path} ${index}`, doc.insert(path, index, ['- work: 77s']).replace(line, '') === text);
      if (index === list.items.length) continue;
      const place = [...path, index], { start, end } = list.items[index], part = text.slice(start, end);
      check(`copy ${place}`, doc.copy(place) === text.slice(0, end) + part + text.slice(end));
      const cut = doc.cut(place);
      check(`cut ${place}`, list.items.length === 1 || cut === text.slice(0, start) + text.slice(end));
      const wrapped = new PresetText(doc.wrap(place, 'repeat: 2'));
      check(`wrap ${place}`, wrapped.at([...place, 'phases']).items.length === 1);
      const named = doc.add(place, 'x-key', 'x', 'phases');
      check(`key ${place}`, named.replace(/ *(- )?x-key: x\\n */, (found) => found.includes('- ') ? ' '.repeat(list.col) + '- ' : '')
        === text || new PresetText(named).at([...place, 'x-key']).value === 'x');
      blocks.forEach((_, other) => {
        const moved = doc.move(place, ['blocks', other, 'phases'], 0);
        if (moved === null) return;
        new PresetText(moved);
        check(`move ${place} to ${other}`, list.items.length === 1 || sorted(moved) === sorted(text));
      });
    }
  });
  return [faults, count];
}
"""
# What people write: comments, quotes, brackets, lines of Windows, no end of the last line.
WRITTEN = [
    "# one\nname: 'It''s'   # two\n\nblocks:\n- phases: # three\n  # of the phase\n  - work: {reps: 10, at-most: 2m} # four\n"
    "    name: \"A # b\"\n    say:\n    - {at: 1s, text: \"x, y\"}\n  # the next\n  - rest: 20s\n\n# the end\n",
    "name: Win\r\nblocks:\r\n  - phases:\r\n      - work: 20s # a\r\n      - rest: 10s\r\n",
    "blocks:\n  - sets: 2\n    phases:\n      - name: First\n        work: 20s\n      - {rest: 10s, name: 'B'}\n      - work: 5m\n"
    "        target:\n          watts: 200\n        metronome: {rate: 24,\n          ratio: 1:2}\nname: Keys the other way round",
    "\ufeffname: Mark\nblocks:\n  - phases:\n      - work: 1:30\n      - rest: {until: {heart-rate: below 120}}\n",
]


def keeping(browser):
    """Every shipped preset: one length changed is one line, a phase added leaves the rest, and so on."""
    texts = []
    for path in sorted(glob.glob(os.path.join(HERE, "../../Presets/**/*.yaml"), recursive=True)):
        with open(path, encoding="utf-8", newline="") as file:
            texts.append((os.path.basename(path), file.read()))
    assert len(texts) >= 65, len(texts)
    lengths = 0
    with browser.page() as page:
        for name, text in texts + list(enumerate(WRITTEN)):
            faults, count = page.evaluate(ALL, [text, KINDS])
            assert not faults and count, (name, faults[:5])
            lengths += count
        # What is no YAML of the coach is nobody's loss.
        for text in ("a: b: c\n", "- {a: [b}\n", "blocks:\n  - a: 1\n   b: 2\n", "a: |\n  b\n", "\tb: 1\n", "a: &x 1\n", "a: 'b\n"):
            assert page.evaluate("async (text) => { const { PresetText } = await import('/yaml.js');"
                                 " try { new PresetText(text); return false; } catch { return true; } }", text), text
    return f"{len(texts)} presets, {lengths} lengths"


@contextlib.contextmanager
def opened(browser, *arguments, **options):
    """A page whose coach checks and plays."""
    with browser.page(*arguments, **options) as page:
        page.wait_for_selector(".preset")
        yield page


def edited(page):
    """What is not saved."""
    texts = page.evaluate("Object.values(JSON.parse(localStorage['cuecoach-draft'] ?? '{}')).map(({ text }) => text)")
    return texts[-1] if texts else None


def edit(page, preset):
    open_card(page, preset)
    page.click("#card .edit")
    view(page, "edit")


def row(page, number):
    return f"#edit .step .step >> nth={number} >> .about"


def making(browser):
    """A workout of five phases, of one's own, from the open page to the running workout."""
    bed = browser.bed
    with opened(browser) as page:
        taps = []

        def tap(what):
            taps.append(what)
            page.click(what)

        page.wait_for_selector(".preset")
        tap("#new")
        view(page, "edit")
        taps.append("name")
        page.fill('#edit [data-at="name"]', "Hills: six <b>")
        # Get ready, work, rest; two more after the rest.
        for _ in range(2):
            tap(row(page, 2))
            tap("#edit .acts button >> text=+ Phase")
            taps.append("length")
            page.fill('#edit [data-at="blocks,1,phases,2,work"]', "45s")
            tap(row(page, 3))
        tap(".save")
        page.wait_for_selector("#start:enabled")
        saved = new_requests(bed, "preset-save", 0)[-1]
        assert saved["preset"] == "hills-six-b" and "tag" not in saved, saved
        assert saved["workout"] == (
            'name: "Hills: six <b>"\nblocks:\n  - phases:\n      - prepare: 10s\n  - sets: 8\n    phases:\n      - work: 30s\n'
            "      - rest: 15s\n      - work: 45s\n      - work: 45s\n"), saved["workout"]
        assert page.inner_text("#card h2") == "Hills: six <b>"
        tap("#start")
        view(page, "run")
        assert len(taps) <= 25, taps
    browser.idle()
    return f"{len(taps)} taps"


def changing(browser):
    """Fields, undo, what the coach says, moving by keys and by a finger, and saving what was copied."""
    bed = browser.bed
    with opened(browser) as page:
        edit(page, "strength-circuit")
        text = bed.ask(verb="preset-read", preset="strength-circuit")[1]["preset"]["workout"]
        assert page.input_value('#edit [data-at="file"]') == "strength-circuit-2"
        assert page.is_visible("text=A copy. Strength circuit stays as it is.")
        # Nobody is called away by a workout that begins.
        bed.ask(verb="start", preset="tabata")
        page.wait_for_selector(".drawn .profile")
        browser.idle()
        view(page, "edit")
        before = page.inner_text(".drawn .facts")
        page.click(row(page, 0))
        page.fill('[data-at="blocks,0,phases,0,prepare"]', "99s")
        assert edited(page) == text.replace("10s", "99s", 1), edited(page)
        page.wait_for_function("(before) => document.querySelector('.drawn .facts').textContent !== before", arg=before)
        assert page.inner_text(row(page, 0)).endswith("99s")
        page.click(".undo")
        assert page.input_value('[data-at="blocks,0,phases,0,prepare"]') == "10s"
        assert page.is_disabled(".undo") and edited(page) is None
        # What is wrong stands beside its phase.
        page.fill('[data-at="blocks,0,phases,0,name"]', "long")
        said = "#edit .step .step:first-child .remark >> text="
        page.wait_for_selector(said + "No time to say: Length, Target")
        page.fill('[data-at="blocks,0,phases,0,name"]', "longer")
        page.wait_for_selector(said + "Not said, because the workout has a text of its own there: Length, Target")
        page.fill('[data-at="blocks,0,phases,0,name"]', "wrong")
        page.wait_for_selector("#edit .step .step:first-child .fault >> text=expected right")
        assert "cannot" in page.inner_text(".drawn .facts")
        page.click(".undo")
        page.wait_for_selector("#edit .fault", state="detached")
        # A key more, and one less.
        page.select_option('[data-at="blocks,0,phases,0+"]', "target")
        page.select_option('[data-at="blocks,0,phases,0,target="]', "heart-rate")
        page.fill('[data-at="blocks,0,phases,0,target,heart-rate"]', "150")
        assert "        target: {heart-rate: 150}\n" in edited(page), edited(page)
        page.select_option('[data-at="blocks,0,phases,0,target="]', "-")
        page.select_option('[data-at="blocks,0,phases,0,prepare!"]', "warmup")
        page.select_option('[data-at="blocks,0,phases,0,warmup="]', "reps")
        assert "      - warmup: {reps: 10}  # as it was\n" in edited(page), edited(page)
        while page.is_enabled(".undo"):
            page.click(".undo")
        assert edited(page) is None
        lines = text.split("\n      - ")
        moved = "\n      - ".join([lines[0], lines[2], lines[1], *lines[3:]])
        page.focus('[data-at="blocks,0,phases,0^"]')
        page.keyboard.press("ArrowDown")
        assert edited(page) == moved, edited(page)
        assert page.evaluate("document.activeElement.dataset.at") == "blocks,0,phases,1^"
        page.keyboard.press("ArrowUp")
        assert edited(page) is None, "it is not as it was"
        page.click(row(page, 0))
        page.evaluate("scrollTo(0, 0)")
        handle = page.locator('[data-at="blocks,0,phases,0^"]').bounding_box()
        target = page.locator('[data-at="blocks,0,phases,2^"]').bounding_box()
        page.mouse.move(handle["x"] + 20, handle["y"] + 20)
        page.mouse.down()
        page.mouse.move(target["x"] + 20, target["y"] + 2, steps=5)
        assert page.locator(".drop").count() == 1
        page.mouse.up()
        assert edited(page) == moved, edited(page)
        # In a group, and heard.
        page.click(row(page, 0))
        page.click("#edit .acts button >> text=Repeat")
        assert "      - repeat: 2\n        phases:\n          - work: 40s" in edited(page), edited(page)
        with page.expect_request(lambda each: "preset-hear" in (each.post_data or "")) as heard:
            page.click(".drawn button")
        request = heard.value.post_data_json
        assert request["workout"] == edited(page) and "phase" not in request, request
        page.wait_for_selector(".drawn button >> text=Stop")
        with page.expect_request(lambda each: "preset-hear" in (each.post_data or "")) as heard:
            page.click(".drawn button")
        assert heard.value.post_data_json["stop"] is True and "workout" not in heard.value.post_data_json
        # As text, and what the page cannot read.
        page.click("#edit .parts > button >> text=Text")
        page.fill(".whole", "name: [")
        assert page.locator("#edit .steps").count() == 0
        page.click(".undo")
        page.fill('[data-at="file"]', "my own")
        page.click(".save")
        page.wait_for_selector("#start:enabled")
        assert bed.ask(verb="preset-read", preset="my own")[1]["preset"]["tag"]
    with opened(browser) as page:
        edit(page, "my own")
        assert page.is_hidden("text=A copy.")
        page.fill('#edit [data-at="name"]', "Another")
        page.fill('[data-at="file"]', "other")
        page.click(".save")
        page.wait_for_selector("#start:enabled")
        assert bed.requests("preset-save")[-1]["former"] == "my own"
        edit(page, "other")
        # Each earlier version is known by when it was saved.
        assert "Nov 1, 2026" in page.inner_text('[data-at="version"] option:nth-child(2)')
        page.select_option('[data-at="version"]', "1")
        page.wait_for_function("() => document.querySelector('[data-at=name]').value === 'Strength circuit'")
        assert "name: Strength circuit" in edited(page)
        page.click("#edit .undo")
        with page.expect_download() as download:
            page.select_option('[data-at="download"]', ".yaml")
        assert download.value.suggested_filename == "other.yaml"
        with open(download.value.path(), encoding="utf-8") as file:
            assert file.read() == bed.ask(verb="preset-read", preset="other")[1]["preset"]["workout"]
        page.set_input_files("#upload", download.value.path())
        page.click("#edit .close")
        edit(page, "other")
        page.click("#edit .delete")
        page.wait_for_selector("#passing .act:not([hidden])")
        page.wait_for_selector('.preset[data-preset="other"]', state="detached")
        page.click("#passing .act")
        page.wait_for_selector('.preset[data-preset="other"]')
    return ""


def flat(browser):
    """The short form, lists and what has no field: nothing else changes, and an emptied field goes."""
    bed = browser.bed
    text = "# Mine.\nsets: 2   # two\nlow: 30s\nhigh: 20s\ndensity: {all: normal, low: counts}\nphrases:\n  finish: [\"A\", B]\n"
    bed.ask(verb="preset-save", preset="flat", workout=text.replace("# Mine.", "name: Flat"))
    with opened(browser) as page:
        page.set_input_files("#upload", [dict(name="Flat one.yaml", mimeType="text/yaml", buffer=text.encode())])
        view(page, "edit")
        assert page.input_value('[data-at="file"]') == "flat-one"
        page.locator('#edit [data-at="name"]').press_sequentially("A: b")
        text = text.replace("sets:", 'name: "A: b"\nsets:')
        assert edited(page) == text, edited(page)
        page.fill('[data-at="sets"]', "12")
        page.fill('[data-at="high"]', "1:30")
        text = text.replace("sets: 2", "sets: 12").replace("20s", "1:30")
        assert edited(page) == text, edited(page)
        page.select_option('[data-at="+"]', "cooldown")
        assert edited(page) == text + "cooldown: 10s\n".replace("10s", "5m"), edited(page)
        assert page.evaluate("document.activeElement.dataset.at") == "cooldown"
        page.fill('[data-at="cooldown"]', "")
        page.keyboard.press("Tab")
        page.wait_for_selector('[data-at="cooldown"]', state="detached")
        assert edited(page) == text, edited(page)
        page.fill('[data-at="density"]', "all: full")
        page.fill('[data-at="phrases"]', "phrases:\n  finish: C")
        page.keyboard.press("Tab")
        assert edited(page) == text.replace("{all: normal, low: counts}", "{all: full}").replace('["A", B]', "C"), edited(page)
        page.fill('[data-at="phrases"]', "phrases: [")
        page.keyboard.press("Tab")
        page.wait_for_selector(".whole")
        assert page.input_value(".whole").endswith("phrases: [\n")


def two(browser):
    """Two pages change one preset: the second is told, and chooses; a page that goes away loses nothing."""
    bed = browser.bed
    bed.ask(verb="preset-save", preset="both", workout="name: Both\nblocks:\n  - phases:\n      - work: 30s\n")
    tag = bed.ask(verb="preset-read", preset="both")[1]["preset"]["tag"]
    with opened(browser) as page:
        for choice, name in (("Keep mine", "both"), ("Keep the other one", "both"), ("Keep both", "both-2")):
            edit(page, "both")
            page.click(row(page, 0))
            page.fill('[data-at="blocks,0,phases,0,work"]', f"{len(choice)}s")
            # Meanwhile another phone saves.
            tag = bed.ask(verb="preset-read", preset="both")[1]["preset"]["tag"]
            theirs = f"name: Both\nblocks:\n  - phases:\n      - rest: {len(choice)}m  # <i>theirs</i>\n"
            assert bed.ask(verb="preset-save", preset="both", workout=theirs, tag=tag)[0] == 200
            page.click(".save")
            page.wait_for_selector(".clash pre")
            assert page.locator(".clash pre").all_inner_texts() == [edited(page), theirs]
            assert page.locator(".clash i").count() == 0
            page.click(f".clash button >> text={choice}")
            if name == "both" and "other" in choice:
                page.wait_for_function("() => document.querySelector('.step .step .about').textContent.includes('Rest')")
                page.click("#edit .undo")
                assert "work: 18s" in edited(page), "what was written here is gone"
                page.click("#edit .close")
                page.click("#card .edit")
                assert "work: 18s" in edited(page)
                page.click(".save")
            page.wait_for_selector("#start:enabled")
            assert f"work: {len(choice)}s" in bed.ask(verb="preset-read", preset=name)[1]["preset"]["workout"]
        # The page goes away in the middle of a save.
        edit(page, "both")
        page.fill('#edit [data-at="name"]', "Gone")
        page.route("**/api/request", lambda route: route.abort())
        page.click(".save")
        page.wait_for_selector("#passing:not([hidden])")
        page.unroute("**/api/request")
        page.reload()
        page.click("#drafts button")
        view(page, "edit")
        assert page.input_value('#edit [data-at="name"]') == "Gone"
        page.click(".save")
        page.wait_for_selector("#start:enabled")
        assert bed.ask(verb="preset-read", preset="both")[1]["preset"]["workout"].startswith("name: Gone\n")
        page.reload()
        assert page.locator("#drafts button").count() == 0


def gone(browser):
    """Each deletion has its own Undo; whoever edits what another phone has deleted is told; a discarded change is no deletion."""
    bed = browser.bed
    text = "name: Twin\nblocks:\n  - phases:\n      - work: 30s\n"
    twins = ("twin-a", "twin-b")
    for name in twins:
        assert bed.ask(verb="preset-save", preset=name, workout=text)[0] == 200
    with opened(browser, (1280, 900)) as page:
        # A message stays until its time is over: here it stands still.
        page.clock.install()
        page.clock.pause_at(time.time() + 3600)
        for name in twins:
            page.click(f'.preset[data-preset="{name}"] .about')
            page.click("#card .edit")
            view(page, "edit")
            page.click("#edit .delete")
            page.wait_for_selector(f'.preset[data-preset="{name}"]', state="detached")
            page.wait_for_selector("#passing >> text=Twin is deleted.")
            assert page.evaluate("document.activeElement.id") == "new"
        assert page.inner_text("#passing .waiting") == "+1"
        for name in twins:
            page.click("#passing .act")
            page.wait_for_selector(f'.preset[data-preset="{name}"]')
        # Another phone deletes it meanwhile.
        page.click('.preset[data-preset="twin-a"] .about')
        page.click("#card .edit")
        view(page, "edit")
        page.fill('#edit [data-at="name"]', "Mine")
        tag = bed.ask(verb="preset-read", preset="twin-a")[1]["preset"]["tag"]
        assert bed.ask(verb="preset-delete", preset="twin-a", tag=tag)[0] == 200
        page.click(".save")
        page.wait_for_selector(".clash >> text=twin-a is deleted.")
        assert page.locator(".clash button").all_inner_texts() == ["Keep mine", "Discard"]
        page.click(".clash button >> text=Discard")
        page.wait_for_selector("#passing >> text=Mine: discarded.")
        page.wait_for_selector('.preset[data-preset="twin-a"]', state="detached")
        page.click("#passing .act")
        page.click(".save")
        page.click(".clash button >> text=Keep mine")
        page.wait_for_selector("#card h2 >> text=Mine")
        assert "name: Mine" in bed.ask(verb="preset-read", preset="twin-a")[1]["preset"]["workout"]


def typed(browser):
    """A button of the panel takes what was just typed; of sets, a ladder and sides a block has one."""
    with opened(browser) as page:
        page.click("#new")
        page.click(row(page, 1))
        page.fill('[data-at="blocks,1,phases,0,work"]', "45s")
        page.click("#edit .acts button >> text=Copy")
        page.wait_for_function("() => localStorage['cuecoach-draft'].split('work: 45s').length === 3")
        page.click("#edit .steps > .step:nth-child(2) > .line .about")
        page.fill('[data-at="blocks,1,sets"]', "5")
        page.select_option('[data-at="blocks,1+"]', "between")
        assert "    between: {rest: 1m}\n" in edited(page), edited(page)
        page.select_option('[data-at="blocks,1+"]', "ladder")
        assert "between" not in edited(page), edited(page)
        assert "  - ladder: [30s, 1m, 30s]\n    phases:" in edited(page), edited(page)
        page.select_option('[data-at="blocks,1+"]', "sides")
        page.wait_for_function("() => localStorage['cuecoach-draft'].includes('  - sides: [left, right]\\\\n    phases:')")
        page.select_option('[data-at="blocks,1+"]', "switch")
        assert "    switch: 10s\n" in edited(page), edited(page)
        # Rows that are drawn anew keep what is selected.
        sides = page.locator('[data-at="blocks,1,sides"]')
        sides.fill("left, right, both")
        sides.blur()
        name = page.query_selector('#edit [data-at="name"]')
        name.select_text()
        page.wait_for_function("(name) => !name.isConnected", arg=name)
        page.keyboard.type("Two")
        assert page.input_value('#edit [data-at="name"]') == "Two"
        # Sides are called in the language of the workout.
        page.click("#edit .parts > button >> text=Text")
        page.fill(".whole", edited(page).replace("name:", "language: de\nname:", 1))
        page.click("#edit .parts > button >> text=Phases")
        page.select_option('[data-at="blocks,1+"]', "sets")
        assert "switch" not in edited(page), edited(page)
        page.select_option('[data-at="blocks,1+"]', "sides")
        page.wait_for_function("() => localStorage['cuecoach-draft'].includes('  - sides: [links, rechts]')")
        page.click("#edit .discard")
    # Where it names none that is the coach's, whatever the page's is.
    with opened(browser, locale="de") as page:
        page.click("#new")
        page.wait_for_selector(".drawn .facts")
        page.click("#edit .steps > .step:nth-child(2) > .line .about")
        page.select_option('[data-at="blocks,1+"]', "sides")
        page.wait_for_function("() => localStorage['cuecoach-draft'].includes('  - sides: [left, right]')")
        page.click("#edit .discard")


def remarks(browser):
    """What the coach remarks does not look like a mistake; it has its time and how often it is so. A mistake is named in the
    language of the page."""
    text = ("name: Remarks\nblocks:\n  - sets: 3\n    phases:\n      - work: 5s\n"
            "        say: A text\n")
    with opened(browser) as page:
        page.click("#new")
        page.click("#edit .parts > button >> text=Text")
        page.fill(".whole", text)
        page.wait_for_selector("#edit .remark >> text='6: Not said: A text · 0:01 · 3 ×'")
        page.fill(".whole", "wrong: yes\n")
        fault = page.wait_for_selector("#edit .fault")
        weight = "(element) => getComputedStyle(element).fontWeight"
        assert fault.evaluate(weight) == "600"
        page.fill(".whole", text)
        remark = page.wait_for_selector("#edit .remark")
        assert remark.evaluate(weight) == "400", remark.evaluate(weight)
        page.click("#edit .discard")
    for language, words in (("de", ["2: (de) wrong is wrong, expected right"]), ("en", ["2: wrong is wrong, expected right"])):
        with opened(browser, locale=language) as page:
            page.click("#new")
            page.click("#edit .parts > button >> nth=-1")
            page.fill(".whole", "name: Mistakes\ncooldown: wrong\n")
            page.wait_for_selector("#edit .fault")
            found = page.locator(".drawn :is(.fault, .remark)").all_inner_texts()
            assert found == words, found
            page.click("#edit .discard")


def late(browser):
    """An answer to what is not open any more changes nothing, nor does one that a later one has overtaken."""
    text = "name: {}\nblocks:\n  - phases:\n      - work: 30s\n"
    for name, title in (("late-a", "First"), ("late-a", "Second"), ("late-b", "Other")):
        tag = browser.bed.ask(verb="preset-read", preset=name)[1].get("preset", {}).get("tag")
        assert browser.bed.ask(verb="preset-save", preset=name, workout=text.format(title), **({"tag": tag} if tag else {}))[0] == 200
    save = lambda page: page.click(".save")  # noqa: E731
    for verb, isRefused, act in (("version", False, lambda page: page.select_option('[data-at="version"]', "1")),
                                 ("preset-save", True, save), ("preset-save", False, save)):
        with opened(browser) as page:
            routes = []
            isIt = lambda request: f'"{verb}"' in (request.post_data or "")  # noqa: E731
            page.route("**/api/request", lambda route: routes.append(route) if isIt(route.request) else route.continue_())
            edit(page, "late-a")
            page.fill('#edit [data-at="name"]', "Mine")
            with page.expect_request(isIt):
                act(page)
            page.click("#edit .close")
            edit(page, "late-b")
            with page.expect_response(lambda response: isIt(response.request)):
                if isRefused:
                    routes[0].fulfill(status=409, json=dict(ok=False, error="changed", message="changed"))
                else:
                    routes[0].continue_()
            page.evaluate("fetch('/api/clock').then((response) => response.text())")
            assert page.input_value('#edit [data-at="name"]') == "Other"
            assert page.locator(".clash > *").count() == 0
            page.click("#edit .close")
            # What could not be saved is kept here, and what has been saved is not.
            assert page.locator("#drafts button").count() == (verb == "version" or isRefused)
    # Of one that was opened again before the answer, what is written then is a change of what was saved.
    with opened(browser) as page:
        routes = []
        page.route("**/api/request", lambda route: routes.append(route) if '"preset-save"' in (route.request.post_data or "") else route.continue_())
        edit(page, "late-a")
        page.fill('#edit [data-at="name"]', "Third")
        with page.expect_request(lambda request: '"preset-save"' in (request.post_data or "")):
            page.click(".save")
        page.click("#edit .close")
        edit(page, "late-a")
        page.fill('#edit [data-at="name"]', "Fourth")
        with page.expect_response(lambda response: '"preset-save"' in (response.request.post_data or "")):
            routes[0].continue_()
        page.unroute("**/api/request")
        page.evaluate("fetch('/api/clock').then((response) => response.text())")
        page.click(".save")
        page.wait_for_selector("#start:enabled")
        assert page.inner_text("#card h2") == "Fourth"
        # One that is closed before the answer is no draft after it; one that was new has the name that it was saved by.
        for what in ("closed", "new"):
            routes.clear()
            page.route("**/api/request", lambda route: routes.append(route) if '"preset-save"' in (route.request.post_data or "") else route.continue_())
            # An open card hides the list.
            page.click("#top [data-tab=home]")
            if what == "new":
                page.click("#new")
            else:
                edit(page, "late-b")
            page.fill('#edit [data-at="name"]', f"Late {what}")
            with page.expect_request(lambda request: '"preset-save"' in (request.post_data or "")):
                page.click(".save")
            page.click("#edit .close")
            page.click("#top [data-tab=home]")
            if what == "new":
                page.click("#drafts button")
            routes[0].continue_()
            page.unroute("**/api/request")
            if what == "new":
                page.wait_for_selector("#edit .discard", state="hidden")
                assert page.input_value('[data-at="file"]') == "late-new"
                page.click("#edit .close")
            page.wait_for_selector("#drafts button", state="detached")
    with opened(browser) as page:
        order = page.evaluate("""async () => {
          const { Coach } = await import('/coach.js'), coach = new Coach(() => {}, () => {}), answers = [];
          coach.request = () => new Promise((answer) => answers.push(answer));
          const asked = [coach.know({ verb: 'people' }), coach.know({ verb: 'people' })];
          answers[1]('new');
          await asked[1];
          answers[0]('old');
          return Promise.all(asked); }""")
        assert order == ["new", "new"], order


def strange(browser):
    """What no page has kept as a draft is none."""
    with browser.page(scripts=("localStorage['cuecoach-draft'] = JSON.stringify({ a: null, text: 'name: A', b: { text: 'name: B', title: 'B' } });",)) as page:
        page.wait_for_selector(".preset")
        assert page.locator("#drafts button").count() == 1


def older(browser):
    """A coach that does not check: the editor does without."""
    bed = browser.bed
    bed.coach.end()
    bed.start_coach("--old")
    try:
        with opened(browser) as page:
            with page.expect_request(lambda each: "preset-check" in (each.post_data or "")) as asked:
                edit(page, "tabata")
            assert asked.value.response().json()["error"] == "unknown-verb"
            page.fill('#edit [data-at="name"]', "Mine")
            page.click(".save")
            page.wait_for_selector("#start:enabled")
            assert page.inner_text("#card h2") == "Mine"
    finally:
        bed.coach.end()
        bed.start_coach()
        until(bed.finds_coach)


def small(browser):
    """In each window: no overlap, no button below 48 px, everything has a name; edges can be seen."""
    found = []
    for scheme in ("light", "dark"):
        with opened(browser, color_scheme=scheme) as page:
            edit(page, "strength-circuit")
            page.click(row(page, 1))
            page.wait_for_selector(".drawn .profile")
            found += [f"{scheme}: {name} {ratio:.1f} : 1" for name, ratio in page.evaluate(EDGES).items() if ratio < 3]
    for *window, language in ((320, 568, "de"), (320, 568, "fr"), (390, 844, "en"), (844, 390, "en"), (1024, 768, "en"), (1920, 1080, "en")):
        with opened(browser, window, locale=language) as page:
            for preset in ("pyramid", "norwegian-4x4"):
                edit(page, preset)
                page.wait_for_selector(".drawn .profile")
                for number in range(3):
                    if page.locator("#edit .step .step").count() > number:
                        page.click(row(page, number))
                    page.evaluate("scrollTo(0, 0)")
                    found += [f"{window} {preset}: {fault}" for fault in page.evaluate(FAULTS)]
                    found += [f"{window} {preset}: {fault}" for fault in page.evaluate("""
                      [...document.querySelectorAll('button, select, input, textarea, summary')].filter((e) => e.offsetParent
                        && !e.closest('.unseen') && e.getBoundingClientRect().height > 1).flatMap((e) => {
                        const box = e.getBoundingClientRect(), name = e.ariaLabel || e.textContent || e.closest('label')?.textContent;
                        return [...box.height < 48 || box.width < 48 ? [`${name} is ${box.width} × ${box.height}`] : [],
                          ...name.trim() ? [] : [`no name: ${e.outerHTML.slice(0, 80)}`]]; })""")]
                page.click("#edit .close")
    assert not found, f"{len(found)} faults\n  " + "\n  ".join(found[:30])


FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"


def letters(browser):
    """A comment above a key stays where the key before it goes; letters that no file has are escaped."""
    with browser.page() as page:
        gone = page.evaluate(r"""async () => {
          const { PresetText, written } = await import('/yaml.js');
          const doc = new PresetText('blocks:\n  - phases:\n      - name: First\n        # about the work\n        work: 20s\n');
          const text = doc.remove(['blocks', 0, 'phases', 0, 'name']);
          return [text, new PresetText(text).at(['blocks', 0, 'phases', 0, 'work']).value,
            ['a\u0085b', 'a\u2028b', 'a\x7fb', 'a\x01b'].map((each) => written(each, "'")), written('a b')]; }""")
    assert gone == ["blocks:\n  - phases:\n      - # about the work\n        work: 20s\n", "20s",
                    ['"a\\u0085b"', '"a\\u2028b"', '"a\\u007fb"', '"a\\u0001b"'], "a b"], gone


def kept(page, *titles):
    """What is not saved is listed."""
    found = page.locator("#drafts button").all_inner_texts()
    assert found == [f"Not saved: {each}" for each in titles], (found, page.evaluate("() => document.body.dataset.view"))


def drafts(browser):
    """A large preset is kept as it is; a draft has its title, can be discarded and taken back; New is another one."""
    bed = browser.bed
    text = "name: Übung\n" + "# my comment\n" * 3300 + "blocks:\n  - phases:\n      - work: 30s\n        'a\"b': {x: 1}\n"
    with opened(browser) as page:
        converted = len(bed.requests("preset-convert"))
        page.set_input_files("#upload", [dict(name="Meine Übung.yaml", mimeType="text/yaml", buffer=text.encode())])
        view(page, "edit")
        assert len(text) > 40_000 and len(bed.requests("preset-convert")) == converted
        assert page.input_value('[data-at="file"]') == "meine-ubung"
        # Whoever closes the tab before a change finds it again.
        page.reload()
        page.click("#drafts >> text=Not saved: Übung")
        assert page.input_value('[data-at="file"]') == "meine-ubung"
        # A key with a quotation mark has a field like another.
        page.click(row(page, 0))
        page.fill("#edit textarea, #edit [data-at*='a\"b']", "x: 2")
        page.keyboard.press("Tab")
        page.wait_for_function("() => localStorage['cuecoach-draft']?.includes('x: 2')")
        page.click("#edit .close")
        assert page.inner_text("#drafts") == "Not saved: Übung"
        page.click("#new")
        assert page.input_value('#edit [data-at="name"]') == "My workout"
        page.fill('#edit [data-at="name"]', "One")
        page.click("#edit .close")
        page.click("#new")
        assert page.input_value('#edit [data-at="name"]') == "My workout"
        page.fill('#edit [data-at="name"]', "Two")
        page.click("#edit .close")
        kept(page, "Übung", "One", "Two")
        page.click("#drafts button >> text=One")
        page.click("#edit .discard")
        kept(page, "Übung", "Two")
        page.click("#passing .act")
        assert page.input_value('#edit [data-at="name"]') == "One"
        page.click("#edit .discard")
        page.click("#drafts button >> text=Übung")
        page.click(".save")
        page.wait_for_selector("#start:enabled")
        saved = bed.ask(verb="preset-read", preset="meine-ubung")[1]["preset"]["workout"]
        assert saved == text.replace("x: 1", "x: 2"), len(saved)
        # One that is too large is told so.
        page.click("#card .edit")
        view(page, "edit")
        page.click("#edit .parts > button >> text=Text")
        # Chromium takes minutes to type so much.
        page.locator(".whole").evaluate(
            "(field, text) => { field.value = text; field.dispatchEvent(new Event('input', { bubbles: true })); }",
            text + "#" * 10_000)
        page.click(".save")
        page.wait_for_selector("#passing >> text=That is too large. A workout has at most 48 KB")
        page.wait_for_selector(".drawn .fault >> text=That is too large.")
        # Of another text nothing is said yet.
        page.click("#edit .close")
        page.click("#card .close")
        page.click("#new")
        assert page.locator("#edit .fault >> text=That is too large.").count() == 0
    # A preset may be called as every object's own are.
    with opened(browser) as page:
        page.set_input_files("#upload", [dict(name="constructor.yaml", mimeType="text/yaml",
                                              buffer=b"name: A\nblocks:\n  - phases:\n      - work: 30s\n")])
        view(page, "edit")
        page.click(".save")
        page.wait_for_selector("#start:enabled")
        page.click("#card .edit")
        view(page, "edit")
        assert page.input_value('#edit [data-at="name"]') == "A"
    return ""


def full(browser):
    """Where the browser keeps nothing, that is said once, and all holds for the visit: the link's token, the drafts."""
    with opened(browser, scripts=[FULL]) as page:
        page.wait_for_selector("#passing >> text=This browser keeps nothing.")
        page.click("#new")
        page.fill('#edit [data-at="name"]', "One")
        page.click("#edit .close")
        page.click("#drafts button >> text=One")
        assert page.input_value('#edit [data-at="name"]') == "One"
        assert page.evaluate("""async () => { const { kept } = await import('/coach.js'); kept.set('cuecoach-token', 'x');
          return kept.get('cuecoach-token'); }""") == "x"
        assert page.evaluate("localStorage.length") == 0


def heard(browser):
    """What is played to its end offers to be played again."""
    with opened(browser) as page:
        edit(page, "tabata")
        page.click(".drawn button >> text=Hear it")
        page.wait_for_selector(".drawn button >> text=Stop")
        page.wait_for_selector(".drawn button >> text=Hear it")


def fixed(browser):
    """A coach whose presets are not edited: nothing new is offered."""
    bed = browser.bed
    with opened(browser) as page:
        assert page.is_visible("#new") and page.is_visible("#new + label")
    bed.coach.end()
    bed.start_coach("--no-edit")
    try:
        until(bed.finds_coach)
        with opened(browser) as page:
            assert page.is_hidden("#new") and page.is_hidden("#new + label")
            open_card(page, "tabata")
            assert page.is_visible("#start") and page.is_hidden("#card .edit")
    finally:
        bed.coach.end()
        bed.start_coach()
        until(bed.finds_coach)


CHECKS = {
    "editing letters": letters,
    "editing drafts": drafts,
    "editing without storage": full,
    "editing: heard to its end": heard,
    "editing is not allowed": fixed,
    "editing keeps the text": keeping,
    "editing makes a workout": making,
    "editing changes and takes back": changing,
    "editing the short form": flat,
    "editing of two": two,
    "editing: gone": gone,
    "editing: typed": typed,
    "editing: remarks": remarks,
    "editing: late answers": late,
    "editing: strange drafts": strange,
    "editing without a check": older,
    "editing fits": small,
}
