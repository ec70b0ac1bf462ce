import ControlProtocol

/// A conversation with the coach over one of its sockets, for a surface with a loop of its own: lines in and out,
/// without waiting, tried again for ever. Used by one thread.
package final class CoachPeer {
  private let socket: ClientSocket
  private let subscribes: Bool
  private let hearsSpeech: Bool
  private var lines = LineBuffer(limit: ControlLimits.answerLine)
  /// When to try again, nanoseconds of CLOCK_BOOTTIME.
  package private(set) var attemptAt: Int64 = 0
  private var backOff = ControlLimits.reconnection
  private var number: Int64 = 0

  /// Bytes that the coach may leave unread; readings beyond it are not worth sending any more.
  private static let patience = 32 * 1024
  /// Of 16 KiB each; the rest comes in the next turn.
  private static let readsInATurn = 16

  package enum Event {
    case message(ControlMessage)
    case speech(SpeechEvent)
    case ended(String)
  }

  /// - Parameter hearsSpeech: whether a subscription includes the events of announcements.
  package init(_ paths: [String], subscribes: Bool, hearsSpeech: Bool = false) {
    socket = ClientSocket(paths)
    self.subscribes = subscribes
    self.hearsSpeech = hearsSpeech
  }

  /// To be waited for; below zero while there is no connection.
  package var descriptor: Int32 { socket.descriptor }
  package var isConnected: Bool { socket.isConnected }
  package var wantsToWrite: Bool { socket.unsent > 0 }

  /// Tries to connect where it is time to. Returns why not.
  package func connectIfDue(at now: Int64) -> String? {
    guard !isConnected, attemptAt <= now else { return nil }
    if let reason = socket.connect() { return end(reason, at: now) }
    lines = LineBuffer(limit: ControlLimits.answerLine)
    if subscribes { request(.subscribe) }
    return nil
  }

  /// - Returns: what its answer has as `id`; nil where it could not be sent: the coach is away, or does not read.
  @discardableResult
  package func request(_ action: ControlRequest.Action, sentAt: Int64? = nil) -> RequestID? {
    guard isConnected, socket.unsent < Self.patience else { return nil }
    number += 1
    let id = RequestID.number(number)
    var request = ControlRequest(id, action, sentAt: sentAt)
    request.hearsSpeech = hearsSpeech && action == .subscribe
    guard let line = try? ControlCoding.line(request) else { return nil }
    socket.send(line)
    return id
  }

  /// Reads and writes what can be. That the coach has gone is among the events even where it wrote something before:
  /// what is asked afterwards is not asked of a connection that has ended.
  package func turn(at now: Int64) -> [Event] {
    socket.flush()
    var events: [Event] = []
    for _ in 0..<Self.readsInATurn {
      switch socket.receive() {
      case .nothing: return events
      case .ended: return events + [.ended(end("it has ended", at: now))]
      case .bytes(let bytes):
        if let fault = take(bytes, &events) { return events + [.ended(end(fault, at: now))] }
      }
    }
    return events
  }

  /// Returns why what it wrote ends the conversation.
  private func take(_ bytes: ArraySlice<UInt8>, _ events: inout [Event]) -> String? {
    for line in lines.append(bytes) {
      if hearsSpeech, case .complete(let bytes) = line, let event = speech(bytes) {
        events.append(.speech(event))
        continue
      }
      guard case .complete(let bytes) = line,
        let message = try? ControlCoding.value(ControlMessage.self, bytes)
      else { return "it wrote what is not understood" }
      if case .greeting(let greeting) = message, greeting.protocol != ControlLimits.version {
        return "it speaks version \(greeting.protocol) of the protocol"
      }
      if case .answer = message { backOff.reset() }
      events.append(.message(message))
    }
    return nil
  }

  /// Nil for a line that is none of what is said.
  private func speech(_ line: [UInt8]) -> SpeechEvent? {
    guard let event = try? ControlCoding.value(SpeechEvent.self, line) else { return nil }
    return event.event == SpeechEvent.name ? event : nil
  }

  private func end(_ reason: String, at now: Int64) -> String {
    socket.close()
    attemptAt = now + backOff.next().wholeNanoseconds
    return reason
  }

  package func close() { socket.close() }
}
