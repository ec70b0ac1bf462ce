import CueEngine
import CueSound
import Glibc
import IntervalTimeline
import Presets
import Synchronization
import SystemIO

/// What is installed and what the user has configured. Turns the name of a preset into a workout that can
/// be run. The configuration is read once; presets, sounds and catalogues are read on each call, so
/// that a file which was added meanwhile is found.
public struct Installation: Sendable {
  /// As given to the initialiser.
  package let folders: InstalledFolders
  /// As it was when it was read.
  package let configuration: Configuration
  let voices: VoiceSelection

  /// Reads the configuration; a missing one sets nothing.
  ///
  /// - Parameters:
  ///   - folders: where the files are; one that is nil counts as empty.
  ///   - voices: those that exist; nil without speech, when every voice is accepted.
  public init(
    _ folders: InstalledFolders, voices: (any VoiceList)?
  ) throws(InstallationError) {
    try self.init(folders) { _ in voices }
  }

  /// The same where the voices that exist depend on the configuration.
  package init(
    _ folders: InstalledFolders, voices: (Configuration) -> (any VoiceList)?
  ) throws(InstallationError) {
    self.folders = folders
    do throws(FileError) {
      configuration =
        try folders.configurationFile.map { path throws(FileError) in
          try ConfigurationFile.read(path: path)
        } ?? Configuration()
    } catch {
      throw InstallationError(error)
    }
    self.voices = VoiceSelection(among: voices(configuration))
  }

  /// The voices that surfaces offer, without those that are not installed: for these a start would have another voice.
  package var offeredVoices: [String] { configuration.offeredVoices.filter(voices.has) }

  /// A line for each voice that is to be offered and is not there.
  package var faultsOfOfferedVoices: [Sentence] {
    configuration.offeredVoices.compactMap { name in
      voices.fault(of: name).map { fault in
        let file = folders.configurationFile ?? ""
        return "\(file):\(configuration.offeredLines[name] ?? 1): it is not offered: \(fault)"
      }
    }
  }

  /// The user's presets and the installed ones.
  public var presets: PresetLibrary { PresetLibrary(in: folders) }
  /// The user's sound packs and the installed ones.
  public var sounds: SoundLibrary { SoundLibrary(in: folders) }
  /// The user's catalogues and the installed ones.
  public var catalogues: Catalogues { Catalogues(in: folders) }

  /// Everything that a run of a preset needs, from its name or path and what was chosen for the run.
  /// Blocks on the disk, and while the speech engine starts. What `style` names must exist; what the
  /// preset or the configuration names and is missing is left out with a warning. `variant` is what the
  /// file leaves to the run; nil: the surprises of today, and the first group.
  public func prepared(
    _ preset: String, _ style: AnnouncementStyle = AnnouncementStyle(),
    variant: WorkoutVariant? = nil, warn: (String) -> Void
  ) throws(InstallationError) -> PreparedWorkout {
    let requested = try requested(preset, style, variant: variant)
    for report in requested.reports { warn(report) }
    var (style, sounds) = try announcement(of: requested.timeline.workout, style, warn: warn)
    applyAthlete(of: nil, to: &style)
    return PreparedWorkout(requested: requested, style: style, sounds: sounds)
  }

  /// What a file leaves to the run, with the athlete of the configuration where the run names none.
  ///
  /// - Parameter lane: whose athlete it is; nil: the usual one.
  package func variant(_ variant: WorkoutVariant? = nil, of lane: String? = nil) -> WorkoutVariant {
    var variant = variant ?? .today()
    variant.athlete = variant.athlete.or(configuration.athlete(of: lane))
    return variant
  }

  /// The first half of `prepared`: the preset, found and read, in the numbers of the lane's athlete.
  ///
  /// - Parameter isNamed: `preset` is the path of one that was asked for by its name.
  package func requested(
    _ preset: String, _ style: AnnouncementStyle = AnnouncementStyle(),
    variant: WorkoutVariant? = nil, lane: String? = nil, isNamed: Bool = false
  ) throws(InstallationError) -> RequestedWorkout {
    let path = try presets.path(of: preset)
    let (file, timeline) = try presets.document(
      path: path, variant: self.variant(variant, of: lane), isNamed: isNamed || path != preset)
    return RequestedWorkout(
      path: path, timeline: timeline, reports: file.reports, style: style, lane: lane)
  }

