import IntervalTimeline

/// The lanes of a coach that have not ended.
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

  func hasAny(in state: Transport.State) -> Bool {
    slots.contains { $0?.state == state }
  }

  func ids(in state: Transport.State) -> [LaneID] { ids { $0.state == state } }

  /// The lanes that want a check by `now`.
  func due(at now: BootInstant) -> [LaneID] { ids { $0.wakesAt <= now } }

  /// The lanes to be saved by `now`.
  func unsaved(at now: BootInstant) -> [LaneID] { ids { $0.savesAt <= now } }

  /// In the order in which they were added.
  private func ids(where isWanted: (Lane) -> Bool) -> [LaneID] {
    slots.compactMap { $0.flatMap { isWanted($0) ? $0.id : nil } }.sorted()
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
    if freeSlots.popLast() == nil {
      slots.append(lane)
    } else {
      slots[lane.id.slot] = lane
    }
  }

  mutating func remove(_ id: LaneID) {
    guard contains(id) else { return }
    let name = self[id].name
    // Another lane may have the name by now.
    if names[name] == id { names[name] = nil }
    ids.removeAll { $0 == id }
    slots[id.slot] = nil
    freeSlots.append(id.slot)
  }

  /// - Precondition: the table contains `id`.
  subscript(id: LaneID) -> Lane { slots[id.slot]! }
}
