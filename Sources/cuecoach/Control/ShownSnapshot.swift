import ControlProtocol
import InstalledFiles
import IntervalTimeline
import Phrases

/// A snapshot for a person: as a picture, or a line for each workout.
struct ShownSnapshot {
  let snapshot: CoachSnapshot
  /// Of its lanes' languages.
  let catalogues: [String: PhraseCatalogue]
  var zone: WallTime.Zone = context.zone

  /// - Parameter catalogues: those that are known already; those that are missing are added.
  init(_ snapshot: CoachSnapshot, _ catalogues: inout [String: PhraseCatalogue]) {
    self.snapshot = snapshot
    for language in snapshot.lanes.map(\.language) where catalogues[language] == nil {
      // One that is missing or has a mistake here is the coach's affair.
      let catalogue = try? Catalogues(in: context.folders).load(language)
      catalogues[language] = catalogue ?? .english
    }
    self.catalogues = catalogues
  }

  /// The workouts that have begun.
  var lanes: [ShownLane] {
    snapshot.lanes.filter { $0.state != .ready }.map {
      ShownLane(status: $0, phrases: catalogues[$0.language] ?? .english)
    }
  }

  private var now: BootInstant { BootInstant(nanoseconds: snapshot.at) }

  /// "anna: Tabata begins at 18:00:00, in 4:59".
  var laterLines: [String] {
    snapshot.lanes.filter { $0.state == .ready }.map { lane in
      guard let start = lane.startsAt else {
        return "\(lane.name): \(lane.workout.shownName) begins"
      }
      let left = max(.zero, now.duration(to: start))
      // The clocks were read one after the other.
      let wall = snapshot.wall + now.duration(to: start).wholeNanoseconds + 500_000_000
      let time = WallTime(wall, in: zone).timeText
      return "\(lane.name): \(lane.workout.shownName) begins at \(time), in \(left.leftText)"
    }
  }

  /// "no sound: …", or nothing.
  private var deviceLine: String? {
    snapshot.device.state == .lost ? "no sound: \(snapshot.device.reason ?? "unknown")" : nil
  }

  /// What the picture does not show.
  var notes: [String] { laterLines + [deviceLine].compactMap { $0 } }

  /// A line for each workout.
  var laneLines: [String] { lanes.map { Self.line($0) } + laterLines }

  /// A line for each workout and each fault.
  var lines: [String] {
    let lines = laneLines
    return (lines.isEmpty ? [Self.nothing] : lines) + [deviceLine].compactMap { $0 }
  }

  /// "anna: Tabata, set 3 of 8, Low, 0:12 left, paused", or how it has ended.
  static func line(_ lane: ShownLane) -> String {
    if lane.state == .stopped || lane.state == .finished {
      return "\(lane.name): \(lane.summary())"
    }
    let state = lane.state == .paused ? lane.phrases.screen(.paused) : nil
    let place = lane.label == nil ? lane.phrases.screen(.over) : lane.placeText
    let parts = [
      lane.workout.shownName, place, lane.repsText ?? lane.untilText, lane.target?.words, state,
    ]
    return "\(lane.name): " + parts.compactMap { $0 }.joined(separator: ", ")
  }

  /// The picture of `run`'s screen without its keys.
  ///
  /// - Parameter notes: messages below it.
  func picture(columns: Int, rows: Int, style: ScreenPage.Style, notes: [String]) -> [String] {
    guard !lanes.isEmpty else {
      return ((laterLines.isEmpty ? [Self.nothing] : []) + notes)
        .flatMap { Columns.wrapped($0.singleLine, to: columns) }
    }
    return ScreenPage(
      lanes: lanes, chosen: nil, columns: columns, rows: rows, style: style, notes: notes,
      hasKeys: false
    ).lines
  }

  private static let nothing = "no workout is running"

  /// The time until a clock shows another second; nil while all stand still.
  var untilNextSecond: Duration? {
    let begin = snapshot.lanes.filter { $0.state == .ready }.compactMap(\.startsAt)
      .map { now.duration(to: $0).wholeNanoseconds }.filter { $0 > 0 }
      .map { Duration.nanoseconds($0 % 1_000_000_000 + 2_000_000) }
    return (lanes.compactMap(\.untilNextSecond) + begin).min()
  }
}
