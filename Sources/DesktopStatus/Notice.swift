import ControlProtocol
import IntervalTimeline

/// A notification on the desktop. There is one for each workout, and one for the sound.
package struct Notice: Hashable, Sendable {
  /// What the person may press; the raw value is what the notification server reports.
  package enum Button: String, Hashable, Sendable {
    case pause, resume, next, stop
  }

  package struct LabelledButton: Hashable, Sendable {
    package var button: Button
    package var label: String
  }

  /// The workout's name; nil: it is of the sound.
  package var lane: String?
  package var title: String
  /// Lines, as plain text.
  package var lines: [String]
  package var buttons: [LabelledButton] = []
  /// It may go by unseen.
  package var isLow = true
  /// Shown only in place of a notice of the same workout that is still on the screen.
  package var onlyReplaces = false

  /// It only says where the workout is, which goes on.
  var isProgress: Bool { buttons.contains { $0.button == .next } }

  /// The lines for a server that reads markup; others are shown them as they are.
  package func body(hasMarkup: Bool) -> String {
    let text = lines.map(\.forBus).joined(separator: "\n")
    guard hasMarkup else { return text }
    return text.replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;"])
  }
}

extension String {
  fileprivate func replacing(_ characters: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let other = characters[scalar] {
        text += other
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

/// What the user is notified of.
package enum NoticeKind: String, CaseIterable, Hashable, Sendable {
  /// A workout begins.
  case begins
  /// A set begins.
  case sets
  /// A workout was interrupted; it can be resumed.
  case interrupted
  /// A workout has come to its end.
  case complete
  /// No sound comes out.
  case noSound = "no-sound"

  /// Those that nobody has to ask for.
  package static let usual: Set<NoticeKind> = [.interrupted, .complete, .noSound]
}
