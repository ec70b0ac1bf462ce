import Synchronization

/// What closures hand over, from any thread.
package final class Collected<Element: Sendable>: Sendable {
  /// Protects the list.
  private let list = Mutex<[Element]>([])

  package init() {}

  package var all: [Element] { list.withLock { $0 } }

  package func append(_ element: Element) { list.withLock { $0.append(element) } }

  /// Empties it.
  package func take() -> [Element] {
    list.withLock { list in
      defer { list = [] }
      return list
    }
  }
}
