import CueSound
import Synchronization

/// Says once of each voice of an engine that it does not say a number, so that each count with it is another voice's.
final class CountReport: Sendable {
  private let engine: String
  private let report: @Sendable (String) -> Void
  /// The voices of which it has been said.
  private let told = Mutex(RecentValues<String?, Bool>(limit: 64))

  /// - Parameter report: gets a line, on the thread that calls.
  init(_ engine: String, _ report: @escaping @Sendable (String) -> Void) {
    (self.engine, self.report) = (engine, report)
  }

  /// A text could not be said.
  func note(_ error: SpeechError, of text: String, _ voice: SpeechVoice) {
    // A program that has been given up speaks again.
    guard error.kind == .text || error.kind == .failed, !voice.isPassing,
      SpeechRenderer.isNumber(text)
    else { return }
    let isNew = told.withLock { told in
      defer { told.set(true, for: voice.name) }
      return told.value(for: voice.name) == nil
    }
    guard isNew else { return }
    let name = [engine, voice.name].compactMap { $0 }.joined(separator: ":")
    report("counts with \"\(text)\" are not by \(name): \(error.detail)")
  }
}
