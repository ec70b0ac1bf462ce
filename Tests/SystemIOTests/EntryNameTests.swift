import CGlibc
import Glibc
import Testing

/// Names of the entries of a folder.
struct EntryNameTests {
  /// The last entry that `readdir` has read may end where the memory ends.
  @Test func nothingBehindAnEntryIsRead() throws {
    let page = Int(getpagesize())
    let memory = mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let start = try #require(memory)
    defer { munmap(start, 2 * page) }
    try #require(mprotect(start + page, page, PROT_NONE) == 0)
    let name = Array("end".utf8CString)
    let offset = try #require(MemoryLayout<dirent>.offset(of: \.d_name))
    let entry = start + page - 24
    (entry + offset).copyMemory(from: name, byteCount: name.count)
    let read = cuecoach_entry_name(entry.assumingMemoryBound(to: dirent.self))
    #expect(read.map { String(cString: $0) } == "end")
  }
}
