import IntervalTimeline
import Phrases

/// What an announcement says.
package enum CueWording: Hashable, Sendable {
  /// One announcement, from its fullest wording to its shortest; none where it has none.
  case speech([String])
  /// A lead-in in its wordings, the fullest first, then the count words for `from`, `from` − 1, …
  /// 0 seconds before the end. `name` is the lane's, said alone where no lead-in has room.
  case count(leadIns: [String], name: String?, words: [String])

  /// All of it as one text.
  package var text: String {
    switch self {
    case .speech(let wordings): wordings.first ?? ""
    case .count(let leadIns, _, let words):
      (leadIns.prefix(1) + [words.joined(separator: ", ")]).joined(separator: " ")
    }
  }

  /// The numbers of a count; nil for anything else.
  var numbers: [String]? {
    if case .count(_, _, let words) = self { words } else { nil }
  }

  /// Everything that may be spoken for it.
  package var texts: [String] {
    switch self {
    case .speech: candidates
    case .count(let leadIns, let name, let words): leadIns + [name].compactMap { $0 } + words
    }
  }

  /// The wordings that are tried: the two fullest, or three of five, and the shortest. Rendering takes time.
  var candidates: [String] {
    guard case .speech(let wordings) = self else { return [] }
    return wordings.count > 3
      ? wordings.prefix(wordings.count > 4 ? 3 : 2) + wordings.suffix(1) : wordings
  }

  /// What is probably spoken: the fullest wording, and every number.
  package var likelyTexts: [String] {
    switch self {
    case .speech(let wordings): Array(wordings.prefix(1))
    case .count(let leadIns, _, let words): leadIns.prefix(1) + words
    }
  }

  /// What is true at the instant at which a cue is heard.
  package struct Moment: Hashable, Sendable {
    /// The number of the set.
    package var set: Int?
    /// What is left of the phase; nil where its end is not known.
    package var phaseLeft: Duration?
    /// The repetitions counted in the phase; nil where none are counted.
    package var counted: Int?
    /// Workout time.
    package var elapsed: Duration?
    /// The lane's live values.
    package var values = LiveValues()
    /// The instant, by which values may be too old; nil where it is not known yet.
    package var instant: BootInstant?
    /// Of the phase that is told, the name says everything.
    package var nameIsEnough = false
    /// What has been done, in the announcement of the end.
    package var done: WorkDone?

    package init(
      set: Int?, phaseLeft: Duration? = nil, counted: Int? = nil, elapsed: Duration? = nil,
      values: LiveValues = LiveValues(), instant: BootInstant? = nil, nameIsEnough: Bool = false,
      done: WorkDone? = nil
    ) {
      self.set = set
      self.phaseLeft = phaseLeft
      self.counted = counted
      self.elapsed = elapsed
      self.values = values
      self.instant = instant
      self.nameIsEnough = nameIsEnough
      self.done = done
    }
  }
}

extension CueWording {
  /// The wording of `cue` in `timeline`.
  ///
  /// - Parameter speaker: the lane's name when several lanes run; every announcement begins with
  ///   it.
  package init(
    _ cue: Cue, in timeline: Timeline, at moment: Moment, speaker: String? = nil,
    phrases: PhraseCatalogue = .english
  ) {
    let values = WordingValues(cue, timeline, moment, phrases)
    func named(_ text: String) -> String { speaker.map { "\($0): \(text)" } ?? text }
    func spoken(_ key: PhraseKey) -> [String] {
      phrases.wordings(key, values.value(of:), live: values.live).map(named)
    }
    /// Texts that are not the catalogue's. With a long name one may be too long to be spoken.
    func texts(_ wordings: [Template]) -> [String] {
      let texts = wordings.compactMap {
        phrases.translated($0).filled(values.value(of:), live: values.live)
      }
      return speaker == nil ? texts : texts.flatMap { [named($0), $0] }
    }
    switch cue.content {
    // Sounds.
    case .countdown, .transition, .signal: self = .speech([])
    case .setCompletion(let from):
      self = .count(
        leadIns: spoken(.setCompletion), name: speaker,
        words: (0...from).reversed().map(String.init))
    case .remark(let number):
      self = .speech(texts(timeline.entries[cue.phase].phase.remarks[number].wordings))
    case .laneName: self = .speech(speaker.map { [$0] } ?? [])
    // Who counts knows whose count it is.
    case .repetition(let number): self = .speech([String(number)])
    case .total(let phase, _):
      self = .speech(texts([timeline.entries[phase].phase.total].compactMap { $0 }))
    case .message(let message):
      guard let coaching = message.coaching else {
        self = .speech(texts(message.wordings))
        break
      }
      self = .speech(
        coaching.wordings.map(phrases.words).filter { !$0.isEmpty }.map(named))
    // It concerns all lanes, so it names none.
    case .stopQuestion: self = .speech(phrases.wordings(.stopQuestion, values.value(of:)))
    case .position, .whereAmI:
      // A phase's name alone is no answer if there is more to say.
      self = .speech(
        Array(spoken(cue.phase < timeline.count ? .position : .finish).prefix(3)))
    case .next, .begins:
      var wordings: [String] = []
      for key in values.telling {
        wordings = spoken(key)
        guard let full = wordings.first else { continue }
        let brief = phrases.wordings(key, values.brief.value(of:), live: values.live).first
        if let brief = brief.map(named), brief != full { wordings.insert(brief, at: 1) }
        break
      }
      self = .speech(wordings)
    case .halfway, .timeLeft, .elapsed, .time, .finish, .stopped, .acknowledgement, .opening,
      .setComplete:
      self = .speech(cue.content.phrase.map(spoken) ?? [])
    }
  }
}

