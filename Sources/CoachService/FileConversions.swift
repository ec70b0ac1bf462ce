import ControlProtocol
import CueEngine
import Dispatch
import IntervalTimeline

/// Reads the file of a workout, with its name, and writes it in a format; and says in a language what of it is lost.
package typealias FileConversion =
  @Sendable ([UInt8], String, String, String?) throws(ControlError) -> (
    text: String, reports: [String]
  )

/// Files of workouts, which come in pieces, and which another process reads. Its state lies on the handler's queue.
final class FileConversions: Sendable {
  typealias Answer = ControlHandler.Answer

  private struct Upload {
    let id: String
    var bytes: [UInt8]
    let since: BootInstant
  }

  private struct State {
    /// Files of which more is to come, the earliest first.
    var uploads: [Upload] = []
    /// Files that are whole and not answered yet.
    var whole = 0
  }

  private let configuration: ControlHandler.Configuration
  private let queue: DispatchQueue
  private let feed: ControlFeed
  private let state: QueueConfined<State>
  /// One is read at a time, and holds up nothing else.
  let reading = DispatchQueue(label: "cuecoach.control.convert")

  /// Files of which pieces are kept.
  private static let mostUploads = 4
  /// Files that are read or wait to be.
  private static let mostWhole = 2
  /// How long the next piece may take.
  private static let patience = Duration.seconds(60)

  init(_ configuration: ControlHandler.Configuration, _ feed: ControlFeed, on queue: DispatchQueue)
  {
    (self.configuration, self.feed, self.queue) = (configuration, feed, queue)
    state = QueueConfined(State(), to: queue)
  }

  func take(
    _ piece: FilePiece, language: String?, _ id: RequestID, _ answer: @escaping Answer
  ) {
    do throws(ControlError) {
      let bytes = try bytes(upTo: piece)
      if piece.hasMore { return keep(bytes, id, answer) }
      guard state.value.whole < Self.mostWhole else {
        throw ControlError(.full, "other files are to be read first")
      }
      convert(bytes, piece, language, id, answer)
    } catch {
      answer(ControlAnswer(id, error))
    }
  }

  /// All of the file that has come.
  private func bytes(upTo piece: FilePiece) throws(ControlError) -> [UInt8] {
    let now = configuration.clock()
    state.value.uploads.removeAll { $0.since + Self.patience < now }
    var bytes: [UInt8] = []
    if let upload = piece.upload {
      guard let index = state.value.uploads.firstIndex(where: { $0.id == upload }) else {
        throw ControlError(.invalid, "\(piece.file): too long ago; expected it from its beginning")
      }
      bytes = state.value.uploads.remove(at: index).bytes
    }
    guard bytes.count + piece.bytes.count <= ControlLimits.file else {
      throw ControlError(
        .tooLarge, "\(piece.file): over 256 KB, expected at most \(ControlLimits.file) bytes")
    }
    return bytes + piece.bytes
  }

  /// Until its next piece comes. Where many wait for theirs, the one that waits longest is forgotten.
  private func keep(_ bytes: [UInt8], _ id: RequestID, _ answer: Answer) {
    let upload = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    if state.value.uploads.count == Self.mostUploads { state.value.uploads.removeFirst() }
    state.value.uploads.append(Upload(id: upload, bytes: bytes, since: configuration.clock()))
    var reply = feed.done(id)
    reply.upload = upload
    answer(reply)
  }

  private func convert(
    _ bytes: [UInt8], _ piece: FilePiece, _ language: String?, _ id: RequestID,
    _ answer: @escaping Answer
  ) {
    state.value.whole += 1
    reading.async { [self] in
      let result = Result { () throws(ControlError) in
        try configuration.convertFile(bytes, piece.file, piece.format, language)
      }
      queue.async { [self] in
        state.value.whole -= 1
        switch result {
        case .success(let (text, reports)):
          var reply = feed.done(id)
          reply.text = text
          reply.notes = reports.isEmpty ? nil : reports.map { Sentence(verbatim: $0.shownShort) }
          answer(reply)
        case .failure(let error): answer(ControlAnswer(id, error))
        }
      }
    }
  }
}
