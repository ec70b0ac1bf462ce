import ControlProtocol
import FoundationEssentials
import InstalledFiles
import IntervalTimeline
import Presets
import SystemIO

/// What there is to say of a preset's text. What is said in it, and when, another process lays out: nothing is rendered in
/// this one.
struct CheckedPreset {
  private let installed: Installation
  /// The program that lays it out, with its arguments.
  private let command: [String]
  private let patience: Duration

  /// - Parameters:
  ///   - command: a program that reads the text and writes as `cuecoach check --json -` does.
  ///   - patience: how long it may take.
  init(
    _ installed: Installation, command: [String] = Self.command, patience: Duration = .seconds(20)
  ) {
    (self.installed, self.command, self.patience) = (installed, command, patience)
  }

  private static var command: [String] { [Programs.own ?? "cuecoach", "check", "--json", "-"] }

  /// Where that program finds the user's files, as this one does.
  private static let variables = [
    "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "STATE_DIRECTORY", "CACHE_DIRECTORY",
  ]

  /// Blocks for as long as that program works.
  func report(_ text: String) -> PresetReport {
    var report = PresetReport()
    let document: PresetDocument
    let timeline: Timeline
    do throws(FileError) {
      document = try PresetFile.document(
        Array(text.utf8), file: "workout", variant: installed.variant())
      guard let laidOut = try? Timeline(document.workout) else {
        report.faults = [.init(line: nil, "it cannot be laid out")]
        return report
      }
      timeline = laidOut
    } catch {
      report.faults = [.init(line: error.line, error.mistake)]
      return report
    }
    describe(timeline, in: &report)
    if let fault = startFault(timeline.workout) { report.faults = [.init(line: nil, fault)] }
    let isByPhase = report.outline?.count == timeline.count
    if isByPhase {
      report.lines = timeline.entries.map {
        document.lines.line(block: $0.block, step: $0.step) ?? 0
      }
    }
    report.notes = notes(text).map { note in
      var note = note
      if !isByPhase { note.phase = nil }
      return note
    }
    return report
  }

  private func describe(_ timeline: Timeline, in report: inout PresetReport) {
    report.seconds = timeline.length?.inSeconds
    report.mayEndEarly = Transport(timeline).mayEndEarly(from: 0) ? true : nil
    report.sets = timeline.entries.compactMap(\.sets).max()
    let phrases = installed.phrases(of: timeline.workout, AnnouncementStyle())
    report.language = phrases.language
    report.outline = OutlineSegment.outline(of: timeline, phrases, limit: ControlLimits.segments)
  }

  /// Why a surface cannot start it though its text has no mistake.
  private func startFault(_ workout: Workout) -> Sentence? {
    do throws(InstallationError) {
      _ = try installed.style(of: workout, AnnouncementStyle()) { _ in }
    } catch {
      return error.sentence
    }
    return ControlRights.refusal(
      ofVoice: workout.style.voice.name, besides: installed.offeredVoices
    ).map { "voice: \($0)" }
  }

  // MARK: The other process

  /// A line of its answer, as far as it matters here.
  private struct Answer: Decodable {
    struct Warning: Decodable {
      var warning: String
      var phase: Int?
      var line: Int?
      var because: String?
      var about: [String]?
      var count: Int?
      var at: Double?
    }

    var warnings: [Warning]?
  }

  private func notes(_ text: String) -> [PresetReport.Note] {
    func unchecked(_ reason: String) -> [PresetReport.Note] {
      var note = PresetReport.Note("what is said in it is not checked: \(reason)".shownShort)
      note.because = NoteReason.unchecked.rawValue
      return [note]
    }
    let bytes: [UInt8]
    do throws(ChildFault) {
      bytes = try ChildProgram.answer(
        of: command, to: Array(text.utf8), niceness: 19, variables: Self.variables, within: patience
      )
    } catch {
      return unchecked(error.description)
    }
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(bytes)) else {
      return unchecked("there is no answer")
    }
    // A surface has a button that ends an endless phase.
    let warnings = (answer.warnings ?? []).filter { $0.because != NoteReason.endless.rawValue }
    return warnings.prefix(PresetReport.mostNotes).map {
      var note = PresetReport.Note(phase: $0.phase, line: $0.line, $0.warning.shownShort)
      (note.because, note.about, note.count, note.at) = ($0.because, $0.about, $0.count, $0.at)
      return note
    }
  }
}
