import CueSound
import IntervalTimeline

/// A text to be rendered.
struct SpeechOrder: Hashable, Sendable {
  enum Purpose: Hashable, Sendable {
    /// To know how long it takes.
    case length
    case clip
    /// To be said in at most this time, faster if necessary.
    case fitting(Nanoseconds)
  }

  let text: String
  let voice: SpeechVoice
  let purpose: Purpose
}

/// How soon an announcement's words are to be rendered. The more urgent is the less.
struct SpeechUrgency: Comparable, Sendable {
  /// A client's text: however many clients send, the words of the workouts come first.
  var yields = false
  /// When the announcement is to begin.
  var by: BootInstant

  static func < (one: SpeechUrgency, other: SpeechUrgency) -> Bool {
    one.yields == other.yields ? one.by < other.by : other.yields
  }
}

/// What is still to be rendered, and in which order: first the words that an announcement waits for, the
/// earliest announcement first; then words that will be needed soon; then those of which only the length
/// will be; last the texts of clients.
struct SpeechQueue: Sendable {
  /// An announcement whose words are missing.
  struct Request: Sendable {
    struct ID: Hashable, Sendable {
      /// Whose announcement it is: the number from `SpeechLibrary.newClient`.
      let client: Int
      let number: Int
    }

    let id: ID
    /// Those that are not done.
    var orders: ArraySlice<SpeechOrder>
    let urgency: SpeechUrgency
    /// Called when no order is left.
    let done: @Sendable () -> Void
  }

  /// For whom a text is rendered ahead.
  struct Owner: Hashable, Sendable {
    let client: Int
    let lane: LaneID
  }

  private struct Ahead {
    let key: SpeechMemory.Key
    let owner: Owner?
  }

  /// The most texts that wait to be rendered ahead, and to be measured: further ones are rendered when they
  /// are needed.
  private static let longest = 4096

  /// The most urgent first.
  private var requests: [Request] = []
  /// Texts to be rendered ahead, the next one first.
  private var soon: [Ahead] = []
  /// Texts to be measured, the next one last.
  private var unmeasured: [Ahead] = []

  var isEmpty: Bool { requests.isEmpty && isEmptyAhead }
  /// True when nothing is to be rendered ahead of its time.
  var isEmptyAhead: Bool { soon.isEmpty && unmeasured.isEmpty }
  /// How many texts are to be rendered ahead of their time.
  var countAhead: Int { soon.count + unmeasured.count }

  // MARK: Announcements that wait

  /// The announcement whose words are rendered next; nil while words ahead of their time come first.
  var request: Request? {
    guard let first = requests.first, !first.urgency.yields || isEmptyAhead else { return nil }
    return first
  }

  mutating func add(_ request: Request) {
    let place = requests.firstIndex { request.urgency < $0.urgency } ?? requests.count
    requests.insert(request, at: place)
  }

  /// The first order of a request is done. Nothing if the request was withdrawn meanwhile.
  mutating func finishOrder(of id: Request.ID) {
    guard let index = requests.firstIndex(where: { $0.id == id }) else { return }
    requests[index].orders = requests[index].orders.dropFirst()
  }

  /// False if there is no such request.
  mutating func remove(_ id: Request.ID) -> Bool {
    guard let index = requests.firstIndex(where: { $0.id == id }) else { return false }
    requests.remove(at: index)
    return true
  }

  // MARK: Ahead of their time

  mutating func renderSoon(_ keys: [SpeechMemory.Key], for owner: Owner?) {
    soon += keys.prefix(max(0, Self.longest - soon.count)).map { Ahead(key: $0, owner: owner) }
  }

  /// Measures texts after those that were added before.
  mutating func measure(_ keys: [SpeechMemory.Key], for owner: Owner?) {
    let added = keys.prefix(max(0, Self.longest - unmeasured.count))
    unmeasured.insert(contentsOf: added.reversed().map { Ahead(key: $0, owner: owner) }, at: 0)
  }

  /// The next text to be rendered ahead; `isNeeded` is false where only its length is.
  mutating func nextAhead() -> (key: SpeechMemory.Key, isNeeded: Bool)? {
    if !soon.isEmpty { return (soon.removeFirst().key, true) }
    return unmeasured.popLast().map { ($0.key, false) }
  }

  /// Forgets what is rendered ahead for one owner alone.
  mutating func forget(_ owner: Owner) {
    soon.removeAll { $0.owner == owner }
    unmeasured.removeAll { $0.owner == owner }
  }
}
