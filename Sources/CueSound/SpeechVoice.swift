/// How a text is to be spoken.
public struct SpeechVoice: Hashable, Sendable {
  /// As the synthesizer names voices; nil: its default.
  public var name: String?
  /// As the synthesizer names variants of a voice; nil: the voice as it is.
  public var variant: String?
  /// Words a minute, 80…450.
  public var rate: Int
  /// 0…99, 50 is the voice's own.
  public var pitch: Int
  /// Linear, 0…1: of the loudness that sounds have.
  public var gain: Float

  /// Without arguments: the synthesizer's default voice, at 175 words a minute and full loudness. The
  /// arguments are taken as they are; a synthesizer uses the nearest values it has.
  public init(
    name: String? = nil, variant: String? = nil, rate: Int = 175, pitch: Int = 50, gain: Float = 1
  ) {
    self.name = name
    self.variant = variant
    self.rate = rate
    self.pitch = pitch
    self.gain = gain
  }
}
