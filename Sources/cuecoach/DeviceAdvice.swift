import CueSound

/// What a person can do about a device, in one line.
enum DeviceAdvice {
  /// How the sound thread may come first.
  static let realtime =
    "the sound thread has no real-time priority here; to allow it, be in the group audio and have "
    + "the line \"@audio - rtprio 20\" in /etc/security/limits.d/audio.conf"

  static func line(for error: SoundOutputError) -> String {
    let device = "\"\(error.device.singleLine)\""
    let problem =
      switch error.kind {
      case .busy: "\(device) is in use by another program; close it"
      case .gone: "\(device) is not there; cuecoach devices lists what is"
      case .denied: "\(device) may not be used; add this user to the group audio"
      case .unsupported: "\(device) does not play 48 kHz; try plug:\(error.device.singleLine)"
      case .stuck: "\(device) takes sound and plays none; check the connection"
      case .failed: "\(device) fails (\(error.detail.singleLine))"
      }
    return "no sound: \(problem). The workout goes on, and the device is tried again."
  }
}
