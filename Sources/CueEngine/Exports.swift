// What is said, its voice and the lanes are part of what this room says: who imports it need not import them.
@_exported import Phrases
@_exported import Speech

@_exported import struct IntervalTimeline.LaneID
