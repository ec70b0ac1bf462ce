import Foundation
import Testing

/// A ledger as read from its file.
struct Ledger: Sendable {
  struct Line: Decodable, Sendable {
    struct Part: Decodable, Sendable {
      let text: String
      let due: Int64
      let onset: Int64?
    }

    let event: String
    let at: Int64?
    let lane: String?
    let wall: String?
    let preset: String?
    let kind: String?
    let set: Int?
    let text: String?
    let due: Int64?
    let onset: Int64?
    let outcome: String?
    let voice: String?
    let reason: String?
    let parts: [Part]?
  }

  let lines: [Line]
  /// False if a line is not a JSON object, or the last one is incomplete.
  let isWhole: Bool

  init(of data: Data?) {
    let texts = (data ?? Data()).split(separator: UInt8(ascii: "\n"))
    lines = texts.compactMap { try? JSONDecoder().decode(Line.self, from: Data($0)) }
    isWhole = lines.count == texts.count && data?.last == UInt8(ascii: "\n")
  }

  var events: [String] { lines.map(\.event) }
  var cues: [Line] { lines.filter { $0.event == "cue" } }
  /// The outcomes that occur.
  var outcomes: Set<String> { Set(cues.compactMap(\.outcome)) }

  func has(_ event: String, lane: String? = nil) -> Bool {
    lines.contains { $0.event == event && (lane == nil || $0.lane == lane) }
  }

  /// The lanes of these events, in order.
  func lanes(of event: String) -> [String] {
    lines.filter { $0.event == event }.compactMap(\.lane)
  }

  /// The outcome of every phase with this name.
  func outcomes(ofPhase label: String) -> [String] {
    lines.filter { $0.event == "phase" && $0.text == label }.compactMap(\.outcome)
  }

  /// The cues of a lane and when they were due, in milliseconds since its start.
  func plan(of lane: String) -> [PlannedCue] {
    guard let start = lines.first(where: { $0.event == "start" && $0.lane == lane })?.at else {
      return []
    }
    return cues.filter { $0.lane == lane }.map { cue in
      // A set completion is due at its first number; its introduction comes before that.
      let count = cue.parts?.first { Int($0.text) != nil }
      let due = (cue.kind == "set-completion" ? count?.due : cue.due) ?? .min
      return PlannedCue(
        kind: cue.kind ?? "", set: cue.set, text: cue.text ?? "",
        milliseconds: Int((Double(due - start) / 1e6).rounded()))
    }.sorted()
  }
}

extension Ledger: CustomTestStringConvertible {
  var testDescription: String {
    lines.map { line in
      [line.event, line.lane, line.text, line.outcome].compactMap { $0 }.joined(separator: " ")
    }.joined(separator: "\n")
  }
}

/// A cue, as in a timeline and in a ledger.
struct PlannedCue: Hashable, Comparable, Sendable {
  let kind: String
  let set: Int?
  let text: String
  let milliseconds: Int

  static func < (a: PlannedCue, b: PlannedCue) -> Bool {
    (a.milliseconds, a.kind, a.text) < (b.milliseconds, b.kind, b.text)
  }
}
