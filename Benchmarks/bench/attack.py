#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attacks a page's server until it is ended: usage: attack.py KIND PORT"""

import itertools
import socket
import sys

HEAD = "POST /api/request HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"


def connect(port):
    return socket.create_connection(("127.0.0.1", port), 2)


def flood(port):
    """Connections that ask for the page, as fast as they come."""
    while True:
        with connect(port) as client:
            client.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
            while client.recv(65536):
                pass


def headers(port):
    """Headers of megabytes, one after another."""
    line = b"X-Filler: " + b"a" * 8000 + b"\r\n"
    while True:
        with connect(port) as client:
            client.sendall(HEAD.format(port=port).encode())
            for _ in range(400):
                client.sendall(line)


def bodies(port):
    """Bodies without an end."""
    while True:
        with connect(port) as client:
            client.sendall((HEAD.format(port=port) + "Content-Length: 1000000000\r\n"
                            "Content-Type: application/json\r\n\r\n").encode())
            while True:
                client.sendall(b" " * 65536)


def half_open(port):
    """Two hundred requests that are never finished, again and again."""
    while True:
        clients = []
        try:
            for number in range(200):
                clients.append(connect(port))
                clients[-1].sendall(HEAD.format(port=port).encode()[:10 + number % 40])
        finally:
            for client in clients:
                client.close()


def requests(port):
    """Well-formed requests on one connection, each answered by the coach."""
    body = b'{"id":1,"verb":"status","outline":true}'
    request = (HEAD.format(port=port) + f"Origin: http://127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
               f"Content-Length: {len(body)}\r\n\r\n").encode() + body
    with connect(port) as client:
        while True:
            client.sendall(request)
            answer = b""
            while b"\r\n\r\n" not in answer:
                if not (part := client.recv(65536)):
                    return
                answer += part
            head, _, rest = answer.partition(b"\r\n\r\n")
            length = next((int(line.split(b":")[1]) for line in head.lower().split(b"\r\n")
                           if line.startswith(b"content-length")), 0)
            while len(rest) < length:
                if not (part := client.recv(65536)):
                    return
                rest += part


KINDS = {kind.__name__: kind for kind in (flood, headers, bodies, half_open, requests)}


def main():
    kind, port = KINDS[sys.argv[1]], int(sys.argv[2])
    # The server drops what is beyond its limits; then the attack begins again.
    for _ in itertools.count():
        try:
            kind(port)
        except OSError:
            pass


if __name__ == "__main__":
    main()
