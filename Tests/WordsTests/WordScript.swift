import CueSound
import IntervalTimeline
import TestSupport
import Testing

@testable import Words

/// A planner with the sessions, words and clock of a test.
final class WordScript {
  private(set) var lanes: [SpeakingLane]
  var planner = WordPlanner(outputLatency: .zero)
  /// Texts that have not been rendered.
  var missing: Set<String> = []
  /// False: nothing is there of what another program is to speak.
  var hasEngineSpoken = true
  /// Texts that have not been rendered faster than usual.
  var missingFaster: Set<String> = []
  /// Texts that have been measured, but not kept.
  var measured: Set<String> = []
  /// Texts whose lengths are known and whose clips are not there.
  var unrendered: Set<String> = []
  /// False: nothing can be spoken.
  var isSpeakable = true
  /// Texts that cannot be spoken.
  var unspeakable: Set<String> = []
  /// Milliseconds for each character.
  var pace = 60
  /// Whether the planner considers upcoming announcements.
  var isComplete = true
  /// All effects so far.
  private(set) var log: [String] = []
  /// How long the voices of other programs were awaited, for each rendering.
  private(set) var patiences: [Duration?] = []
  /// The feedback to the sessions: the hand-off and its place.
  private(set) var places: [String] = []

  private static let names = ["anna", "ben", "cleo"]
  private static let start = BootInstant(nanoseconds: 1_000_000_000_000)

  /// Every workout begins at once.
  init(_ workouts: [Workout], voice: SpeechVoice = SpeechVoice(), canWait: Bool = false) throws {
    lanes = try workouts.enumerated().map { index, workout in
      SpeakingLane(
        id: LaneID(serial: index, slot: index), name: Self.names[index],
        session: Session(try Timeline(workout), plan: .plain), voice: voice,
        phrases: Shared(.english), values: LiveValues(),
        speaker: workouts.count > 1 ? Self.names[index] : nil,
        beep: PCMClip(rate: 8_000, samples: [1]))
    }
    planner.canWait = canWait
    for index in lanes.indices {
      _ = lanes[index].session.handle(.start, at: Self.start)
    }
  }

  /// The planner's effects for the hand-offs at that time.
  func check(at seconds: Double) -> [String] {
    announce(lanes.indices.map { ($0, lanes[$0].session.check(at: instant(seconds))) }, at: seconds)
  }

  func send(_ command: Command, lane: Int = 0, at seconds: Double) -> [String] {
    let effects = lanes[lane].session.handle(command, at: instant(seconds))
    return announce([(lane, effects)], at: seconds, isCommand: true)
  }

  private func announce(
    _ effects: [(lane: Int, effects: [SessionEffect])], at seconds: Double, isCommand: Bool = false
  ) -> [String] {
    var wanted: [(lane: LaneID, handOff: HandOff)] = []
    for (lane, effects) in effects {
      for case .handOff(let handOff) in effects where handOff.cue.isSpoken {
        wanted.append((lanes[lane].id, handOff))
      }
    }
    return take(
      planner.announce(
        wanted, of: speaking, with: words, at: instant(seconds), isCommand: isCommand))
  }

  func rendered(_ number: Int, at seconds: Double) -> [String] {
    take(planner.rendered(number, of: speaking, with: words, at: instant(seconds)))
  }

  func withdraw(_ lane: Int, at seconds: Double) -> [String] {
    take(planner.pending.withdraw(lanes[lane], at: instant(seconds)))
  }

  func withdrawQuestion(at seconds: Double) -> [String] {
    take(
      planner.pending.withdraw("the question is over", of: speaking, at: instant(seconds)) {
        $1.cue.content == .stopQuestion
      })
  }

  private var speaking: SpeakingLanes { SpeakingLanes(lanes, isComplete: isComplete) }

  /// What is there of words that take too long to render is said.
  func endWaiting(at seconds: Double) -> [String] {
    take(planner.endWaiting(of: speaking, with: words, at: instant(seconds)))
  }

  func isOverdue(at seconds: Double) -> Bool { planner.pending.isOverdue(at: instant(seconds)) }

