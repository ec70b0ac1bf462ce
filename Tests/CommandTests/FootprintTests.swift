import Foundation
import SystemIO
import Testing

@Suite struct FootprintTests {
  /// Libraries that stay loaded, whatever other tests load and unload.
  private static let libraries = [
    "/libasound.so", "/libespeak-ng.so", "/libsoxr.so", "/libsndfile.so", "/libsqlite3.so",
  ]

  /// The first page of each library, wherever it was loaded: of its constants, or on arm64 of its code.
  private static func constants() -> Set<UInt> {
    let maps = FileHandle(forReadingAtPath: "/proc/self/maps")?.readDataToEndOfFile() ?? Data()
    let lines = String(decoding: maps, as: UTF8.self).split(separator: "\n")
    return Set(
      lines.filter { line in
        ["r--p 00000000 ", "r-xp 00000000 "].contains { line.contains($0) }
          && libraries.contains { line.contains($0) }
      }.compactMap { UInt($0.prefix { $0 != "-" }, radix: 16) })
  }

  /// Whether this process holds the page.
  private static func holds(_ page: UInt, _ pages: Int32) -> Bool {
    var entry: UInt64 = 0
    let size = pread(pages, &entry, 8, off_t(page / UInt(getpagesize()) * 8))
    return size == 8 && entry >> 63 == 1
  }

  private static func firstByte(_ page: UInt) -> UInt8 {
    UnsafePointer<UInt8>(bitPattern: page)!.pointee
  }

  @Test func releaseOfCodeTakesInEveryLibrary() {
    let pages = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)
    defer { close(pages) }
    let constants = Self.constants()
    #expect(constants.count == Self.libraries.count)
    // Another thread may read a page again at once, so each page must be absent at least once.
    var left = constants
    for _ in 1...1_000 where !left.isEmpty {
      // The contents are unchanged.
      for page in constants { #expect(Self.firstByte(page) == 0x7f) }
      let held = left.filter { Self.holds($0, pages) }
      Footprint.releaseCode()
      left.subtract(held.filter { !Self.holds($0, pages) })
    }
    #expect(left.isEmpty)
  }

  @Test func memoryIsGivenBackOnceAWhileAfterItsUse() {
    let second: Int64 = 1_000_000_000
    var rest = Footprint.Rest()
    #expect(rest.deadline == nil)
    rest.use(at: second)
    rest.use(at: 3 * second)
    // Uses without an end do not put it off.
    #expect(rest.deadline == 6 * second)
    let due = [5 * second, 6 * second, 7 * second].map { rest.check(at: $0) }
    #expect(due == [false, true, false])
    #expect(rest.deadline == nil)
  }
}
