/// What a client of the control socket can request.
package enum ControlVerb: String, CaseIterable, Hashable, Codable, Sendable {
  /// `ControlRequest.Action.start`.
  case start
  /// Pauses one workout or all: `ControlRequest.LaneCommand`.
  case pause
  /// Lets one workout or all run again: `ControlRequest.LaneCommand`.
  case resume
  /// Pauses, or lets run again what is paused: `ControlRequest.LaneCommand`.
  case toggle
  /// Ends the phase: `ControlRequest.LaneCommand`.
  case next
  /// Begins the phase again, or the one before: `ControlRequest.LaneCommand`.
  case back
  /// Ends the workout: `ControlRequest.LaneCommand`.
  case stop
  /// Counts a repetition: `ControlRequest.LaneCommand`.
  case rep
  /// `ControlRequest.Action.signal`.
  case signal
  /// `ControlRequest.Action.value`.
  case value
  /// `ControlRequest.LaneCommand.whereAmI`.
  case whereAmI = "where-am-i"
  /// `ControlRequest.LaneCommand.sayTime`.
  case sayTime = "say-time"
  /// Asks for the volume, or sets it: `ControlRequest.Action.volume`.
  case volume
  /// Asks for a snapshot: `ControlRequest.Action.status`.
  case status
  /// Asks for the presets that can be started: `ControlRequest.Action.presets`.
  case presets
  /// Asks for the text of a preset: `PresetRequest.Kind.read`.
  case presetRead = "preset-read"
  /// Saves the text of a preset: `PresetRequest.Kind.save`.
  case presetSave = "preset-save"
  /// Deletes a preset: `PresetRequest.Kind.delete`.
  case presetDelete = "preset-delete"
  /// Asks what there is to say of a preset's text: `PresetRequest.Kind.check`.
  case presetCheck = "preset-check"
  /// Has what is said in a preset's text played: `PresetRequest.Kind.hear`.
  case presetHear = "preset-hear"
  /// Has a workout's file read, in pieces, and written in a format: `PresetRequest.Kind.convert`.
  case presetConvert = "preset-convert"
  /// Asks for the sessions that can be resumed: `ControlRequest.Action.sessions`.
  case sessions
  /// Asks for the latest workouts that have ended: `ControlRequest.Action.history`.
  case history
  /// `DeskRequest.Action.summary`.
  case historySummary = "history-summary"
  /// `DeskRequest.Action.phases`.
  case historyPhases = "history-phases"
  /// `DeskRequest.Action.delete`.
  case historyDelete = "history-delete"
  /// `DeskRequest.Action.restore`.
  case historyRestore = "history-restore"
  /// `DeskRequest.Action.discard`.
  case discard
  /// `DeskRequest.Action.people`.
  case people
  /// `DeskRequest.Action.favourite`.
  case favourite
  /// `DeskRequest.Action.schedule`.
  case schedule
  /// `DeskRequest.Action.schedules`.
  case schedules
  /// `DeskRequest.Action.unschedule`.
  case unschedule
  /// `DeskRequest.Action.outputs`.
  case outputs
  /// `DeskRequest.Action.output`.
  case output
  /// Has a text said: `ControlRequest.Action.say`.
  case say
  /// Asks for events from now on: `ControlRequest.Action.subscribe`.
  case subscribe

  /// Whether presets, favourites, starts that repeat or the history are others once it is obeyed.
  package var changesLists: Bool {
    [
      .presetSave, .presetDelete, .favourite, .schedule, .unschedule, .historyDelete,
      .historyRestore, .discard,
    ].contains(self)
  }
}

/// What the clients of a socket may request.
public enum ControlRights: String, Hashable, Codable, Sendable {
  /// Everything: the socket of the people on this machine.
  case control
  /// For surfaces that face a network: starts presets by name alone, takes no path and no workout in the
  /// request, says no text and sets no live value.
  case remote
  /// For sensors: live values, signals, repetitions and the coach's events; nothing else.
  case sense
}

