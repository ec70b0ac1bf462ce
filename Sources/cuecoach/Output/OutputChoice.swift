import ALSAOutput
import CueSound
import WorkoutFiles

/// The device to play on, and how: from the command, else from config.yaml.
struct OutputChoice {
  /// Nil: no device.
  var device: String?
  var profile = OutputProfile()
  /// 0…100, at most the profile's ceiling.
  var volume = 100

  /// The linear gain of the volume: its square, so that half the number sounds about half as loud.
  var gain: Float { Float(volume * volume) / 10_000 }

  /// The time from the start to the first cue, besides the output's latency: a sleeping sink wakes
  /// up meanwhile.
  var startLead: Duration { .milliseconds(200) + profile.warmUp }

  /// Nil without a home folder.
  static var configurationFile: String? {
    Installation.configuration.map { "\($0)/config.yaml" }
  }

  /// The settings of config.yaml; none without a home folder.
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
  /// The settings for a device: under its own name, else under its card's.
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
