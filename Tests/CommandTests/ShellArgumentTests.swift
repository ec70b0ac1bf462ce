import TestSupport
import Testing

@testable import cuecoach

/// Names in commands that a person copies into a shell.
struct ShellArgumentTests {
  @Test(arguments: [
    "anna", "demo 2", "it's", "a\"b", "$HOME `id`", "Łukasz", "a;b", "-x", "*", "#1",
  ])
  func aShellReadsTheNameAgain(name: String) throws {
    let script =
      "set -- \(name.shellArgument); [ \"$1\" = -- ] && shift; printf '%s|%d' \"$1\" $#"
    #expect(try shell("sh -c \(script.shellWord)").output == "\(name)|1")
  }

  @Test func plainNamesStayAsTheyAre() {
    #expect("anna".shellArgument == "anna" && "Łukasz-2".shellArgument == "Łukasz-2")
    #expect("demo 2".shellArgument == "'demo 2'")
  }
}
