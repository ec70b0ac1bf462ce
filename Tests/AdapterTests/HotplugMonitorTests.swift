import Foundation
import Testing

@testable import ALSAOutput

struct HotplugMonitorTests {
  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cuecoach-hardware-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test func aDeviceThatAppearsIsNoticedOnce() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    var watch = HotplugMonitor(folders: [folder.path])
    watch.open()
    let before = watch.hasChanged()
    #expect(!before)
    try Data().write(to: folder.appendingPathComponent("pcmC0D0p"))
    let isChanged = watch.hasChanged()
    #expect(isChanged)
    let isStill = watch.hasChanged()
    #expect(!isStill)
    let descriptor = watch.descriptor
    #expect(descriptor >= 0)
    watch.close()
    let closed = watch.descriptor
    #expect(closed == -1)
  }

  @Test func withoutSoundHardwareTheFolderItWouldBeInIsWatched() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    var watch = HotplugMonitor(folders: [folder.path + "/snd", folder.path])
    watch.open()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/snd", withIntermediateDirectories: false)
    let isChanged = watch.hasChanged()
    #expect(isChanged)
  }

  @Test func whereNothingCanBeWatchedNothingChanges() {
    var watch = HotplugMonitor(folders: ["/nowhere/at/all"])
    watch.open()
    let descriptor = watch.descriptor
    #expect(descriptor == -1)
    let isChanged = watch.hasChanged()
    #expect(!isChanged)
  }
}