  private var words: Words {
    Words(
      missing: planner.canWait ? missing.union(unrendered) : [], hasEngineSpoken: hasEngineSpoken,
      missingFaster: planner.canWait ? missingFaster : [], measured: measured.union(unrendered),
      isSpeakable: isSpeakable, unspeakable: unspeakable, pace: pace)
  }

  private func instant(_ seconds: Double) -> BootInstant {
    Self.start + .milliseconds(Int((seconds * 1000).rounded()))
  }

  private func seconds(_ instant: BootInstant) -> String {
    let milliseconds = Self.start.duration(to: instant).wholeMilliseconds
    let rest = "\(milliseconds % 1000)"
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  private func take(_ plan: WordPlan) -> [String] {
    for lane in lanes.indices {
      let feedback = plan.feedback[lanes[lane].id] ?? []
      lanes[lane].session.learn(feedback)
      places += feedback.map { words in
        "\(words.id): "
          + (words.place.map { "\(seconds($0.lowerBound)) to \(seconds($0.upperBound))" } ?? "-")
      }
    }
    let texts = plan.effects.map(text)
    log += texts
    return texts
  }

  private func text(_ effect: WordEffect) -> String {
    switch effect {
    case .send(let words, _):
      let parts = words.cue.parts
      let beep = parts.contains { $0.isSpeech } ? "" : "beep "
      return "send \(beep)" + parts.map { "\($0.text)@\(seconds($0.due))" }.joined(separator: " ")
        + (words.cue.reason.map { " (\($0))" } ?? "")
    case .withdraw(let announcements):
      return "withdraw " + announcements.map { "\($0.handOff)" }.joined(separator: " ")
    case .silence(let announcement): return "silence \(announcement.handOff)"
    case .render(let number, let orders, let urgency, _):
      patiences.append(urgency.patience)
      let texts = orders.compactMap { order -> String? in
        switch order.purpose {
        case .length: nil
        case .clip: order.text
        case .fitting(let longest): "\(order.text) in \(longest.wholeNanoseconds / 1_000_000) ms"
        }
      }
      return "render \(number)" + (texts.isEmpty ? "" : " ") + texts.joined(separator: ", ")
    case .stopRendering(let number): return "stop rendering \(number)"
    case .write(let words):
      let cue = words.cue
      return "write \(cue.text) \(cue.outcome)" + (cue.reason.map { " (\($0))" } ?? "")
    case .asked(let until): return "asked until \(seconds(until))"
    }
  }

  /// As long as their characters take, and faster on request.
  private struct Words: SpeechSource {
    let missing: Set<String>
    let hasEngineSpoken: Bool
    let missingFaster: Set<String>
    let measured: Set<String>
    let isSpeakable: Bool
    let unspeakable: Set<String>
    let pace: Int

    private func isSilent(_ voice: SpeechVoice) -> Bool { voice.engine != nil && !hasEngineSpoken }

    func isReady(_ texts: [String], lengthsOf others: [String], voice: SpeechVoice) -> Bool {
      !isSilent(voice) && missing.isDisjoint(with: texts)
        && missing.subtracting(measured).isDisjoint(with: others)
    }

    func length(of text: String, voice: SpeechVoice) -> Spoken<Duration> {
      if isSilent(voice) || missing.contains(text) && !measured.contains(text) { return .missing }
      guard isSpeakable, !unspeakable.contains(text) else { return .impossible }
      return .there(.milliseconds(Int64(pace * text.count)))
    }

    func clip(
      _ text: String, voice: SpeechVoice, within longest: Duration
    ) -> Spoken<PCMClip> {
      switch length(of: text, voice: voice) {
      case .there(let length):
        if missing.contains(text) || (length > longest && missingFaster.contains(text)) {
          return .missing
        }
        let count = Int(min(length, longest).wholeNanoseconds / 1_000_000)
        return .there(PCMClip(rate: 1_000, count: count) { _ in })
      case .missing: return .missing
      case .impossible: return .impossible
      }
    }
  }
}
