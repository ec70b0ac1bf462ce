import CGlibc
import Dispatch
import Glibc
import Instants
import Synchronization

/// A program could not be started, or has not answered: why, on one line.
package struct ChildFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// A program that is talked to by its standard input and output, such as one that speaks the Wyoming protocol. Its whole
/// process group ends with this process, even when that is killed, and with the last reference.
package final class ChildProgram: Sendable {
  /// This side of its standard input and output.
  package let descriptor: Int32
  /// Nothing is sent over it: its group is killed when it is closed.
  private let alive: Int32
  private let life: Life

  /// Variables that it gets, where there are any; others are nobody's business.
  private static let variables = [
    "PATH", "HOME", "LANG", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME",
  ]
  /// Bytes: what Linux takes for a program's arguments and variables together.
  private static let mostVariables = 6 << 20
  /// How many were marked.
  private static let marks = Atomic(0)
  /// The share of the processor of one that speaks is smaller than that of the coach.
  package static let niceness: Int32 = 10

  /// Starts it.
  ///
  /// - Parameters:
  ///   - command: the program, by a path or as PATH finds it, and its arguments. No shell reads them.
  ///   - niceness: 0 for as large a share of the processor as this program has, 19 for the least.
  ///   - others: variables that it gets besides the usual ones.
  ///   - mark: a variable and its value, by which it is known, and whatever it starts.
  package init(
    _ command: [String], niceness: Int32 = ChildProgram.niceness, variables others: [String] = [],
    mark: String? = nil
  ) throws(ChildFault) {
    guard let name = command.first, let path = Programs.path(of: name) else {
      throw ChildFault("there is no program \"\(command.first ?? "")\"")
    }
    let pair = try Self.pair()
    defer { close(pair.theirs) }
    let link: (ours: Int32, theirs: Int32)
    do throws(ChildFault) {
      link = try Self.pair()
    } catch {
      close(pair.ours)
      throw error
    }
    defer { close(link.theirs) }
    let life = Life()
    let result = Self.detached {
      life.begin(
        Self.start(
          path, command, pair.theirs, link.theirs, niceness, Self.variables + others, mark))
      life.awaitEnd()
    }
    let number = result == 0 ? life.number() : -result
    guard number > 0 else {
      close(pair.ours)
      close(link.ours)
      throw Self.fault(path, -number)
    }
    (descriptor, alive, self.life) = (pair.ours, link.ours, life)
  }

  deinit {
    life.end()
    close(descriptor)
    close(alive)
  }

  /// What a program writes to its end when it is given `input`. It is killed then, and where it takes longer than
  /// `patience`.
  ///
  /// - Parameters:
  ///   - niceness: as of `init`, and `variables` too.
  ///   - most: bytes of its answer.
  package static func answer(
    of command: [String], to input: [UInt8], niceness: Int32 = ChildProgram.niceness,
    variables: [String] = [], within patience: Duration, most: Int = 4 << 20
  ) throws(ChildFault) -> [UInt8] {
    let child = try ChildProgram(command, niceness: niceness, variables: variables)
    // It is killed with its last reference.
    return try withExtendedLifetime(child) { () throws(ChildFault) in
      try child.answer(to: input, within: patience, most: most)
    }
  }

  /// Gives a program `input`, and waits for its end. It and everything that it has started is killed then, and where it
  /// takes longer than `patience`.
  ///
  /// - Parameter most: bytes that it may write.
  /// - Returns: what it wrote, and its exit code; nil where a signal ended it.
  package static func run(
    _ command: [String], input: [UInt8], within patience: Duration, most: Int
  ) throws(ChildFault) -> (output: [UInt8], code: Int32?) {
    let deadline = MachineTime.monotonic + patience.wholeNanoseconds
    let mark = "CUECOACH_CHILD=\(getpid())-\(marks.add(1, ordering: .relaxed).newValue)"
    let child = try ChildProgram(command, mark: mark)
    return try withExtendedLifetime(child) { () throws(ChildFault) in
      defer {
        child.life.end()
        killAll(with: mark)
      }
      let output = try child.answer(to: input, within: patience, most: most)
      // It may have closed its output long before its end.
      guard let status = child.life.status(before: deadline) else {
        throw ChildFault("it takes more than \(Int(patience / .seconds(1))) s")
      }
      return (output, status & 0x7f == 0 ? status >> 8 & 0xff : nil)
    }
  }

  /// Writes all of it, and reads until the other side ends.
  private func answer(
    to input: [UInt8], within patience: Duration, most: Int
  ) throws(ChildFault) -> [UInt8] {
    let deadline = MachineTime.monotonic + patience.wholeNanoseconds
    var (written, answer) = (0, [UInt8]())
    var chunk = [UInt8](repeating: 0, count: 16_384)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    if input.isEmpty { shutdown(descriptor, Int32(SHUT_WR)) }
    while answer.count < most {
      let left = deadline - MachineTime.monotonic
      guard left > 0 else {
        throw ChildFault("it takes more than \(Int(patience / .seconds(1))) s")
      }
      let isWriting = written < input.count
      var wait = pollfd(
        fd: descriptor, events: Int16(isWriting ? POLLIN | POLLOUT : POLLIN), revents: 0)
      guard poll(&wait, 1, Int32(left / 1_000_000) + 1) > 0 else { continue }
      if isWriting, wait.revents & Int16(POLLOUT) != 0 {
        let transfer = input.withUnsafeBytes {
          UnixSocket.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[written...]))
        }
        if case .moved(let count) = transfer { written += count }
        if written == input.count { shutdown(descriptor, Int32(SHUT_WR)) }
      }
      switch chunk.withUnsafeMutableBytes({ UnixSocket.read(descriptor, into: $0) }) {
      case .moved(let count): answer += chunk[..<count]
      case .blocked: break
      case .ended: return answer
      }
    }
    throw ChildFault("its answer is too long")
  }

  /// The ends of a connection.
  private static func pair() throws(ChildFault) -> (ours: Int32, theirs: Int32) {
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw fault("socketpair", errno) }
    return (pair[0], pair[1])
  }

  private static func fault(_ what: String, _ code: Int32) -> ChildFault {
    ChildFault("\(what): \(String(cString: strerror(code)))")
  }

  /// Starts the program on this thread. Returns its number, or an error number below zero.
  private static func start(
    _ path: String, _ command: [String], _ stream: Int32, _ life: Int32, _ niceness: Int32,
    _ variables: [String], _ mark: String?
  ) -> Int32 {
    // Its own messages are for somebody who runs it by hand. The descriptors lie above the three that they become.
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    let errors = fcntl(null, F_DUPFD_CLOEXEC, 3)
    let stream = fcntl(stream, F_DUPFD_CLOEXEC, 3)
    let life = fcntl(life, F_DUPFD_CLOEXEC, 3)
    let fault = errno
    defer {
      for descriptor in [null, errors, stream, life] where descriptor >= 0 { close(descriptor) }
    }
    guard errors >= 0, stream >= 0, life >= 0 else { return -fault }
    let environment =
      variables.compactMap { name in
        getenv(name).map { "\(name)=\(String(cString: $0))" }
      } + [mark].compactMap { $0 }
    let (arguments, settings) = (strings(command), strings(environment))
    defer { for string in arguments + settings { free(string) } }
    return cuecoach_start_child(path, arguments, settings, stream, errors, life, niceness)
  }

  /// Kills the processes that have a mark: what has left its group as well, unless it has cleared its variables.
  private static func killAll(with mark: String) {
    // One that is killed starts nothing more. What it started before is found the next time.
    var killed: Set<pid_t> = []
    for _ in 0..<100 {
      let found = Folder.names(in: "/proc").compactMap { pid_t($0) }.filter { number in
        !killed.contains(number)
          && variables(of: number).split(separator: 0).contains { $0.elementsEqual(mark.utf8) }
      }
      guard !found.isEmpty else { return }
      for number in found { kill(number, SIGKILL) }
      killed.formUnion(found)
    }
  }

  /// Bytes, a zero after each; none of a process that is over, or is another user's.
  private static func variables(of number: pid_t) -> [UInt8] {
    let file = open("/proc/\(number)/environ", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    return Descriptor.readAll(file, most: mostVariables) ?? []
  }

  /// Copies for C, the last of them null.
  private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  /// Runs `body` on a thread of its own. Returns 0, or an error number.
  private static func detached(_ body: @escaping @Sendable () -> Void) -> Int32 {
    let (thread, fault) = SystemThread.start(body)
    if fault == 0 { pthread_detach(thread) }
    return fault
  }

  /// From the start of a process to its end. The kernel kills the process with the thread that has started it, so that
  /// thread waits for its end.
  private final class Life: Sendable {
    private struct State {
      /// That of the process, or an error number below zero.
      var number: Int32 = 0
      /// True once the number may be another's.
      var isOver = false
      /// As waitpid(2) has it; nil before its end.
      var status: Int32?
    }
    private let state = Mutex(State())
    private let hasBegun = DispatchSemaphore(value: 0)

    func begin(_ number: Int32) {
      state.withLock { $0.number = number }
      hasBegun.signal()
    }

    /// Waits for it.
    func number() -> Int32 {
      hasBegun.wait()
      return state.withLock { $0.number }
    }

    func awaitEnd() {
      let number = state.withLock { $0.number }
      guard number > 0 else { return }
      var info = siginfo_t()
      // It stays a zombie, which keeps its number, until the lock is held.
      while waitid(P_PID, id_t(number), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      state.withLock { state in
        kill(-number, SIGKILL)
        state.isOver = true
      }
      // The program, and what watches over its group.
      var status: Int32 = 0
      waitpid(number, &status, 0)
      state.withLock { $0.status = status }
      while waitpid(-number, nil, 0) > 0 || errno == EINTR {}
    }

    /// How it ended; nil where it has not by an instant of CLOCK_MONOTONIC.
    func status(before instant: Int64) -> Int32? {
      while true {
        if let status = state.withLock({ $0.status }) { return status }
        guard MachineTime.monotonic < instant else { return nil }
        usleep(2000)
      }
    }

    func end() {
      state.withLock { state in
        guard state.number > 0, !state.isOver else { return }
        kill(-state.number, SIGKILL)
        // It may have left its group.
        kill(state.number, SIGKILL)
      }
    }
  }
}
