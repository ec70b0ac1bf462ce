// What is said, and its voice, are part of what this room says: who imports it need not import them.
@_exported import Phrases
@_exported import Speech