  /// The second half of `prepared`: how a workout is announced, and its sounds.
  public func announcement(
    of workout: Workout, _ style: AnnouncementStyle, warn: (String) -> Void
  ) throws(InstallationError) -> (style: LaneStyle, sounds: SoundPack) {
    try announcement(workout, style) { warn($0.text) }
  }

  package func announcement(
    _ workout: Workout, _ style: AnnouncementStyle, report: (Sentence) -> Void
  ) throws(InstallationError) -> (style: LaneStyle, sounds: SoundPack) {
    let choice = SpeechChoice(style, self)
    // At the same time: each takes some of the time until the first sound.
    let lane = Warned<LaneStyle>()
    let sounds = Warned<SoundPack>()
    let readSounds = { @Sendable in
      sounds.set { warn throws(InstallationError) in try choice.sounds(of: workout, warn: warn) }
    }
    // Not a queue's thread: one that this thread starts has its working folder.
    let (thread, fault) = SystemThread.start(readSounds)
    lane.set { warn throws(InstallationError) in try choice.style(of: workout, warn: warn) }
    if fault == 0 { pthread_join(thread, nil) } else { readSounds() }
    return (try lane.get(report), try sounds.get(report))
  }

  /// Sets what the configuration says of the athlete of a lane: the alarm, and whether readings are kept.
  package func applyAthlete(of lane: String?, to style: inout LaneStyle) {
    let athlete = configuration.athlete(of: lane)
    style.heartRateAlarm = athlete.heartRateAlarm
    style.keepsReadings = athlete.keepsReadings ?? false
  }

  /// How a workout is announced, without its sounds.
  package func style(
    of workout: Workout, _ style: AnnouncementStyle, report: (Sentence) -> Void
  ) throws(InstallationError) -> LaneStyle {
    try SpeechChoice(style, self).style(of: workout, warn: report)
  }

  /// The name or the folder of a workout's sound pack; nil for the default pack.
  package func soundPackName(of workout: Workout, _ style: AnnouncementStyle) -> String? {
    style.sounds ?? workout.style.sounds ?? configuration.sounds
  }

  /// The same for a session that is resumed. A voice, language or sound pack that it requested and
  /// that is missing now is left out with a warning, so that the session can continue.
  package func restoredAnnouncement(
    of workout: Workout, _ style: AnnouncementStyle, session: String, report: (Sentence) -> Void
  ) throws(InstallationError) -> (style: LaneStyle, sounds: SoundPack) {
    do throws(InstallationError) {
      return try announcement(workout, style, report: report)
    } catch {
      var withoutSounds = SpeechChoice(style, self)
      withoutSounds.requested.sounds = nil
      if let style = try? withoutSounds.style(of: workout, warn: { _ in }) {
        report("\(session): \(error); the usual sounds are played")
        return (style, try withoutSounds.sounds(of: workout, warn: report))
      }
      report("\(session): \(error); it is announced as its preset says")
      return try announcement(workout, AnnouncementStyle(), report: report)
    }
  }

  /// The catalogue of a workout's language; English if there is none.
  package func phrases(of workout: Workout, _ style: AnnouncementStyle) -> PhraseCatalogue {
    (try? SpeechChoice(style, self).phrases(of: workout, warn: { _ in })) ?? .english
  }
}

/// What another thread makes, with the warnings that it gave.
private final class Warned<Value: Sendable>: Sendable {
  private let made = Mutex<(value: Result<Value, InstallationError>?, warnings: [Sentence])>(
    (nil, []))

  func set(_ make: ((Sentence) -> Void) throws(InstallationError) -> Value) {
    var warnings: [Sentence] = []
    let value = Result { () throws(InstallationError) in try make { warnings.append($0) } }
    made.withLock { $0 = (value, warnings) }
  }

  func get(_ warn: (Sentence) -> Void) throws(InstallationError) -> Value {
    let (value, warnings) = made.withLock { $0 }
    for warning in warnings { warn(warning) }
    return try value!.get()
  }
}
