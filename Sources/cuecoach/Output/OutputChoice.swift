import ALSAOutput
import CueSound
import WorkoutFiles

/// What is played on, and how: what the command says, and where it says nothing config.yaml.
struct OutputChoice {
  /// Nil: no device.
  var device: String?
  var profile = OutputProfile()
  /// 0…100, not above the profile's ceiling.
  var volume = 100

  /// The linear gain of a volume: a square, so that half the number sounds about half as loud.
  var gain: Float { Float(volume * volume) / 10_000 }

  /// From the start to the first cue, beside the output's latency: a sleeping sink has woken up by then.
  var startLead: Duration { .milliseconds(200) + profile.warmUp }

  /// Nil without a home.
  static var configurationFile: String? {
    Installation.configuration.map { "\($0)/config.yaml" }
  }

  /// The settings of config.yaml, which is the only one; nothing is set without a home.
  static func configuration() throws(UserError) -> Configuration {
    guard let file = configurationFile else { return Configuration() }
    do throws(FileError) {
      return try ConfigurationFile.read(path: file)
    } catch {
      throw .file(error.description)
    }
  }
}

extension ALSAOutput {
  convenience init(_ choice: OutputChoice, tap: RecordingTap? = nil) {
    self.init(
      device: choice.device, rate: Sounds.rate, gain: choice.gain, profile: choice.profile,
      drifts: DriftFile.memory, tap: tap)
  }
}

extension Configuration {
  /// What is set for a device: under its own name, or else under its card's.
  func settings(of device: String) -> OutputSettings {
    let card = DeviceName(device).card.map { "CARD=\($0)" }
    return outputs[device] ?? card.flatMap { outputs[$0] } ?? OutputSettings()
  }
}

extension OutputProfile {
  init(_ settings: OutputSettings) {
    self.init()
    if let latency = settings.latency { self.latency = latency }
    if let warmUp = settings.warmUp { self.warmUp = warmUp }
    if let volume = settings.volume { volumeCeiling = volume }
    switch settings.keepAlive {
    case nil: break
    case .off: keepAlive = .off
    case .silence: keepAlive = .silence
    case .dither: keepAlive = .dither
    }
  }
}
