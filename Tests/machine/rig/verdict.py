# SPDX-License-Identifier: Apache-2.0
"""What a scenario found: a line for each measure, with its aim."""


class Verdict:
    def __init__(self, name):
        self.name = name
        self.faults = 0

    def measure(self, what, value, is_met, aim):
        """Prints one measure."""
        self.faults += not is_met
        print(f"  {'ok' if is_met else 'FAILED':6} {what}: {value}  (aim: {aim})", flush=True)

    def note(self, text):
        print(f"         {text}", flush=True)