extension ControlRights {
  /// Why a request is not allowed; nil if it is.
  package func refusal(of request: ControlRequest) -> Sentence? {
    switch self {
    case .control: nil
    case .remote: Self.refusalByName(request.action)
    case .sense: Self.refusalOfOtherThanSensors(request.action)
    }
  }

  /// Why the coach's configuration does not allow it; nil if it does.
  ///
  /// - Parameters:
  ///   - offered: the voices of other programs that may be chosen; asked for only where one is.
  ///   - isEditable: whether presets may be saved and deleted; asked for only where one is.
  package func refusal(
    of action: ControlRequest.Action, besides offered: @autoclosure () -> [String],
    isEditable: @autoclosure () -> Bool
  ) -> Sentence? {
    guard self != .control else { return nil }
    if let start = action.started {
      return Self.refusal(ofVoiceIn: start.style, besides: offered())
    }
    guard case .preset(let request) = action, !request.isReading, !isEditable() else { return nil }
    return "verb: presets are not edited here (config.yaml)"
  }

  private static func refusal(
    ofVoiceIn style: AnnouncementStyle, besides offered: @autoclosure () -> [String]
  ) -> Sentence? {
    refusal(ofVoice: style.voice.name, besides: offered()).map { "style.voice: \($0)" as Sentence }
  }

  /// Why somebody who is not of this machine may not choose a voice; nil where it is offered, or no other program's.
  package static func refusal(
    ofVoice name: String?, besides offered: @autoclosure () -> [String]
  ) -> Sentence? {
    guard let name, name.contains(":"), !offered().contains(name) else { return nil }
    return "\(name.shownShort) is not \"offered\" in config.yaml, or not installed"
  }

  private static func refusalOfOtherThanSensors(_ action: ControlRequest.Action) -> Sentence? {
    switch action {
    case .value(let value, _) where value.text != nil: "text: this socket takes numbers and times"
    case .value, .signal, .subscribe, .command(.rep, _): nil
    default: "verb: this socket takes value, signal, rep and subscribe"
    }
  }

  private static let notAName: Sentence =
    "preset: this socket takes the name of a preset, not a path"

  private static func refusalByName(_ action: ControlRequest.Action) -> Sentence? {
    if let start = action.started {
      if start.workout != nil { return "workout: this socket starts presets by name only" }
      if let preset = start.preset, !isName(preset) { return notAName }
      return refusal(ofPathsIn: start.style)
    }
    switch action {
    case .desk(let request):
      if case .favourite(let name, _, _) = request.action, !isName(name) { return notAName }
    case .presets(let name?, _) where !isName(name): return notAName
    case .preset(let request):
      if case .read(let name, _) = request.kind, !isName(name) { return notAName }
    case .say: return "verb: this socket does not say texts"
    case .value: return "verb: this socket sets no live values"
    default: break
    }
    return nil
  }

  private static func refusal(ofPathsIn style: AnnouncementStyle) -> Sentence? {
    let names = [
      ("language", style.language), ("voice", style.voice.name), ("variant", style.voice.variant),
      ("sounds", style.sounds),
    ]
    for case (let option, let text?) in names where !isName(text) {
      return "style.\(option): this socket takes a name, not a path"
    }
    return nil
  }

  /// False for a text that could be a path.
  static func isName(_ text: String) -> Bool {
    !text.contains("/") && !text.hasPrefix(".") && !text.contains("\0")
  }
}

extension PresetRequest {
  /// False for what a surface that does not edit has no need of.
  fileprivate var isReading: Bool {
    if case .read = kind { true } else { false }
  }
}

extension ControlRequest {
  /// True for one whose answer takes so long that its client may make others meanwhile.
  package var takesSeconds: Bool {
    guard case .preset(let request) = action else { return false }
    return switch request.kind {
    case .check, .convert: true
    default: false
    }
  }
}
