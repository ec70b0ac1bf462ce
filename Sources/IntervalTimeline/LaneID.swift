/// Identifies a lane of one engine. An engine never uses an identity twice.
///
/// Sorted in the order in which the lanes were added.
public struct LaneID: Hashable, Comparable, Sendable {
  /// How many lanes were added to the engine before it.
  package let serial: Int
  /// The lane's slot in its table, which is reused after the lane has ended.
  package let slot: Int
  /// Of its own for each engine; 0 for lanes of a plan.
  private let engine: Int

  package init(serial: Int, slot: Int, engine: Int = 0) {
    self.serial = serial
    self.slot = slot
    self.engine = engine
  }

  public static func < (one: LaneID, other: LaneID) -> Bool { one.serial < other.serial }
}
