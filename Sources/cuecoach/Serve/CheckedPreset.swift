import ControlProtocol
import FoundationEssentials
import Glibc
import InstalledFiles
import IntervalTimeline
import Presets
import SystemIO
import WyomingSpeech

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
  private static let maxAnswer = 4 << 20

  /// Blocks for as long as that program works.
  func report(_ text: String) -> PresetReport {
    var report = PresetReport()
    let timeline: Timeline
    do throws(FileError) {
      let workout = try PresetFile.parse(
        Array(text.utf8), file: "workout", variant: installed.variant())
      guard let laidOut = try? Timeline(workout) else {
        report.faults = [.init(line: nil, "it cannot be laid out")]
        return report
      }
      timeline = laidOut
    } catch {
      report.faults = [
        .init(line: error.line, "\(error.problem), expected \(error.expected)".shownShort)
      ]
      return report
    }
    describe(timeline, in: &report)
    if let fault = startFault(timeline.workout) { report.faults = [.init(line: nil, fault)] }
    let isByPhase = report.outline?.count == timeline.count
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
    report.outline = OutlineSegment.outline(
      of: timeline, installed.phrases(of: timeline.workout, AnnouncementStyle()),
      limit: ControlLimits.segments)
  }

  /// Why a surface cannot start it though its text has no mistake.
  private func startFault(_ workout: Workout) -> String? {
    do throws(InstallationError) {
      _ = try installed.style(of: workout, AnnouncementStyle()) { _ in }
    } catch {
      return error.description.shownShort
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
    }

    var warnings: [Warning]?
  }

  private func notes(_ text: String) -> [PresetReport.Note] {
    let answer: Answer
    do throws(Failure) {
      answer = try ask(text)
    } catch {
      return [.init("what is said in it is not checked: \(error.reason)".shownShort)]
    }
    return (answer.warnings ?? []).prefix(PresetReport.mostNotes).map {
      .init(phase: $0.phase, line: $0.line, $0.warning.shownShort)
    }
  }

  private struct Failure: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  private func ask(_ text: String) throws(Failure) -> Answer {
    let child: WyomingChild
    do {
      child = try WyomingChild(command, niceness: 19, variables: Self.variables)
    } catch {
      throw Failure("\(error)")
    }
    // It is killed with its last reference.
    return try withExtendedLifetime(child) { () throws(Failure) -> Answer in
      let bytes = try exchange(Array(text.utf8), child.descriptor)
      guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(bytes)) else {
        throw Failure("there is no answer")
      }
      return answer
    }
  }

  /// Writes all of it, and reads until the other side ends.
  private func exchange(_ text: [UInt8], _ descriptor: Int32) throws(Failure) -> [UInt8] {
    let deadline = MachineTime.monotonic + patience.wholeNanoseconds
    var (written, answer) = (0, [UInt8]())
    var chunk = [UInt8](repeating: 0, count: 16_384)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    while answer.count < Self.maxAnswer {
      let left = deadline - MachineTime.monotonic
      guard left > 0 else {
        throw Failure("it takes more than \(Int(patience / .seconds(1))) s")
      }
      let isWriting = written < text.count
      var wait = pollfd(
        fd: descriptor, events: Int16(isWriting ? POLLIN | POLLOUT : POLLIN), revents: 0)
      guard poll(&wait, 1, Int32(left / 1_000_000) + 1) > 0 else { continue }
      if isWriting, wait.revents & Int16(POLLOUT) != 0 {
        let transfer = text.withUnsafeBytes {
          UnixSocket.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[written...]))
        }
        if case .moved(let count) = transfer { written += count }
        if written == text.count { shutdown(descriptor, Int32(SHUT_WR)) }
      }
      switch chunk.withUnsafeMutableBytes({ UnixSocket.read(descriptor, into: $0) }) {
      case .moved(let count): answer += chunk[..<count]
      case .blocked: break
      case .ended: return answer
      }
    }
    throw Failure("its answer is too long")
  }
}
