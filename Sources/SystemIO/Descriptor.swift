import Glibc

/// Bytes that are read or written whole, in as many calls as it takes.
package enum Descriptor {
  /// Reads to the end. Nil on an error, and where there is more than `most`; then `errno` is EFBIG.
  package static func readAll(_ descriptor: Int32, most: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = Glibc.read(descriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      guard bytes.count + count <= most else {
        errno = EFBIG
        return nil
      }
      bytes += part[..<count]
    }
  }

  /// Fills `bytes` from a place in the file; false where that fails or the file ends before.
  package static func read(
    _ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer, at offset: Int64
  ) -> Bool {
    isWhole(bytes.count) { done in
      pread(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
    }
  }

  /// Writes all bytes; false where that fails, and `errno` says why.
  ///
  /// - Parameter offset: where in the file; nil: where the descriptor stands.
  package static func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64? = nil
  ) -> Bool {
    isWhole(bytes.count) { done in
      let (rest, count) = (bytes.baseAddress! + done, bytes.count - done)
      guard let offset else { return Glibc.write(descriptor, rest, count) }
      return pwrite(descriptor, rest, count, off_t(offset) + off_t(done))
    }
  }

  /// Whether `move` moves all bytes, called with how many are done.
  private static func isWhole(_ count: Int, _ move: (Int) -> Int) -> Bool {
    var done = 0
    while done < count {
      let moved = move(done)
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else { return false }
      done += moved
    }
    return true
  }
}
