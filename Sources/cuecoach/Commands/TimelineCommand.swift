import ArgumentParser
import CueEngine
import IntervalTimeline

struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline", abstract: "Show every phase and every cue of a preset.",
    discussion: """
      Times are workout time. A set completion stands at its first count word; the words before it
      are spoken so that they end just before. After an open phase times are unknown.

      Examples:
        cuecoach timeline tabata
        cuecoach timeline tabata --json | jq '.cues[] | select(.kind == "set-completion")'
      """)

  @Argument(help: "A preset's path or name.") var preset: String
  @Flag(help: "One JSON object; times in seconds, null where unknown.") var json = false
  @OptionGroup var speech: SpeechOptions

  func run() throws {
    let timeline = try PresetLibrary.load(preset)
    let choice = try SpeechChoice(speech, OutputChoice.configuration())
    let warn = { (message: String) in Console.complain(message) }
    _ = try choice.sounds(of: timeline.workout, warn: warn)
    let manner = try choice.manner(of: timeline.workout, warn: warn)
    json ? Console.print(Self.json(timeline, manner).text) : printTable(timeline, manner)
  }

  /// Every cue in the order in which it is due, the unknown instants in the order of phases.
  private static func cues(
    _ timeline: Timeline, _ manner: LaneManner
  ) -> [(cue: Cue, at: Duration?, text: String)] {
    let plan = manner.applied(to: CuePlan())
    return (0...timeline.count).flatMap { index in
      let start = timeline.start(of: index)
      return plan.cues(of: index, in: timeline)
        .sorted { ($0.at, $0.earliest) < ($1.at, $1.earliest) }
        .map { cue in
          let entry = index < timeline.count ? timeline.entries[index] : nil
          let moment = CueWording.Moment(
            set: entry?.set, phaseLeft: entry?.phase.length.duration.map { $0 - cue.at },
            elapsed: start.map { $0 + cue.at })
          let text = CueWording(cue, in: timeline, at: moment, phrases: manner.phrases).text
          return (cue, start.map { $0 + cue.at }, text)
        }
    }
  }

  private static func json(_ timeline: Timeline, _ manner: LaneManner) -> JSONObject {
    var object = JSONObject()
    object.add("preset", timeline.workout.name)
    object.add("length", seconds: timeline.length)
    object.add(
      "phases",
      timeline.entries.indices.map { index in
        let entry = timeline.entries[index]
        var phase = JSONObject()
        phase.add("kind", entry.phase.kind.rawValue)
        phase.add("name", entry.phase.name)
        phase.add("set", entry.set)
        phase.add("sets", entry.sets)
        phase.add("start", seconds: timeline.start(of: index))
        phase.add("end", seconds: timeline.start(of: index + 1))
        return phase
      })
    object.add(
      "cues",
      cues(timeline, manner).map { cue, at, text in
        var object = JSONObject()
        object.add("at", seconds: at)
        object.add("kind", cue.content.name)
        object.add(
          "set", cue.phase < timeline.count ? timeline.entries[cue.phase].set : nil)
        object.add("text", text)
        return object
      })
    return object
  }

  private func printTable(_ timeline: Timeline, _ manner: LaneManner) {
    let length = timeline.length?.clockText ?? "open-ended"
    var lines = ["\(timeline.workout.name), \(length)"]
    let cues = Dictionary(grouping: Self.cues(timeline, manner), by: \.cue.phase)
    for index in 0...timeline.count {
      let start = timeline.start(of: index)?.clockText ?? "?"
      if index < timeline.count {
        let entry = timeline.entries[index]
        let set = entry.set.map { "  set \($0) of \(entry.sets ?? $0)" } ?? ""
        lines.append(
          "\(start)  \(manner.phrases.name(of: entry.phase)), \(entry.phase.length.text)\(set)")
      } else {
        lines.append("\(start)  End")
      }
      for (cue, at, text) in cues[index] ?? [] {
        lines.append("    \(at?.clockText ?? "?")  \(cue.content.name): \(text)")
      }
    }
    Console.print(lines.joined(separator: "\n"))
  }
}

extension PhaseLength {
  /// "4:00", "12 reps", "until next".
  var text: String {
    switch self {
    case .fixed(let duration): duration.clockText
    case .open(.reps(let reps)): reps == 1 ? "1 rep" : "\(reps) reps"
    case .open(.untilNext): "until next"
    }
  }
}
