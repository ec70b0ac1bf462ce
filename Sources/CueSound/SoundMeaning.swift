/// What a sound tells, and the name of its file in a sound pack.
public enum SoundMeaning: String, CaseIterable, Hashable, Sendable {
  case count
  case highBegins = "high-begins"
  case lowBegins = "low-begins"
  case restBegins = "rest-begins"
  case setEnds = "set-ends"
  case finish
  case paused, resumed

  /// The built-in sound, told from the others with eyes shut: a short beep; two bright notes that
  /// rise; two mellow notes that fall; four notes that climb and ring on.
  public var tone: Tone {
    switch self {
    case .count:
      Tone([.init(880, length: 0.12, decay: 0.12)], partials: [1, 0.15])
    case .highBegins:
      Tone(
        [.init(880, length: 0.12, decay: 0.16), .init(1320, length: 0.4, decay: 0.4)],
        partials: [1, 0.5, 0.3, 0.15])
    case .lowBegins, .restBegins, .setEnds, .paused, .resumed:
      Tone(
        [.init(660, length: 0.16, decay: 0.22), .init(440, length: 0.45, decay: 0.45)],
        partials: [1, 0.1])
    case .finish:
      Tone(
        [
          .init(523.25, length: 0.13, decay: 0.3), .init(659.25, length: 0.13, decay: 0.3),
          .init(783.99, length: 0.13, decay: 0.3), .init(1046.5, length: 0.5, decay: 0.5),
        ], partials: [1, 0.35, 0.2])
    }
  }
}
