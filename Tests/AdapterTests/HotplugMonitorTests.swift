import Foundation
import TestSupport
import Testing

@testable import ALSAOutput

struct HotplugMonitorTests {
  private let space = TestFolder()

  /// Other tests may have all watches that the system allows a user at the moment.
  private func opened(_ folders: String...) async -> HotplugMonitor {
    var watch = HotplugMonitor(folders: folders)
    for _ in 0..<100 {
      watch.open()
      if watch.descriptor >= 0 { break }
      _ = await eventually {
        let probe = inotify_init1(0)
        if probe >= 0 { close(probe) }
        return probe >= 0
      }
    }
    return watch
  }

  @Test func aDeviceThatAppearsIsNoticedOnce() async throws {
    var watch = await opened(space.folder)
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

  @Test func withoutSoundHardwareTheFolderItWouldBeInIsWatched() async throws {
    let watch = await opened(space.path("snd"), space.folder)
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
