// Instants and durations are part of what this room says: who imports it need not import them.
@_exported import Instants