/// The values of variables where a cue is heard.
private struct WordingValues {
  private let cue: Cue
  private let timeline: Timeline
  private let moment: CueWording.Moment
  private let phrases: PhraseCatalogue
  /// Of several targets the first alone; of a group none.
  private var isBrief = false

  init(
    _ cue: Cue, _ timeline: Timeline, _ moment: CueWording.Moment, _ phrases: PhraseCatalogue
  ) {
    self.cue = cue
    self.timeline = timeline
    self.moment = moment
    self.phrases = phrases
  }

  /// The same with less about the targets, for where all of it has no room.
  var brief: Self {
    var values = self
    values.isBrief = true
    return values
  }

  private var entry: Timeline.Entry? {
    switch cue.content {
    case .total(let phase, _), .setComplete(let phase): return timeline.entries[phase]
    default: break
    }
    return cue.phase < timeline.count ? timeline.entries[cue.phase] : nil
  }

  /// True in a phase that a surprise follows.
  private var isBeforeSurprise: Bool { timeline.isBeforeSurprise(cue.phase) }

  /// The phase after the cue's, where the cue may mention it: after a stall where the workout is
  /// says enough.
  private var next: Phase? {
    if case .position = cue.content { return nil }
    if isBeforeSurprise { return nil }
    return cue.phase + 1 < timeline.count ? timeline.entries[cue.phase + 1].phase : nil
  }

  /// The index of the phase that the cue tells; nil where it tells none.
  private var told: Int? {
    switch cue.content {
    case .next(let phase): phase
    case .begins, .acknowledgement(.next), .acknowledgement(.back):
      cue.phase < timeline.count ? cue.phase : nil
    default: nil
    }
  }

  private var together: Script.Together? { told.flatMap { Script(timeline).together(from: $0) } }

  /// The phrases with which a phase is told, those that say most first.
  var telling: [PhraseKey] {
    guard let told else { return [] }
    let isAhead = if case .next = cue.content { true } else { false }
    if let together { return [together.times > 1 ? .group : .stretch] }
    guard isAhead else { return [.begins] }
    return timeline.isLastOfEqual(told) ? [.lastOne, .next] : [.next]
  }

  /// Without the length and the target of a phase whose name is enough, and without what nothing may say.
  private func length(of index: Int) -> String? {
    if moment.nameIsEnough, together == nil { return nil }
    if let together, together.times == 1 {
      return timeline.distance(from: index, to: together.phases.upperBound).map(phrases.duration)
    }
    // What comes after it is a surprise.
    if timeline.isBeforeSurprise(index) { return nil }
    return phrases.length(timeline.entries[index].phase.length)
  }

  private func intensity(of index: Int) -> String? {
    if let together, together.times == 1 {
      return phrases.range(of: together.phases.map { timeline.entries[$0].phase })
    }
    if moment.nameIsEnough { return nil }
    let phase = timeline.entries[index].phase
    return (isBrief ? phrases.mainIntensity(of: phase) : nil) ?? phrases.intensity(of: phase)
  }

