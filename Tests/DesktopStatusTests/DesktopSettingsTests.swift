import Presets
import Testing

@testable import DesktopStatus

@Suite struct DesktopSettingsTests {
  private func parse(_ text: String) throws(FileError) -> DesktopSettings {
    try DesktopSettings.parse(Array(text.utf8), file: "d.yaml")
  }

  @Test func withoutAFileWhatIsUsualHolds() throws {
    #expect(try parse("# nothing\n") == DesktopSettings())
    let usual = DesktopSettings()
    #expect(usual.isMediaPlayer && !usual.lowersOthers)
    #expect(usual.notifications == [.interrupted, .complete, .noSound])
  }

  @Test func everythingCanBeSaid() throws {
    let settings = try parse(
      "media-player: no\nnotifications: [begins, no-sound]\nlower-others: yes\n")
    #expect(!settings.isMediaPlayer && settings.lowersOthers)
    #expect(settings.notifications == [.begins, .noSound])
    #expect(try parse("notifications: none\n").notifications.isEmpty)
  }

  @Test(arguments: [
    ("notification: none", "d.yaml:1: "),
    ("notifications: some", "expected none, or a list of begins"),
    ("notifications: [begins, ends]", "expected none, or a list of begins"),
    ("lower-others: 3", "expected yes or no"), ("media-player: maybe", "expected yes or no"),
    ("- x", "d.yaml:1: "),
  ])
  func aMistakeIsOneLineWithItsPlace(text: String, says: String) {
    let error = #expect(throws: FileError.self) { try parse(text + "\n") }
    #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
  }
}
