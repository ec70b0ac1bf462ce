import CEspeakNG
import CueSound
import Glibc

/// The one life of libespeak-ng in this process. Callers hold the lock of `EspeakSynthesizer`.
struct EspeakEngine {
  private let rate: Int

  init() throws(SpeechError) {
    espeak_ng_InitializePath(nil)
    // Not espeak_Initialize, which may call exit when its data is missing.
    var status = espeak_ng_Initialize(nil)
    if status == ENS_OK {
      // It looks for a sound server even to play nothing, and waits for one that hangs.
      let server = getenv("PULSE_SERVER").map { String(cString: $0) }
      setenv("PULSE_SERVER", "unix:/dev/null", 1)
      status = espeak_ng_InitializeOutput(ENOUTPUT_MODE_SYNCHRONOUS, 0, nil)
      if let server { setenv("PULSE_SERVER", server, 1) } else { unsetenv("PULSE_SERVER") }
    }
    guard status == ENS_OK else {
      throw SpeechError(
        kind: .unavailable, detail: "espeak-ng does not start: \(Self.message(status))")
    }
    rate = Int(espeak_ng_GetSampleRate())
    espeak_SetSynthCallback { samples, count, events in
      guard let samples, count > 0, let collector = events?.pointee.user_data else { return 0 }
      collector.assumingMemoryBound(to: [Int16].self).pointee
        .append(contentsOf: UnsafeBufferPointer(start: samples, count: Int(count)))
      return 0
    }
  }

  /// Makes `voice` the current one.
  func select(_ voice: String) throws(SpeechError) {
    // By name fails for some that exist (en-gb, fr-fr, …) and then leaves the previous voice
    // current, so the language is tried next and the result is looked at.
    if espeak_ng_SetVoiceByName(voice) == ENS_OK, isCurrent(voice) { return }
    let status = voice.withCString { languages in
      var properties = espeak_VOICE()
      properties.languages = languages
      return espeak_ng_SetVoiceByProperties(&properties)
    }
    guard status == ENS_OK, isCurrent(voice) else {
      // A failed choice may leave a broken voice behind.
      _ = espeak_ng_SetVoiceByName(EspeakSynthesizer.defaultVoice)
      throw SpeechError(kind: .unknownVoice, detail: "there is no voice \"\(voice)\"")
    }
  }

  private func isCurrent(_ voice: String) -> Bool {
    guard let current = espeak_GetCurrentVoice()?.pointee else { return false }
    // A variant follows a plus sign and has its own name.
    let wanted = voice.lowercased().split(separator: "+").first.map(String.init) ?? voice
    let names = [current.name, current.identifier].compactMap { $0.map { String(cString: $0) } }
    let ids = names.flatMap { [$0, $0.split(separator: "/").last.map(String.init) ?? $0] }
    return (ids + Self.languages(current)).contains {
      $0.lowercased().split(separator: "+").first.map(String.init) == wanted
    }
  }

  func speak(_ text: String, rate wordsPerMinute: Int) throws(SpeechError) -> PCMClip {
    // Before every text: an earlier one may have left other values behind.
    let parameters: [(espeak_PARAMETER, Int)] = [
      (espeakRATE, wordsPerMinute), (espeakVOLUME, 100), (espeakPITCH, 50), (espeakRANGE, 50),
      (espeakPUNCTUATION, 0), (espeakCAPITALS, 0), (espeakWORDGAP, 0),
    ]
    for (parameter, value) in parameters {
      _ = espeak_ng_SetParameter(parameter, Int32(value), 0)
    }
    var samples: [Int16] = []
    let status = withUnsafeMutablePointer(to: &samples) { collector in
      text.withCString { words in
        espeak_ng_Synthesize(
          words, 0, 0, POS_CHARACTER, 0, UInt32(espeakCHARS_UTF8), nil, collector)
      }
    }
    guard status == ENS_OK else {
      throw SpeechError(kind: .failed, detail: "espeak-ng: \(Self.message(status))")
    }
    return PCMClip(rate: rate, samples: samples)
  }

  func voices() -> [EspeakSynthesizer.Voice] {
    guard var entry = espeak_ListVoices(nil) else { return [] }
    var voices: [EspeakSynthesizer.Voice] = []
    while let voice = entry.pointee?.pointee {
      if let name = voice.name, let language = Self.languages(voice).first {
        voices.append(.init(language: language, name: String(cString: name)))
      }
      entry += 1
    }
    return voices.sorted { ($0.language, $0.name) < ($1.language, $1.name) }
  }

  /// The languages of a voice: a list of (priority byte, zero-ended name), ended by a zero byte.
  private static func languages(_ voice: espeak_VOICE) -> [String] {
    guard var place = voice.languages else { return [] }
    var languages: [String] = []
    while place.pointee != 0 {
      let language = String(cString: place + 1)
      languages.append(language)
      place += language.utf8.count + 2
    }
    return languages
  }

  private static func message(_ status: espeak_ng_STATUS) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      buffer.initialize(repeating: 0)
      espeak_ng_GetStatusCodeMessage(status, buffer.baseAddress, buffer.count)
      return String(cString: buffer.baseAddress!)
    }
  }
}