  /// The phases of a group with their lengths, and the targets of its efforts; without the rests between repetitions
  /// that are counted.
  private var group: String? {
    guard let together, together.times > 1 else { return nil }
    let first = together.phases.lowerBound
    let cycle = (first..<min(first + together.cycle, timeline.count)).map {
      timeline.entries[$0].phase
    }
    let isCounted = cycle[0].remarks.first?.place == .fromStart(.zero)
    let listed = cycle.filter { !isCounted || !$0.kind.isRest }
    return listed.map { phase in
      let target = phase.kind.isEffort && !isBrief ? phrases.intensity(of: phase) : nil
      return [phrases.name(of: phase), phrases.length(phase.length), target].compactMap { $0 }
        .joined(separator: ", ")
    }.joined(separator: ", ")
  }

  private var repetitions: Int? {
    guard case .reps(let reps) = entry?.phase.length.end else { return nil }
    return reps
  }

  /// The words of a live value.
  func live(_ name: String) -> String? {
    moment.values.words(of: name, at: moment.instant, in: phrases)
  }

  func value(of variable: Variable) -> String? {
    switch variable {
    case .set:
      if case .setComplete = cue.content { return entry?.set.map(String.init) }
      return moment.set.map(String.init)
    case .sets: return entry?.sets.map(String.init)
    case .phase: return entry.map { phrases.name(of: $0.phase) }
    case .next: return next.map { phrases.name(of: $0) }
    case .length:
      return told.map { length(of: $0) } ?? entry.flatMap { phrases.length($0.phase.length) }
    case .remaining: return isBeforeSurprise ? nil : moment.phaseLeft.map { phrases.duration($0) }
    // In full seconds: a boundary's sound comes first.
    case .elapsed:
      guard let passed = moment.elapsed?.secondsPassed, passed >= 1 else { return nil }
      return phrases.duration(.seconds(passed))
    case .reps: return repetitions.map(String.init)
    case .repetitions: return repetitions.map { phrases.count(Int64($0), .rep) }
    case .counted:
      if case .total(_, let count) = cue.content { return String(count) }
      return moment.counted.flatMap { $0 > 0 ? String($0) : nil }
    case .intensity:
      return told.map { intensity(of: $0) } ?? entry.flatMap { phrases.intensity(of: $0.phase) }
    case .workout: return phrases.title(timeline.workout.name)
    case .total:
      let length = timeline.length ?? timeline.aboutLength
      return length.map { phrases.duration($0.roundedToBeSaid) }
    case .setCount:
      let sets = moment.done?.sets ?? timeline.entries.count { $0.endsSet }
      return sets > 0 ? phrases.count(Int64(sets), .set) : nil
    case .work: return moment.done?.work.map { phrases.duration($0) }
    case .times: return together.map { phrases.count(Int64($0.times), .time) }
    case .group: return group
    }
  }
}

extension Acknowledgement {
  var phrase: PhraseKey {
    switch self {
    case .pause: .paused
    case .resume: .resumed
    case .next: .skipped
    case .back: .wentBack
    }
  }
}

extension Cue.Content {
  /// The index among its phase's texts, where it is one.
  package var remark: Int? { if case .remark(let number) = self { number } else { nil } }

  /// Its phrase in the catalogue; nil for sounds and the workout's own texts.
  var phrase: PhraseKey? {
    switch self {
    case .countdown, .transition, .signal, .remark, .laneName, .message, .repetition,
      .total:
      nil
    case .setCompletion: .setCompletion
    case .setComplete: .setComplete
    case .halfway: .halfway
    case .next: .next
    case .begins: .begins
    case .opening: .opening
    case .timeLeft: .timeLeft
    case .elapsed, .time: .elapsed
    case .finish: .finish
    case .position, .whereAmI: .position
    case .stopQuestion: .stopQuestion
    case .stopped: .stopped
    case .acknowledgement(let command): command.phrase
    }
  }

  /// The kind of what is said of a reading.
  package static let coachingName = "coaching"

  /// The kind as ledgers and timelines name it.
  package var name: String {
    switch self {
    case .countdown: "countdown"
    case .transition(.setEnd): "set-end"
    case .transition: "transition"
    case .setCompletion: "set-completion"
    case .setComplete: "set-complete"
    case .remark: "text"
    case .halfway: "halfway"
    case .next: "next"
    case .begins: "begins"
    case .opening: "opening"
    case .timeLeft: "time-left"
    case .elapsed: "elapsed"
    case .finish: "finish"
    case .position: "position"
    case .whereAmI: "where-am-i"
    case .time: "time"
    case .laneName: "lane-name"
    case .message(let message): message.coaching == nil ? "message" : Self.coachingName
    case .repetition: "repetition"
    case .total: "total"
    case .stopQuestion: "stop-question"
    case .stopped: "stopped"
    case .signal: "signal"
    case .acknowledgement: "acknowledgement"
    }
  }
}
