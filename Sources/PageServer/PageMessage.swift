import ControlProtocol
import IntervalTimeline

/// What a page reads from the stream of events. Every instant is on the coach's clock, nanoseconds.
package struct PageMessage: Hashable, Encodable, Sendable {
  package enum Kind: String, Hashable, Encodable, Sendable {
    /// Everything; what was known before is no longer true.
    case snapshot
    /// The coach is not there.
    case gone
    /// This connection is that of somebody who only looks on.
    case viewer
    case lane, ended, device, volume, warning, lists
    /// Nothing is new; the connection is alive.
    case beat
  }

  /// A lane, and the instant at which its elapsed times were right.
  package struct Lane: Hashable, Encodable, Sendable {
    package var at: Int64
    package var lane: WorkoutStatus
  }

  package var type: Kind
  package var at: Int64
  package var lanes: [Lane]?
  package var lane: WorkoutStatus?
  package var device: DeviceSnapshot?
  package var volume: Int?
  package var muted: Bool?
  package var warnings: [String]?
  package var message: String?

  init(_ type: Kind, at: Int64) {
    self.type = type
    self.at = at
  }

  var eventBytes: [UInt8] { Self.eventBytes(self) }

  /// As server-sent events are written.
  fileprivate static func eventBytes(_ message: some Encodable) -> [UInt8] {
    // Sorted keys, one line.
    guard let line = try? ControlCoding.line(message) else { return [] }
    return Array("data: ".utf8) + line + [UInt8(ascii: "\n")]
  }
}

/// What is said, as a page reads it from the stream: when it is placed, and again where it is withdrawn.
struct PageSpeech: Encodable {
  private let type = SpeechEvent.name
  private let at: Int64
  private let lanes: [String]
  private let text: String
  private let from: Int64
  private let until: Int64
  private let withdrawn: Bool?

  init(_ event: SpeechEvent) {
    (at, lanes, text) = (event.at, event.lanes, event.text)
    (from, until, withdrawn) = (event.from, event.until, event.withdrawn)
  }

  var eventBytes: [UInt8] { PageMessage.eventBytes(self) }
}
