"""The page in other browsers than Chromium: Debian's Firefox, by WebDriver BiDi, and WebKit, the engine of iPhones, by WebDriver in a
window that is as large as asked. Their pages have the part of Playwright's interface that the checks use."""

import contextlib
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
from browser import new_requests, open_card, presses, view

# Waits for what a text's value promises; one that is a function is called with ARG. find() knows Playwright's ">>", "nth=" and "text=".
EVALUATE = """
(async () => {
  const find = (selector) => selector.split(' >> ').reduce((found, part) => part.startsWith('nth=')
    ? found.slice(part.slice(4)).slice(0, 1) : part.startsWith('text=')
      ? found.flatMap((each) => [...each.querySelectorAll('*')]).filter((each) => each.textContent.includes(part.slice(5)))
      : found.flatMap((each) => [...each.querySelectorAll(part)]), [document]);
  const isShown = (each) => Boolean(each?.checkVisibility({ visibilityProperty: true }));
  const value = (TEXT);
  return JSON.stringify(await (typeof value === 'function' ? value(ARG) : value) ?? null);
})()
"""
# Where to press, once it stands still and nothing is over it.
AIM = """
async (selector) => {
  const [each] = find(selector);
  if (!isShown(each) || each.disabled) return null;
  each.scrollIntoView({ block: 'center', behavior: 'instant' });
  const middle = () => { const box = each.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2].map(Math.round); };
  const before = middle();
  await new Promise(requestAnimationFrame);
  const place = middle();
  return `${place}` === `${before}` && each.contains(document.elementFromPoint(...place)) ? place : null;
}
"""
CHOOSE = """
([selector, value]) => {
  const [each] = find(selector);
  each.value = value;
  for (const kind of ['input', 'change']) each.dispatchEvent(new Event(kind, { bubbles: true }));
}
"""
KEYS = {"Tab": "\ue004"}


class Engine:
    """A browser and a page in it, with the part of Playwright's interface that the checks use. One that is derived has open(), reload(),
    close(), run() and perform()."""

    def __init__(self, bed):
        self.bed, self.errors = bed, []
        self.keyboard = self

    @contextlib.contextmanager
    def page(self, window, address=None, scripts=(), **options):
        """A page with a storage of its own. scripts: run before it."""
        self.errors.clear()
        self.open(address or self.bed.address + "/", window, "\n".join(scripts), **options)
        try:
            yield self
            assert not self.errors, self.errors
        finally:
            self.close()

    def evaluate(self, text, arg=None):
        parts = dict(TEXT=text, ARG=json.dumps(arg))
        return json.loads(self.run(re.sub("|".join(parts), lambda found: parts[found[0]], EVALUATE)))

    def wait_for_function(self, text, arg=None):
        try:
            return until(lambda: self.evaluate(text, arg), what=f"{text} of {arg}")
        except AssertionError as error:
            raise AssertionError(f"{error}; {self.errors}; {self.evaluate('document.body.innerText.slice(0, 300)')!r}") from None

    def wait_for_selector(self, selector, state="visible"):
        self.wait_for_function("([selector, state]) => isShown(find(selector)[0]) === (state === 'visible')", [selector, state])

    def act(self, kind, actions, **fields):
        self.perform([dict(type=kind, id=kind, actions=actions, **fields)])

    def click(self, selector):
        x, y = self.wait_for_function(AIM, selector)
        self.act("pointer", [dict(type="pointerMove", x=x, y=y), dict(type="pointerDown", button=0), dict(type="pointerUp", button=0)],
                 parameters=dict(pointerType="mouse"))

    def press(self, key):
        self.act("key", [dict(type=kind, value=KEYS.get(key, key)) for kind in ("keyDown", "keyUp")])

    def fill(self, selector, text):
        self.wait_for_selector(selector)
        self.evaluate("(selector) => { const [each] = find(selector); each.focus(); each.select(); }", selector)
        for letter in text:
            self.press(letter)

    def select_option(self, selector, value):
        self.evaluate(CHOOSE, [selector, value])


# The tree of the page once it has this title, as Playwright writes it: what came before the title is there then.
TREE = """
(() => {
  const service = Cc['@mozilla.org/accessibilityService;1'].getService(Ci.nsIAccessibilityService);
  const page = service.getAccessibleFor(gBrowser.selectedBrowser)?.firstChild, lines = [];
  const walk = (each, space) => {
    const role = each.computedARIARole;
    if (role) lines.push(`${space}- ${role}${each.name ? ' ' + JSON.stringify(each.name) : ''}`);
    for (let child = each.firstChild; child; child = child.nextSibling) walk(child, `${space}  `);
  };
  if (page?.name !== TITLE) return '';
  walk(page, '');
  return lines.join('\\n');
})()
"""


