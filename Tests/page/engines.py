"""The page in other browsers than Chromium: Debian's Firefox, by WebDriver BiDi, and WebKit, the engine of iPhones, by WebDriver in a
window that is as large as asked. A part of the checks, and whether all of it fits there."""

import functools
import json
import os
import re
import subprocess
import tempfile
import urllib.error
import urllib.request

from websockets.sync.client import connect

from bed import HERE, PATIENCE, free_port, until
from browser import new_requests
from fits import ATHLETES, FAULTS, lane, shipped, staged
from views import INK, NAMES

WINDOWS = [(320, 568), (390, 844), (844, 390), (1024, 768), (1920, 1080), (3840, 2160)]


class Engine:
    """A browser and a page in it. One that is derived has open(), close(), send(), evaluate() and perform()."""

    def __init__(self):
        self.errors = []

    def read(self, expression):
        return json.loads(self.evaluate(f"(async () => JSON.stringify(await ({expression}) ?? null))()"))

    def wait(self, expression):
        try:
            return until(lambda: self.read(f"Boolean({expression})"), what=expression)
        except AssertionError as error:
            raise AssertionError(f"{error}; {self.errors}; {self.read('document.body.innerText.slice(0, 300)')!r}") from None

    def act(self, kind, actions, **fields):
        self.perform([dict(type=kind, id=kind, actions=actions, **fields)])

    def click(self, what):
        self.wait(f"document.querySelector('{what}')?.checkVisibility()")
        place = self.read(f"""(() => {{ const each = document.querySelector('{what}');
          each.scrollIntoView({{ block: 'center', behavior: 'instant' }});
          const box = each.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2].map(Math.round); }})()""")
        self.act("pointer", [dict(type="pointerMove", x=place[0], y=place[1]), dict(type="pointerDown", button=0),
                             dict(type="pointerUp", button=0)], parameters=dict(pointerType="mouse"))

    def type(self, text):
        self.act("key", [dict(type=kind, value=letter) for letter in text for kind in ("keyDown", "keyUp")])


class Firefox(Engine):
    def __init__(self, folder):
        super().__init__()
        self.count = 0
        # The sandbox needs rights that root in a container has not.
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0", "about:blank"],
            env={**os.environ, "HOME": folder, "MOZ_DISABLE_CONTENT_SANDBOX": "1"}, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                break
        else:
            raise AssertionError("Firefox does not begin")
        self.socket = connect(found[1] + "/session", max_size=None, open_timeout=PATIENCE)
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])

    def send(self, method, **fields):
        self.count += 1
        self.socket.send(json.dumps(dict(id=self.count, method=method, params=fields)))
        while True:
            message = json.loads(self.socket.recv(PATIENCE))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.errors.append(message["params"]["text"])
            if message.get("id") == self.count:
                assert message["type"] == "success", (method, message)
                return message["result"]

    def open(self, address, window, script=""):
        """A page with a storage of its own. script: runs before it."""
        user = self.send("browser.createUserContext")["userContext"]
        self.context = self.send("browsingContext.create", type="tab", userContext=user)["context"]
        if script:
            self.send("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}", contexts=[self.context])
        self.send("browsingContext.activate", context=self.context)
        self.send("browsingContext.setViewport", context=self.context, viewport=dict(width=window[0], height=window[1]))
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def close(self):
        self.send("browsingContext.close", context=self.context)

    def evaluate(self, promise):
        answer = self.send("script.evaluate", expression=promise, target=dict(context=self.context), awaitPromise=True)
        assert answer["type"] == "success", (promise[:200], answer)
        return answer["result"]["value"]

    def perform(self, actions):
        self.send("input.performActions", context=self.context, actions=actions)

    def end(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.process.stderr.close()


class WebKit(Engine):
    """Each page has a browser of its own, because the size of its window is given when it begins."""

    def __init__(self, folder):
        super().__init__()
        self.script, self.session = os.path.join(folder, "script.js"), None
        read, write = os.pipe()
        self.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1920x1080x24"], pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with open(read) as number:
            display = f":{number.readline().strip()}"
        assert display != ":", "Xvfb does not begin"
        port = free_port()
        self.driver = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}"], stderr=subprocess.DEVNULL,
            # The sandbox needs rights that root in a container has not.
            env={**os.environ, "HOME": folder, "DISPLAY": display, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1",
                 "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"})
        self.address = f"http://127.0.0.1:{port}"
        until(self.answers, what="WebKitWebDriver answers")

    def answers(self):
        try:
            return self.send("GET", "/status")["ready"]
        except OSError:
            return False

    def send(self, method, path, **fields):
        data = json.dumps(fields).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError((path, error.read()[:500])) from None

    def open(self, address, window, script=""):
        """script: runs before the page."""
        # Of a check that has failed.
        if self.session:
            self.close()
        with open(self.script, "w") as file:
            file.write("""window.faults = [];
              addEventListener('error', ({ message }) => faults.push(message));
              addEventListener('unhandledrejection', ({ reason }) => faults.push(`${reason}`));
              """ + script)
        options = dict(binary=os.path.join(HERE, "webkit-window"), args=[*map(str, window), self.script])
        session = self.send("POST", "/session", capabilities={"alwaysMatch": {"webkitgtk:browserOptions": options}})
        self.session = f"/session/{session['sessionId']}"
        self.send("POST", self.session + "/timeouts", script=PATIENCE * 1000)
        self.send("POST", self.session + "/url", url=address)

    def close(self):
        self.send("DELETE", self.session)
        self.session = None

    def evaluate(self, promise):
        value, self.errors = self.send(
            "POST", self.session + "/execute/async", args=[], script=
            f"const done = arguments[0]; {promise}.then((value) => done([value, faults]), (error) => done([null, [...faults, `${{error}}`]]))")
        assert value is not None, (promise[:200], self.errors)
        return value

    def perform(self, actions):
        self.send("POST", self.session + "/actions", actions=actions)

    def end(self):
        for process in (self.driver, self.screen):
            process.terminate()
            process.wait(PATIENCE)


