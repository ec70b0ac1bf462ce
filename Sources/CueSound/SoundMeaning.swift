/// What a sound means, and the name of its file in a sound pack.
public enum SoundMeaning: String, CaseIterable, Hashable, Sendable {
  case count
  case highBegins = "high-begins"
  case lowBegins = "low-begins"
  case restBegins = "rest-begins"
  case setEnds = "set-ends"
  case finish
  case paused
  case resumed

  /// The built-in sound.
  package var tone: Tone { TonePack.standard[self] }
}
