import CoachService
import ControlProtocol
import InstalledFiles
import Instants
import IntervalTimeline

/// The texts of presets: all can be read, and those of the surfaces' own changed.
extension ServedFiles {
  var isEditable: Bool { installed.configuration.isPageEditable }

  func preset(_ name: String, version: Int?) throws(ControlError) -> PresetText {
    let installed = installed
    do throws(OwnPresets.Fault) {
      let own = try OwnPresets(installed.folders)
      if let version {
        let old = try own.read(name, version: version)
        return try PresetText(
          name: name, workout: old.text, versions: PresetText.versions(of: name, own))
      }
      if PresetName.fault(of: name) == nil, let stored = try own.read(name) {
        return try PresetText(stored, name, own)
      }
    } catch {
      throw ControlError(error)
    }
    do throws(InstallationError) {
      let path = try installed.presets.path(ofName: name, listedBy: "cuecoach ctl presets")
      return PresetText(name: name, workout: try PresetLibrary.text(path: path))
    } catch {
      throw ControlError(.unknownPreset, error.sentence)
    }
  }

  func save(_ change: PresetChange) throws(ControlError) -> PresetText {
    let installed = installed
    do throws(OwnPresets.Fault) {
      let own = try OwnPresets(installed.folders)
      let stored = try own.save(
        change.workout, as: change.preset, base: change.tag, former: change.former
      ) { (try? installed.presets.path(ofName: $0)) != nil }
      return try PresetText(stored, change.preset, own)
    } catch {
      throw ControlError(error)
    }
  }

  func delete(_ preset: String, tag: String) throws(ControlError) {
    do throws(OwnPresets.Fault) {
      try OwnPresets(installed.folders).delete(preset, base: tag)
    } catch {
      throw ControlError(error)
    }
  }
}

extension PresetText {
  fileprivate init(
    _ stored: OwnPresets.Stored, _ name: String, _ own: OwnPresets
  ) throws(OwnPresets.Fault) {
    try self.init(
      name: name, workout: stored.text, tag: stored.tag, versions: Self.versions(of: name, own))
  }

  fileprivate static func versions(
    of name: String, _ own: OwnPresets
  ) throws(OwnPresets.Fault) -> [Version]? {
    let versions = try own.versions(of: name).map {
      Version(number: $0.number, saved: WallTime($0.saved, in: context.zone).offsetText)
    }
    return versions.isEmpty ? nil : versions
  }
}

extension ControlError {
  fileprivate init(_ fault: OwnPresets.Fault) {
    let code: ControlError.Code =
      switch fault {
      case .name: .badName
      case .missing: .unknownPreset
      case .taken: .nameTaken
      case .changed: .changed
      case .large: .tooLarge
      case .full: .full
      case .disk: .failed
      }
    self.init(code, fault.sentence)
  }
}
