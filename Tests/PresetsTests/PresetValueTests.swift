import IntervalTimeline
import Testing

@testable import Presets

/// Presets whose texts say live values.
struct PresetValueTests {
  private func parse(_ yaml: String) throws -> Workout {
    try PresetFile.parse(Array(yaml.utf8), file: "a.yaml")
  }

  private func fault(_ yaml: String) throws -> String {
    do {
      _ = try parse(yaml)
      return ""
    } catch let error as FileError {
      return error.description
    }
  }

  @Test func namedValuesCanBeSaid() throws {
    let workout = try parse(
      """
      name: Row
      values: [watts, heart-rate]
      phrases: {halfway: ["Halfway at {watts}", Halfway]}
      blocks:
        - phases:
            - work: 4m
              say:
                - {at: 1m, text: ["{heart-rate} at {watts}", "At {watts}", Strong]}
                - {at: 2m, text: "{watts}"}
      """)
    let values: Set<String> = ["watts", "heart-rate"]
    let remarks = workout.blocks[0].steps[0].phase.remarks
    let full = try Template("{heart-rate} at {watts}", values: values)
    let short = try Template("At {watts}", values: values)
    let watts = try Template("{watts}", values: values)
    let halfway = try Template("Halfway at {watts}", values: values)
    #expect(remarks[0].wordings == [full, short, "Strong"])
    #expect(remarks[1].wordings == [watts])
    #expect(workout.style.phrases[.halfway] == Phrase([halfway, "Halfway"]))
  }

  @Test(arguments: [
    (
      "values: [watts]", "{wats}",
      "a.yaml:4: unknown variable \"{wats}\" in say (did you mean {watts}?)"
    ),
    ("density: full", "{watts}", "a.yaml:4: unknown variable \"{watts}\" in say"),
    ("values: [watts]", "{watts", "a.yaml:4: a brace without its other in say"),
  ])
  func anUnknownNameIsReported(head: String, text: String, message: String) throws {
    let yaml = """
      name: Row
      \(head)
      blocks:
        - phases: [{work: 4m, say: "\(text)"}]
      """
    let error = try fault(yaml)
    #expect(error.hasPrefix(message), "\(error)")
    // Where it is no slip of the finger.
    let isUnlikeAny = !message.contains("a brace") && !message.contains("did you mean")
    #expect(error.contains("or a live value that the preset names: values: [watts]") == isUnlikeAny)
  }

  @Test(arguments: [
    ("watts", "values is \"watts\""), ("[]", "values is"), ("[Watts]", "\"Watts\" in values"),
    ("[phase]", "\"phase\" in values"), ("[a, a]", "\"a\" twice in values"),
    ("[{a: b}]", "in values"), ("[\"\"]", "in values"),
  ])
  func badNamesAreRefused(values: String, message: String) throws {
    let yaml = "name: Row\nvalues: \(values)\nblocks: [{phases: [{work: 4m}]}]\n"
    let error = try fault(yaml)
    #expect(
      error.hasPrefix("a.yaml:2: ")
        && error.contains(message), "\(error)")
  }
}
