// Orders and statuses are part of this room's messages: who imports it need not import them.
@_exported import IntervalTimeline
