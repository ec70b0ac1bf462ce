"""Files of other programs on the page, and several people who begin together."""

from browser import new_requests, open_card, view
from editing import opened


def given(page, name, data):
    page.set_input_files("#upload", [dict(name=name, mimeType="application/octet-stream", buffer=data)])


def files(browser):
    """A file goes to the coach in pieces, and becomes a draft; one that is none is a line; it is written in other formats."""
    bed = browser.bed
    with opened(browser) as page:
        # The same file once more has a name of its own.
        for size, name in ((3, "uber-b-under"), (36_000, "uber-b-under-2"), (100_001, "uber-b-under-3")):
            before = len(bed.requests("preset-convert"))
            given(page, "Über <b> & under.ZWO", b"x" * size)
            view(page, "edit")
            page.wait_for_function("(name) => document.querySelector('[data-at=file]').value === name", arg=name)
            page.wait_for_selector("#passing >> text=what is <i>lost</i>")
            asked = new_requests(bed, "preset-convert", before)
            assert len(asked) == -(-size // 36_000), len(asked)
            assert [each.get("more") for each in asked] == [True] * (len(asked) - 1) + [None], asked
            assert all(each["file"] == "Über <b> & under.ZWO" and each["to"] == "yaml" for each in asked)
            page.click("#edit .parts > button >> text=Text")
            assert f"# {size} as yaml" in page.input_value(".whole"), page.input_value(".whole")
            page.click("#edit .close")
        assert page.locator("#passing i, #edit b").count() == 0
        # What is no workout, and what is too large, change nothing.
        for data, line in ((b"[" * 10, "hostile.fit:1: <b>no workout</b>"), (b"x" * 400_000, "That is too large.")):
            before = len(bed.requests("preset-convert"))
            given(page, "hostile.fit", data)
            page.wait_for_selector(f"#passing >> text={line}")
            assert len(new_requests(bed, "preset-convert", before)) <= 8
            view(page, "home")
        # A preset is read here, and nothing of it is changed.
        before = len(bed.requests("preset-convert"))
        given(page, "mine.yml", b"name: Mine  # mine\nsets: 2\nlow: 30s\nhigh: 20s\n")
        view(page, "edit")
        page.click(".save")
        page.wait_for_selector("#start:enabled")
        page.click("#card .edit")
        assert len(bed.requests("preset-convert")) == before
        for ending in (".zwo", ".json"):
            with page.expect_download() as download:
                page.select_option('[data-at="download"]', ending)
            assert download.value.suggested_filename == f"mine{ending}"
            with open(download.value.path(), encoding="utf-8") as file:
                assert f"as {ending[1:]}" in file.read()
            assert page.input_value('[data-at="download"]') == ""
        # The files that were read before wait to be saved; this one does not.
        drafts = page.evaluate("localStorage['cuecoach-draft']")
        assert "as yaml" in drafts, drafts
        assert "# mine" not in drafts, drafts
    return ""


def together(browser):
    """Several names begin in one request, and each comes again on its own."""
    bed = browser.bed
    with opened(browser) as page:
        open_card(page, "tabata")
        page.fill("#name", " Anna, Ben <b>,, Anna ")
        page.click("#start")
        view(page, "run")
        request = bed.requests("start")[-1]
        assert request["lanes"] == ["Anna", "Ben <b>"] and "lane" not in request, request
        page.wait_for_function("() => document.querySelectorAll('.lane').length === 2")
        browser.idle()
        open_card(page, "tabata")
        # A name that is typed stays.
        page.fill("#name", "Zoë")
        page.click("#card .fields .chip >> text=Anna")
        assert page.input_value("#name") == "Zoë, Anna"
        page.click("#card .fields .chip >> text=Anna")
        assert page.input_value("#name") == "Zoë"
        page.fill("#name", "")
        for name in ("Ben <b>", "Anna"):
            page.click(f"#card .fields .chip >> text={name}")
        assert page.input_value("#name") == "Ben <b>, Anna"
        assert page.locator("#card .fields [aria-pressed=true]").count() == 2
        page.click("#card .fields .chip >> text=Ben <b>")
        assert page.input_value("#name") == "Anna"
        page.click("#card .fields .chip >> text=Ben <b>")
        before = len(bed.requests("schedule"))
        page.select_option("#delay", "daily")
        page.click("#start")
        page.wait_for_function("() => document.querySelectorAll('#plans li').length === 2")
        asked = new_requests(bed, "schedule", before)
        assert [each["lane"] for each in asked] == ["Anna", "Ben <b>"], asked
        assert all("lanes" not in each for each in asked), asked
        while page.locator("#plans li").count():
            count = page.locator("#plans li").count()
            page.click("#plans button >> nth=0")
            page.wait_for_function("(count) => document.querySelectorAll('#plans li').length < count", arg=count)
    browser.idle()
    return ""


CHECKS = {"files are read": files, "several begin together": together}
