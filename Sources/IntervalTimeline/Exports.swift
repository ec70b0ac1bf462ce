// Instants and targets are part of what this room says: who imports it need not import them.
@_exported import Instants
@_exported import Targets
