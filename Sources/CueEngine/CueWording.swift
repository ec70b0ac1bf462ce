import CueSound
import IntervalTimeline

/// What a cue is made of: one sound, or words.
public enum CueWording: Hashable, Sendable {
  case sound(SoundMeaning, text: String)
  /// One announcement, from its fullest wording to its shortest.
  case speech([String])
  /// A lead-in in its wordings, the fullest first, then the count words for `from`, `from` − 1, … 0 seconds before the end.
  case count(leadIns: [String], words: [String])

  /// The cue as one text.
  public var text: String {
    switch self {
    case .sound(_, let text): text
    case .speech(let wordings): wordings[0]
    case .count(let leadIns, let words): "\(leadIns[0]) \(words.joined(separator: ", "))"
    }
  }

  /// Everything that has to be spoken for it.
  var texts: [String] {
    switch self {
    case .sound: []
    case .speech(let wordings): wordings
    case .count(let leadIns, let words): leadIns + words
    }
  }
}

extension CueWording {
  /// The wording of `cue` in `timeline`.
  ///
  /// - Parameters:
  ///   - set: the number to speak.
  ///   - speaker: the lane's name when several lanes run; every announcement begins with it.
  ///   - left: what is left of the phase when the cue is heard, for a position.
  public init(
    _ cue: Cue, in timeline: Timeline, set: Int?, speaker: String? = nil, left: Duration? = nil,
    phrases: PhraseCatalogue = .english
  ) {
    let entry = cue.phase < timeline.count ? timeline.entries[cue.phase] : nil
    func value(_ variable: Variable) -> String? {
      switch variable {
      case .set: set.map(String.init)
      case .sets: entry?.sets.map(String.init)
      case .phase: entry.map { phrases.name(of: $0.phase) }
      case .next: next.map { phrases.name(of: $0) }
      case .length: (next ?? entry?.phase).flatMap { phrases.length($0.length) }
      case .remaining: left.map { phrases.duration($0) }
      case .elapsed: nil
      case .reps:
        if case .open(.reps) = entry?.phase.length {
          entry.flatMap { phrases.length($0.phase.length) }
        } else {
          nil
        }
      }
    }
    var next: Phase? {
      if case .next(let index) = cue.content { return timeline.entries[index].phase }
      return nil
    }
    func spoken(_ key: PhraseKey) -> [String] {
      phrases.wordings(key, value).map { text in speaker.map { "\($0): \(text)" } ?? text }
    }
    switch cue.content {
    case .countdown(let seconds):
      self = .sound(.count, text: "\(seconds)")
    case .transition(.effort):
      self = .sound(.highBegins, text: value(.phase) ?? "")
    case .transition(.ease):
      self = .sound(.lowBegins, text: value(.phase) ?? "")
    case .transition(.finish):
      self = .sound(.finish, text: "Finish")
    case .setCompletion(let from):
      self = .count(leadIns: spoken(.setCompletion), words: (0...from).reversed().map(String.init))
    case .halfway:
      self = .speech(spoken(.halfway))
    case .next:
      self = .speech(spoken(.next))
    case .finish:
      self = .speech(spoken(.finish))
    case .position:
      self = .speech(spoken(entry == nil ? .finish : .position))
    }
  }

  /// What the coach calls a phase.
  public static func label(of phase: Phase, phrases: PhraseCatalogue = .english) -> String {
    phrases.name(of: phase)
  }
}

extension Cue.Content {
  /// The kind as ledgers and timelines name it.
  public var name: String {
    switch self {
    case .countdown: "countdown"
    case .transition: "transition"
    case .setCompletion: "set-completion"
    case .halfway: "halfway"
    case .next: "next"
    case .finish: "finish"
    case .position: "position"
    }
  }
}
