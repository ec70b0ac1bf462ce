import Foundation
import Glibc

/// A D-Bus of a test's own, with a program in Python on it that does what the test tells it: a line in, a line out.
package final class PrivateBus {
  package struct Fault: Error {
    package let what: String

    package init(what: String) { self.what = what }
  }

  private let bus = Process()
  private let program = Process()
  private let input = Pipe()
  private let output = Pipe()
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
    let print = Pipe()
    bus.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
    bus.arguments = [
      "--config-file=\(SourceTree.path("Tests/bluetooth/bus.conf"))", "--nofork", "--print-address",
    ]
    if let address { bus.arguments?.append("--address=\(address)") }
    bus.standardOutput = print
    bus.standardError = FileHandle.nullDevice
    try bus.run()
    self.address = Self.line(print)
    program.executableURL = URL(fileURLWithPath: SourceTree.path(path))
    program.environment = [variable: self.address, "PATH": "/usr/bin:/bin"]
    program.standardInput = input
    program.standardOutput = output
    try program.run()
    guard Self.line(output) == "ready" else { throw Fault(what: "\(path) does not start") }
  }

  deinit { end() }

  package func end() {
    try? input.fileHandleForWriting.close()
    // The threads of Foundation's Process block SIGTERM, and what they start inherits that.
    for process in [program, bus] where process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  /// Byte by byte: what follows the line stays in the pipe.
  private static func line(_ pipe: Pipe) -> String {
    var bytes: [UInt8] = []
    while let byte = try? pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns once it is done: what the program answers.
  @discardableResult
  package func tell(_ line: String) -> String {
    try? input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    return Self.line(output)
  }
}
