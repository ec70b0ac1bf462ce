import Dispatch
import Foundation

/// Waits until `isTrue`, looking again every few milliseconds. Returns what it last said.
///
/// It looks on a thread of its own: a test that waits must not hold one of the few threads that
/// all tests share. The limit ends what hangs; no machine is so slow that it decides a test.
func eventually(
  within seconds: Int = 600, _ isTrue: @escaping @Sendable () -> Bool
) async -> Bool {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      let pause = DispatchSemaphore(value: 0)
      let deadline = DispatchTime.now() + .seconds(seconds)
      var isOver = isTrue()
      while !isOver, DispatchTime.now() < deadline {
        _ = pause.wait(timeout: .now() + .milliseconds(5))
        isOver = isTrue()
      }
      continuation.resume(returning: isOver)
    }
  }
}

/// Does what blocks on a thread of its own.
func apart<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result
{
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}
