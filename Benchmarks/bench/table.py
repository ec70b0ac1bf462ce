# SPDX-License-Identifier: Apache-2.0
"""The lines of the table."""

import dataclasses

HEAD = ("", "cues", "mean", "median", "worst < 2 s", "worst from 2 s", "aim", "met", "missing", "doubled")


@dataclasses.dataclass
class Row:
    """Values are nanoseconds, unless `show` says otherwise. `aim` is None if there is none."""

    name: str
    cues: int
    mean: float | None  # positive is late; the others are sizes
    median: float | None
    early: float | None
    late: float | None
    aim_early: float | None = None
    aim_late: float | None = None
    missing: list = dataclasses.field(default_factory=list)
    doubled: list = dataclasses.field(default_factory=list)
    notes: list = dataclasses.field(default_factory=list)
    faults: list = dataclasses.field(default_factory=list)
    show: object = lambda ns: f"{ns / 1e3:.0f} us" if abs(ns) < 9_999_500 else f"{ns / 1e6:.0f} ms"

    @classmethod
    def of(cls, name, match, aim_early=None, aim_late=None, faults=()):
        return cls(
            name, len(match.errors), match.mean, match.median, match.worst(True),
            match.worst(False), aim_early, aim_late, match.missing, match.doubled,
            list(match.notes), list(faults))

    @property
    def is_faulty(self):
        return bool(self.missing or self.doubled or self.faults)

    @property
    def met(self):
        pairs = [(self.early, self.aim_early), (self.late, self.aim_late)]
        pairs = [(value, aim) for value, aim in pairs if aim is not None and value is not None]
        if not pairs:
            return "-"
        return "yes" if all(value <= aim for value, aim in pairs) else "NO"

    def cells(self):
        def shown(value):
            return "-" if value is None else self.show(value)
        aims = [aim for aim in (self.aim_early, self.aim_late) if aim is not None]
        return (
            self.name, str(self.cues), *map(shown, (self.mean, self.median, self.early, self.late)),
            " / ".join(map(self.show, aims)) or "-", self.met, str(len(self.missing)),
            str(len(self.doubled)))

    def print(self):
        print_cells(self.cells())
        for note in self.notes:
            print(f"    {note}")
        for due, text in self.missing:
            print(f"    MISSING: {text}, due {due}")
        for at, text in self.doubled:
            print(f"    DOUBLED: {text}, at {at}")
        for fault in self.faults:
            print(f"    FAULT: {fault}", flush=True)


def print_cells(cells):
    print(f"{cells[0]:38}" + "".join(
        f"{cell:>{width}}" for cell, width in zip(cells[1:], (6, 9, 9, 13, 16, 17, 5, 9, 9))),
        flush=True)
