import Dispatch

/// Runs an actor on a queue, and so a thread, of its own: a test that waits for a device must not hold
/// one of the few threads that all tests share.
final class OwnThread: SerialExecutor {
  private let queue = DispatchQueue(label: "cuecoach.test")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
