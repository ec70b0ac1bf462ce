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

  private static func standardTone(_ meaning: SoundRole) -> Tone {
    switch meaning {
    case .count:
      Tone([.init(880, length: 0.12, decay: 0.12)], partials: [1, 0.15])
    case .highBegins:
      Tone(
        [.init(880, length: 0.12, decay: 0.16), .init(1320, length: 0.4, decay: 0.4)],
        partials: [1, 0.5, 0.3, 0.15])
    case .lowBegins:
      Tone(
        [.init(660, length: 0.16, decay: 0.22), .init(440, length: 0.45, decay: 0.45)],
        partials: [1, 0.1])
    case .restBegins:
      Tone([.init(330, length: 0.8, decay: 0.8)], partials: [1, 0.4, 0.1])
    case .change:
      Tone([.init(587.33, length: 0.3, decay: 0.3)], partials: [1, 0.1])
    case .setEnds:
      Tone(
        [.init(1174.66, length: 0.13, decay: 0.2), .init(1174.66, length: 0.3, decay: 0.3)],
        partials: [1, 0.1, 0.35])
    case .finish:
      Tone(
        [
          .init(523.25, length: 0.13, decay: 0.3), .init(659.25, length: 0.13, decay: 0.3),
          .init(783.99, length: 0.13, decay: 0.3), .init(1046.5, length: 0.5, decay: 0.5),
        ], partials: [1, 0.35, 0.2])
    case .paused:
      Tone(
        [.init(1046.5, length: 0.09, decay: 0.12), .init(523.25, length: 0.19, decay: 0.19)],
        partials: [1, 0.2])
    case .resumed:
      Tone(
        [.init(523.25, length: 0.09, decay: 0.12), .init(1046.5, length: 0.19, decay: 0.19)],
        partials: [1, 0.2])
    case .tooLow:
      Tone(
        [
          .init(587.33, length: 0.1, decay: 0.14), .init(783.99, length: 0.1, decay: 0.14),
          .init(987.77, length: 0.18, decay: 0.18),
        ], partials: [1, 0.4, 0.2])
    case .tooHigh:
      Tone(
        [
          .init(987.77, length: 0.1, decay: 0.14), .init(783.99, length: 0.1, decay: 0.14),
          .init(587.33, length: 0.18, decay: 0.18),
        ], partials: [1, 0.4, 0.2])
    case .alarm:
      Tone(
        [0, 1, 2, 3].flatMap { _ in
          [
            Tone.Note(987.77, length: 0.12, decay: 0.15),
            Tone.Note(587.33, length: 0.12, decay: 0.15),
          ]
        }, partials: [1, 0.4, 0.2])
    case .tick, .offbeat: .pulse(3000, length: 0.015)
    case .accent: .pulse(2000, length: 0.015)
    }
  }

  private static func lowTone(_ meaning: SoundRole) -> Tone {
    switch meaning {
    case .count:
      Tone([.init(440, length: 0.15, decay: 0.15)], partials: [1, 0.15])
    case .highBegins:
      Tone(
        [.init(293.66, length: 0.15, decay: 0.2), .init(440, length: 0.45, decay: 0.45)],
        partials: [1, 0.4])
    case .lowBegins:
      Tone(
        [.init(392, length: 0.18, decay: 0.25), .init(261.63, length: 0.5, decay: 0.5)],
        partials: [1, 0.3])
    case .restBegins:
      Tone([.init(220, length: 0.9, decay: 0.9)], partials: [1, 0.5, 0.2])
    case .change:
      Tone([.init(349.23, length: 0.36, decay: 0.36)], partials: [1, 0.2])
    case .setEnds:
      Tone(
        [.init(415.3, length: 0.15, decay: 0.22), .init(415.3, length: 0.35, decay: 0.35)],
        partials: [1, 0.4])
    case .finish:
      Tone(
        [
          .init(233.08, length: 0.15, decay: 0.35), .init(293.66, length: 0.15, decay: 0.35),
          .init(349.23, length: 0.15, decay: 0.35), .init(466.16, length: 0.6, decay: 0.6),
        ], partials: [1, 0.4])
    case .paused:
      Tone(
        [.init(466.16, length: 0.1, decay: 0.14), .init(233.08, length: 0.22, decay: 0.22)],
        partials: [1, 0.3])
    case .resumed:
      Tone(
        [.init(233.08, length: 0.1, decay: 0.14), .init(466.16, length: 0.22, decay: 0.22)],
        partials: [1, 0.3])
    case .tooLow:
      Tone(
        [
          .init(261.63, length: 0.12, decay: 0.17), .init(349.23, length: 0.12, decay: 0.17),
          .init(440, length: 0.22, decay: 0.22),
        ], partials: [1, 0.4])
    case .tooHigh:
      Tone(
        [
          .init(440, length: 0.12, decay: 0.17), .init(349.23, length: 0.12, decay: 0.17),
          .init(261.63, length: 0.22, decay: 0.22),
        ], partials: [1, 0.4])
    case .alarm:
      Tone(
        [0, 1, 2, 3].flatMap { _ in
          [
            Tone.Note(440, length: 0.14, decay: 0.18),
            Tone.Note(261.63, length: 0.14, decay: 0.18),
          ]
        }, partials: [1, 0.4])
    case .tick, .offbeat: .pulse(500, length: 0.02)
    case .accent: .pulse(600, length: 0.02)
    }
  }

  private static func gymTone(_ meaning: SoundRole) -> Tone {
    switch meaning {
    case .count:
      Tone([.init(1046.5, length: 0.18, decay: 0.22)], partials: [1, 0.8, 0.6])
    case .highBegins:
      Tone(
        [.init(880, length: 0.14, decay: 0.2), .init(1318.5, length: 0.5, decay: 0.6)],
        partials: [0.8, 1, 0.7])
    case .lowBegins:
      Tone(
        [.init(783.99, length: 0.18, decay: 0.28), .init(523.25, length: 0.55, decay: 0.65)],
        partials: [0.5, 1, 0.9, 0.8, 0.6, 0.4])
    case .restBegins:
      Tone([.init(523.25, length: 1, decay: 1)], partials: [0.5, 1, 0.8, 0.8, 0.5, 0.4])
    case .change:
      Tone([.init(698.46, length: 0.42, decay: 0.42)], partials: [0.5, 1, 0.8, 0.6])
    case .setEnds:
      Tone(
        [.init(1174.66, length: 0.16, decay: 0.3), .init(1174.66, length: 0.45, decay: 0.5)],
        partials: [0.8, 1, 0.8])
    case .finish:
      Tone(
        [
          .init(523.25, length: 0.15, decay: 0.4), .init(659.25, length: 0.15, decay: 0.4),
          .init(783.99, length: 0.15, decay: 0.4), .init(1046.5, length: 0.7, decay: 0.8),
        ], partials: [0.6, 1, 0.8, 0.6])
    case .paused:
      Tone(
        [.init(1046.5, length: 0.1, decay: 0.14), .init(523.25, length: 0.24, decay: 0.24)],
        partials: [0.6, 1, 0.8, 0.5])
    case .resumed:
      Tone(
        [.init(523.25, length: 0.1, decay: 0.14), .init(1046.5, length: 0.24, decay: 0.24)],
        partials: [0.6, 1, 0.8, 0.5])
    case .tooLow:
      Tone(
        [
          .init(698.46, length: 0.12, decay: 0.17), .init(880, length: 0.12, decay: 0.17),
          .init(1174.66, length: 0.22, decay: 0.22),
        ], partials: [0.7, 1, 0.8, 0.5])
    case .tooHigh:
      Tone(
        [
          .init(1174.66, length: 0.12, decay: 0.17), .init(880, length: 0.12, decay: 0.17),
          .init(698.46, length: 0.22, decay: 0.22),
        ], partials: [0.7, 1, 0.8, 0.5])
    case .alarm:
      Tone(
        [0, 1, 2, 3].flatMap { _ in
          [
            Tone.Note(1174.66, length: 0.14, decay: 0.18),
            Tone.Note(698.46, length: 0.14, decay: 0.18),
          ]
        }, partials: [0.7, 1, 0.8, 0.5])
    case .tick, .offbeat: .pulse(3000, length: 0.02)
    case .accent: .pulse(2000, length: 0.02)
    }
  }
}
