import Dispatch
import Foundation

/// Waits until `isTrue` returns true, polling every few milliseconds. Returns its last result.
///
/// It polls on a thread of its own, because a waiting test must not block one of the few threads
/// that all tests share. The limit is only for hangs: it is so long that it decides no test on any
/// machine.
package func eventually(
  within seconds: Int = 600, _ isTrue: @escaping @Sendable () -> Bool
) async -> Bool {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      let pause = DispatchSemaphore(value: 0)
      let deadline = DispatchTime.now() + .seconds(seconds)
      var isOver = isTrue()
      while !isOver, DispatchTime.now() < deadline {
        _ = pause.wait(timeout: .now() + .milliseconds(10))
        isOver = isTrue()
      }
      continuation.resume(returning: isOver)
    }
  }
}

/// Does what blocks on a thread of its own.
package func apart<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws
  -> Result
{
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}
