import Testing

@testable import CueEngine

@Suite struct JSONObjectTests {
  @Test(arguments: [
    (Duration.zero, "0"), (.seconds(12), "12"), (.milliseconds(1500), "1.5"),
    (.microseconds(-31_900_000), "-31.9"), (.milliseconds(-250), "-0.25"), (.seconds(-3), "-3"),
  ])
  func secondsAreOneNumber(time: Duration, text: String) {
    var object = JSONObject()
    object.add("at", seconds: time)
    #expect(object.text == "{\"at\":\(text)}")
  }
}
