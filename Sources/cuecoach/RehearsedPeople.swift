import CueEngine
import ForeignWorkouts
import InstalledFiles
import IntervalTimeline
import Presets

/// People who run side by side from one start, or one of them: what each hears, without commands.
struct RehearsedPeople {
  let entrants: [PlannedRun.Entrant]
  private let sounds: SoundPack

  /// - Precondition: there is at least one.
  init(
    _ lanes: [LaneArgument], _ installed: Installation, warn: (String) -> Void
  ) throws {
    var entrants: [PlannedRun.Entrant] = []
    var packs: [SoundPack] = []
    for lane in lanes {
      for report in lane.requested.reports { warn(report) }
      let timeline = lane.requested.timeline
      var (style, sounds) = try installed.announcement(
        of: timeline.workout, lane.requested.order.style, warn: warn)
      // There are no commands to confirm, except the end of an open phase.
      style.acknowledged = []
      installed.applyAthlete(of: lane.name, to: &style)
      entrants.append(PlannedRun.Entrant(lane.name, timeline, style: style))
      packs.append(sounds)
    }
    self.entrants = entrants
    sounds = packs[0]
  }

  /// Every cue by its person's name, and the time of the last one where there are more than a rehearsal lays out.
  ///
  /// - Parameters:
  ///   - readings: what the sensors of each person say meanwhile; empty: nobody has one.
  ///   - note: gets each cue when it has its words.
  func heard(
    _ library: SpeechLibrary, with readings: [RecordedReadings] = [],
    note: (LedgerEvent.CueEntry) -> Void = { _ in }
  ) -> (cues: [String: [LedgerEvent.CueEntry]], limit: Duration?) {
    var cues: [String: [LedgerEvent.CueEntry]] = [:]
    let run = OfflineRun(
      entrants, script: zip(entrants, readings).flatMap { $1.script(lane: $0.name) },
      sounds: sounds, speech: library, sink: readings.isEmpty ? .heardAtOnce : .mixer)
    while let entries = run.nextCues() {
      for entry in entries {
        cues[entry.lane, default: []].append(entry)
        note(entry)
      }
    }
    return (cues, run.limitTime)
  }
}

/// What becomes of the texts of one person among several.
struct TextTally {
  private(set) var asked = 0
  private(set) var merged = 0
  private(set) var moved = 0
  private(set) var shortened = 0
  private(set) var dropped = 0

  static let sounds: Set = ["countdown", "transition", "set-end", "signal"]

  init(_ cues: [LedgerEvent.CueEntry]) {
    for cue in cues where !Self.sounds.contains(cue.kind) {
      switch cue.outcome {
      case .played: break
      case .merged: merged += 1
      case .shortened: shortened += 1
      case .dropped: dropped += 1
      case .missed, .withdrawn, .duplicate: continue
      }
      asked += 1
      if cue.planned != nil { moved += 1 }
    }
  }

  /// "24 texts: 20 said with somebody else's, 2 moved, 1 shortened, 1 left out".
  var line: String {
    let parts = [
      (merged, "said with somebody else's"), (moved, "moved"), (shortened, "shortened"),
      (dropped, "left out"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let count = WorkoutProfile.count(asked, "text")
    return parts.isEmpty ? count : "\(count): \(parts.joined(separator: ", "))"
  }

  func add(to object: inout JSONObject) {
    object.add("texts", asked)
    object.add("merged", merged)
    object.add("moved", moved)
    object.add("shortened", shortened)
    object.add("dropped", dropped)
  }
}
