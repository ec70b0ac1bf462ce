import CoachHost
import InstalledFiles
import IntervalTimeline
import Phrases
import Presets
import SessionStore

/// Opens the store of this user's sessions.
enum SessionFolder {
  /// Opens the store; throws one line if that fails.
  static func open(
    warn: (String) -> Void = { context.complain($0) }
  ) throws(UserError) -> SessionRepository {
    guard let folder = context.folders.state else {
      throw .failed("there is no folder for sessions; set HOME or XDG_STATE_HOME")
    }
    let repository = try UserError.wrapping {
      try SessionRepository(folder: folder, runtimeFolder: context.folders.runtime)
    }
    if let notice = repository.takeNotice() { warn(notice) }
    return repository
  }

  /// Opens the store for a run, which begins in any case: a store that cannot be opened is tried
  /// again with each save. Nil if there is no folder for it.
  static func openForRun(warn: (String) -> Void) -> SessionRepository? {
    guard let folder = context.folders.state else {
      warn(
        "this workout cannot be resumed if it is interrupted: there is no folder for "
          + "sessions; set HOME or XDG_STATE_HOME")
      return nil
    }
    // With `isOptional` it does not throw.
    let repository = try? SessionRepository(
      folder: folder, runtimeFolder: context.folders.runtime, isOptional: true)
    if let failure = repository?.openingFailure {
      warn("this workout cannot be resumed if it is interrupted: \(failure)")
    }
    if let notice = repository?.takeNotice() { warn(notice) }
    return repository
  }
}

extension UserError {
  /// Converts errors of a host into errors of this program.
  static func wrapping<Result>(_ body: () throws -> Result) throws(UserError) -> Result {
    do {
      return try body()
    } catch let error as UserError {
      throw error
    } catch let error as InstallationError {
      throw UserError(error)
    } catch let error as HostError {
      guard case .nameInUse = error.kind else { throw .failed("\(error)") }
      throw .failed("\(error); give this workout a name of its own, as in NAME=PRESET")
    } catch {
      throw .failed("\(error)")
    }
  }
}

extension Resumption.Rules {
  /// From the configuration, for a user at this terminal.
  init(_ settings: SessionSettings) {
    self.init()
    configured = settings.resume
    maximumAge = settings.maximumAge
    canEndPause = context.hasKeyboard
  }
}

extension SessionNotice {
  /// In the language of the workout.
  ///
  /// - Parameters:
  ///   - canEndPause: whether somebody can end the pause of a session that is held.
  ///   - command: what resumes the session, without its name.
  func lines(
    _ installed: Installation, canEndPause: Bool = context.hasKeyboard,
    command: String = "cuecoach resume"
  ) -> [String] {
    guard let timeline else {
      return [
        "\(session.lane.singleLine): the interrupted session is damaged and cannot be resumed"
      ]
    }
    var workout = timeline.workout
    if case .replaced(let other) = kind { workout = other }
    let phrases = installed.phrases(of: workout, order.style)
    var values = session.values(in: timeline, phrases)
    values["time"] = (age ?? .zero).passedText
    values["count"] = "\(Recovery.maximumCrashes)"
    values["command"] = "\(command) \(session.lane.shellArgument)"
    var keys: [ScreenKey] = []
    switch kind {
    case .resumes: keys = [.resumes]
    case .stillPaused: keys = [.stillPaused]
    case .resumesFromRecord: keys = [.resumesThere]
    case .held(nil): keys = [.held]
    case .held(.crashes): keys = [.heldAfterCrashes]
    case .held(.unknownTime): keys = [.heldAfterUnknownTime]
    case .tooOld: keys = [.tooOld]
    case .endedMeanwhile: keys = [.endedMeanwhile]
    case .damaged: break
    case .replaced(let other):
      values["new"] = session.newName(of: other, phrases)
      keys = [.replaced]
    }
    if case .held = kind, !canEndPause { keys.append(.heldWithoutKeys) }
    return keys.map { phrases.screen($0, values) }
  }
}

extension StoredSession {
  /// The name of another workout, distinct from this session's.
  func newName(of other: Workout, _ phrases: PhraseCatalogue) -> String {
    let name = other.name.shownName
    return other.name == workout.name ? phrases.screen(.asItIsNow, ["workout": name]) : name
  }

  /// The values for texts about it.
  func values(in timeline: Timeline, _ phrases: PhraseCatalogue) -> [String: String] {
    [
      "lane": lane.singleLine, "workout": workout.name.shownName,
      "place": place(in: timeline, phrases),
    ]
  }

  /// Its last stored position: "set 3 of 8, Low, 0:12 left".
  func place(in timeline: Timeline, _ phrases: PhraseCatalogue = .english) -> String {
    guard let transport = Transport(timeline, record.anchors) else { return "?" }
    let here = transport.position(at: record.at)
    guard here.phase < timeline.count else { return phrases.screen(.atEnd) }
    let entry = timeline.entries[here.phase]
    let set = entry.set.map {
      phrases.screen(.set, ["set": "\($0)", "sets": "\(entry.sets ?? $0)"])
    }
    let time = phrases.time(
      left: here.phaseLeft, passed: here.elapsed - here.phaseStart,
      mayEndEarly: !transport.isEndKnown(of: here.phase))
    return [set, phrases.name(of: entry.phase).shownName, time]
      .compactMap { $0 }.joined(separator: ", ")
  }
}
