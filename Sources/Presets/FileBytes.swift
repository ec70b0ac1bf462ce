import Glibc
import IntervalTimeline

/// Reads a file that the user named, without trusting what the name leads to.
package enum FileBytes {
  /// The largest file: 1 MB.
  package static let maximumCount = 1_000_000

  /// - Parameter maximum: a whole number of megabytes.
  package static func tooMany(over maximum: Int = maximumCount) -> FileFault {
    let megabytes = maximum / 1_000_000
    return FileFault(
      line: nil, "over \(megabytes) MB", expected: "a file of at most \(megabytes),000,000 bytes")
  }

  /// Reads a regular file of at most 1 MB. Blocks on the disk, never on a pipe or a device.
  ///
  /// - Parameter expected: what the file should be, for messages, such as "a preset file".
  package static func contents(
    ofFile path: String, expected: Sentence, atMost maximum: Int = maximumCount
  ) throws(FileError) -> [UInt8] {
    try FileError.naming(path) { () throws(FileFault) in try contents(path, expected, maximum) }
  }

  /// Reads what somebody writes to this program, to its end, at most 1 MB. `-` names it in errors.
  package static func ofStandardInput(expected: Sentence) throws(FileError) -> [UInt8] {
    try FileError.naming("-") { () throws(FileFault) in
      try contents(of: STDIN_FILENO, expected: expected, atMost: maximumCount)
    }
  }

  /// Throws where others than its owner may read a file with secrets.
  ///
  /// - Parameter secret: what it holds, for messages, such as "a password".
  package static func checkIsPrivate(_ path: String, holding secret: String) throws(FileError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
    throw FileError(
      FileFault(
        line: nil, "\(secret) that others may read", expected: "chmod 600 \(escaped(path))"),
      of: path)
  }

  /// Throws where the user of a service may not read the file.
  package static func checkIsReadable(_ path: String, by user: String) throws(FileError) {
    var status = stat()
    guard let entry = getpwnam(user)?.pointee, stat(path, &status) == 0 else { return }
    let right =
      status.st_uid == entry.pw_uid
      ? S_IRUSR : status.st_gid == entry.pw_gid ? S_IRGRP : S_IROTH
    guard status.st_mode & right == 0 else { return }
    throw FileError(
      FileFault(
        line: nil, "the service may not read it", expected: "chown \(user) \(escaped(path))"),
      of: path)
  }

  private static func contents(
    _ path: String, _ expected: Sentence, _ maximum: Int
  ) throws(FileFault) -> [UInt8] {
    // C functions would end the name at the NUL.
    guard !path.utf8.contains(0) else { throw unreadable(ENOENT, expected) }
    var status = stat()
    guard stat(path, &status) == 0 else { throw unreadable(errno, expected) }
    // Checked before opening, because opening some devices has effects.
    try checkKind(status.st_mode, expected)

    // Non-blocking, because the name may lead to a pipe by now.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(errno, expected) }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0 else { throw unreadable(errno, expected) }
    try checkKind(status.st_mode, expected)
    return try contents(of: descriptor, expected: expected, atMost: maximum)
  }

  private static func contents(
    of descriptor: Int32, expected: Sentence, atMost maximum: Int
  ) throws(FileFault) -> [UInt8] {
    // Most files are small: memory for the largest would be most of what a small program needs.
    var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 32_768))
    while bytes.count <= maximum {
      let got = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw unreadable(errno, expected) }
      if got == 0 { return bytes }
      bytes += chunk[..<got]
    }
    throw tooMany(over: maximum)
  }

  private static func checkKind(_ mode: mode_t, _ expected: Sentence) throws(FileFault) {
    let kind: Sentence? =
      switch mode & S_IFMT {
      case S_IFREG: nil
      case S_IFDIR: "a folder"
      case S_IFIFO: "a pipe"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    if let kind { throw FileFault(line: nil, kind, expected: expected) }
  }

  private static func unreadable(_ code: Int32, _ expected: Sentence) -> FileFault {
    let reason: Sentence =
      switch code {
      case ENOENT, ENOTDIR: "no such file"
      case EACCES, EPERM: "no permission to read it"
      default: "cannot be read (\(String(cString: strerror(code))))"
      }
    return FileFault(line: nil, reason, expected: expected)
  }
}
