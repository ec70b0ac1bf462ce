import IntervalTimeline

/// A phase as a format without names, variables and open phases can hold it.
struct WrittenPhase {
  let kind: PhaseKind
  let length: Duration
  /// In percent of the threshold power.
  let percent: Intensity.Amount
  /// The phase says no such power: `percent` is the usual one of its kind.
  let isUsual: Bool
  let watts: Intensity.Amount?
  let cadence: Intensity.Amount?
  /// Its watts are not in `percent`.
  var losesWatts: Bool { watts != nil && isUsual }
  /// In the order of their times.
  let texts: [(at: Duration, text: String)]

  /// The whole workout, set by set.
  static func all(of workout: Workout, _ losses: inout ConversionWarnings) -> [WrittenPhase] {
    if workout.style != AnnouncementStyle() { losses.note("how it is announced is not kept") }
    return phases(of: workout.blocks).map {
      WrittenPhase($0, wattsOf: workout.thresholdPower, &losses)
    }
  }

  /// The phases of all sets of these blocks in a row.
  static func phases(of blocks: [Block]) -> [Phase] {
    let timeline = try? Timeline(Workout(name: "", blocks: blocks))
    return timeline?.entries.map(\.phase) ?? []
  }

  /// - Parameter threshold: the threshold power that its watts are of; nil where nobody knows.
  init(_ phase: Phase, wattsOf threshold: Double?, _ losses: inout ConversionWarnings) {
    kind = phase.kind
    length = Self.length(of: phase, &losses)
    let intensity = phase.intensity.flatMap(Intensity.init(reading:))
    cadence = intensity?[.revolutionsPerMinute]
    watts = intensity?[.watts]
    let own = PowerZone.share(in: intensity, threshold: threshold)
    percent = own ?? PowerZone.usual(phase.kind)
    isUsual = own == nil
    if own == nil, watts == nil { losses.note("a phase without a power gets one by its kind") }
    if let name = phase.name, name != PowerZone.name(kind, intensity, threshold: threshold) {
      losses.note("the names of phases are not kept")
    }
    if own == nil, watts == nil, cadence == nil, phase.intensity != nil {
      losses.note("an intensity that is no power and no cadence is not kept")
    }
    texts = Self.texts(of: phase, length: length, &losses)
  }

  /// A minute stands for an open phase without a longest length.
  static func length(of phase: Phase, _ losses: inout ConversionWarnings) -> Duration {
    guard phase.length.end != nil else { return phase.length.duration ?? .seconds(60) }
    losses.note(
      "a phase that something else ends lasts its at-most, or a minute where it has none")
    return phase.length.duration ?? .seconds(60)
  }

  static func texts(
    of phase: Phase, length: Duration, _ losses: inout ConversionWarnings
  ) -> [(at: Duration, text: String)] {
    if phase.metronome != nil { losses.note("a metronome is not kept") }
    if phase.glides != nil { losses.note("the tones of a tempo are not kept") }
    var texts: [(at: Duration, text: String)] = []
    for remark in phase.remarks {
      guard let plain = remark.wordings.first(where: \.isPlain) else {
        losses.note("a text with variables is not kept")
        continue
      }
      if remark.wordings.count > 1 { losses.note("of a text's wordings one is kept") }
      switch remark.place {
      case .fromStart(let time): texts.append((time, plain.source))
      case .beforeEnd(let time): texts.append((max(.zero, length - time), plain.source))
      }
    }
    return texts.sorted { $0.at < $1.at }
  }
}

extension Template {
  /// True for a text without variables.
  fileprivate var isPlain: Bool {
    pieces.allSatisfy { if case .text = $0 { true } else { false } }
  }
}
