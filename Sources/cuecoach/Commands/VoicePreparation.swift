import ArgumentParser
import CueEngine
import CueSound
import InstalledFiles
import IntervalTimeline
import Presets
import Synchronization
import SystemIO

/// Renders the words of presets ahead, and says which of them have been kept.
struct VoicePreparation {
  let names: [String]
  let style: AnnouncementStyle
  let installed: Installation

  /// Why words could not be kept.
  private final class Lost: Sendable {
    /// Protects the first line.
    private let first = Mutex<String?>(nil)
    var line: String? { first.withLock { $0 } }

    @Sendable func note(_ line: String) { first.withLock { $0 = $0 ?? line } }
  }

  /// When there is another line of progress: after 2 s, after 4 s more, and so on, then every 30 s.
  private struct NowAndThen {
    private var pauses = BackOff(from: .seconds(2), to: .seconds(30))
    private var due: Int64

    init() { due = MachineTime.monotonic + pauses.next().wholeNanoseconds }

    var isDue: Bool {
      mutating get {
        guard MachineTime.monotonic >= due else { return false }
        due = MachineTime.monotonic + pauses.next().wholeNanoseconds
        return true
      }
    }
  }

  /// A preset whose words have been rendered.
  private struct Prepared {
    let name: String
    let people: RehearsedPeople
    let voice: SpeechVoice
    /// How many announcements the voice itself says, and how many another one.
    var own = 0
    var others = 0

    mutating func count(_ cues: some Sequence<LedgerEvent.CueEntry>) {
      (own, others) = (0, 0)
      for cue in cues where cue.voice != nil {
        let isOwn = voice.engine != nil && cue.voice == voice.name
        (own, others) = (own + (isOwn ? 1 : 0), others + (isOwn ? 0 : 1))
      }
    }
  }

  func run() throws {
    let warn = { (message: String) in context.complain(message) }
    let lost = Lost()
    guard
      let library = SpeechEngine.library(
        installed.configuration, use: .toPrepare, warn: warn, keepsNothing: lost.note)
    else { throw ExitCode(1) }
    var all: [Prepared] = []
    for (index, name) in names.enumerated() where lost.line == nil {
      let lanes = try LaneArgument.parse([name], style, installed)
      let people = try RehearsedPeople(lanes, installed, warn: warn)
      var preset = Prepared(name: name, people: people, voice: people.entrants[0].style.voice)
      var texts: Set<String> = []
      var progress = NowAndThen()
      let cues = context.patiently("\(name): waiting for the voice") {
        people.heard(library) { cue in
          texts.formUnion(cue.parts.map(\.text))
          if progress.isDue {
            let time = PlannedRun.start.duration(to: cue.due).passedText
            context.print(
              "\(name.singleLine): \(WorkoutProfile.count(texts.count, "text")), up to \(time) …")
          }
        }.cues.values.joined()
      }
      library.saveCache()
      guard lost.line == nil else { break }
      preset.count(cues)
      all.append(preset)
      context.print(
        "\(index + 1) of \(names.count): \(name.singleLine), \(texts.count) texts"
          + (preset.others > 0 ? "; \(preset.others) announcements by another voice" : ""))
    }
    if let line = lost.line {
      throw UserError.failed("\(line): no more words can be kept")
    }
    if let line = unkept(all) { throw UserError.failed(line) }
    if all.contains(where: { $0.others > 0 }) { throw ExitCode(1) }
  }

  /// Says which presets have words for which there was no room, as they are heard from the disk alone; nil where all have
  /// been kept.
  private func unkept(_ all: [Prepared]) -> String? {
    guard
      let kept = SpeechEngine.library(installed.configuration, use: .kept, warn: { _ in })
    else { return nil }
    var lacks: [String] = []
    for preset in all where preset.own > 0 {
      var heard = preset
      heard.count(preset.people.heard(kept).cues.values.joined())
      guard heard.own < preset.own else { continue }
      lacks.append("\(preset.own - heard.own) of \(preset.own) announcements of \(preset.name)")
    }
    guard !lacks.isEmpty, let prefix = all[0].voice.engine else { return nil }
    let engine = InstalledEngine.all(installed.configuration).first { $0.name == prefix }
    return "the \((engine?.cacheSize ?? 0) >> 20) MiB for words of \(prefix) are full: "
      + "\(lacks.joined(separator: ", ")) are not kept, expected fewer presets"
      + (prefix == Configuration.speechServerName ? ", or a larger cache in config.yaml" : "")
  }
}
