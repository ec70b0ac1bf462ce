import Synchronization

/// A bounded queue from exactly one thread to exactly one other, without a lock or an allocation.
///
/// The handle is plain memory addresses: copying it costs nothing and counts no references, which
/// is why the audio thread may hold one. The owner that allocated it deallocates it, after both
/// threads have stopped using it.
package struct Ring<Element: BitwiseCopyable>: @unchecked Sendable {
  // Unchecked: `tail` is written by the producer alone and `head` by the consumer alone; each
  // publishes the elements behind it with release and is read with acquire.

  private struct Indices: ~Copyable {
    let head = Atomic<Int>(0)
    let tail = Atomic<Int>(0)
  }

  private let indices: UnsafeMutablePointer<Indices>
  private let elements: UnsafeMutablePointer<Element>
  /// How many elements fit; a power of two.
  package let capacity: Int

  /// Room for at least `count` elements.
  ///
  /// - Precondition: at most 2³⁰. Anything else ends the program with a sentence.
  package static func allocate(atLeast count: Int) -> Ring {
    guard count <= 1 << 30 else {
      fatalError("a Ring for \(count) elements, expected at most \(1 << 30)")
    }
    var capacity = 1
    while capacity < count { capacity *= 2 }
    return Ring(capacity: capacity)
  }

  private init(capacity: Int) {
    self.capacity = capacity
    indices = .allocate(capacity: 1)
    indices.initialize(to: Indices())
    elements = .allocate(capacity: capacity)
  }

  /// Frees the memory. Once only, after both threads have stopped using it; no copy of the handle is valid
  /// then.
  package func deallocate() {
    indices.deinitialize(count: 1)
    indices.deallocate()
    elements.deallocate()
  }

  /// Producer only. False when the ring is full; nothing is changed then.
  package func push(_ element: Element) -> Bool {
    let tail = indices.pointee.tail.load(ordering: .relaxed)
    guard tail - indices.pointee.head.load(ordering: .acquiring) < capacity else { return false }
    elements[tail & (capacity - 1)] = element
    indices.pointee.tail.store(tail + 1, ordering: .releasing)
    return true
  }

  /// Producer only. Pushes as many of `source` as fit and returns how many those were.
  package func push(_ source: UnsafePointer<Element>, count: Int) -> Int {
    let tail = indices.pointee.tail.load(ordering: .relaxed)
    let free = capacity - (tail - indices.pointee.head.load(ordering: .acquiring))
    let pushed = min(count, free)
    for index in 0..<pushed { elements[(tail + index) & (capacity - 1)] = source[index] }
    indices.pointee.tail.store(tail + pushed, ordering: .releasing)
    return pushed
  }

  /// Consumer only. More may come at any time.
  var isEmpty: Bool {
    indices.pointee.head.load(ordering: .relaxed) == indices.pointee.tail.load(ordering: .acquiring)
  }

  /// Producer only. How many elements have been popped so far, and whether others wait.
  var progress: (popped: Int, isWaiting: Bool) {
    let head = indices.pointee.head.load(ordering: .acquiring)
    return (head, head != indices.pointee.tail.load(ordering: .relaxed))
  }

  /// Consumer only. Nil when the ring is empty.
  package func pop() -> Element? {
    let head = indices.pointee.head.load(ordering: .relaxed)
    guard head < indices.pointee.tail.load(ordering: .acquiring) else { return nil }
    let element = elements[head & (capacity - 1)]
    indices.pointee.head.store(head + 1, ordering: .releasing)
    return element
  }

  /// Consumer only. Pops up to `count` elements into `target` and returns how many those were.
  package func pop(into target: UnsafeMutablePointer<Element>, count: Int) -> Int {
    let head = indices.pointee.head.load(ordering: .relaxed)
    let popped = min(count, indices.pointee.tail.load(ordering: .acquiring) - head)
    for index in 0..<popped { target[index] = elements[(head + index) & (capacity - 1)] }
    indices.pointee.head.store(head + popped, ordering: .releasing)
    return popped
  }
}
