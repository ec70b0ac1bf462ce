import ButtonMaps
import TestSupport
import Testing

/// Which press the ups and downs of a key are. Times are in milliseconds.
@Suite struct KeyPressTests {
  /// - Parameters:
  ///   - script: "d0 u100": down at 0, up at 100. In the end two seconds pass.
  /// - Returns: "short 0", in order.
  private func done(_ gestures: Set<Gesture>, _ script: String) -> [String] {
    var key = KeyPress(gestures)
    var done: [KeyPress.Done] = []
    var last: Int64 = 0
    for word in script.split(separator: " ") {
      last = Int64(word.dropFirst())! * 1_000_000
      done += key.take(isDown: word.first == "d", at: last)
    }
    done += key.check(at: last + 2_000_000_000)
    return done.map { "\($0.gesture.rawValue) \($0.at / 1_000_000)" }
  }

  private static let all: Set<Gesture> = [.short, .double, .long]

  @Test(arguments: [
    // A tap.
    ("d0 u100", ["short 0"], ["short 130"], ["short 400"], ["short 400"]),
    // As headsets send it: both at once.
    ("d0 u0", ["short 0"], ["short 30"], ["short 300"], ["short 300"]),
    // Held.
    ("d0 u900", ["short 0"], ["long 800"], ["short 1200"], ["long 800"]),
    ("d0 u800", ["short 0"], ["long 800"], ["short 1100"], ["long 800"]),
    ("d0 u799", ["short 0"], ["short 829"], ["short 1099"], ["short 1099"]),
    // Never let go.
    ("d0", ["short 0"], ["long 800"], [], ["long 800"]),
    // Twice.
    (
      "d0 u100 d200 u300", ["short 0", "short 200"], ["short 130", "short 330"], ["double 200"],
      ["double 200"]
    ),
    (
      "d0 u100 d399 u450", ["short 0", "short 399"], ["short 130", "short 480"], ["double 399"],
      ["double 399"]
    ),
    // Too late for a double press.
    (
      "d0 u100 d400 u450", ["short 0", "short 400"], ["short 130", "short 480"],
      ["short 400", "short 750"], ["short 400", "short 750"]
    ),
    // The second is held: it was a double press by then.
    (
      "d0 u100 d200 u1200", ["short 0", "short 200"], ["short 130", "long 1000"], ["double 200"],
      ["double 200"]
    ),
    // Thrice.
    (
      "d0 u100 d200 u300 d400 u500", ["short 0", "short 200", "short 400"],
      ["short 130", "short 330", "short 530"], ["double 200", "short 800"],
      ["double 200", "short 800"]
    ),
    // Contacts bounce as it goes down, and as it comes up.
    ("d0 u3 d5 u9 d12 u100", ["short 0"], ["short 130"], ["short 400"], ["short 400"]),
    ("d0 u100 d103 u110 d129 u131", ["short 0"], ["short 161"], ["short 431"], ["short 431"]),
    ("d0 u3 d5 u900", ["short 0"], ["long 800"], ["short 1200"], ["long 800"]),
    ("d0 u790 d815 u900", ["short 0"], ["long 800"], ["short 1200"], ["long 800"]),
    // 30 ms apart is no bounce.
    (
      "d0 u100 d130 u200", ["short 0", "short 130"], ["short 130", "short 230"], ["double 130"],
      ["double 130"]
    ),
    // The same again, and an end without a beginning.
    ("u0 d100 d110 u200 u210", ["short 100"], ["short 230"], ["short 500"], ["short 500"]),
  ])
  func eachPressIsOfOneKind(
    script: String, alone: [String], withLong: [String], withDouble: [String], withAll: [String]
  ) {
    #expect(done([.short], script) == alone)
    #expect(done([.short, .long], script) == withLong)
    #expect(done([.short, .double], script) == withDouble)
    #expect(done(Self.all, script) == withAll)
  }

  /// A worn key that goes on bouncing is not held.
  @Test func whatBouncesWithoutEndIsNoPress() {
    let chatter = (0..<60).map { "d\($0 * 16) u\($0 * 16 + 8)" }.joined(separator: " ")
    #expect(done([.short, .long], chatter) == [])
    #expect(done([.short, .long], chatter + " d2000 u2100") == ["short 2130"])
    #expect(done([.short], chatter) == ["short 0"])
  }

  /// A key does nothing by a press that its map does not have.
  @Test(arguments: [
    "d0 u100", "d0 u900", "d0 u100 d200 u300", "d0 u3 d5 u9 d12 u100", "d0 u100 d400 u450",
  ])
  func whatIsNotInTheMapDoesNothing(script: String) {
    let whole = done(Self.all, script)
    #expect(done([.double, .long], script) == whole.filter { !$0.hasPrefix("short") })
    #expect(done([.long], script) == whole.filter { $0.hasPrefix("long") })
    #expect(done([.double], script) == whole.filter { $0.hasPrefix("double") })
    #expect(done([], script) == [])
  }

  /// However often it is asked in between, and only ever at its deadline is there something to be done.
  @Test func askingChangesNothing() {
    var generator = SeededGenerator(seed: 35)
    for _ in 0..<2000 {
      let gestures = Set(Gesture.allCases.filter { _ in Bool.random(using: &generator) })
      var (asked, quiet) = (KeyPress(gestures), KeyPress(gestures))
      var (ofAsked, ofQuiet): ([KeyPress.Done], [KeyPress.Done]) = ([], [])
      var now: Int64 = 0
      for _ in 0..<12 {
        let next = now + Int64.random(in: 0...900_000_000, using: &generator)
        while let deadline = asked.deadline, deadline <= next {
          #expect(deadline > now)
          let early = asked.check(at: deadline - 1)
          #expect(early.isEmpty)
          ofAsked += asked.check(at: deadline)
          now = deadline
        }
        let isDown = Bool.random(using: &generator)
        ofAsked += asked.take(isDown: isDown, at: next)
        ofQuiet += quiet.take(isDown: isDown, at: next)
        now = next
      }
      #expect(ofAsked == ofQuiet && asked == quiet)
      #expect(ofAsked.allSatisfy { gestures.contains($0.gesture) })
    }
  }
}
