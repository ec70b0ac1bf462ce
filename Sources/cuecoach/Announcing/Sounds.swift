import CueEngine
import CueSound
import SoundFiles

/// The sounds of a run, from the installed files.
enum Sounds {
  static let rate = SampleRate.standard

  /// The default pack.
  static func pack(warn: (String) -> Void) -> SoundPack {
    // Without a name nothing can be unknown.
    (try? pack(name: nil, warn: warn)) ?? SoundPack(rate: rate)
  }

  /// The pack of that name or in that folder (with a "/"); nil for the default. What it lacks
  /// comes from the default pack, and then from the built-in sounds. A damaged file is told and
  /// replaced too: a beep of another colour beats no beep.
  static func pack(name: String?, warn: (String) -> Void) throws(UserError) -> SoundPack {
    let standard = SoundFolder.folders(of: SoundFolder.standardName)
    let folders = try name.map { name throws(UserError) in [try SoundFolder.find(name)] + standard }
    var clips: [SoundMeaning: PCMClip] = [:]
    var read: Set<String> = []
    for folder in folders ?? standard {
      for (meaning, path) in folder.files where clips[meaning] == nil && read.insert(path).inserted
      {
        do throws(SoundFileError) {
          clips[meaning] = try SoundFile.read(path, rate: rate)
        } catch {
          warn("\(path.singleLine) is not used: \(error.detail.singleLine)")
        }
      }
    }
    return SoundPack(rate: rate, replacing: clips)
  }
}
