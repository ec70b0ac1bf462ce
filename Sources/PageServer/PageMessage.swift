import ControlProtocol
import IntervalTimeline

/// What a page reads from the stream of events. Every instant is on the coach's clock, nanoseconds.
public struct PageMessage: Hashable, Encodable, Sendable {
  public enum Kind: String, Hashable, Encodable, Sendable {
    /// Everything; what was known before is no longer true.
    case snapshot
    /// The coach is not there.
    case gone
    case lane, ended, device, volume, warning
    /// Nothing is new; the connection is alive.
    case beat
  }

  /// A lane, and the instant at which its elapsed times were right.
  public struct Lane: Hashable, Encodable, Sendable {
    public var at: Int64
    public var lane: WorkoutStatus
  }

  public var type: Kind
  public var at: Int64
  public var lanes: [Lane]?
  public var lane: WorkoutStatus?
  public var device: DeviceSnapshot?
  public var volume: Int?
  public var warnings: [String]?
  public var message: String?

  init(_ type: Kind, at: Int64) {
    self.type = type
    self.at = at
  }

  /// As server-sent events are written.
  var eventBytes: [UInt8] {
    // Sorted keys, one line.
    guard let line = try? ControlCoding.line(self) else { return [] }
    return Array("data: ".utf8) + line + [UInt8(ascii: "\n")]
  }
}
