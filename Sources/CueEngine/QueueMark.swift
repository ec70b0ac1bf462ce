import Dispatch

/// Tells whether the running code is on one queue, so that a method that waits for the queue can refuse to
/// wait for itself.
package struct QueueMark: @unchecked Sendable {
  // Unchecked: Dispatch's key is immutable, but not marked Sendable in Swift 6.0.
  private let key = DispatchSpecificKey<Bool>()

  package init(_ queue: DispatchQueue) { queue.setSpecific(key: key, value: true) }

  package var isOnQueue: Bool { DispatchQueue.getSpecific(key: key) == true }
}
