/// The parts of an ALSA device's name, as in `plughw:CARD=Headphones,DEV=0`, `hw:0` and
/// `plug:'hdmi:CARD=vc4hdmi0'`.
package struct DeviceName: Hashable, Sendable {
  /// What it plays through, such as "hw" or "default"; of nested devices the innermost.
  package let interface: String
  /// The card's id, or its number; nil for a device that names none.
  package let card: String?

  package init(_ name: String) {
    let parts = name.filter { $0 != "'" && $0 != "\"" }
      .split(separator: ":", omittingEmptySubsequences: false)
    let arguments = parts.count > 1 ? parts[parts.count - 1] : ""
    let words = arguments.split(separator: ",", omittingEmptySubsequences: false)
    let named = words.first { $0.hasPrefix("CARD=") }?.dropFirst("CARD=".count)
    // Arguments without names are in order, and the card's comes first.
    let card = named ?? words.first { !$0.contains("=") }
    self.card = card.flatMap { $0.isEmpty ? nil : String($0) }
    // Before the last colon there may be the outer device's "plug:" or "plug:SLAVE=".
    let before = parts.count > 1 ? parts[parts.count - 2] : parts[0]
    interface = before.split(separator: "=").last.map(String.init) ?? ""
  }

  /// True for a card's number, which may change when the machine restarts.
  package var isByNumber: Bool { card.map { Int($0) != nil } ?? false }

  /// True for a card whose id says so, as on a Raspberry Pi.
  package var isHDMI: Bool { card.map { $0.lowercased().contains("hdmi") } ?? false }
}
