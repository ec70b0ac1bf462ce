import CALSA

/// The playback devices that ALSA names.
public enum DeviceList {
  public struct Device: Hashable, Sendable {
    /// What to pass as a device.
    public let name: String
    /// In words, on one line.
    public let description: String
  }

  /// Every device, in ALSA's order.
  public static func playback() -> [Device] {
    _ = cuecoach_alsa_silence_errors()
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var devices: [Device] = []
    var entry = hints
    while let hint = entry.pointee {
      entry += 1
      // Without a direction a device does both.
      if let direction = text(hint, "IOID"), direction != "Output" { continue }
      guard let name = text(hint, "NAME") else { continue }
      let description = (text(hint, "DESC") ?? "")
        .split(whereSeparator: \.isNewline).joined(separator: ", ")
      devices.append(Device(name: name, description: description))
    }
    return devices
  }

  private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let value = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }
}
