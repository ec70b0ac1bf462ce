import Foundation
import Glibc

/// A D-Bus of a test's own, with a program in Python on it that does what the test tells it: a line in, a line out.
package final class PrivateBus {
  package struct Fault: Error {
    package let what: String

    package init(what: String) { self.what = what }
  }

  private let bus: Child
  private let program: Child
  private let input: FileHandle
  private let output: FileHandle
  package let address: String

  /// What `make test` installs.
  package static let isInstalled =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")
    && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dbus")
    && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/gi")

  /// - Parameters:
  ///   - path: the program's, below the sources.
  ///   - variable: what tells it where the bus is.
  ///   - address: where the bus is to listen; nil: anywhere.
  package init(_ path: String, variable: String, address: String? = nil) throws {
    let (busInput, busOutput) = (try Self.pipe(), try Self.pipe())
    bus = try Child(
      "/usr/bin/dbus-daemon",
      [
        "--config-file=\(SourceTree.path("Tests/bluetooth/bus.conf"))", "--nofork",
        "--print-address",
      ] + (address.map { ["--address=\($0)"] } ?? []), errors: "/dev/null",
      streams: (busInput.reading, busOutput.writing))
    for descriptor in [busInput.reading, busInput.writing, busOutput.writing] { close(descriptor) }
    self.address = Self.line(
      FileHandle(fileDescriptor: busOutput.reading, closeOnDealloc: true))
    let (told, said) = (try Self.pipe(), try Self.pipe())
    input = FileHandle(fileDescriptor: told.writing, closeOnDealloc: true)
    output = FileHandle(fileDescriptor: said.reading, closeOnDealloc: true)
    program = try Child(
      SourceTree.path(path), [], errors: "/dev/null",
      environment: ["\(variable)=\(self.address)"], streams: (told.reading, said.writing))
    close(told.reading)
    close(said.writing)
    guard Self.line(output) == "ready" else { throw Fault(what: "\(path) does not start") }
  }

  deinit { end() }

  package func end() {
    program.end(SIGKILL)
    bus.end(SIGKILL)
  }

  /// No other program inherits it.
  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Fault(what: "no socket") }
    return (ends[0], ends[1])
  }

  /// Byte by byte: what follows the line stays in the pipe.
  private static func line(_ pipe: FileHandle) -> String {
    var bytes: [UInt8] = []
    while let byte = try? pipe.read(upToCount: 1)?.first, byte != 10 {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns once it is done: what the program answers.
  @discardableResult
  package func tell(_ line: String) -> String {
    try? input.write(contentsOf: Data("\(line)\n".utf8))
    return Self.line(output)
  }
}
