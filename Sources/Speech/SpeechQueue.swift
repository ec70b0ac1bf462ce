import CueSound

/// What is still to be rendered, and in which order: first the words that an announcement waits for, the earliest
/// announcement first unless its lane has had more than its share; then words that will be needed soon; then those
/// of which only the length will be; last the texts of clients.
package struct SpeechQueue: Sendable {
  /// An announcement whose words are missing.
  package struct Request: Sendable {
    package struct ID: Hashable, Sendable {
      /// Whose announcement it is: the number from `SpeechLibrary.newClient`.
      let client: Int
      let number: Int

      package init(client: Int, number: Int) { (self.client, self.number) = (client, number) }
    }

    let id: ID
    let owner: Owner
    /// Those that are not done.
    var orders: ArraySlice<SpeechOrder>
    let urgency: SpeechUrgency
    /// Called when no order is left.
    let done: @Sendable () -> Void
  }

  /// For whom a text is rendered ahead.
  package struct Owner: Hashable, Sendable {
    let client: Int
    /// The number of a lane.
    let lane: Int

    package init(client: Int, lane: Int) { (self.client, self.lane) = (client, lane) }
  }

  /// Texts that wait, one of each owner in turn: the many texts of one workout hold up those of no other.
  private struct Line {
    /// The most texts that wait: further ones are rendered when they are needed.
    private static let longest = 4096
    /// So many texts of each owner wait in any case.
    private static let share = 128

    private var owners: [(owner: Owner?, keys: ArraySlice<SpeechMemory.Key>)] = []
    private(set) var count = 0

    mutating func add(_ keys: [SpeechMemory.Key], for owner: Owner?) {
      let place = owners.firstIndex { $0.owner == owner } ?? owners.count
      let former = place < owners.count ? owners[place].keys.count : 0
      let added = keys.prefix(max(0, Self.longest - count, Self.share - former))
      guard !added.isEmpty else { return }
      if place == owners.count { owners.append((owner, [])) }
      owners[place].keys += added
      count += added.count
    }

    mutating func takeFirst() -> SpeechMemory.Key? {
      guard !owners.isEmpty else { return nil }
      var first = owners.removeFirst()
      let key = first.keys.popFirst()
      if !first.keys.isEmpty { owners.append(first) }
      count -= 1
      return key
    }

    mutating func forget(_ owner: Owner) {
      guard let place = owners.firstIndex(where: { $0.owner == owner }) else { return }
      count -= owners.remove(at: place).keys.count
    }
  }

  /// A lane whose announcements are earlier may be so many texts ahead of another. Without this bound the many
  /// texts of some lanes would make those of another too late.
  private static let maxLead = 4

  /// The most urgent first.
  private var requests: [Request] = []
  /// How many texts have been rendered for each lane that has requests. A lane that had none begins beside the
  /// one that has had the fewest.
  private var served: [Owner: Int] = [:]
  /// Texts to be rendered ahead.
  private var soon = Line()
  /// Texts to be measured.
  private var unmeasured = Line()

  package var isEmpty: Bool { requests.isEmpty && isEmptyAhead }
  /// True when nothing is to be rendered ahead of its time.
  package var isEmptyAhead: Bool { countAhead == 0 }
  /// How many texts are to be rendered ahead of their time.
  package var countAhead: Int { soon.count + unmeasured.count }

  // MARK: Announcements that wait

  /// The announcement whose words are rendered next; nil while words ahead of their time come first.
  package var request: Request? {
    guard let rank = requests.first?.urgency.rank, rank != .client || isEmptyAhead else {
      return nil
    }
    let equals = requests.prefix { $0.urgency.rank == rank }
    let fewest = equals.lazy.map { served[$0.owner] ?? 0 }.min() ?? 0
    return equals.first { (served[$0.owner] ?? 0) <= fewest + Self.maxLead }
  }

  package mutating func add(_ request: Request) {
    if served[request.owner] == nil { served[request.owner] = served.values.min() ?? 0 }
    let place = requests.firstIndex { request.urgency < $0.urgency } ?? requests.count
    requests.insert(request, at: place)
  }

  /// A text of that request was rendered.
  package mutating func noteRendering(of request: Request) { served[request.owner]? += 1 }

  /// The first order of a request is done. Nothing if the request was withdrawn meanwhile.
  package mutating func finishOrder(of id: Request.ID) {
    guard let index = requests.firstIndex(where: { $0.id == id }) else { return }
    requests[index].orders = requests[index].orders.dropFirst()
  }

  /// False if there is no such request.
  package mutating func remove(_ id: Request.ID) -> Bool {
    guard let index = requests.firstIndex(where: { $0.id == id }) else { return false }
    let owner = requests.remove(at: index).owner
    if !requests.contains(where: { $0.owner == owner }) { served[owner] = nil }
    return true
  }

  // MARK: Ahead of their time

  package mutating func renderSoon(_ keys: [SpeechMemory.Key], for owner: Owner?) {
    soon.add(keys, for: owner)
  }

  /// Measures texts after those of the same owner that were added before.
  package mutating func measure(_ keys: [SpeechMemory.Key], for owner: Owner?) {
    unmeasured.add(keys, for: owner)
  }

  /// The next text to be rendered ahead; `isNeeded` is false where only its length is.
  package mutating func nextAhead() -> (key: SpeechMemory.Key, isNeeded: Bool)? {
    if let key = soon.takeFirst() { return (key, true) }
    return unmeasured.takeFirst().map { ($0, false) }
  }

  /// Forgets what is rendered ahead for one owner alone.
  package mutating func forget(_ owner: Owner) {
    soon.forget(owner)
    unmeasured.forget(owner)
  }
}
