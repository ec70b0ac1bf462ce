import Foundation

/// What `cuecoach timeline --json` prints.
struct TimelineObject: Decodable, Sendable {
  struct Phase: Decodable, Sendable {
    let kind: String
    let name: String?
    let set: Int?
    let sets: Int?
    let start: Double?
    let end: Double?
    let length: Double?
  }

  struct Part: Decodable, Sendable {
    let text: String
    let at: Double?
    let length: Double
  }

  struct Cue: Decodable, Sendable {
    let at: Double?
    let phase: Int
    let inPhase: Double
    let kind: String
    let set: Int?
    let text: String
    let outcome: String?
    let reason: String?
    let parts: [Part]
  }

  let preset: String
  let length: Double?
  let phases: [Phase]
  let cues: [Cue]

  init(_ text: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
  }

  /// The cues with a known time.
  var plan: [PlannedCue] {
    cues.compactMap { cue in
      cue.at.map {
        PlannedCue(
          kind: cue.kind, set: cue.set, text: cue.text, milliseconds: Int(($0 * 1000).rounded()))
      }
    }.sorted()
  }
}
