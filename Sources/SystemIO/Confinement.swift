import CGlibc

/// What a process may still do that reads what anybody may have written.
package enum Confinement {
  /// From now on this process opens no file, no socket and no device, starts nothing, and has so much of a processor and of
  /// memory at most: beyond that it is killed. False where that cannot be.
  package static func begin(seconds: UInt64 = 5, bytes: UInt64 = 256 << 20) -> Bool {
    cuecoach_confine(rlim_t(seconds), rlim_t(bytes)) == 0
  }
}
