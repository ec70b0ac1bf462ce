import ArgumentParser
import CueEngine
import InstalledFiles
import IntervalTimeline

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check presets for mistakes.",
    discussion: """
      Lays out every announcement as a run does, and lists each one that is moved, shortened, spoken \
      faster or left out for lack of room, with its line in the file; then how many phases there are of which the \
      name, the length or the target is not told for it. These are not mistakes. With NAME=PRESET for each of \
      several people it also says how many texts each of them hears when they run side by side.

      Examples:
        cuecoach check tabata
        cuecoach check anna=tabata ben=emom
        cuecoach check Presets/*/*.yaml
        cuecoach check - < draft.yaml
      """)

  @Argument(
    help:
      "The paths or names of the presets, or - for the standard input; NAME=PRESET of people who run side by side.",
    completion: Completions.presets)
  var presets: [String]
  @Flag(help: "Print one JSON object per preset.") var json = false
  @OptionGroup var variant: VariantsOptions
  @OptionGroup var speech: SpeechOptions

  func run() throws {
    let installed = try context.installation()
    let style = try speech.style()
    // Checked first, so that an error in an option or a catalogue is not reported for a preset.
    _ = try installed.announcement(of: Workout(name: "", blocks: []), style) { _ in }
    let library = SpeechEngine.library(installed.configuration, isHeard: false) {
      context.complain($0)
    }
    defer { library?.saveCache() }
    var isRight = true
    for (index, preset) in presets.enumerated() {
      var object = JSONObject()
      let file: String
      do throws(InstallationError) {
        file =
          preset == PresetLibrary.standardInput
          ? preset : try installed.presets.path(of: LaneArgument.split(preset).preset)
      } catch {
        isRight = false
        object.add("file", preset)
        object.add("error", error.description)
        json ? context.print(object.text) : context.complain(UserError(error))
        continue
      }
      object.add("file", file)
      var check: PresetCheck?
      do throws(InstallationError) {
        let (found, timeline) = try installed.presets.document(
          path: file,
          variant: installed.variant(
            variant.variant(index), of: LaneArgument.split(preset).name))
        check = PresetCheck(found.document, timeline, file: file)
        context.complain(found.reports, about: file)
        object.add("preset", timeline.workout.name)
        object.add("phases", timeline.count)
        if let seed = timeline.workout.seed { object.add("seed", Int(clamping: seed.number)) }
        object.add("length", seconds: timeline.length)
        if let about = timeline.aboutLength { object.add("about", seconds: about) }
        timeline.workout.facts.add(to: &object)
        if !json {
          context.print(
            "\(file.singleLine): correct: \(timeline.workout.name.shownName), \(timeline.count) phase\(timeline.count == 1 ? "" : "s"), "
              + (timeline.lengthText ?? "open-ended")
              + (timeline.workout.seed.map { ", seed \($0.number)" } ?? ""))
          context.printSentences(timeline.workout.allNotes.map { "  \($0)" })
        }
      } catch {
        isRight = false
        object.add("error", error.description)
        if !json { context.complain(UserError(error)) }
      }
      if let check { try reportDecisions(check, installed, style, library, into: &object) }
      if json { context.print(object.text) }
    }
    if !isRight { throw ExitCode(2) }
    guard presets.count > 1, presets.contains(where: { LaneArgument.split($0).name != nil }) else {
      return
    }
    let lanes = try LaneArgument.parse(presets, style, installed, variant: variant.variant)
    if let library { try reportTogether(RehearsedPeople(lanes, installed) { _ in }, library) }
  }

  /// How many texts each person hears, moved or not, and how many find no room.
  private func reportTogether(_ people: RehearsedPeople, _ library: SpeechLibrary) {
    let heard = people.heard(library)
    for entrant in people.entrants {
      let tally = TextTally(heard.cues[entrant.name] ?? [])
      if json {
        var object = JSONObject()
        object.add("lane", entrant.name)
        tally.add(to: &object)
        context.print(object.text)
      } else {
        context.print("\(entrant.name.shownName): \(tally.line)")
      }
    }
    if let limit = heard.limit {
      context.complain(
        "announcements after \(limit.clockText) are not counted: the workouts have too many cues")
    }
  }

  private func reportDecisions(
    _ check: PresetCheck, _ installed: Installation, _ style: AnnouncementStyle,
    _ library: SpeechLibrary?, into object: inout JSONObject
  ) throws {
    var check = check
    let announcement = try installed.announcement(of: check.timeline.workout, style) {
      check.warn($0)
    }
    var style = announcement.style
    // There are no commands to confirm, except the end of an open phase.
    style.acknowledged = []
    check.noteOpenPhases(style.phrases)
    check.noteUncoachedTargets(style.phrases)
    if let library { check.layOut(style, announcement.sounds, library) }
    object.add("warnings", check.decisions.map(\.json))
    guard !json else { return }
    context.printSentences(check.decisions.map(\.line))
  }
}
