import ControlProtocol
import Dispatch
import InstalledFiles
import Synchronization
import TestSupport
import Testing

@testable import cuecoach

/// What a service reads, on a disk that takes its time.
@Suite struct ServedFilesTests {
  /// A disk that answers when it may.
  private final class SlowDisk: Sendable {
    let asked = DispatchSemaphore(value: 0)
    let mayAnswer = DispatchSemaphore(value: 0)
    /// Protects how often it was asked.
    let count = Mutex(0)

    func presets() -> [PresetEntry] {
      let number = count.withLock { count in
        count += 1
        return count
      }
      asked.signal()
      mayAnswer.wait()
      return [PresetEntry(name: "reading \(number)")]
    }
  }

  @Test func nothingWaitsForPresetsThatAreRead() async throws {
    let disk = SlowDisk()
    let installed = try Installation(InstalledFolders(), voices: nil)
    let files = ServedFiles(installed, nil, list: { _, _ in disk.presets() })
    async let first = apart { try files.presets(nil, outline: false).map(\.name) }
    try await apart {
      disk.asked.wait()
      // Each would wait for ever if the reader had the lock.
      _ = files.installed
      files.replace(installed)
      #expect(throws: ControlError.self) { try files.workout(StartRequest(preset: "nothing")) }
      disk.mayAnswer.signal()
    }
    #expect(try await first == ["reading 1"])
    disk.mayAnswer.signal()
    #expect(try await apart { try files.presets(nil, outline: false).map(\.name) } == ["reading 2"])
  }
}
