import FoundationEssentials
import Glibc

/// The memory this process keeps for hours.
enum Footprint {
  /// Lets go of the code that has run so far: reading arguments, presets and voices takes several
  /// megabytes of it that are not needed again. What is needed comes back from the page cache.
  ///
  /// Not while a device plays: the sound thread would wait for its own code.
  static func releaseCode() {
    guard let maps = FileManager.default.contents(atPath: "/proc/self/maps") else { return }
    for line in maps.split(separator: UInt8(ascii: "\n")) {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      // Code of a file is never written to: a page that is dropped is read from there again.
      guard words.count > 5, words[1] == "r-xp", words[5].hasPrefix("/") else { continue }
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard ends.count == 2, ends[0] < ends[1] else { continue }
      madvise(
        UnsafeMutableRawPointer(bitPattern: ends[0]), Int(ends[1] - ends[0]), Int32(MADV_DONTNEED))
    }
  }
}
