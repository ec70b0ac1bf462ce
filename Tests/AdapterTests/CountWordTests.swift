import CueEngine
import CueSound
import EspeakSpeech
import SoundFiles
import Testing

/// The numbers of counts in every shipped language, as sent to the mixer.
struct CountWordTests {
  private static let voices = ["en", "de", "fr-fr", "es", "it", "nl", "pt", "pl"]
  private static let rates = [80, 120, 175, 260, 350, 450]

  @Test(arguments: voices, rates)
  func countWordIsHeardAtOnceAndOverBeforeTheNext(_ voice: String, _ rate: Int) throws {
    let library = SpeechLibrary(EspeakSynthesizer(), converter: SampleRateLibrary())
    for word in ["0", "1", "2", "3", "4", "5"] {
      let clip = try #require(
        library.clip(word, voice: SpeechVoice(name: voice, rate: rate), within: .milliseconds(950)))
      #expect((40_000_000...950_000_000).contains(clip.length.wholeNanoseconds), "\(word)")
      let peak = clip.peak
      let onset = try #require(clip.samples.firstIndex { abs(Int($0)) * 20 > peak })
      #expect(onset <= 2 * clip.rate / 1000, "\(word)")
    }
  }
}
