/// The limits of the control socket's protocol.
public enum ControlLimits {
  /// The version of the protocol, 1. It is raised when a client of the previous version would misunderstand.
  public static let version = 1
  /// Bytes of a request, its line feed included: 65 536.
  package static let requestLine = 64 * 1024
  /// Bytes of an answer or event: 262 144. A snapshot of 32 lanes with long names needs more than a request.
  package static let answerLine = 256 * 1024
  /// Unicode scalars of a text to be said: 500.
  package static let text = 500
  /// Bytes of an inline workout: 49 152.
  public static let workout = 48 * 1024
  /// Bytes of a workout's file that comes in pieces: 262 144.
  package static let file = 256 * 1024
  /// Entries of the history or the list of sessions in one answer: 200.
  package static let rows = 200
  /// Presets in one answer: 500.
  package static let presets = 500
  /// Segments of a workout's outline, 500; longer workouts are summed up by sets, or have none.
  package static let segments = 500
  /// The latest warnings that a snapshot has: 4.
  package static let warnings = 4
  /// How long after its `sentAt` a command is taken, in nanoseconds: 2 s.
  package static let commandLife: Int64 = 2_000_000_000
  /// Workouts at once: 32.
  package static let lanes = 32
  /// How long a surface waits before it connects anew to a coach that is away.
  package static var reconnection: BackOff { BackOff(from: .milliseconds(250), to: .seconds(4)) }
}
