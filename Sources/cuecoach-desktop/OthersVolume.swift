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
      stream = nil
      return (next, nil)
    }
    guard stream == nil else { return (next, nil) }
    do throws(ChildFault) {
      stream = try ChildProgram(Self.command, niceness: 0, variables: Self.variables)
      return (next, nil)
    } catch {
      let isNew = complaint != error.description
      complaint = error.description
      return (next, isNew ? "others are not turned down: \(error.description)" : nil)
    }
  }
}
