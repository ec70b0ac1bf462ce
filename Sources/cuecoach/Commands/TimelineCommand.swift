import ArgumentParser
import CueEngine
import ForeignWorkouts
import InstalledFiles
import IntervalTimeline
import Presets

struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline", abstract: "Show every phase and every cue of presets.",
    discussion: """
      Shows every announcement as it will be heard, laid out as in a run, with what was decided \
      where there is too little room. Times are workout time. A set completion is listed at its first \
      number; the words before that end just before it. After an open phase, times are unknown. Several presets \
      are laid out as people who run side by side, from one start: what each of them hears, with what is said for \
      several at once.

      Examples:
        cuecoach timeline tabata
        cuecoach timeline anna=tabata ben=tabata
        cuecoach timeline threshold-2x20 --ftp 250 --with yesterday.fit
        cuecoach timeline tabata --json | jq '.cues[] | select(.kind == "next")'
      """)

  @Argument(
    help: "The path or name of the preset; of several each, NAME=PRESET to name its person.",
    completion: Completions.presets)
  var presets: [String]
  @Flag(help: "Print one JSON object for each preset; times are in seconds, null if unknown.")
  var json = false
  @OptionGroup var sensors: ReadingsOptions
  @OptionGroup var variant: VariantsOptions
  @OptionGroup var speech: SpeechOptions

  func run() throws {
    let installed = try context.installation(asksPrograms: true)
    let lanes = try LaneArgument.parse(
      presets, speech.style(), installed, variant: variant.variant)
    let readings = try sensors.readings(of: presets.count) { context.complain($0) }
    let people = try RehearsedPeople(lanes, installed) { context.complain($0) }
    for line in sensors.unused(readings, in: people.entrants.map(\.timeline)) {
      context.complain(line)
    }
    var cues = people.entrants.map { TimelineCues($0.timeline, $0.style) }
    let library = SpeechEngine.library(installed.configuration) {
      context.complain("\($0) Everything is shown as planned.")
    }
    if let library {
      let heard = people.heard(library, with: readings)
      for (index, entrant) in people.entrants.enumerated() {
        cues[index].show(
          heard.cues[entrant.name] ?? [],
          lastReading: readings.isEmpty ? nil : readings[index].entries.last?.time)
      }
      if let end = heard.limit {
        context.complain(
          "announcements after \(end.clockText) are shown as planned: the workout has too many cues"
        )
      }
    }
    for (entrant, cues) in zip(people.entrants, cues) {
      let lane = lanes.count > 1 ? entrant.name : nil
      json
        ? context.print(Self.json(entrant.timeline, cues, lane: lane).text)
        : printTable(entrant.timeline, entrant.style.phrases, cues, lane: lane)
    }
  }

  private static func json(
    _ timeline: Timeline, _ cues: TimelineCues, lane: String?
  ) -> JSONObject {
    var object = JSONObject()
    if let lane { object.add("lane", lane) }
    object.add("preset", timeline.workout.name)
    object.add("length", seconds: timeline.length)
    if let about = timeline.aboutLength { object.add("about", seconds: about) }
    object.add(
      "phases",
      timeline.entries.indices.map { index in
        let entry = timeline.entries[index]
        var phase = JSONObject()
        phase.add("kind", entry.phase.kind.rawValue)
        phase.add("name", entry.phase.name)
        phase.add("intensity", entry.phase.intensity)
        phase.add("metronome", entry.phase.metronome.map { MetronomeForm.text(of: $0) })
        phase.add("tempo", entry.phase.glides.map { TempoForm.text(of: $0) })
        let isOpen = entry.phase.length.end != nil
        phase.add("length", seconds: isOpen ? nil : entry.phase.length.duration)
        phase.add("surprise", entry.phase.isSurprise)
        if let note = entry.phase.note { phase.add("note", note) }
        if let link = entry.phase.link { phase.add("link", link) }
        phase.add("set", entry.set)
        phase.add("sets", entry.sets)
        phase.add("start", seconds: cues.start(of: index))
        phase.add("end", seconds: cues.start(of: index + 1))
        return phase
      })
    object.add(
      "cues",
      cues.lines.map { line in
        var object = JSONObject()
        object.add("at", seconds: line.at)
        object.add("phase", line.cue.phase)
        object.add("inPhase", seconds: line.inPhase)
        object.add("kind", line.kind)
        object.add("set", line.set)
        object.add("text", line.text)
        object.add("outcome", line.outcome?.rawValue)
        object.add("reason", line.reason)
        object.add(
          "parts",
          line.parts.map { part in
            var object = JSONObject()
            object.add("text", part.text)
            object.add("at", seconds: part.at)
            object.add("length", seconds: part.length)
            return object
          })
        return object
      })
    return object
  }

  private func printTable(
    _ timeline: Timeline, _ phrases: PhraseCatalogue, _ cues: TimelineCues, lane: String?
  ) {
    let length = timeline.lengthText ?? "open-ended"
    let of = lane.map { "\($0.shownName): " } ?? ""
    var table = ["\(of)\(timeline.workout.name.shownName), \(length)"]
    let lines = Dictionary(grouping: cues.lines, by: \.cue.phase)
    for index in 0...timeline.count {
      let start = cues.start(of: index)?.clockText ?? "?"
      if index < timeline.count {
        let entry = timeline.entries[index]
        let set = entry.set.map { "  set \($0) of \(entry.sets ?? $0)" } ?? ""
        let intensity = entry.phase.intensity.map { " (\($0))" } ?? ""
        let metronome =
          entry.phase.metronome.map { ", metronome \(MetronomeForm.text(of: $0))" } ?? ""
        let tempo = entry.phase.glides.map { ", tempo \(TempoForm.text(of: $0))" } ?? ""
        table.append(
          "\(start)  \(phrases.name(of: entry.phase)), \(entry.phase.length.text)\(intensity)\(metronome)\(tempo)\(set)"
        )
      } else {
        table.append("\(start)  End")
      }
      for line in lines[index] ?? [] {
        let decision = line.decision.map { "  (\($0))" } ?? ""
        table.append(
          "    \(line.at?.clockText ?? "?")  \(line.kind): \(line.text)\(decision)")
      }
    }
    context.printSentences(table)
  }
}

extension Timeline {
  /// "10:00", "about 10:00", "at most 10:00"; nil where a phase has no longest length and does not say about how
  /// long it is.
  var lengthText: String? {
    if let about = aboutLength { return "about \(about.clockText)" }
    return length.map { mayEndEarly ? "at most \($0.clockText)" : $0.clockText }
  }
}

extension PhaseLength {
  /// "4:00", "12 reps", "until next", "until heart-rate-low, at most 3:00".
  var text: String {
    switch self {
    case .fixed(let duration): duration.clockText
    case .open(let end, let bounds):
      ([end.text]
        + [
          bounds.atLeast.map { "at least \($0.clockText)" },
          bounds.atMost.map { "at most \($0.clockText)" },
          bounds.about.map { "about \($0.clockText)" },
        ].compactMap { $0 }).joined(separator: ", ")
    }
  }
}

extension OpenEnd {
  fileprivate var text: String {
    switch self {
    case .reps(let reps): reps == 1 ? "1 rep" : "\(reps) reps"
    case .untilNext: "until next"
    case .heartRate(let limit): "until the heart rate is below \(limit)"
    case .signal(let name): "until \(name)"
    case .sendOff(let time): "on \(time.clockText)"
    }
  }
}
