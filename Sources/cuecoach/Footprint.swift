import CGlibc
import Glibc

/// The memory this process keeps for hours.
enum Footprint {
  /// Lets go of the code and the constants that have been read so far: reading arguments, presets and
  /// voices takes several megabytes of them that are not needed again. What is needed comes back from
  /// the page cache.
  ///
  /// Not while a device plays: the sound thread would wait for its own code.
  static func releaseCode() {
    _ = cuecoach_each_object(
      { object, _, _ in
        guard let object = object?.pointee else { return 0 }
        // They lie in what is released.
        let parts = Array(UnsafeBufferPointer(start: object.parts, count: Int(object.count)))
        for part in parts { Footprint.release(part, of: object) }
        return 0
      }, nil)
  }

  private static func release(_ part: cuecoach_part, of object: cuecoach_object) {
    // What is loaded to be read alone is never written to: each of its pages is as it is in the file.
    // Where the loader itself has written, it loaded to be written to, and forbade that later.
    guard part.p_type == PT_LOAD, part.p_flags & UInt32(PF_W) == 0 else { return }
    let start = UInt(object.address) + UInt(part.p_vaddr)
    let from = start - start % UInt(getpagesize())
    madvise(
      UnsafeMutableRawPointer(bitPattern: from), Int(start - from) + Int(part.p_memsz),
      Int32(MADV_DONTNEED))
  }
}
