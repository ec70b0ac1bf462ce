import IntervalTimeline
import Presets

/// What `desktop.yaml` says:
///
///     media-player: yes
///     notifications: [begins, sets, interrupted, complete, no-sound]   # or none
///     lower-others: no
///
/// All of it is optional.
package struct DesktopSettings: Hashable, Sendable {
  /// Whether the coach is a media player, with a picture of the phase.
  package var isMediaPlayer = true
  package var notifications = NoticeKind.usual
  /// Whether other programs are turned down while words are spoken.
  package var lowersOthers = false

  package init() {}

  /// - Parameter file: names it in errors.
  package static func parse(_ bytes: [UInt8], file: String) throws(FileError) -> DesktopSettings {
    try FileError.naming(file) { () throws(FileFault) -> DesktopSettings in
      var settings = DesktopSettings()
      // A file of remarks alone says nothing.
      guard let root = try YamlTree.root(of: bytes) else { return settings }
      let map = try root.map(of: "a configuration", expected: "notifications: [complete]")
      try map.checkKeys(["media-player", "notifications", "lower-others"], of: "desktop.yaml")
      if let entry = map["media-player"] {
        settings.isMediaPlayer = try entry.word("yes", "no") == "yes"
      }
      if let entry = map["notifications"] { settings.notifications = try kinds(entry) }
      if let entry = map["lower-others"] {
        settings.lowersOthers = try entry.word("yes", "no") == "yes"
      }
      return settings
    }
  }

  private static func kinds(_ entry: YamlEntry) throws(FileFault) -> Set<NoticeKind> {
    if entry.value.text == "none" { return [] }
    let names = NoticeKind.allCases.map(\.rawValue).joined(separator: ", ")
    let expected: Sentence = "none, or a list of \(names)"
    var kinds: Set<NoticeKind> = []
    for item in try entry.items(named: "notification", expected: expected) {
      guard let kind = NoticeKind(rawValue: try item.name(expected: expected)) else {
        throw item.fault(expected: expected)
      }
      kinds.insert(kind)
    }
    return kinds
  }
}
