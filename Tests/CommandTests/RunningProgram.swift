import Foundation
import Glibc
import Synchronization
import TestSupport

/// A running program. Releasing it before its end kills it.
final class RunningProgram: Sendable {
  /// Thrown when a state is not reached.
  struct DidNotHappen: Error, CustomStringConvertible {
    let what: String
    let outcome: Outcome?
    let output: String
    let errors: String

    var description: String {
      let state = outcome.map { "ended with \($0.status)" } ?? "still runs"
      return "\(what): did not happen; the program \(state), said \(output) and \(errors)"
    }
  }

  let pid: pid_t
  let terminal: PseudoTerminal?
  private let files: (output: String, errors: String)
  private let left: @Sendable () -> Void
  /// Protects the status and, while that is nil, the pid, which may be reused afterwards.
  private let status = Mutex<Outcome.Status?>(nil)

  init(
    pid: pid_t, files: (output: String, errors: String), terminal: PseudoTerminal?,
    left: @escaping @Sendable () -> Void
  ) {
    self.pid = pid
    self.files = files
    self.terminal = terminal
    self.left = left
  }

  deinit { kill() }

  var output: String { terminal?.picture.printed ?? Self.text(of: files.output) }
  var errors: String { Self.text(of: files.errors) }

  /// Does nothing once it has ended.
  func send(signal number: Int32) {
    status.withLock { status in
      if status == nil { _ = Glibc.kill(pid, number) }
    }
  }

  /// True while it is stopped by ^Z.
  var isStopped: Bool {
    let stat = Self.text(of: "/proc/\(pid)/stat")
    return stat.drop { $0 != ")" }.dropFirst(2).first == "T"
  }

  /// Waits until `isTrue` returns true, and runs `then` at once, on the same thread. Throws if the
  /// program ends before, or after a very long time.
  func until(
    _ what: String, _ isTrue: @escaping @Sendable () -> Bool,
    then act: @escaping @Sendable () -> Void = {}
  ) async throws {
    let wasTrue = Mutex(false)
    _ = await eventually { [self] in
      let hasEnded = look() != nil
      guard isTrue() else { return hasEnded }
      wasTrue.withLock { $0 = true }
      act()
      return true
    }
    guard wasTrue.withLock({ $0 }) else {
      throw DidNotHappen(what: what, outcome: outcome, output: output, errors: errors)
    }
  }

  /// Waits for its end; kills it if it hangs.
  func end() async -> Outcome {
    _ = await eventually { [self] in look() != nil }
    kill()
    terminal?.drain()
    return outcome!
  }

  /// Sends the signal, then waits for its end.
  func end(by signal: Int32) async -> Outcome {
    send(signal: signal)
    return await end()
  }

  private var outcome: Outcome? {
    look().map { Outcome(status: $0, output: output, errors: errors) }
  }

  /// Checks its status, and reads its terminal, whose buffer is small; of a program that has ended all that it wrote.
  private func look() -> Outcome.Status? {
    terminal?.drain()
    let status = reap(WNOHANG)
    // What it has written between the two.
    if status != nil { terminal?.drain() }
    return status
  }

  private func reap(_ options: Int32) -> Outcome.Status? {
    var isNew = false
    let status = status.withLock { status in
      var wait: Int32 = 0
      if status == nil, waitpid(pid, &wait, options) == pid {
        status = Outcome.Status(wait: wait)
        isNew = true
      }
      return status
    }
    if isNew { left() }
    return status
  }

  private func kill() {
    guard reap(WNOHANG) == nil else { return }
    send(signal: SIGKILL)
    _ = reap(0)
  }

  private static func text(of file: String) -> String {
    FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
