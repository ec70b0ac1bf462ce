import ControlProtocol
import Glibc
import InstalledFiles
import IntervalTimeline
import Presets

/// The presets of an installation, each read again only when its file has changed.
struct PresetCache {
  private struct Stamp: Hashable {
    let inode: ino_t
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init?(_ path: String) {
      var info = stat()
      guard stat(path, &info) == 0 else { return nil }
      inode = info.st_ino
      size = Int(info.st_size)
      (seconds, nanoseconds) = (info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
    }
  }

  private var known: [String: (stamp: Stamp, entry: PresetEntry)] = [:]

  mutating func entries(_ installed: Installation) -> [PresetEntry] {
    var current: [String: (stamp: Stamp, entry: PresetEntry)] = [:]
    var entries: [PresetEntry] = []
    for preset in installed.presets.all() {
      let stamp = Stamp(preset.path)
      if let stamp, let old = known[preset.path], old.stamp == stamp {
        current[preset.path] = old
        entries.append(old.entry)
        continue
      }
      var entry = Self.read(preset.name, path: preset.path, installed, outline: false)
      entry.folder = preset.folder?.shownShort
      // A long list with all of them would not fit in an answer.
      (entry.audience, entry.author, entry.source) = (nil, nil, nil)
      if let stamp { current[preset.path] = (stamp, entry) }
      entries.append(entry)
    }
    known = current
    // A name that cannot be shown may have another place by what is shown of it.
    return entries.sorted { $0.place < $1.place }
  }

  static func read(
    _ name: String, path: String, _ installed: Installation, outline: Bool,
    message: (InstallationError) -> Sentence = { $0.sentence }
  ) -> PresetEntry {
    var entry = PresetEntry(name: name.shownShort)
    do throws(InstallationError) {
      let timeline = try installed.presets.timeline(path: path)
      entry.workout = timeline.workout.name.shownShort
      entry.seconds = timeline.length.map { $0 / .seconds(1) }
      entry.aboutSeconds = timeline.aboutLength.map { $0 / .seconds(1) }
      entry.sets = timeline.entries.compactMap(\.sets).max()
      entry.add(timeline.workout.facts)
      if outline {
        let workout = timeline.workout
        let phrases = installed.phrases(of: workout, AnnouncementStyle())
        entry.outline = OutlineSegment.outline(of: timeline, phrases, limit: ControlLimits.segments)
      }
    } catch {
      entry.problem = message(error)
      let bytes = try? FileBytes.contents(ofFile: path, expected: "a preset file")
      entry.workout = bytes.flatMap(PresetFile.name)?.shownShort
    }
    return entry
  }
}

extension PresetEntry {
  fileprivate mutating func add(_ facts: WorkoutFacts) {
    description = facts.description?.shownShort
    audience = facts.audience?.shownShort
    author = facts.author?.shownShort
    source = facts.source?.shownShort
    tags = facts.tags.isEmpty ? nil : facts.tags
  }
}
