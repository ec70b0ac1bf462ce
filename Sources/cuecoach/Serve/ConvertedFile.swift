import ControlProtocol
import ForeignWorkouts
import FoundationEssentials
import IntervalTimeline
import SystemIO

/// The file of a workout, which anybody may have written. Another process reads it, which opens nothing meanwhile.
struct ConvertedFile {
  private let command: [String]
  private let patience: Duration

  /// - Parameters:
  ///   - command: a program that does as `cuecoach convert` with arguments behind these.
  ///   - patience: how long it may take; of a processor it has a few seconds.
  init(
    command: [String] = [Programs.own ?? "cuecoach", "convert"], patience: Duration = .seconds(45)
  ) {
    (self.command, self.patience) = (command, patience)
  }

  private struct Answer: Decodable {
    var text: String?
    var reports: [String]?
    var error: String?
  }

  /// What a format other than that of presets may have, in bytes: an answer holds it with what JSON adds.
  private static let most = 128 * 1024

  /// Blocks for as long as that program works.
  func text(
    of bytes: [UInt8], named name: String, as format: String, in language: String?
  ) throws(ControlError) -> (text: String, reports: [String]) {
    guard let format = WorkoutWriter.Format(rawValue: format) else {
      let formats = WorkoutWriter.Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError(.malformed, "to \(format.quotedName): expected one of \(formats)")
    }
    let language = language.map { ["--language=\($0)"] } ?? []
    let written: [UInt8]
    do throws(ChildFault) {
      written = try ChildProgram.answer(
        of: command + ["-", "--json", "--name=\(name)", "--to=\(format.rawValue)"] + language,
        to: bytes,
        within: patience)
    } catch {
      throw ControlError(.failed, "\(name): it is not read: \(error)")
    }
    let answer = (try? JSONDecoder().decode(Answer.self, from: Data(written))) ?? Answer()
    guard let text = answer.text else {
      throw ControlError(
        .invalid,
        answer.error.map { Sentence(verbatim: $0.shownShort) }
          ?? "\(name): it cannot be read, expected the file of a workout")
    }
    let most = format == .yaml ? ControlLimits.workout : Self.most
    guard text.utf8.count <= most else {
      let count = text.utf8.count
      throw ControlError(
        .tooLarge,
        "\(name): \(count) bytes as \(format.rawValue), expected at most \(most)")
    }
    return (text, answer.reports ?? [])
  }
}
