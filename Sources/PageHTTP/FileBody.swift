/// The bytes of a file of the page, at one place for the life of the process: the library sends them
/// from there to any number of clients.
package struct FileBody {
  let bytes: UnsafeRawBufferPointer

  package init(_ contents: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, contents.count), alignment: 1)
    copy.copyBytes(from: contents)
    // Never freed: a client may read it until the process ends.
    bytes = UnsafeRawBufferPointer(rebasing: copy[..<contents.count])
  }
}
