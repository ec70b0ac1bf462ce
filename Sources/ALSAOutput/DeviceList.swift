import CALSA

/// The playback devices that ALSA names.
public enum DeviceList {
  /// A device by its ALSA name. That it is listed does not mean that it can be opened.
  public struct Device: Hashable, Sendable {
    /// What to pass as a device.
    public let name: String
    /// In words, on one line.
    public let description: String
    /// The id of its card; nil for a device without a card.
    public var card: String? { DeviceName(name).card }
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

  /// A card's name in words; nil where there is no such card.
  public static func name(ofCard id: String) -> String? {
    let number = snd_card_get_index(id)
    return number >= 0 ? name(ofCard: number) : nil
  }

  static func name(ofCard number: Int32) -> String? {
    var name: UnsafeMutablePointer<CChar>?
    guard snd_card_get_name(number, &name) >= 0, let name else { return nil }
    defer { free(name) }
    return String(cString: name)
  }

  /// A card's id, or its number where it has none.
  static func id(ofCard number: Int32) -> String {
    var control: OpaquePointer?
    guard snd_ctl_open(&control, "hw:\(number)", SND_PCM_NONBLOCK) >= 0 else { return "\(number)" }
    defer { snd_ctl_close(control) }
    var info: OpaquePointer?
    snd_ctl_card_info_malloc(&info)
    defer { snd_ctl_card_info_free(info) }
    guard snd_ctl_card_info(control, info) >= 0 else { return "\(number)" }
    return String(cString: snd_ctl_card_info_get_id(info))
  }

  private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let value = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }
}
