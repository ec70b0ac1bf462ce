import CueSound

/// Makes a clip of a text: rendered, brought to the rate of the sounds, trimmed. Used on the library's queue.
package struct SpeechRenderer: Sendable {
  package var synthesizer: any SpeechSynthesizer
  /// Nil for a voice that speaks at `rate` by itself.
  package let converter: (any SampleRateConverter)?
  /// Samples a second.
  package let rate: Int
  /// False where only lengths matter.
  package let isHeard: Bool
  /// The gain of a clip, linear.
  package var level: @Sendable (PCMClip) -> Float
  /// True where another voice says a number that does not begin when it should.
  package var hasStandIn = false

  /// The words, not yet as loud as they are to be; silence as long as they are where nobody hears them.
  package func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    guard isHeard else {
      let spoken = try synthesizer.render(text, voice: voice).trimmed()
      return .silence(rate: rate, count: spoken.count * rate / max(1, spoken.rate))
    }
    let word = try trimmed(text, voice)
    guard Self.isNumber(text) else { return word.withFirmOnset() }
    guard hasStandIn else { return word.withoutFalseStart.withFirmOnset() }
    if Self.isGood(word) { return word.withFirmOnset() }
    var voice = voice
    voice.rate = rate(of: voice, toShorten: word)
    for _ in 1..<Self.tries {
      let again = try trimmed(text, voice)
      if Self.isGood(again) { return again.withFirmOnset() }
    }
    throw SpeechError(
      kind: .text, detail: "the voice's \"\(text)\" does not begin when it should, or is no word")
  }

  /// Some voices speak differently each time.
  private static let tries = 3

  /// What makes a number that is too long as short as a count allows; the voice's own rate where none does.
  private func rate(of voice: SpeechVoice, toShorten word: PCMClip) -> Int {
    let longest = AnnouncementLayout.countLengths.upperBound.wholeNanoseconds
    let part = Double(word.length.wholeNanoseconds) / Double(longest)
    let rate = Int((Double(voice.rate) * part * 1.02).rounded(.up))
    return part > 1 && rate <= synthesizer.fastestRate(of: voice) ? rate : voice.rate
  }

  static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static func isGood(_ word: PCMClip) -> Bool {
    word.falseStart == 0 && AnnouncementLayout.countLengths.contains(word.length)
  }

  /// Trimmed twice: silence need not be resampled, and the filter's ringing before the onset is not part of the word.
  private func trimmed(_ text: String, _ voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    try converted(synthesizer.render(text, voice: voice).trimmed()).trimmed()
  }

  /// The words as loud as they are to be.
  package func levelled(_ word: PCMClip) -> PCMClip { word.scaled(by: level(word)) }

  /// Silence of that length.
  package func silence(for length: Duration) -> PCMClip {
    .silence(rate: rate, count: Int(SampleRate.frames(in: length, at: rate)))
  }

  /// The clip at the rate of the library: at another one it would be heard at another pitch and length.
  private func converted(_ spoken: PCMClip) throws(SpeechError) -> PCMClip {
    let word = converter?.convert(spoken, to: rate) ?? spoken
    guard word.rate == rate || word.count == 0 else {
      let fault =
        converter == nil
        ? "the voice speaks at \(word.rate) samples a second, the sounds have \(rate): the speech library "
          + "needs a converter, such as SampleRateLibrary of SoundFiles"
        : "the converter was asked for \(rate) samples a second and made \(word.rate)"
      throw SpeechError(kind: .sampleRate, detail: fault)
    }
    return word
  }
}
