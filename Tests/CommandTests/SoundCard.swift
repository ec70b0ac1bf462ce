import Foundation
import TestSupport

/// The emulated sound card as the program's default device.
struct SoundCard: Sendable {
  /// The commands of the card's control file; see EmulatedCard.h.
  enum Order: String, Sendable {
    case run, stall, unplug, busy, denied
  }

  private let space: Workspace

  init(in space: Workspace, _ order: Order = .run) throws {
    self.space = space
    let library = try LoadedLibrary.emulatedCard.path()
    let text = try SourceTree.text("Tests/EmulatedCard/card.conf.in")
      .replacingOccurrences(of: "@LIB@", with: library)
      .replacingOccurrences(of: "@DIR@", with: space.path("card"))
    try space.write(text, to: "card/card.conf")
    try tell(order)
  }

  /// The program of the workspace with the card as its default device.
  var program: Program {
    space.program.with("ALSA_CONFIG_PATH", space.path("card/card.conf"))
  }

  func tell(_ order: Order) throws { try space.write(order.rawValue, to: "card/control") }

  /// Everything that the card has played, as one channel.
  var heard: [Int16] {
    let bytes = FileManager.default.contents(atPath: space.path("card/capture")) ?? Data()
    return stride(from: 0, to: bytes.count / 4 * 4, by: 4).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  /// True if its log has an underrun.
  var hadUnderrun: Bool {
    let log = FileManager.default.contents(atPath: space.path("card/log")) ?? Data()
    return String(decoding: log, as: UTF8.self).split(separator: "\n").contains {
      $0.hasPrefix("xrun ")
    }
  }

  /// True if the card has played anything but silence.
  var hasSounded: Bool { heard.contains { $0 != 0 } }
}
