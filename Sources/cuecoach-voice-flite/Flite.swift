import CFlite

/// libflite with the voices that it has here. Used by one thread.
struct Flite {
  /// What it says of a text.
  struct Sound {
    /// Samples a second, of one channel.
    let rate: Int
    let samples: [Int16]
  }

  static let version = FLITE_PROJECT_VERSION
  private let voices: [(name: String, voice: UnsafeMutablePointer<cst_voice>)]

  init() {
    flite_init()
    let found = [
      ("slt", register_cmu_us_slt(nil)), ("rms", register_cmu_us_rms(nil)),
      ("awb", register_cmu_us_awb(nil)),
    ]
    voices = found.compactMap { name, voice in voice.map { (name, $0) } }
  }

  var names: [String] { voices.map(\.name) }

  /// - Parameter name: nil for the first voice.
  /// - Returns: nil for a voice that there is not.
  func say(_ text: String, as name: String?) -> Sound? {
    let voice = name.map { name in voices.first { $0.name == name } } ?? voices.first
    guard let voice, let wave = flite_text_to_wave(text, voice.voice) else { return nil }
    defer { delete_wave(wave) }
    let count = Int(wave.pointee.num_samples) * Int(wave.pointee.num_channels)
    return Sound(
      rate: Int(wave.pointee.sample_rate),
      samples: Array(UnsafeBufferPointer(start: wave.pointee.samples, count: count)))
  }
}
