import CueSound
import IntervalTimeline
import Presets

/// The device to play on, and its settings: those requested, else those of config.yaml.
package struct OutputChoice: Hashable, Sendable {
  /// Nil: no device.
  package var device: String?
  /// The device's settings.
  package var profile: OutputProfile
  /// 0…100, at most the profile's ceiling.
  package var volume: Int

  /// The arguments are taken as they are.
  /// - Parameter device: as ALSA names it; nil: no device.
  package init(device: String?, profile: OutputProfile = OutputProfile(), volume: Int = 100) {
    self.device = device
    self.profile = profile
    self.volume = volume
  }

  /// The device of that name, else that of the configuration, else ALSA's default.
  ///
  /// - Parameters:
  ///   - settings: override those of the configuration, except its highest volume.
  ///   - card: finds the card of a device by its name; nil if it has none.
  package init(
    device: String?, _ settings: OutputSettings, _ configuration: Configuration,
    card: (String) -> String?, warn: (String) -> Void
  ) {
    let device = device ?? configuration.device ?? "default"
    var profile = OutputProfile()
    let configured = configuration.settings(of: device, card: card(device))
    profile.set(configured)
    profile.set(settings)
    let ceiling = configured.volume ?? profile.volumeCeiling
    profile.volumeCeiling = ceiling
    if let volume = settings.volume, volume > ceiling {
      warn(
        "volume \(volume) is lowered to \(ceiling), the most that config.yaml allows for "
          + "\"\(device.singleLine)\"")
    }
    self.init(
      device: device, profile: profile, volume: min(settings.volume ?? ceiling, ceiling))
  }

  /// The linear gain of the volume: its square, so that half the number sounds about half as loud.
  package var gain: Float { Float(volume * volume) / 10_000 }

  /// The time from the start to the first cue, 0.2 s and the warm-up, besides the output's latency: a sleeping sink wakes
  /// up meanwhile.
  package var startLead: Duration { .milliseconds(200) + profile.warmUp }
}

extension Configuration {
  /// The settings for a device: under its own name, else under its card's.
  fileprivate func settings(of device: String, card: String?) -> OutputSettings {
    outputs[device] ?? card.flatMap { outputs["CARD=\($0)"] } ?? OutputSettings()
  }
}

extension OutputProfile {
  /// Takes over everything that is set, except the volume.
  fileprivate mutating func set(_ settings: OutputSettings) {
    if let latency = settings.latency { self.latency = latency }
    if let warmUp = settings.warmUp { self.warmUp = warmUp }
    switch settings.keepAlive {
    case nil: break
    case .off: keepAlive = .off
    case .silence: keepAlive = .silence
    case .dither: keepAlive = .dither
    }
  }
}
