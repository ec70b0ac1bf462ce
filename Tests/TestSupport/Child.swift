import Foundation
import Glibc
import Synchronization

/// A program that a test starts, and that goes with the value.
package final class Child: Sendable {
  package struct CannotStart: Error {
    package let path: String

    package init(path: String) { self.path = path }
  }

  /// Protects it; nil once it has been waited for.
  private let pid: Mutex<pid_t?>

  /// - Parameters:
  ///   - errors: the file to which it writes.
  ///   - streams: its standard input and output; nil: nothing, and that file.
  package init(
    _ path: String, _ arguments: [String], errors: String, environment: [String] = [],
    streams: (input: Int32, output: Int32)? = nil
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, descriptor == 0 ? "/dev/null" : errors,
        O_RDWR | O_CREAT | O_APPEND, 0o600)
    }
    if let streams {
      posix_spawn_file_actions_adddup2(&actions, streams.input, 0)
      posix_spawn_file_actions_adddup2(&actions, streams.output, 1)
    }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var own = environment + ["PATH=/usr/sbin:/usr/bin:/bin"]
    if let libraries = getenv("LD_LIBRARY_PATH") {
      own.append("LD_LIBRARY_PATH=\(String(cString: libraries))")
    }
    var variables = own.map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    var pid = pid_t()
    guard posix_spawn(&pid, path, &actions, nil, &words, &variables) == 0 else {
      throw CannotStart(path: path)
    }
    self.pid = Mutex(pid)
  }

  deinit { end(SIGKILL) }

  /// Nil once it has been waited for.
  package var number: pid_t? { pid.withLock { $0 } }

  /// True once it has come to its end by itself.
  package var hasEnded: Bool {
    pid.withLock { number in
      if let running = number, waitpid(running, nil, WNOHANG) == running { number = nil }
      return number == nil
    }
  }

  package func signal(_ signal: Int32) { if let number { kill(number, signal) } }

  /// Sends a signal, and waits for the end. Returns the status of waitpid(2).
  @discardableResult
  package func end(_ signal: Int32) -> Int32 {
    pid.withLock { pid in
      guard let number = pid else { return -1 }
      pid = nil
      kill(number, signal)
      var status: Int32 = 0
      while waitpid(number, &status, 0) < 0, errno == EINTR {}
      return status
    }
  }
}

/// A file that a program writes.
package struct LogFile: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  package var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
  package func contains(_ part: String) -> Bool { text.contains(part) }
  package func lines(with part: String) -> Int {
    text.split(separator: "\n").count { $0.contains(part) }
  }
}
