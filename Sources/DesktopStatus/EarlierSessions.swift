import ControlProtocol
import IntervalTimeline

/// Workouts that were interrupted before this program started. Each has one notification, which a restart of the program does
/// not repeat.
struct EarlierSessions: Hashable, Sendable {
  /// Those that the user was told of, a line each.
  private var known: Set<String>
  /// Those whose notices are on the way, by the workout's name.
  private var offered: [String: String] = [:]
  private var hasAsked = false
  private var isRefused = false

  /// Of more, those that were interrupted last.
  private static let most = 4

  /// - Parameter told: what `told` was.
  init(_ told: String) {
    known = Set(told.split(separator: "\n").map(String.init))
  }

  var told: String { known.sorted().map { $0 + "\n" }.joined() }

  /// Which workout it is, and where it stopped: one that is interrupted again has gone on in between.
  private static func line(_ session: SessionEntry) -> String {
    [session.lane, session.workout, session.place].joined(separator: " / ").singleLine
  }

  /// True where they are to be asked for now.
  mutating func isAsking() -> Bool {
    defer { hasAsked = true }
    return !hasAsked
  }

  /// - Parameter others: workouts whose interruption has another notification.
  /// - Returns: those that are to be told.
  mutating func take(_ sessions: [SessionEntry], told others: [String?]) -> [SessionEntry] {
    known.formIntersection(sessions.map(Self.line))
    let news = sessions.filter { !known.contains(Self.line($0)) }.sorted { $0.age < $1.age }
    offered = [:]
    var shown: [SessionEntry] = []
    for session in news {
      let isOther = others.contains(session.lane)
      // Of one name there may be several; there is one notice.
      let isTold = isOther || shown.count < Self.most && offered[session.lane] == nil
      if isTold {
        offered[session.lane] = Self.line(session)
      } else {
        known.insert(Self.line(session))
      }
      if isTold, !isOther { shown.append(session) }
    }
    return shown
  }

  /// It is no more what it was.
  mutating func isRunning(_ lane: String) { offered[lane] = nil }

  /// Returns true where `told` has changed.
  mutating func shown(_ lane: String, isRefused: Bool) -> Bool {
    guard let line = offered[lane] else { return false }
    guard !isRefused else {
      self.isRefused = true
      return false
    }
    offered[lane] = nil
    known.insert(line)
    return true
  }

  mutating func beginAnew() {
    guard isRefused || !offered.isEmpty else { return }
    (hasAsked, isRefused) = (false, false)
  }
}
