import Glibc
import SystemIO
import TestSupport
import Testing

@Suite struct DescriptorTests {
  @Test func whatIsWrittenAtAPlaceIsReadThere() throws {
    let folder = TestFolder()
    let file = open(folder.path("bytes"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(bytes.withUnsafeBytes { Descriptor.write(file, $0, at: 10) })
    var found = [UInt8](repeating: 1, count: 50_000)
    #expect(found.withUnsafeMutableBytes { Descriptor.read(file, into: $0, at: 50_010) })
    #expect(found == Array(bytes[50_000...]))
    #expect(!found.withUnsafeMutableBytes { Descriptor.read(file, into: $0, at: 50_011) })
    // Where it stands, after what was written elsewhere.
    #expect([7, 8].map(UInt8.init).withUnsafeBytes { Descriptor.write(file, $0) })
    #expect(lseek(file, 0, SEEK_SET) == 0)
    #expect(Descriptor.readAll(file, most: 100_010)?.count == 100_010)
  }

  /// A file of /proc gives a page at a time.
  @Test func whatComesInPiecesFillsNoMoreThanTheBytes() {
    let file = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var found = [UInt8](repeating: 0, count: 20_000)
    #expect(
      found.withUnsafeMutableBytes {
        Descriptor.read(file, into: .init(rebasing: $0[..<10_000]), at: 0)
      })
    #expect(found[..<10_000].allSatisfy { $0 != 0 } && found[10_000...].allSatisfy { $0 == 0 })
  }

  @Test func moreThanTheMostIsNothing() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { close(ends[0]) }
    #expect([1, 2, 3].map(UInt8.init).withUnsafeBytes { Descriptor.write(ends[1], $0) })
    close(ends[1])
    let (found, reason) = (Descriptor.readAll(ends[0], most: 2), errno)
    #expect(found == nil && reason == EFBIG)
  }

  @Test func aDescriptorThatCannotBeWrittenFails() {
    #expect([1].map(UInt8.init).withUnsafeBytes { !Descriptor.write(-1, $0) })
    let (found, reason) = (Descriptor.readAll(-1, most: 10), errno)
    #expect(found == nil && reason == EBADF)
  }
}
