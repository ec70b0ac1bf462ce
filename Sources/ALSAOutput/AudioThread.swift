import CALSA
import Glibc
import SystemIO

/// A thread for sound: SCHED_FIFO where this user may have it, an ordinary one elsewhere.
struct AudioThread {
  private let thread: pthread_t

  /// Runs `body` on a thread of its own.
  init(_ body: @escaping @Sendable () -> Void) {
    let (thread, fault) = SystemThread.start(body)
    guard fault == 0 else {
      fatalError("the sound thread cannot be started: pthread_create answers \(fault)")
    }
    self.thread = thread
  }

  /// Blocks until the body has returned, two seconds at most: a thread that hangs in a driver must not
  /// keep the program from ending. It is then left behind, with everything that its body captures.
  func join() {
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_sec += 2
    if cuecoach_join(thread, &deadline) != 0 { pthread_detach(thread) }
  }

  /// Names the calling thread, as top and gdb show it.
  static func name(_ name: String) { cuecoach_name_thread(name) }

  /// Asks for SCHED_FIFO for the calling thread, and not for those that libasound's plugins start
  /// from it. False where it is not permitted.
  static func askForRealtime() -> Bool {
    var parameters = sched_param()
    parameters.sched_priority = 10
    return pthread_setschedparam(
      pthread_self(), SCHED_FIFO | cuecoach_reset_on_fork, &parameters) == 0
  }
}
