import ALSAOutput
import CueSound
import Presets

/// Finds entries under `outputs` in config.yaml that match no device.
struct UnmatchedOutputs {
  private let devices: [DeviceList.Device]
  private let cards: [String]

  init(_ devices: [DeviceList.Device]) {
    self.devices = devices
    cards = devices.compactMap(\.card).reduce(into: []) { cards, card in
      if !cards.contains(card) { cards.append(card) }
    }
  }

  /// A line for each, with its location in `file` and a suggestion.
  func lines(of configuration: Configuration, file: String) -> [String] {
    configuration.outputs.keys.filter { !isKnown($0) }
      .map { (name: $0, line: configuration.outputLines[$0] ?? 1) }
      .sorted { ($0.line, $0.name) < ($1.line, $1.name) }
      .map { name, line in
        "\(file.singleLine):\(line): no device matches the output \"\(name.singleLine)\""
          + (nearest(to: name).map { "; the nearest is \($0)" } ?? "")
      }
  }

  /// Whether a device or card of that name is connected, or ALSA can open it.
  private func isKnown(_ output: String) -> Bool {
    if devices.contains(where: { $0.name == output }) { return true }
    if let card = Self.card(of: output) {
      return cards.contains(card) || DeviceList.name(ofCard: card) != nil
    }
    // ALSA opens more than it lists, such as a sound server.
    do throws(SoundOutputError) {
      _ = try DeviceTarget.of(output, rate: SampleRate.standard)
      return true
    } catch {
      return error.kind != .gone
    }
  }

  /// `CARD=Headphones` names a card, not a device.
  private static func card(of output: String) -> String? {
    let isCard = output.hasPrefix("CARD=")
    return isCard ? String(output.dropFirst("CARD=".count)) : DeviceName(output).card
  }

  private func nearest(to output: String) -> String? {
    if let card = Self.card(of: output) {
      return Nearest.names(to: card, among: cards).first.map { "CARD=\($0)" }
    }
    return Nearest.names(to: output, among: devices.map(\.name)).first
  }
}
