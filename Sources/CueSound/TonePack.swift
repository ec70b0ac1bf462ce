/// A set of built-in sounds, computed from notes.
///
/// Melody and length tell the meanings apart, in every pack alike: `count` is one short
/// note and `restBegins` one long one; `change` is one soft note; `setEnds` is a note struck twice; `highBegins` rises
/// by two notes and `lowBegins` falls; `resumed` and `paused` leap up and down, at half that length;
/// `finish` climbs four notes and rings on. `tooLow` rises by three short notes and `tooHigh` falls by three, the way the
/// reading should go; `alarm` goes up and down four times. `tick`, `accent` and `offbeat` are
/// pulses of 15 to 20 ms, where words are best understood over them.
public enum TonePack: String, CaseIterable, Hashable, Sendable {
  /// For most rooms and speakers.
  case standard = "default"
  /// For listeners who hear high tones badly: hardly anything above 1 kHz.
  case low
  /// For loud rooms: most of it between 1 and 4 kHz, where the ear is keenest, and longer.
  case gym

  package subscript(meaning: SoundRole) -> Tone {
    switch self {
    case .standard: Self.standardTone(meaning)
    case .low: Self.lowTone(meaning)
    case .gym: Self.gymTone(meaning)
    }
  }

  /// - Parameter notes: hertz, the seconds from its beginning to the next one's, and those in which it falls to a thousandth.
  private static func tone(
    _ notes: [(Double, Double, Double)], times: Int = 1, _ partials: [Double]
  ) -> Tone {
    let melody = notes.map { Tone.Note($0.0, length: $0.1, decay: $0.2) }
    return Tone((0..<times).flatMap { _ in melody }, partials: partials)
  }

  private static func standardTone(_ meaning: SoundRole) -> Tone {
    switch meaning {
    case .count: tone([(880, 0.12, 0.12)], [1, 0.15])
    case .highBegins: tone([(880, 0.12, 0.16), (1320, 0.4, 0.4)], [1, 0.5, 0.3, 0.15])
    case .lowBegins: tone([(660, 0.16, 0.22), (440, 0.45, 0.45)], [1, 0.1])
    case .restBegins: tone([(330, 0.8, 0.8)], [1, 0.4, 0.1])
    case .change: tone([(587.33, 0.3, 0.3)], [1, 0.1])
    case .setEnds: tone([(1174.66, 0.13, 0.2), (1174.66, 0.3, 0.3)], [1, 0.1, 0.35])
    case .finish:
      tone(
        [(523.25, 0.13, 0.3), (659.25, 0.13, 0.3), (783.99, 0.13, 0.3), (1046.5, 0.5, 0.5)],
        [1, 0.35, 0.2])
    case .paused: tone([(1046.5, 0.09, 0.12), (523.25, 0.19, 0.19)], [1, 0.2])
    case .resumed: tone([(523.25, 0.09, 0.12), (1046.5, 0.19, 0.19)], [1, 0.2])
    case .tooLow:
      tone([(587.33, 0.1, 0.14), (783.99, 0.1, 0.14), (987.77, 0.18, 0.18)], [1, 0.4, 0.2])
    case .tooHigh:
      tone([(987.77, 0.1, 0.14), (783.99, 0.1, 0.14), (587.33, 0.18, 0.18)], [1, 0.4, 0.2])
    case .alarm: tone([(987.77, 0.12, 0.15), (587.33, 0.12, 0.15)], times: 4, [1, 0.4, 0.2])
    case .tick, .offbeat: .pulse(3000, length: 0.015)
    case .accent: .pulse(2000, length: 0.015)
    }
  }

  private static func lowTone(_ meaning: SoundRole) -> Tone {
    switch meaning {
    case .count: tone([(440, 0.15, 0.15)], [1, 0.15])
    case .highBegins: tone([(293.66, 0.15, 0.2), (440, 0.45, 0.45)], [1, 0.4])
    case .lowBegins: tone([(392, 0.18, 0.25), (261.63, 0.5, 0.5)], [1, 0.3])
    case .restBegins: tone([(220, 0.9, 0.9)], [1, 0.5, 0.2])
    case .change: tone([(349.23, 0.36, 0.36)], [1, 0.2])
    case .setEnds: tone([(415.3, 0.15, 0.22), (415.3, 0.35, 0.35)], [1, 0.4])
    case .finish:
      tone(
        [(233.08, 0.15, 0.35), (293.66, 0.15, 0.35), (349.23, 0.15, 0.35), (466.16, 0.6, 0.6)],
        [1, 0.4])
    case .paused: tone([(466.16, 0.1, 0.14), (233.08, 0.22, 0.22)], [1, 0.3])
    case .resumed: tone([(233.08, 0.1, 0.14), (466.16, 0.22, 0.22)], [1, 0.3])
    case .tooLow: tone([(261.63, 0.12, 0.17), (349.23, 0.12, 0.17), (440, 0.22, 0.22)], [1, 0.4])
    case .tooHigh: tone([(440, 0.12, 0.17), (349.23, 0.12, 0.17), (261.63, 0.22, 0.22)], [1, 0.4])
    case .alarm: tone([(440, 0.14, 0.18), (261.63, 0.14, 0.18)], times: 4, [1, 0.4])
    case .tick, .offbeat: .pulse(500, length: 0.02)
    case .accent: .pulse(600, length: 0.02)
    }
  }

  private static func gymTone(_ meaning: SoundRole) -> Tone {
    switch meaning {
    case .count: tone([(1046.5, 0.18, 0.22)], [1, 0.8, 0.6])
    case .highBegins: tone([(880, 0.14, 0.2), (1318.5, 0.5, 0.6)], [0.8, 1, 0.7])
    case .lowBegins:
      tone([(783.99, 0.18, 0.28), (523.25, 0.55, 0.65)], [0.5, 1, 0.9, 0.8, 0.6, 0.4])
    case .restBegins: tone([(523.25, 1, 1)], [0.5, 1, 0.8, 0.8, 0.5, 0.4])
    case .change: tone([(698.46, 0.42, 0.42)], [0.5, 1, 0.8, 0.6])
    case .setEnds: tone([(1174.66, 0.16, 0.3), (1174.66, 0.45, 0.5)], [0.8, 1, 0.8])
    case .finish:
      tone(
        [(523.25, 0.15, 0.4), (659.25, 0.15, 0.4), (783.99, 0.15, 0.4), (1046.5, 0.7, 0.8)],
        [0.6, 1, 0.8, 0.6])
    case .paused: tone([(1046.5, 0.1, 0.14), (523.25, 0.24, 0.24)], [0.6, 1, 0.8, 0.5])
    case .resumed: tone([(523.25, 0.1, 0.14), (1046.5, 0.24, 0.24)], [0.6, 1, 0.8, 0.5])
    case .tooLow:
      tone([(698.46, 0.12, 0.17), (880, 0.12, 0.17), (1174.66, 0.22, 0.22)], [0.7, 1, 0.8, 0.5])
    case .tooHigh:
      tone([(1174.66, 0.12, 0.17), (880, 0.12, 0.17), (698.46, 0.22, 0.22)], [0.7, 1, 0.8, 0.5])
    case .alarm: tone([(1174.66, 0.14, 0.18), (698.46, 0.14, 0.18)], times: 4, [0.7, 1, 0.8, 0.5])
    case .tick, .offbeat: .pulse(3000, length: 0.02)
    case .accent: .pulse(2000, length: 0.02)
    }
  }
}
