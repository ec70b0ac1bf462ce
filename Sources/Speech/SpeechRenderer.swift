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
  package let level: @Sendable (PCMClip) -> Float
  /// True where another voice says a number that does not begin when it should.
  package var hasStandIn = false

  /// The words, not yet as loud as they are to be; silence as long as they are where nobody hears them.
  package func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    let word = try words(text, voice: voice)
    guard isHeard, Self.isNumber(text) else { return word }
    let silence = word.onsetBehindSilence
    guard hasStandIn else {
      return silence > 0 ? word.dropping(silence).trimmed().withFirmOnset() : word
    }
    if isGood(word, silence) { return word }
    for _ in 1..<Self.tries {
      let again = try words(text, voice: voice)
      if isGood(again, again.onsetBehindSilence) { return again }
    }
    throw SpeechError(
      kind: .text, detail: "the voice's \"\(text)\" does not begin when it should, or is no word")
  }

  /// Some voices speak differently each time.
  private static let tries = 3
  /// How long numbers are that are understood.
  private static let numberLengths = Duration.milliseconds(150)...AnnouncementLayout.longestCount

  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private func isGood(_ word: PCMClip, _ silence: Int) -> Bool {
    silence <= word.rate / 200 && Self.numberLengths.contains(word.length)
  }

  private func words(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    // Trimmed twice: silence need not be resampled, and the filter's ringing before the onset is not
    // part of the word.
    let spoken = try synthesizer.render(text, voice: voice).trimmed()
    guard isHeard else {
      return PCMClip(rate: rate, count: spoken.count * rate / max(1, spoken.rate)) { _ in }
    }
    return try converted(spoken).trimmed().withFirmOnset()
  }

  /// The words as loud as they are to be.
  package func levelled(_ word: PCMClip) -> PCMClip { word.scaled(by: level(word)) }

  /// Silence of that length.
  package func silence(for length: Duration) -> PCMClip {
    PCMClip(rate: rate, count: Int(SampleRate.frames(in: length, at: rate))) { _ in }
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
