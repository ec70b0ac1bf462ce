"""Hostile HTTP: what each attack gets, and that others are served meanwhile.

Each check needs the attack to be answered or dropped, another client to be served, the memory within
its limit, and every descriptor back.
"""

import json
import os
import signal
import socket
import struct
import subprocess
import threading
import time

from bed import until

MEMORY = 16 * 1024  # kB
LIBRARY = int(subprocess.run(
    "echo MHD_VERSION | cc -E -P -include microhttpd.h -", shell=True, check=True, capture_output=True,
).stdout.split()[-1], 0)
PROMPT = 0.1  # seconds for another client, in the middle of the attack


class Attack:
    def __init__(self, bed):
        self.bed = bed

    def connect(self, timeout=20):
        client = socket.create_connection(("127.0.0.1", self.bed.port), timeout)
        return client

    def send(self, data, timeout=20):
        """What the server answers until it closes; b'' where it drops the connection."""
        with self.connect(timeout) as client:
            try:
                client.sendall(data)
            except OSError:
                pass  # Dropped in the middle: what it said can still be read.
            return self.read(client)

    @staticmethod
    def read(client):
        answer = b""
        try:
            while part := client.recv(65536):
                answer += part
        except OSError:
            pass
        return answer

    def status(self, data):
        """The status of the answer; None where there was none."""
        answer = self.send(data)
        return int(answer.split()[1]) if answer.startswith(b"HTTP/1.") else None

    def request(self, lines, body=b"", path="/api/request", method="POST"):
        head = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.bed.port}", *lines]
        return "\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body


class Waits:
    """How long other clients wait, each time with a connection of their own. A second server that
    nobody attacks is asked in turn: what both wait for is the machine's."""

    def __init__(self, bed, is_over=lambda: True, least=50):
        self.attacked, self.calm, self.dropped = [], [], 0
        while len(self.attacked) < least or not is_over():
            self.attacked.append(self.ask(bed))
            self.calm.append(self.ask(bed.calm))
        self.attacked.sort()
        self.calm.sort()

    def ask(self, bed):
        """The wait for an answer. A client is dropped, and asks again as a browser's page does, where 48 others
        connect between its connection and its request: that happens where it waits for the processor."""
        begin = time.monotonic()
        for _ in range(5):
            try:
                status, _ = bed.get("/api/clock")
                assert status == 200, f"another client got {status}"
                return time.monotonic() - begin
            except ConnectionError:
                self.dropped += 1
        raise AssertionError("another client was dropped five times")

    @staticmethod
    def slow(waits):
        """99 of 100 are faster."""
        return waits[min(len(waits) - 1, int(len(waits) * 0.99))]

    @property
    def is_prompt(self):
        return self.slow(self.attacked) < PROMPT + self.slow(self.calm)

    def __str__(self):
        def text(waits):
            return (f"{waits[len(waits) // 2] * 1000:.1f} ms, 99 of 100 within "
                    f"{self.slow(waits) * 1000:.1f}")
        again = f", {self.dropped} of them asked again" if self.dropped else ""
        return f"others wait {text(self.attacked)}{again} (without an attack {text(self.calm)})"


def promptly(attack):
    """Three times at most: a machine that is busy for a moment is no fault."""
    def test(bed):
        for _ in range(3):
            waits, figures = attack(bed)
            if waits.is_prompt:
                break
        assert waits.is_prompt, str(waits)
        return f"{figures}{waits}"
    test.__doc__ = attack.__doc__
    return test


def settled(bed, descriptors):
    until(lambda: bed.web.descriptors() <= descriptors, 30, "every descriptor is back")


def long_header(bed):
    attack = Attack(bed)
    data = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 3_000_000 + b"\r\n\r\n"
    status = attack.status(data)
    assert status in (431, 400, 413, None), status
    return f"{status}"


