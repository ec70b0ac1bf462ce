import Foundation
import TestSupport
import Testing

@testable import ALSAOutput

struct HotplugMonitorTests {
  private let space = TestFolder()

  @Test func aDeviceThatAppearsIsNoticedOnce() throws {
    var watch = HotplugMonitor(folders: [space.folder])
    watch.open()
    let before = watch.hasChanged()
    #expect(!before)
    try space.write("", to: "pcmC0D0p")
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
    var watch = HotplugMonitor(folders: [space.path("snd"), space.folder])
    watch.open()
    try FileManager.default.createDirectory(
      atPath: space.path("snd"), withIntermediateDirectories: false)
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
