import ALSAOutput
import CoachService
import ControlProtocol
import InstalledFiles
import IntervalTimeline
import Presets
import Synchronization

/// The outputs that config.yaml lists for the page, and the one that is played on.
final class ServedOutputs: OutputSelection {
  private let files: ServedFiles
  private let output: ALSAOutput
  private let options: OutputOptions
  /// Called with the ceiling of the volume, per cent of what the device can do.
  private let setCeiling: @Sendable (Int) -> Void
  /// Protects the name of the output in use; nil for none.
  private let device: Mutex<String?>

  init(
    _ files: ServedFiles, _ output: ALSAOutput, _ options: OutputOptions, device: String?,
    setCeiling: @escaping @Sendable (Int) -> Void
  ) {
    (self.files, self.output, self.options) = (files, output, options)
    self.device = Mutex(device)
    self.setCeiling = setCeiling
  }

  var current: String? { device.withLock { $0 } }

  var names: [String] {
    guard let current else { return [] }
    let listed = files.installed.configuration.pageOutputs
    return listed.isEmpty ? [current] : listed
  }

  func select(_ name: String) throws(ControlError) {
    let choice: OutputChoice
    do throws(UserError) {
      choice = try options.choice(
        files.installed.configuration, device: name, warn: { _ in })
    } catch {
      throw ControlError(.failed, message: error.message.singleLine)
    }
    device.withLock { $0 = name }
    setCeiling(choice.profile.volumeCeiling)
    output.select(name)
  }
}
