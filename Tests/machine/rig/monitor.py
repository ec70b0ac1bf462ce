# SPDX-License-Identifier: Apache-2.0
"""QEMU's monitor: commands and events over its socket, in the protocol QMP."""

import json
import socket


class MonitorError(Exception):
    """A command that QEMU refused."""


class Monitor:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rwb")
        json.loads(self.lines.readline())
        self.do("qmp_capabilities")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.lines.close()
        self.socket.close()

    def do(self, command, **arguments):
        self.lines.write(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        self.lines.flush()
        while True:
            answer = json.loads(self.lines.readline())
            if "error" in answer:
                raise MonitorError(f"{command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]

    @property
    def status(self):
        return self.do("query-status")["status"]
