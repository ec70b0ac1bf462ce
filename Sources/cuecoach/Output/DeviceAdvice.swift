import ALSAOutput
import CueEngine
import CueSound
import IntervalTimeline

/// What the user can do about a device, in one line.
enum DeviceAdvice {
  /// What a service says of its output: the line of an event about it.
  static func line(about event: EngineEvent) -> String {
    switch event {
    case .deviceLost(let error): line(for: error)
    case .notRealtime: realtime()
    default: BusyNotice.xrun()
    }
  }

  /// How to give the sound thread real-time priority.
  static func realtime(_ phrases: PhraseCatalogue = .english) -> String {
    phrases.screen(
      .noRealtime,
      ["line": "\"@audio - rtprio 20\"", "file": "/etc/security/limits.d/audio.conf"])
  }

  /// For a run, which continues without the device.
  ///
  /// - Parameter isServed: the device is the service's.
  static func line(
    for error: SoundOutputError, _ phrases: PhraseCatalogue = .english, isServed: Bool = false
  ) -> String {
    let served = phrases.screen(
      .deviceServed,
      ["device": "\"\(error.device.singleLine)\"", "command": "cuecoach ctl start PRESET"])
    return phrases.screen(
      .soundLost, ["problem": isServed ? served : problem(error, phrases)])
  }

  /// What is wrong, and what to do. Common cases are in the language of `phrases`, others in
  /// English.
  static func problem(
    _ error: SoundOutputError, _ phrases: PhraseCatalogue = .english
  ) -> String {
    let device = "\"\(error.device.singleLine)\""
    let name = DeviceName(error.device.singleLine)
    return switch error.kind {
    case .busy:
      phrases.screen(.deviceBusy, ["device": device, "command": "fuser -v /dev/snd/*"])
    case .gone where name.isByNumber:
      "\(device) is not there, and numbers change; cuecoach devices lists the cards by id (CARD=)"
    case .gone:
      phrases.screen(.deviceGone, ["device": device, "command": "cuecoach devices"])
    case .denied:
      "\(device) may not be used by this user; join the group audio "
        + "(sudo usermod -aG audio $USER) and log in again"
    case .unsupported:
      "\(device) does not take 48 kHz of 16 bits; \(converting(error.device.singleLine, name))"
    // The engine's own finding.
    case .stuck where error.device.isEmpty:
      "\(error.detail.singleLine); check the device and the sound server, if any"
    case .stuck:
      "\(device) accepts sound but plays none; check its connection and the sound server, if any"
    case .failed:
      "\(device) fails (\(error.detail.singleLine)); cuecoach devices lists what is there"
    }
  }

  /// The device to pass instead, so that ALSA converts. HDMI needs IEC 958 frames, which only
  /// `hdmi:` makes.
  private static func converting(_ device: String, _ name: DeviceName) -> String {
    guard name.interface == "hw" || name.interface == "plughw", let card = name.card else {
      return "try --device \"plug:'\(device)'\""
    }
    let hdmi = "hdmi:CARD=\(card)"
    if name.isHDMI { return "pass \(hdmi)" }
    return name.interface == "hw" ? "pass plughw:CARD=\(card), or \(hdmi) for HDMI" : "try \(hdmi)"
  }
}
