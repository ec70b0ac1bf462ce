// What is said is part of the public interface of this room: who imports it need not import it.
@_exported import Phrases
