import CGlibc
import Glibc

/// Keeps the memory of this process small.
package enum Footprint {
  /// Releases the pages of code and constants that have been used so far: reading arguments,
  /// presets and voices takes several megabytes that are not needed again. Pages that are needed
  /// come back from the page cache.
  ///
  /// Do not call it while a device plays: the sound thread would wait for its code.
  package static func releaseCode() {
    _ = cuecoach_each_object(
      { object, _, _ in
        guard let object = object?.pointee else { return 0 }
        // The headers are in the pages that are released.
        let parts = Array(UnsafeBufferPointer(start: object.parts, count: Int(object.count)))
        for part in parts { Footprint.release(part, of: object) }
        return 0
      }, nil)
  }

  /// Gives the memory back that was freed.
  package static func releaseHeap() { malloc_trim(0) }

  /// When memory is given back after it was used: a while later, also where it is used again and again, for most of it was
  /// needed once. The time is an argument, nanoseconds of CLOCK_BOOTTIME.
  package struct Rest: Sendable {
    /// When that is due; nil: nothing was used since the last time.
    package private(set) var deadline: Int64?

    private static let grace: Int64 = 5_000_000_000

    package init() {}

    package mutating func use(at now: Int64) { deadline = deadline ?? now + Self.grace }

    /// - Returns: whether it was due.
    @discardableResult
    package mutating func check(at now: Int64) -> Bool {
      guard let deadline, deadline <= now else { return false }
      self.deadline = nil
      Footprint.releaseHeap()
      Footprint.releaseCode()
      return true
    }
  }

  private static func release(_ part: cuecoach_part, of object: cuecoach_object) {
    // Pages of a read-only segment equal the file. A segment that the loader has written to is
    // marked writable here, even if the loader protected it later.
    guard part.p_type == PT_LOAD, part.p_flags & UInt32(PF_W) == 0 else { return }
    let start = UInt(object.address) + UInt(part.p_vaddr)
    let from = start - start % UInt(getpagesize())
    madvise(
      UnsafeMutableRawPointer(bitPattern: from), Int(start - from) + Int(part.p_memsz),
      Int32(MADV_DONTNEED))
  }
}
