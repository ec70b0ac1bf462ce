import Foundation
import Glibc
import TestSupport

/// A system bus of its own with a BlueZ that is simulated on it: Tests/bluetooth/mock-bluez.
final class Air {
  struct Fault: Error { let what: String }

  private let bus = Process()
  private let mock = Process()
  private let input = Pipe()
  private let output = Pipe()
  let address: String

  private static let folder = SourceTree.path("Tests/bluetooth")

  /// What `make deps` installs for the tests.
  static let isInstalled =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")
    && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dbus")
    && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/gi")

  init() throws {
    let print = Pipe()
    bus.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
    bus.arguments = ["--config-file=\(Self.folder)/bus.conf", "--nofork", "--print-address"]
    bus.standardOutput = print
    bus.standardError = FileHandle.nullDevice
    try bus.run()
    address = Self.line(print)
    mock.executableURL = URL(fileURLWithPath: "\(Self.folder)/mock-bluez")
    mock.environment = ["DBUS_SYSTEM_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin"]
    mock.standardInput = input
    mock.standardOutput = output
    try mock.run()
    guard Self.line(output) == "ready" else { throw Fault(what: "mock-bluez does not start") }
  }

  deinit {
    try? input.fileHandleForWriting.close()
    // The threads of Foundation's Process block SIGTERM, and what they start inherits that.
    for process in [mock, bus] where process.isRunning {
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

  /// Returns once it is done: "done", or what was asked.
  @discardableResult
  func tell(_ line: String) -> String {
    try? input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    return Self.line(output)
  }
}

/// Waits for a state. What is counted is how often it was looked, not the time: on a busy machine a look may be long in
/// coming.
func until(_ what: String, _ isTrue: () throws -> Bool) async throws {
  for _ in 0..<3_000 {
    if try isTrue() { return }
    try await Task.sleep(for: .milliseconds(20))
  }
  throw Air.Fault(what: "\(what): did not happen")
}
