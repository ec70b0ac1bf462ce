import ControlProtocol
import Glibc
import IntervalTimeline
import Phrases

/// Shows the state of a coach as it changes. Used only by the main thread.
protocol StatusDisplay: AnyObject {
  /// Where keys can be read; nil: nowhere.
  var keys: Int32? { get }
  /// True once a key for the end was pressed.
  var hasQuit: Bool { get }
  func begin()
  /// A coach answers, for the first time or again.
  func connected(_ snapshot: CoachSnapshot)
  /// - Parameter snapshot: after the event.
  func changed(_ event: ControlEvent, _ snapshot: CoachSnapshot)
  func disconnected()
  /// Updates the display. Returns how long it stays valid; nil: until something happens.
  ///
  /// - Parameter snapshot: as of now; nil while no coach answers.
  func show(_ snapshot: CoachSnapshot?) -> Duration?
  func resized()
  func end()
}

extension StatusDisplay {
  var keys: Int32? { nil }
  var hasQuit: Bool { false }
  func begin() {}
  func disconnected() { context.complain(StatusText.gone) }
  func show(_ snapshot: CoachSnapshot?) -> Duration? { nil }
  func resized() {}
  func end() {}
}

enum StatusText {
  static let gone = "the coach has ended; waiting until one is running again"
}

/// For programs: a snapshot for each change, one JSON object per line.
final class StatusObjects: StatusDisplay {
  func connected(_ snapshot: CoachSnapshot) { print(snapshot) }
  func changed(_ event: ControlEvent, _ snapshot: CoachSnapshot) { print(snapshot) }

  private func print(_ snapshot: CoachSnapshot) {
    do throws(UserError) {
      try context.printObject(snapshot)
    } catch {
      context.complain(error)
    }
  }
}

/// Without a terminal: a line for each change.
final class StatusLines: StatusDisplay {
  private var catalogues: [String: PhraseCatalogue] = [:]
  /// The last line of each workout: some events change nothing in it.
  private var shown: [String: [String]] = [:]

  func connected(_ snapshot: CoachSnapshot) {
    shown = [:]
    context.printSentences(ShownSnapshot(snapshot, &catalogues).lines)
  }

  func changed(_ event: ControlEvent, _ snapshot: CoachSnapshot) {
    switch event.event {
    case .lane, .ended:
      guard let lane = event.lane else { return }
      var snapshot = snapshot
      snapshot.lanes = [lane]
      let lines =
        event.event == .ended && lane.state == .ready
        ? ["\(lane.name): cancelled"] : ShownSnapshot(snapshot, &catalogues).laneLines
      if shown[lane.name] != lines { context.printSentences(lines) }
      shown[lane.name] = event.event == .ended ? nil : lines
    case .device:
      guard snapshot.device.state == .lost else { return }
      context.printSentences(ShownSnapshot(snapshot, &catalogues).notes.suffix(1))
    case .volume: context.printSentences(["volume \(snapshot.volume)"])
    case .warning: context.printSentences([event.message ?? ""])
    case .lists: break
    }
  }
}

/// On a terminal: the picture of a run's screen, which counts down by itself.
final class StatusScreen: StatusDisplay {
  private var canvas = Canvas()
  private var catalogues: [String: PhraseCatalogue] = [:]
  private var warning: String?
  private(set) var hasQuit = false

  var keys: Int32? { Terminal.isOurs && !keysHaveEnded ? STDIN_FILENO : nil }
  private var keysHaveEnded = false

  func begin() { Terminal.enter() }

  func connected(_ snapshot: CoachSnapshot) { warning = nil }

  func changed(_ event: ControlEvent, _ snapshot: CoachSnapshot) {
    if event.event == .warning { warning = event.message }
  }

  func disconnected() {}

  func show(_ snapshot: CoachSnapshot?) -> Duration? {
    readKeys()
    // A shell's `fg` sends no signal to a job that runs.
    if !Terminal.isOurs { Terminal.enter() }
    guard Terminal.isOurs else {
      canvas.forget()
      return .milliseconds(500)
    }
    guard let snapshot else {
      canvas.draw(Columns.wrapped(StatusText.gone, to: canvas.size.columns))
      return nil
    }
    let shown = ShownSnapshot(snapshot, &catalogues)
    canvas.draw(
      shown.picture(
        columns: canvas.size.columns, rows: canvas.size.rows, style: canvas.style,
        notes: shown.notes + [warning].compactMap { $0 }))
    return shown.untilNextSecond
  }

  func resized() {
    Terminal.enter()
    canvas.resized()
  }

  func end() { Terminal.leave() }

  /// Without waiting.
  private func readKeys() {
    guard let keys else { return }
    var event = pollfd(fd: keys, events: Int16(POLLIN), revents: 0)
    guard poll(&event, 1, 0) > 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(keys, &bytes, bytes.count)
    // The terminal is closed, and SIGHUP ends the watch.
    if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { keysHaveEnded = true }
    guard count > 0, bytes[0] != 0x1b else { return }
    hasQuit = bytes[..<count].contains { $0 | 0x20 == UInt8(ascii: "q") }
  }
}
