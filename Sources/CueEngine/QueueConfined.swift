import Dispatch

/// A value that may be used on one serial queue only; using it elsewhere traps.
package final class QueueConfined<Value>: @unchecked Sendable {
  // Unchecked: every access asserts that it happens on the queue.

  private let queue: DispatchQueue
  private var confined: Value

  package init(_ value: Value, to queue: DispatchQueue) {
    confined = value
    self.queue = queue
  }

  package var value: Value {
    _read {
      dispatchPrecondition(condition: .onQueue(queue))
      yield confined
    }
    _modify {
      dispatchPrecondition(condition: .onQueue(queue))
      yield &confined
    }
  }
}
