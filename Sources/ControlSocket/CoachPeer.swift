import ControlProtocol
import Glibc

/// A connection to one of the coach's sockets, for a surface with a loop of its own: lines in and out, without waiting,
/// tried again for ever. Used by one thread.
package final class CoachPeer {
  private let paths: [String]
  private let subscribes: Bool
  /// To be waited for; below zero while there is no connection.
  package private(set) var descriptor: Int32 = -1
  private var outbox: [UInt8] = []
  private var lines = LineBuffer(limit: ControlLimits.answerLine)
  /// When to try again, nanoseconds of CLOCK_BOOTTIME.
  package private(set) var attemptAt: Int64 = 0
  private var pause = CoachPeer.pauses.first
  private var number: Int64 = 0

  private static let pauses: (first: Int64, longest: Int64) = (250_000_000, 4_000_000_000)
  /// Bytes that the coach may leave unread; readings beyond it are not worth sending any more.
  private static let patience = 32 * 1024

  package enum Event {
    case message(ControlMessage)
    case ended(String)
  }

  package init(_ paths: [String], subscribes: Bool) {
    self.paths = paths
    self.subscribes = subscribes
  }

  deinit { close() }

  package var isConnected: Bool { descriptor >= 0 }
  package var wantsToWrite: Bool { !outbox.isEmpty }

  /// Tries to connect where it is time to. Returns why not.
  package func connectIfDue(at now: Int64) -> String? {
    guard !isConnected, attemptAt <= now else { return nil }
    var reason = "there is no socket; start it with: cuecoach serve"
    for path in paths {
      do throws(ControlSocketError) {
        descriptor = try UnixSocket.make()
        let code = try UnixSocket.connect(descriptor, path)
        guard code != 0 else {
          lines = LineBuffer(limit: ControlLimits.answerLine)
          if subscribes { request(.subscribe) }
          return nil
        }
        if code != ENOENT { reason = "\(path): \(String(cString: strerror(code)))" }
      } catch {
        reason = "\(error)"
      }
      close()
    }
    wait(from: now)
    return reason
  }

  private func wait(from now: Int64) {
    attemptAt = now + pause
    pause = min(pause * 2, Self.pauses.longest)
  }

  /// - Returns: false where it could not be sent: the coach is away, or does not read.
  @discardableResult
  package func request(_ action: ControlRequest.Action, sentAt: Int64? = nil) -> Bool {
    guard isConnected, outbox.count < Self.patience else { return false }
    number += 1
    guard
      let line = try? ControlCoding.line(ControlRequest(.number(number), action, sentAt: sentAt))
    else { return false }
    outbox += line
    flush()
    return true
  }

  private func flush() {
    while !outbox.isEmpty,
      case .moved(let count) = outbox.withUnsafeBytes({ UnixSocket.write(descriptor, $0) })
    {
      outbox.removeFirst(count)
    }
  }

  /// Reads and writes what can be.
  package func turn(at now: Int64) -> [Event] {
    guard isConnected else { return [] }
    flush()
    var part = [UInt8](repeating: 0, count: 16 * 1024)
    switch part.withUnsafeMutableBytes({ UnixSocket.read(descriptor, into: $0) }) {
    case .blocked: return []
    case .ended: return [.ended(end("it has ended", at: now))]
    case .moved(let count):
      var events: [Event] = []
      for line in lines.append(part[..<count]) {
        guard case .complete(let bytes) = line,
          let message = try? ControlCoding.value(ControlMessage.self, bytes)
        else { return events + [.ended(end("it wrote what is not understood", at: now))] }
        if case .greeting(let greeting) = message, greeting.protocol != ControlLimits.version {
          return events + [
            .ended(end("it speaks version \(greeting.protocol) of the protocol", at: now))
          ]
        }
        if case .answer = message { pause = Self.pauses.first }
        events.append(.message(message))
      }
      return events
    }
  }

  private func end(_ reason: String, at now: Int64) -> String {
    close()
    wait(from: now)
    return reason
  }

  package func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
    outbox = []
  }
}
