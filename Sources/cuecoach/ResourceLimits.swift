import Glibc
import SystemIO

/// The resource limits of this process (setrlimit(2)), tested before anything depends on them.
///
/// Dispatch hangs if it gets no thread and traps if it gets no descriptor, and Swift traps without
/// memory. A limit that is too low therefore ends the program here, with one line.
enum ResourceLimits {
  /// A run with a recording and a ledger has 21 open files; a connection to a sound server takes
  /// more.
  private static let files = 40
  /// A run has up to ten threads.
  private static let threads = 12
  /// The memory that a run maps besides the program: mostly the stacks of its threads, 8 MB each.
  private static let memory = 112 << 20
  /// The stack of each thread, in bytes.
  private static let stack = 512 << 10

  /// Ends the program with 1 if a limit is too low. Does not allocate.
  static func check() {
    // The limit on file sizes becomes an error of write(2), like a full disk.
    signal(SIGXFSZ, SIG_IGN)
    if !hasStack { refuse("a stack of 512 KB is needed, see ulimit -s") }
    if !hasFiles { refuse(Self.fileNeed) }
    if !hasMemory { refuse("112 MB more memory must be allowed, see ulimit -v and -d") }
    if !hasThreads { refuse("12 threads must be allowed, see ulimit -u and -v") }
  }

  fileprivate static let fileNeed: StaticString = "40 open files must be allowed, see ulimit -n"

  fileprivate static func refuse(_ need: StaticString) -> Never {
    for text: StaticString in ["cuecoach: ", need, "\n"] {
      _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
    _exit(1)
  }

  private static var hasStack: Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(3), &limit) == 0 else { return true }
    return limit.rlim_cur >= rlim_t(stack)
  }

  private static var hasFiles: Bool {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: files) { descriptors in
      var count = 0
      while count < files {
        let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { break }
        descriptors[count] = descriptor
        count += 1
      }
      for descriptor in descriptors[..<count] { close(descriptor) }
      return count == files
    }
  }

  private static var hasMemory: Bool {
    // Writable, so that it counts as data; never touched, so that it uses no memory.
    let place = mmap(nil, memory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let place, place != MAP_FAILED else { return false }
    munmap(place, memory)
    return true
  }

  /// Starts all threads at once; each waits until all have started.
  private static var hasThreads: Bool {
    var gate = pthread_mutex_t()
    pthread_mutex_init(&gate, nil)
    defer { pthread_mutex_destroy(&gate) }
    return withUnsafeMutablePointer(to: &gate) { gate in
      withUnsafeTemporaryAllocation(of: pthread_t.self, capacity: threads) { some in
        pthread_mutex_lock(gate)
        var count = 0
        while count < threads {
          let code = pthread_create(
            &some[count], nil,
            { gate in
              let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self)
              pthread_mutex_lock(gate!)
              pthread_mutex_unlock(gate!)
              return nil
            }, gate)
          guard code == 0 else { break }
          count += 1
        }
        pthread_mutex_unlock(gate)
        for thread in some[..<count] { pthread_join(thread, nil) }
        return count == threads
      }
    }
  }
}

extension Mailbox {
  /// Ends the program with one line where no descriptor is left for it.
  static func made() -> Mailbox {
    guard let mailbox = Mailbox() else { ResourceLimits.refuse(ResourceLimits.fileNeed) }
    return mailbox
  }
}