def using(browser, kind, *arguments):
    """One for all checks: it takes seconds to begin."""
    if kind not in browser.others:
        browser.others[kind] = kind(tempfile.mkdtemp(dir=browser.bed.folder))
    browser.others[kind].errors.clear()
    browser.others[kind].open(*arguments)
    return browser.others[kind]


def running(browser, kind):
    """From the list to a workout, held by a key, and its end."""
    bed, page = browser.bed, using(browser, kind, browser.bed.address + "/", (390, 844))
    # The coach's people have come, and the list does not move any more.
    page.wait("document.querySelector('.star')")
    page.click('.preset[data-preset="hours"] .about')
    page.wait("document.querySelector('#card .phases') && !document.querySelector('#start').disabled")
    starts = len(bed.requests("start"))
    page.click("#start")
    assert new_requests(bed, "start", starts)[0]["preset"] == "hours"
    page.wait("document.body.dataset.view === 'run' && document.querySelector('#card').hidden")
    page.wait("document.querySelector('.lane .profile') && /^(1:00:00|0:59:\\d\\d|59:\\d\\d)$/.test(document.querySelector('.countdown').textContent)")
    for verb, isPaused in (("pause", "true"), ("resume", "false")):
        before = len(bed.requests(verb))
        page.type(" ")
        new_requests(bed, verb, before)
        page.wait(f"document.body.classList.contains('paused') === {isPaused}")
    before = len(bed.requests("next"))
    page.click('[data-verb="next"]')
    new_requests(bed, "next", before)
    page.wait("document.querySelector('.phase').textContent === 'High'")
    browser.idle()
    page.wait("document.querySelector('.end')?.textContent.includes('Stopped')")
    assert not page.errors, page.errors
    page.close()


def making(browser, kind):
    """The editor saves what is written, and the card of it comes."""
    bed, page = browser.bed, using(browser, kind, browser.bed.address + "/", (390, 844))
    page.wait("document.querySelector('.star')")
    page.click("#new")
    page.click('#edit [data-at="name"]')
    page.read("document.activeElement.select()")
    page.type("Fox: <b>")
    page.click("#edit .step .step .about")
    page.click('[data-at="blocks,0,phases,0,prepare"]')
    page.read("document.activeElement.select()")
    page.type("12s")
    before = len(bed.requests("preset-save"))
    page.click(".save")
    text = new_requests(bed, "preset-save", before)[0]["workout"]
    assert text.startswith('name: "Fox: <b>"\n') and "- prepare: 12s\n" in text, text
    page.wait("document.querySelector('#card h2')?.textContent === 'Fox: <b>'")
    assert not page.errors, page.errors
    page.close()


def fitting(browser, kind):
    """Each view in six windows, in other scripts: nothing is cut or covered; a television's figures are as high."""
    found = []
    for window in WINDOWS:
        lanes = [lane(person, workout, n, label=workout, next=workout) for n, (person, workout) in enumerate(NAMES)]
        page = using(browser, kind, browser.bed.address + "/", window, staged(shipped(), lanes))

        def look(what):
            # What has been scrolled is behind the tabs.
            page.read("scrollTo(0, 0)")
            found.extend(f"{window}, {what}: {fault}" for fault in page.read(f"({FAULTS})()"))

        def put(some):
            page.read(f"put({json.dumps(some)})")
            page.wait(f"document.querySelectorAll('.lane .profile').length === {len(some)}")

        page.wait("document.querySelector('.lane .profile') && document.querySelector('.star')")
        for count in (3, 2, 1):
            put(lanes[:count])
            look(f"{count} in other scripts")
        for tab, sign in (("past", "#history .past"), ("settings", "#view"), ("home", ".preset")):
            page.click(f"#top [data-tab={tab}]")
            page.wait(f"document.querySelector('{sign}')")
            look(tab)
        page.click(".preset .about")
        page.wait("document.querySelector('#card .phases')")
        look("a card")
        page.click("#card .edit")
        page.wait("document.querySelector('#edit .drawn .profile')")
        look("the editor")
        page.read("location.hash = '#view'")
        page.wait("document.body.dataset.view === 'tv'")
        for count in (1, 2, 9) if window[0] > 1900 else ():
            put([lane(ATHLETES[n], shipped()[n * 5][1], n) for n in range(count)])
            look(f"a television with {count}")
            ink = page.read(f"({INK})()")
            assert min(ink) >= (0.25 if count <= 2 else 0.12), (count, ink)
        assert not page.errors, page.errors
        page.close()
    assert not found, f"{len(found)} faults\n  " + "\n  ".join(found[:40])
    return f"{len(WINDOWS)} windows"


CHECKS = {
    f"{name} {what}": functools.partial(check, kind=kind)
    for name, kind in (("Firefox", Firefox), ("WebKit", WebKit))
    for what, check in (("runs a workout", running), ("makes one", making), ("fits", fitting))
}
