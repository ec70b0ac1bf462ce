import ForeignWorkouts
import IntervalTimeline
import Presets
import TestSupport

/// What becomes of a file: a workout that can be run, or one line that says what is wrong.
package enum FileTrial {
  /// Anything else: the sentence says what.
  package struct Failure: Error {
    package let what: String
  }

  private static let maxMessage = 500

  /// Reads a file, writes what was read as a preset and reads that again.
  ///
  /// - Returns: the format of a file that is a workout; nil for one that was refused as it should be.
  @discardableResult
  package static func read(_ bytes: [UInt8]) throws(Failure) -> WorkoutFile.Format? {
    let file: WorkoutFile
    do throws(FileError) {
      file = try WorkoutFile.parse(bytes, file: "a.file")
    } catch {
      try check(error.description)
      return nil
    }
    do throws(WorkoutError) {
      _ = try Timeline(file.workout)
    } catch {
      throw Failure(what: "a workout that does not compile: \(error)")
    }
    for report in file.reports {
      guard isOneLine(report) else { throw Failure(what: "a report: \(report)") }
    }
    let written = WorkoutWriter(file.workout, as: .yaml)
    let text = written.text
    // Twenty thousand phases of 1 MB may become a preset of more.
    if text.utf8.count > 1_000_000 {
      guard written.reports.count == 1 else { throw Failure(what: "a huge preset without a word") }
      return file.format
    }
    let again: Workout
    do throws(FileError) {
      again = try PresetFile.parse(Array(text.utf8), file: "a.yaml")
    } catch {
      throw Failure(what: "a preset that is refused: \(error)")
    }
    // The others lose something; what they write is a workout again, unless it is too large or too long.
    for format in WorkoutWriter.Format.allCases where file.workout.blocks.count < 20 {
      let other = WorkoutWriter(file.workout, as: format).text
      if let message = refusal(of: other) { try check(message) }
    }
    guard again == file.workout else { throw Failure(what: "another workout from its preset") }
    return file.format
  }

  private static func refusal(of text: String) -> String? {
    failure(FileError.self) {
      _ = try WorkoutFile.parse(
        Array(text.utf8), file: "a.file", variant: WorkoutVariant(isFlat: true))
    }?.description
  }

  private static func check(_ message: String) throws(Failure) {
    guard message.hasPrefix("a.file:"), message.contains(", expected "), isOneLine(message) else {
      throw Failure(what: "a message: \(message)")
    }
  }

  private static func isOneLine(_ text: String) -> Bool {
    text.unicodeScalars.count <= maxMessage
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
