import Synchronization

/// An announcement that waits for engines, until all have done what they can or patience is over.
final class EngineWait: Sendable {
  /// How many have not finished; nil once it is over.
  private let left: Mutex<Int?>
  private let then: @Sendable () -> Void

  init(_ engines: Int, then: @escaping @Sendable () -> Void) {
    left = Mutex(engines)
    self.then = then
  }

  /// One of the engines has finished.
  func endOne() { end { $0 - 1 } }

  /// Patience is over.
  func endAll() { end { _ in 0 } }

  /// Nobody waits any more.
  func cancel() { left.withLock { $0 = nil } }

  private func end(_ next: (Int) -> Int) {
    let isOver = left.withLock { value in
      guard let before = value else { return false }
      value = next(before) > 0 ? next(before) : nil
      return value == nil
    }
    if isOver { then() }
  }
}