class Firefox(Engine):
    def __init__(self, bed, folder):
        super().__init__(bed)
        self.count = 0
        # The sandbox needs rights that root in a container has not. With access to the system, the browser's own window is one of its pages.
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0",
             "--remote-allow-system-access", "about:blank"],
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
        self.own = self.send("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"][0]["context"]

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

    def open(self, address, window, script, color_scheme="light", locale="en"):
        self.user = self.send("browser.createUserContext")["userContext"]
        self.context = self.send("browsingContext.create", type="tab", userContext=self.user)["context"]
        # An empty page comes first, which has no storage.
        self.send("script.addPreloadScript", functionDeclaration=f"() => {{ if (location.host) {{ {script} }} }}", contexts=[self.context])
        self.bring_to_front()
        self.send("browsingContext.setViewport", context=self.context, viewport=dict(width=window[0], height=window[1]))
        self.send("emulation.setLocaleOverride", contexts=[self.context], locale=locale)
        self.run(f"gBrowser.selectedBrowser.browsingContext.prefersColorSchemeOverride = '{color_scheme}'", self.own)
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def bring_to_front(self):
        """Keys go to the page again, wherever in the browser the focus is."""
        self.send("browsingContext.activate", context=self.context)

    def close(self):
        self.send("browser.removeUserContext", userContext=self.user)

    def reload(self):
        self.send("browsingContext.reload", context=self.context, wait="complete")

    def run(self, promise, context=None):
        answer = self.send("script.evaluate", expression=promise, target=dict(context=context or self.context), awaitPromise=True)
        assert answer["type"] == "success", (promise[-200:], answer)
        return answer["result"]["value"]

    def perform(self, actions):
        self.send("input.performActions", context=self.context, actions=actions)

    def aria_snapshot(self):
        """By the browser's own accessibility engine."""
        title = json.dumps(f"{self.count}")
        self.evaluate(f"document.title = {title}")
        return until(lambda: self.run(TREE.replace("TITLE", title), self.own), what="the tree")

    def end(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.process.stderr.close()


class WebKit(Engine):
    """Each page has a browser of its own, because the size of its window is given when it begins."""

    def __init__(self, bed, folder):
        super().__init__(bed)
        self.script = os.path.join(folder, "script.js")
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

    def open(self, address, window, script, color_scheme="light", locale="en"):
        with open(self.script, "w") as file:
            file.write("""window.faults = [];
              addEventListener('error', ({ message }) => faults.push(message));
              addEventListener('unhandledrejection', ({ reason }) => faults.push(`${reason}`));
              """ + script)
        options = dict(binary=os.path.join(HERE, "webkit-window"), args=[*map(str, window), self.script, color_scheme, locale])
        session = self.send("POST", "/session", capabilities={"alwaysMatch": {"webkitgtk:browserOptions": options}})
        self.session = f"/session/{session['sessionId']}"
        self.send("POST", self.session + "/timeouts", script=PATIENCE * 1000)
        self.send("POST", self.session + "/url", url=address)

    def close(self):
        self.send("DELETE", self.session)

    def run(self, promise):
        value, self.errors = self.send(
            "POST", self.session + "/execute/async", args=[], script=
            f"const done = arguments[0]; {promise}.then((value) => done([value, faults]), (error) => done([null, [...faults, `${{error}}`]]))")
        assert value is not None, (promise[-200:], self.errors)
        return value

    def reload(self):
        self.send("POST", self.session + "/refresh")

    def perform(self, actions):
        self.send("POST", self.session + "/actions", actions=actions)

    def end(self):
        for process in (self.driver, self.screen):
            process.terminate()
            process.wait(PATIENCE)


def using(browser, kind):
    """One for all checks: it takes seconds to begin."""
    if kind not in browser.others:
        browser.others[kind] = kind(browser.bed, tempfile.mkdtemp(dir=browser.bed.folder))
    return browser.others[kind]


def running(browser, kind):
    """From the list to a workout, held by a key, and its end."""
    bed = browser.bed
    with using(browser, kind).page((390, 844)) as page:
        # The coach's people have come, and the list does not move any more.
        page.wait_for_selector(".star")
        open_card(page, "hours")
        starts = len(bed.requests("start"))
        page.click("#start")
        assert new_requests(bed, "start", starts)[0]["preset"] == "hours"
        view(page, "run")
        page.wait_for_selector("#card", state="hidden")
        page.wait_for_selector(".lane .profile")
        page.wait_for_function("/^(1:00:00|0:59:\\d\\d|59:\\d\\d)$/.test(document.querySelector('.countdown').textContent)")
        for verb, isPaused in (("pause", "true"), ("resume", "false")):
            presses(browser, bed, lambda: page.press(" "), verb)
            page.wait_for_function(f"document.body.classList.contains('paused') === {isPaused}")
        presses(browser, bed, lambda: page.click('[data-verb="next"]'), "next")
        page.wait_for_function("document.querySelector('.phase').textContent === 'High'")
        browser.idle()
        page.wait_for_function("document.querySelector('.end')?.textContent.includes('Stopped')")


def making(browser, kind):
    """The editor saves what is written, and the card of it comes."""
    bed = browser.bed
    with using(browser, kind).page((390, 844)) as page:
        page.wait_for_selector(".star")
        page.click("#new")
        page.fill('#edit [data-at="name"]', "Fox: <b>")
        page.click("#edit .step .step .about")
        page.fill('[data-at="blocks,0,phases,0,prepare"]', "12s")
        text = presses(browser, bed, lambda: page.click(".save"), "preset-save")["workout"]
        assert text.startswith('name: "Fox: <b>"\n') and "- prepare: 12s\n" in text, text
        page.wait_for_function("document.querySelector('#card h2')?.textContent === 'Fox: <b>'")


CHECKS = {
    f"{name} {what}": functools.partial(check, kind=kind)
    for name, kind in (("Firefox", Firefox), ("WebKit", WebKit))
    for what, check in (("runs a workout", running), ("makes one", making))
}
