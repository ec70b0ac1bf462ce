/// Which cues a phase has, and where.
///
/// Every rule looks at the phase's own length, so a short phase loses only what would lie before
/// its start; two cues may share an instant and neither replaces the other.
public struct CuePlan: Hashable, Sendable {
  /// How far before a boundary the countdown begins, in seconds.
  public var countdown = 3
  /// The shortest phase whose middle is announced.
  public var halfwayFrom = Duration.seconds(40)
  /// The shortest rest in which the next phase is announced.
  public var nextFrom = Duration.seconds(10)
  /// How far into a rest the next phase is announced: after the boundary's sound and a set's "0".
  public var nextAt = Duration.seconds(2)
  /// How long before its first count word a set completion may begin to speak.
  public var leadIn = Duration.milliseconds(2500)
  /// How long after the finish sound the finish is announced.
  public var finishAt = Duration.seconds(1)

  public init() {}

  /// The cues of entry `index` (`count` for the end), in the order in which they are handed off.
  public func cues(of index: Int, in timeline: Timeline) -> [Cue] {
    guard index < timeline.count else {
      return [
        Cue(phase: index, content: .transition(.finish), at: .zero),
        Cue(phase: index, content: .finish, at: finishAt),
      ]
    }
    let entry = timeline.entries[index]
    let kind = entry.phase.kind
    let length = entry.phase.length.duration
    var cues = [
      Cue(phase: index, content: .transition(kind.isEffort ? .effort : .ease), at: .zero)
    ]
    if kind.isRest, index + 1 < timeline.count, length.map({ $0 >= nextFrom }) ?? true {
      cues.append(Cue(phase: index, content: .next(index + 1), at: nextAt))
    }
    guard let length else { return cues }

    if length >= halfwayFrom {
      cues.append(Cue(phase: index, content: .halfway, at: length / 2))
    }
    let leads = (0...max(0, countdown)).reversed().filter { .seconds($0) <= length }
    if entry.endsSet {
      let first = Duration.seconds(leads[0])
      cues.append(
        Cue(
          phase: index, content: .setCompletion(from: leads[0]), at: length - first,
          earliest: max(.zero, length - first - leadIn), until: length))
    } else {
      cues += leads.filter { $0 > 0 }.map {
        Cue(phase: index, content: .countdown($0), at: length - .seconds($0))
      }
    }
    return cues.sorted { ($0.earliest, $0.rank) < ($1.earliest, $1.rank) }
  }

  /// When cue `index` of `cues` has to have been said: where the phase's next words may begin, or
  /// the phase's end. Nil where nothing follows.
  func limit(after index: Int, of cues: [Cue], length: Duration?) -> Duration? {
    cues[(index + 1)...].first(where: \.isSpoken)?.earliest ?? length
  }
}