def long_path(bed):
    status = Attack(bed).status(b"GET /" + b"a" * 3_000_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert status in (414, 431, 400, None), status
    return f"{status}"


def many_headers(bed):
    lines = b"".join(b"X-%d: 1\r\n" % n for n in range(10_000))
    status = Attack(bed).status(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + lines + b"\r\n")
    assert status in (431, 400, None), status
    small = b"".join(b"X%d:1\r\n" % n for n in range(100))
    other = Attack(bed).status(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + small + b"\r\n")
    assert other == 431, other
    return f"{status}; a hundred: {other}"


@promptly
def half_open(bed):
    """200 clients that send a byte a second of a request that never ends."""
    attack = Attack(bed)
    clients = [attack.connect() for _ in range(200)]
    for client in clients:
        client.sendall(b"GET / HT")
    stop = threading.Event()

    def trickle():
        while not stop.wait(0.5):
            for client in clients:
                try:
                    client.send(b"T")
                except OSError:
                    pass

    thread = threading.Thread(target=trickle)
    thread.start()
    try:
        waits = Waits(bed, least=200)
    finally:
        stop.set()
        thread.join()
        for client in clients:
            client.close()
    return waits, ""


def trickle_is_dropped(bed):
    """A client that sends a byte now and then has 15 seconds."""
    client = Attack(bed).connect()
    client.setblocking(False)
    begin = time.monotonic()
    for byte in b"GET / HTTP/1.1\r\nX: " + b"a" * 1000:
        try:
            client.send(bytes([byte]))
        except OSError:
            break
        time.sleep(0.2)
        assert time.monotonic() - begin < 40, "it is still served after 40 seconds"
    client.close()
    return f"after {time.monotonic() - begin:.0f} s"


def endless_body(bed):
    attack = Attack(bed)
    json_type = "Content-Type: application/json"
    known = attack.status(attack.request([json_type, "Content-Length: 5000000000"], b"a" * 1_000_000))
    chunked = attack.status(attack.request(
        [json_type, "Transfer-Encoding: chunked"], b"ffffff\r\n" + b"a" * 1_000_000))
    assert known == 413 and chunked == 411, (known, chunked)
    on_get = attack.status(attack.request(["Content-Length: 10"], b"a" * 10, "/", "GET"))
    assert on_get == 413, on_get
    # A body that is promised and never comes.
    with attack.connect() as client:
        client.sendall(attack.request([json_type, "Content-Length: 400"], b"{"))
        assert b" 200 " not in attack.read(client)
    return f"{known}, chunked {chunked}, with GET {on_get}"


def two_lengths(bed):
    attack, body = Attack(bed), b'{"id":1,"verb":"stop"}'
    json_type = "Content-Type: application/json"
    before = len(bed.requests("stop"))
    for lines in (["Content-Length: 22", "Content-Length: 5"], ["Content-Length: 22, 22"],
                  ["Content-Length: 22", "Transfer-Encoding: chunked"], ["Content-Length: -1"],
                  ["Content-Length: 0x16"], ["Content-Length: 99999999999999999999999999"]):
        status = attack.status(attack.request([json_type, *lines], body))
        assert status in (400, 411, 413, None), (lines, status)
    for name, value in (("Host", f"127.0.0.1:{bed.port}"), ("Authorization", "Bearer x"),
                        ("Origin", bed.address), ("Content-Type", "application/json")):
        lines = [json_type, "Content-Length: 22"] + [f"{name}: {value}"] * 2
        status = attack.status(attack.request(lines, body))
        assert status in (400, None), (name, status)
    assert len(bed.requests("stop")) == before, "a request with two lengths came to the coach"


def traversal(bed):
    attack = Attack(bed)
    paths = ["/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e/etc/passwd", "//etc/passwd",
             "/page.js/../../etc/passwd", "/words/../../../etc/passwd", "/make-icons", "/words/",
             "/page.js%00.html", "/.", "/api/../page.js", "http://evil.example/", "*", "/\\..\\x"]
    for path in paths:
        status = attack.status(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        assert status in (400, 404, None), (path, status)
    return f"{len(paths)} paths"


def nul(bed):
    attack = Attack(bed)
    for data in (b"GET /\0page.js HTTP/1.1\r\nHost: localhost\r\n\r\n",
                 b"GET /page.js\0.html HTTP/1.1\r\nHost: localhost\r\n\r\n",
                 b"GET / HTTP/1.1\r\nHost: local\0host\r\n\r\n",
                 b"GET / HTTP/1.1\r\nHost: localhost\0.evil.example\r\n\r\n",
                 b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n",
                 b"GET / HTTP/1.1\r\nHost\0: localhost\r\n\r\n", b"\0" * 100_000,
                 b"GE\0T / HTTP/1.1\r\nHost: localhost\r\n\r\n",
                 # A line feed alone makes up for each byte that a NUL hides.
                 b"GET /page.js\0.html HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\n" * 6 + b"\r\n",
                 b"GET / HTTP/1.1\r\n" + b"A: b\n" * 5 + b"Host: localhost\0evil\r\n\r\n",
                 b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\nA: b\nC: d\n\r\n",
                 b"GET / HTTP/1.1\nHost: localhost\r\nX: a\0\r\n\r\n",
                 b"GET /\0 HTTP/1.1\r\nHost: localhost\r\n\n"):
        refused_once(attack, data)


def refused_once(attack, data, statuses=(400, 405, 414, 421, 431, 501), by_library=False):
    """One answer at most, which refuses the request, and the end of the connection.

    by_library: libmicrohttpd itself refuses it; before 1.0 it writes the head of its answer twice.
    """
    answer = attack.send(data)
    most = 2 if by_library and LIBRARY < 0x01000000 else 1
    assert answer.count(b"HTTP/1.1 ") <= most and answer.count(b"\r\n\r\n") <= most, (data[:80], answer)
    status = int(answer.split()[1]) if answer.startswith(b"HTTP/1.") else None
    assert status in (*statuses, None), (data[:80], status)
    return status


def lines(bed):
    """What two servers could read as two different requests."""
    attack = Attack(bed)
    host = f"Host: 127.0.0.1:{bed.port}".encode()
    for data in (b"GET / HTTP/1.1\n" + host + b"\n\n",
                 b"GET / HTTP/1.1\r\n" + host + b"\n\r\n",
                 b"GET / HTTP/1.1\r\n" + host + b"\r\nX: 1\nY: 2\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + host + b"\r\nX: 1\r\n 2\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + host + b"\r\nX: 1\r\n\t2\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + host + b"\r\nX : 1\r\n\r\n",
                 b"GET / HTTP/1.1\r\n " + host + b"\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + host.replace(b":", b" :", 1) + b"\r\n\r\n",
                 b"GET  / HTTP/1.1\r\n" + host + b"\r\nX\r\n\r\n"):
        refused_once(attack, data)
    before = len(bed.requests("stop"))
    body = b'{"id":1,"verb":"stop"}'
    json_type = "Content-Type: application/json"
    for line in ("Content-Length : 22", "Content-Length: +22", "Content-Length: 22, 22", "Content-Length: 0x16",
                 "Content-Length: 22a", "Content-Length: ", "Content-Length: 2 2", "Transfer-Encoding : chunked"):
        status = refused_once(attack, attack.request([json_type, line], body), (400, 411), by_library=True)
        assert status == 400 or "Encoding" in line, (line, status)
    assert len(bed.requests("stop")) == before, "a request with such a line came to the coach"


def old_versions(bed):
    attack = Attack(bed)
    found = []
    for data in (b"GET /\r\n", b"GET /\r\n\r\n", b"GET / HTTP/0.9\r\n\r\n",
                 b"GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n",
                 b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
                 os.urandom(5000)):
        answer = attack.send(data)
        status = int(answer.split()[1]) if answer.startswith(b"HTTP/1.") else None
        assert status in (400, 421, 431, 505, None), (data[:30], status)
        found.append(str(status))
    return ", ".join(found)


@promptly
def flood(bed):
    """2000 connections at once, half of them mute."""
    attack = Attack(bed)
    clients, begun = [], time.monotonic()

    def open_all():
        for number in range(2000):
            try:
                client = attack.connect(5)
                clients.append(client)
                if number % 2:
                    client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
            except OSError:
                pass

    thread = threading.Thread(target=open_all)
    thread.start()
    try:
        waits = Waits(bed, lambda: not thread.is_alive(), 100)
    finally:
        thread.join()
        length = time.monotonic() - begun
        for client in clients:
            # Reset: no 2000 sockets of the attack are left in TIME_WAIT.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
    assert len(clients) > 1900, f"only {len(clients)} connections could be made"
    return waits, f"{len(clients)} in {length:.1f} s, "


@promptly
def never_reads(bed):
    """64 clients ask for every file many times and read nothing; ten streams are never read."""
    attack = Attack(bed)
    clients = []
    for number in range(64):
        client = attack.connect()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        path = b"/api/events" if number < 10 else b"/page.js"
        client.sendall((b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n") * 20)
        clients.append(client)
    try:
        waits = Waits(bed)
    finally:
        for client in clients:
            client.close()
    return waits, ""


def streams(bed):
    """More streams than are taken: the rest is refused, and ends give their places back."""
    attack = Attack(bed)
    clients, statuses = [], []
    for _ in range(100):
        client = attack.connect()
        client.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        statuses.append(int(client.recv(64).split()[1]))
        clients.append(client)
    for client in clients:
        client.close()
    assert statuses.count(200) == 80 and statuses.count(503) == 20, statuses

    def is_free():
        with attack.connect() as client:
            client.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return b" 200 " in client.recv(64)

    until(is_free, what="a stream is free again")
    return "80 taken, 20 refused"


def other_origin(bed):
    """What a page of another origin can send without a preflight, and what it cannot."""
    before = len(bed.requests())
    body = json.dumps({"id": 1, "verb": "start", "preset": "tabata"})
    kind = {"Content-Type": "application/json"}
    port = bed.port
    cases = [
        ({"Content-Type": "text/plain"}, "POST", 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, "POST", 415),
        ({"Content-Type": "multipart/form-data; boundary=x"}, "POST", 415),
        ({**kind, "Origin": "http://evil.example"}, "POST", 403),
        ({**kind, "Origin": "null"}, "POST", 403),
        ({**kind, "Origin": f"http://127.0.0.1:{port + 1}"}, "POST", 403),
        ({**kind, "Origin": f"http://localhost:{port}"}, "POST", 403),
        ({**kind, "Sec-Fetch-Site": "cross-site"}, "POST", 403),
        ({**kind, "Sec-Fetch-Site": "same-site"}, "POST", 403),
        ({**kind, "Host": "evil.example"}, "POST", 421),
        ({**kind, "Host": f"evil.example:{port}"}, "POST", 421),
        ({**kind, "X-Forwarded-For": "1.2.3.4"}, "POST", 401),
        (kind, "GET", 405), (kind, "PUT", 405), (kind, "DELETE", 405), (kind, "OPTIONS", 405),
        ({"Origin": "http://evil.example"}, "OPTIONS", 405),
    ]
    for headers, method, expected in cases:
        status, _ = bed.get("/api/request", headers, method, body if method != "GET" else None)
        assert status == expected, (headers, method, status)
    for path in ("/api/events", "/api/clock"):
        status, _ = bed.get(path, {"Origin": "http://evil.example"})
        assert status == 403, (path, status)
    assert len(bed.requests()) == before, "a request of another origin came to the coach"
    return f"{len(cases)} requests"


def verbs(bed):
    """What the page's server does not pass on."""
    before = len(bed.requests())
    for fields in ({"verb": "say", "text": "hello"}, {"verb": "subscribe"},
                   {"verb": "start", "workout": "name: X"}, {"verb": "start", "preset": "/etc/passwd"},
                   {"verb": "start", "preset": "../x"}, {"verb": "presets", "preset": "a/b"},
                   {"verb": "start", "preset": "tabata", "style": {"sounds": "/etc"}},
                   {"verb": "explode"}, {"verb": "pause", "more": 1}, {}):
        status, _ = bed.ask(**fields)
        assert status == 400, (fields, status)
    for body in ("", "[]", "{", "null", '"x"', "[" * 4000, '{"id":1,"verb":"pause"' + " " * 3000):
        status, _ = bed.get("/api/request", {"Content-Type": "application/json"}, "POST", body)
        assert status in (400, 411), (body[:20], status)
    assert len(bed.requests()) == before, "it was passed on"


def token(bed):
    """From another address only the token opens, and guessing is slow."""
    address = next(iter(socket.gethostbyname_ex(socket.gethostname())[2]), None)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address = probe.getsockname()[0]
        except OSError:
            pass
    if not address or address.startswith("127."):
        return "this machine has no other address: not tested"
    path = os.path.join(bed.folder, "state/cuecoach/page-token")
    with open(path) as file:
        right = file.read().strip()
    assert os.stat(path).st_mode & 0o777 == 0o600

    def status(shown=None, host=address):
        headers = {"Authorization": f"Bearer {shown}"} if shown is not None else {}
        return bed.get("/api/clock", headers, host=host)[0]

    assert bed.get("/", host=address)[0] == 200  # The page itself holds no secret.
    assert status() == 401 and status(right) == 200
    assert bed.get("/api/request", {"Content-Type": "application/json"}, "POST",
                   '{"id":1,"verb":"stop"}', host=address)[0] == 401
    guesses = [status("A" * 22) for _ in range(50)]
    assert guesses.count(401) == 5 and guesses.count(429) == 45, guesses
    assert status(right) == 200, "a right token waits for the wrong ones of its address"
    assert status(host="127.0.0.1") == 200, "this machine needs no token"
    assert status("A" * 22) == 429, "the right token forgives another one's guesses"
    return f"{guesses.count(429)} of 50 guesses were told to wait, the right token was not"


CHECKS = {
    "a header line of 3 MB": long_header,
    "a path of 3 MB": long_path,
    "10 000 headers": many_headers,
    "200 half-open requests": half_open,
    "a byte now and then": trickle_is_dropped,
    "endless bodies": endless_body,
    "two lengths, two of a kind": two_lengths,
    "paths out of the folder": traversal,
    "NUL": nul,
    "lines that two servers read differently": lines,
    "HTTP/0.9 and no HTTP": old_versions,
    "2000 connections": flood,
    "clients that never read": never_reads,
    "more streams than are taken": streams,
    "requests of other origins": other_origin,
    "requests that are not passed on": verbs,
    "tokens": token,
}


def run(report, bed):
    until(lambda: bed.web.descriptors() > 0)
    descriptors = bed.web.descriptors()

    def checked(test):
        figures = test(bed)
        assert bed.web.process.poll() is None, "the page's server has ended"
        assert bed.get("/api/clock")[0] == 200
        settled(bed, descriptors)
        return figures

    for name, test in CHECKS.items():
        report.check(name, checked, test)

    def memory():
        peak = bed.web.status("VmHWM")
        if bed.checks_memory:
            assert peak <= MEMORY, f"{peak} kB"
        return f"{peak / 1024:.1f} MB at most, {bed.web.status('VmRSS') / 1024:.1f} MB now"

    report.check("memory", memory)

    def ends():
        begin = time.monotonic()
        clients = [Attack(bed).connect() for _ in range(64)]
        for client in clients:
            client.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            client.recv(16)
        code = bed.web.end(signal.SIGTERM)
        assert code == 0, f"it ended with {code}"
        for client in clients:
            client.close()
        return f"{(time.monotonic() - begin) * 1000:.0f} ms with 64 streams"

    report.check("SIGTERM", ends)
