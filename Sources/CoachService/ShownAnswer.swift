import ControlProtocol
import Dispatch

extension ControlAnswer {
  /// Wraps the receiver of an answer, which gets it as it is shown in a language; nil: in English. Call the result on any
  /// thread.
  ///
  /// - Parameters:
  ///   - translations: as in `ControlHandler.Configuration`.
  ///   - queue: on which they are asked for.
  static func showing(
    in language: String?, _ translations: @escaping @Sendable (String) -> [String: String],
    on queue: DispatchQueue, _ answer: @escaping ControlHandler.Answer
  ) -> ControlHandler.Answer {
    { reply in
      guard reply.hasSentences else { return answer(reply) }
      guard let language else { return answer(reply.shown(in: [:])) }
      queue.async { answer(reply.shown(in: translations(language))) }
    }
  }
}
