import ControlProtocol
import DesktopStatus
import Glibc
import SystemIO

/// Turns other programs down while words are spoken: a silent stream whose role makes the sound server do that. It ends
/// with this process, even when that is killed.
final class OthersVolume {
  private var times = SpokenTimes()
  private var stream: ChildProgram?
  /// Why the stream does not begin; nil: not yet logged.
  private var complaint: String?

  /// pacat plays what it reads; /dev/zero is silence without an end.
  private static let command = [
    "pacat", "--playback", "--raw", "--property=media.role=announce", "--client-name=cuecoach",
    "--stream-name=cuecoach", "--latency-msec=100", "/dev/zero",
  ]
  private static let variables = [
    "XDG_RUNTIME_DIR", "PULSE_SERVER", "PULSE_COOKIE", "PULSE_RUNTIME_PATH",
  ]

  func take(_ event: SpeechEvent) { times.take(event) }

  func forget() {
    times.forget()
    stream = nil
  }

  /// Begins or ends what is due. Returns when it is due again, and a line for the log.
  func check(at now: Int64) -> (next: Int64?, line: String?) {
    let (isSpeaking, next) = times.isSpeaking(at: now)
    guard isSpeaking else {
      defer { stream = nil }
      return (
        next,
        stream.map(Self.hasEnded) ?? false
          ? line("pacat found no sound server, or was sent away by it") : nil
      )
    }
    guard stream == nil else { return (next, nil) }
    do throws(ChildFault) {
      stream = try ChildProgram(Self.command, niceness: 0, variables: Self.variables)
      return (next, nil)
    } catch {
      return (next, line(error.description))
    }
  }

  /// It writes nothing to its standard output, so that there is only its end to be read.
  private static func hasEnded(_ stream: ChildProgram) -> Bool {
    var wait = pollfd(fd: stream.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, 0) > 0
  }

  /// Nil for what was said last.
  private func line(_ reason: String) -> String? {
    defer { complaint = reason }
    return complaint == reason ? nil : "others are not turned down: \(reason)"
  }
}
