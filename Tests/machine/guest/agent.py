#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs in the guest: does what the host asks for over a virtio port, one request at a time.

A request is a line of JSON and, for "push", as many bytes as its "length" says. The answer is a line with
"status" and "length", and that many bytes: a command's output, a file's content, or what went wrong.
"""

import json
import os
import select
import subprocess
import time

PORT = "/dev/virtio-ports/cuecoach"
ENVIRONMENT = dict(os.environ, HOME="/root", LANG="C.UTF-8", TERM="dumb")


class Line:
    """The port, read by lines and lengths."""

    def __init__(self):
        self.port = os.open(PORT, os.O_RDWR)
        self.poll = select.poll()
        self.poll.register(self.port, select.POLLIN)
        self.read = bytearray()

    def more(self):
        while True:
            if self.poll.poll()[0][1] & select.POLLIN and (chunk := os.read(self.port, 65536)):
                self.read += chunk
                return
            # The host has hung up: a request that had begun is void.
            self.read.clear()
            time.sleep(0.2)

    def line(self):
        while b"\n" not in self.read:
            self.more()
        return self.take(self.read.index(b"\n") + 1)

    def take(self, length):
        while len(self.read) < length:
            self.more()
        data = bytes(self.read[:length])
        del self.read[:length]
        return data

    def answer(self, status, data):
        data = json.dumps({"status": status, "length": len(data)}).encode() + b"\n" + data
        while data:
            try:
                data = data[os.write(self.port, data):]
            except OSError:
                return


def run(request):
    try:
        done = subprocess.run(
            ["/bin/bash", "-c", request["command"]], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/root", env=ENVIRONMENT,
            timeout=request["limit"])
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        return 124, (late.stdout or b"") + b"\nit did not end in time\n"


def push(request, line):
    data = line.take(request["length"])
    os.makedirs(os.path.dirname(request["path"]), exist_ok=True)
    with open(request["path"], "wb") as file:
        file.write(data)
    os.chmod(request["path"], request["mode"])
    return 0, b""


def pull(request):
    with open(request["path"], "rb") as file:
        return 0, file.read()


def main():
    line = Line()
    while True:
        try:
            request = json.loads(line.line())
        except ValueError:
            continue
        try:
            if request["do"] == "run":
                answer = run(request)
            elif request["do"] == "push":
                answer = push(request, line)
            else:
                answer = pull(request)
        except OSError as error:
            answer = 125, str(error).encode()
        line.answer(*answer)


main()
