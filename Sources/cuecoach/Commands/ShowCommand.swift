import ArgumentParser
import CueEngine
import Glibc
import InstalledFiles
import IntervalTimeline

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a workout at a glance, in words and as a profile.",
    discussion: """
      A sentence first, then the phases, the totals of each kind and a drawing: a phase is as wide as \
      it is long and as high as it is hard. Reads presets and the files of other programs.

      Examples:
        cuecoach show tabata
        cuecoach show ride.zwo --words
        cuecoach show norwegian-4x4 --svg norwegian.svg
      """)

  @Argument(help: "The path or name of the preset.", completion: Completions.presets)
  var preset: String
  @Option(help: "Write a picture to this file instead; - for standard output.") var svg: String?
  @Flag(help: "Replace an existing file.") var force = false
  @OptionGroup var variant: VariantOptions
  @Flag(help: "Words alone, without the drawing.") var words = false
  @Flag(help: "Print one JSON object; lengths are in seconds, null if unknown.") var json = false

  func validate() throws {
    if svg != nil, json || words {
      throw ValidationError("--svg cannot be combined with \(json ? "--json" : "--words")")
    }
    if force, svg == nil { throw ValidationError("--force needs --svg") }
  }

  func run() throws {
    let installed = try context.installation()
    let requested = try installed.requested(preset, variant: variant.variant())
    for report in requested.reports { context.complain(report) }
    let workout = requested.timeline.workout
    let style = try installed.style(of: workout, AnnouncementStyle()) { context.complain($0.text) }
    let profile = WorkoutProfile(requested.timeline, style)
    if let svg {
      let picture = ProfilePicture(profile).text
      guard svg != OutputFiles.standardOutput else { return context.write(picture) }
      try OutputFiles.write(
        picture, to: svg, for: "--svg", inputs: [requested.path], force: force)
    } else if json {
      context.print(Self.json(profile).text)
    } else {
      show(profile)
    }
  }

  private func show(_ profile: WorkoutProfile) {
    let isTerminal = isatty(context.output) == 1
    var look = ProfileText.Look(columns: context.width)
    look.usesUnicode = context.usesUnicode
    look.usesColor = isTerminal && context.usesColor && context.isCapable
    look.hasDrawing = !words
    let text = ProfileText(profile, look).lines.map { $0 + "\n" }.joined()
    // Its texts are clean, and colours would be taken from it.
    if look.usesColor { context.write(text, to: context.output) } else { context.write(text) }
  }

  private static func json(_ profile: WorkoutProfile) -> JSONObject {
    var object = JSONObject()
    object.add("preset", profile.timeline.workout.name)
    object.add("length", seconds: profile.timeline.length)
    object.add("phases", profile.timeline.count)
    object.add("sets", profile.sets)
    object.add("cues", profile.cues)
    object.add("spoken", profile.spokenCues)
    profile.timeline.workout.facts.add(to: &object)
    object.add(
      "kinds",
      profile.totals.map { total in
        var kind = JSONObject()
        kind.add("kind", total.kind.rawValue)
        kind.add("phases", total.phases)
        kind.add("length", seconds: total.length)
        kind.add("open", total.endless)
        return kind
      })
    return object
  }
}
