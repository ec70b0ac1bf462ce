import Foundation

/// How a command of sh(1) ended.
package struct ShellOutcome: Sendable {
  /// Its standard output.
  package let output: String
  /// Its exit code; nil where a signal ended it.
  package let code: Int32?
}

/// Runs a command of sh(1) to its end, with `exec` in front of it.
///
/// Not with Foundation's `Process`, which learns a program's end from a socket. Programs that other tests
/// start at the same moment inherit that socket, and `Process` then waits for their ends too.
package func shell(_ command: String) throws -> ShellOutcome {
  guard let pipe = popen("exec \(command)", "re") else {
    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
  var output: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
    output += buffer[..<count]
  }
  let status = pclose(pipe)
  return ShellOutcome(
    output: String(decoding: output, as: UTF8.self),
    code: status & 0x7f == 0 ? status >> 8 & 0xff : nil)
}

extension String {
  /// As one word of sh(1).
  package var shellWord: String { "'\(replacingOccurrences(of: "'", with: "'\\''"))'" }
}
