import IntervalTimeline

/// The lanes of a coach that have not ended.
///
/// What a check asks of every lane lies in arrays of plain numbers, kept up to date with each
/// change, so that thousands of lanes with nothing to do cost microseconds.
struct LaneTable {
  /// The engine's number, part of each identity.
  private let engine: Int
  /// In the order in which they were added.
  private(set) var ids: [LaneID] = []
  private var slots: [Lane?] = []
  private var freeSlots: [Int] = []
  /// The latest lane of each name.
  private var names: [String: LaneID] = [:]
  private var nextSerial = 0

  // By slot.
  private var wakes: [BootInstant] = []
  private var saves: [BootInstant] = []
  private var states: [Transport.State] = []
  /// How many lanes are in each state.
  private var counts: [Transport.State: Int] = [:]

  init(engine: Int = 0) { self.engine = engine }

  var count: Int { ids.count }

  /// The name of a lane in which texts are tried: it is no workout's, and is not said.
  static let trial = "what is tried before anybody starts it"
  /// How many have names that listeners tell apart.
  var workouts: Int { names[Self.trial] == nil ? count : count - 1 }

  func contains(_ id: LaneID) -> Bool {
    slots.indices.contains(id.slot) && slots[id.slot]?.id == id
  }

  /// False where the lane of that name is over: its last sounds may still fade, but it runs no more.
  func hasName(_ name: String) -> Bool {
    names[name].flatMap { slots[$0.slot] }.map { !$0.isOver } ?? false
  }

  func status(of id: LaneID, at now: BootInstant) -> LaneStatus { LaneStatus(self[id], at: now) }

  /// How many lanes are in that state.
  func count(in state: Transport.State) -> Int { counts[state] ?? 0 }

  func ids(in state: Transport.State) -> [LaneID] {
    count(in: state) == 0 ? [] : ids.filter { states[$0.slot] == state }
  }

  /// The lanes that want a check by `now`, in order.
  func due(at now: BootInstant) -> [LaneID] { lanes(in: wakes, by: now) }

  /// The lanes to be saved by `now`, in order.
  func unsaved(at now: BootInstant) -> [LaneID] { lanes(in: saves, by: now) }

  private func lanes(in instants: [BootInstant], by now: BootInstant) -> [LaneID] {
    var found: [LaneID] = []
    for slot in instants.indices where instants[slot] <= now {
      if let id = slots[slot]?.id { found.append(id) }
    }
    return found.sorted()
  }

  /// The next identity is that of the lane that is added next.
  var nextID: LaneID {
    LaneID(serial: nextSerial, slot: freeSlots.last ?? slots.count, engine: engine)
  }

  /// - Precondition: `lane` has `nextID` and a name that is not taken.
  mutating func add(_ lane: Lane) {
    guard lane.id == nextID && !hasName(lane.name) else {
      fatalError("\(lane.name) is added twice")
    }
    names[lane.name] = lane.id
    nextSerial += 1
    ids.append(lane.id)
    let state = lane.session.state
    counts[state, default: 0] += 1
    if freeSlots.popLast() != nil {
      slots[lane.id.slot] = lane
      (wakes[lane.id.slot], saves[lane.id.slot]) = (lane.wakesAt, lane.savesAt)
      states[lane.id.slot] = state
    } else {
      // A quarter more each time: lanes are large, and an array would double by itself.
      if slots.count == slots.capacity { slots.reserveCapacity(slots.count + slots.count / 4 + 1) }
      slots.append(lane)
      wakes.append(lane.wakesAt)
      saves.append(lane.savesAt)
      states.append(state)
    }
  }

  mutating func remove(_ id: LaneID) {
    guard contains(id), let lane = slots[id.slot] else { return }
    // Another lane may have the name by now.
    if names[lane.name] == id { names[lane.name] = nil }
    ids.removeAll { $0 == id }
    counts[states[id.slot], default: 0] -= 1
    slots[id.slot] = nil
    (wakes[id.slot], saves[id.slot]) = (.never, .never)
    freeSlots.append(id.slot)
  }

  /// - Precondition: the table contains `id`.
  subscript(id: LaneID) -> Lane {
    get { slots[id.slot]! }
    _modify {
      yield &slots[id.slot]!
      wakes[id.slot] = slots[id.slot]!.wakesAt
      saves[id.slot] = slots[id.slot]!.savesAt
      let state = slots[id.slot]!.session.state
      if state != states[id.slot] {
        counts[states[id.slot], default: 0] -= 1
        counts[state, default: 0] += 1
        states[id.slot] = state
      }
    }
  }
}
