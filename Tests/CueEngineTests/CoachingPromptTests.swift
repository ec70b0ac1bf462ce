import IntervalTimeline
import Testing

@testable import CueEngine

/// What is heard of a reading depends on how much is said in its phase.
@Suite struct CoachingPromptTests {
  private static let low = CoachingText.low(.watts, 170, target: nil)

  private func prompt(
    _ text: CoachingText, _ density: Density, _ phrases: PhraseCatalogue = .english,
    hasAlarm: Bool = false
  ) -> String {
    let prompt = CoachingPrompt(text, density: density, hasAlarm: hasAlarm, phrases)
    let message = prompt.message.map { "\($0.text), \($0.priority.rawValue)" }
    return [prompt.sound?.rawValue, message].compactMap { $0 }.joined(separator: "; ")
  }

  @Test func whereTextsAreSaidItIsWords() {
    #expect(prompt(Self.low, .normal) == "{watts}, more power, low")
    #expect(prompt(.value(.watts, 170), .full) == "{watts}, low")
  }

  @Test func inAQuietPhaseASoundStandsForACorrectionAndAmongCountsNothing() {
    #expect(prompt(Self.low, .quiet) == "too-low")
    #expect(prompt(.high(.watts, 250, target: nil), .quiet) == "too-high")
    #expect(prompt(.onTarget(.watts, 200), .quiet) == "")
    #expect(prompt(Self.low, .counts) == "")
  }

  @Test(arguments: Density.allCases)
  func anAlarmIsHeardWithItsSoundInEveryPhase(density: Density) {
    #expect(prompt(.alarm(190), density) == "alarm; Heart rate {heart-rate}, too high, high")
  }

  /// Silence never means that all is well.
  @Test(arguments: [Density.quiet, .counts])
  func whoHasAnAlarmIsToldThatItsSensorIsLost(density: Density) {
    #expect(prompt(.lost(.heartRate), density, hasAlarm: true) == "No heart rate, low")
    #expect(
      prompt(.back(.heartRate, 150), density, hasAlarm: true)
        == "Heart rate is back, {heart-rate}, low")
    #expect(prompt(.lost(.heartRate), density) == "")
    #expect(prompt(.lost(.watts), density, hasAlarm: true) == "")
    #expect(prompt(.value(.heartRate, 150), density, hasAlarm: true) == "")
  }

  @Test func nothingIsSaidWithoutWords() {
    var phrases = PhraseCatalogue.english
    phrases.coaching = [:]
    #expect(prompt(.lost(.watts), .normal, phrases) == "")
  }
}
