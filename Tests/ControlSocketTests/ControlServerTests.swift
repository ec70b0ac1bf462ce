import ControlProtocol
import ControlSocket
import Foundation
import IntervalTimeline
import TestSupport
import Testing

/// The server and its clients, without a coach.
@Suite struct ControlServerTests {
  private let coach: FakeCoach

  init() throws { coach = try FakeCoach() }

  @Test func aClientIsGreetedAndAnswered() async throws {
    try await apart {
      let client = try coach.client()
      #expect(client.greeting.cuecoach == "1.2.3")
      #expect(client.greeting.protocol == ControlLimits.version)
      #expect(client.greeting.rights == .control)
      let answer = try client.request(.command(.pause, lane: nil))
      #expect(answer.ok)
      #expect(answer.revision == 1)
    }
  }

  /// Every line has one answer, in order, whatever it was.
  @Test func eachLineHasOneAnswerInOrder() async throws {
    try await apart {
      let client = try RawClient(coach.path)
      client.send(
        "{\"id\":1,\"verb\":\"pause\"}\r\n{\"id\":\"b\",\"verb\":\"next\"}\nrubbish\n\n"
          + "{\"id\":4,\"verb\":\"dance\"}\n" + String(repeating: "x", count: 70_000) + "\n"
          + "{\"id\":5,\"verb\":\"sto")
      client.send("p\"}\n")
      _ = client.line()
      let answers = try (0..<7).map { _ in
        try ControlCoding.value(ControlAnswer.self, Array((client.line() ?? "").utf8))
      }
      #expect(
        answers.map(\.id) == [.number(1), .text("b"), nil, nil, .number(4), nil, .number(5)])
      #expect(
        answers.map(\.error) == [nil, nil, .malformed, .malformed, .unknownVerb, .malformed, nil])
      #expect(answers.map(\.revision) == [1, 2, nil, nil, nil, nil, 3])
    }
  }

  @Test func theSocketDecidesWhatIsAllowed() async throws {
    try await apart {
      let remote = try ControlClient([coach.remotePath], patience: .seconds(600))
      #expect(remote.greeting.rights == .remote)
      let refused: [ControlRequest.Action] = [
        .start(StartOrder(preset: "/etc/passwd")), .start(StartOrder(workout: "name: X")),
        .say("hello", lane: nil),
      ]
      for action in refused {
        #expect(try remote.request(action).error == .notAllowed)
        #expect(try coach.client().request(action).ok)
      }
      #expect(try remote.request(.start(StartOrder(preset: "tabata"))).ok)
    }
    #expect(coach.taken.count == 4)
  }

  /// Only clients of the control socket see where files lie.
  @Test func elsewhereAMessageNamesNoFolder() async throws {
    let folders: Set = ["/a", "/a/my rows", "/a/b"]
    let messages = [
      "/a/my rows/one two.yaml:3: 1/2 set": "one two.yaml:3: 1/2 set",
      "a preset \"rows\" already:/a/b/rows.yaml": "a preset \"rows\" already:rows.yaml",
      "sounds is \"/a/b\"; http://x/y, without / (/a/b/)":
        "sounds is \"/a/b\"; http://x/y, without / ()",
      "5:30 /km, lane /5/3/1, ../a/b": "5:30 /km, lane /5/3/1, ../a/b",
      "busy; fuser -v /dev/snd/*": "busy; fuser -v /dev/snd/*",
      "begins with https:// or http://": "begins with https:// or http://",
    ]
    for (message, shown) in messages {
      #expect(
        message.withoutFolders { ["/", "/dev"].contains($0) || folders.contains($0) } == shown)
    }
    var answer = ControlAnswer(.number(1), ControlError(.failed, "/a/b: full"))
    var preset = PresetEntry(name: "rows")
    preset.problem = "/a/rows.yaml:2: sets"
    var report = PresetReport()
    report.faults = [.init(line: 2, "/a/b")]
    report.notes = [.init("no file /a/b")]
    (answer.notes, answer.presets, answer.check) = (["/a/b"], [preset], report)
    let cut = answer.withoutFolders(folders.contains)
    #expect(cut.message == "b: full" && cut.warnings == ["b"])
    #expect(cut.presets?.first?.error == "rows.yaml:2: sets")
    #expect(cut.check?.faults.map(\.message) == ["b"])
    #expect(cut.check?.notes.map(\.message) == ["no file b"])
    try await apart {
      let remote = try ControlClient([coach.remotePath], patience: .seconds(600))
      let local = try coach.client()
      for client in [remote, local] { _ = try client.request(.subscribe) }
      coach.publish(1, "/usr/lib: full")
      #expect(try remote.nextEvent(within: nil)?.message == "lib: full")
      #expect(try local.nextEvent(within: nil)?.message == "/usr/lib: full")
    }
  }

  @Test func bothSocketsAreForUserAndGroup() throws {
    for path in [coach.path, coach.remotePath] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o660)
    }
    coach.stop()
    #expect(!FileManager.default.fileExists(atPath: coach.path))
  }

  /// Ten clients command at once: all subscribers read the same events with the same revisions.
  @Test func everybodySeesTheSameRevisions() async throws {
    let (clients, commands) = (10, 50)
    let seen = try await withThrowingTaskGroup(of: [UInt64].self) { group in
      for number in 0..<clients {
        group.addTask {
          try await apart {
            let client = try coach.client()
            let first = try client.request(.subscribe).revision ?? 0
            var own: [UInt64] = []
            for _ in 0..<commands {
              let answer = try client.request(
                .start(StartOrder(preset: "\(number)")), within: .seconds(600))
              own.append(answer.revision ?? 0)
            }
            #expect(own == own.sorted() && Set(own).count == commands)
            var revisions: [UInt64] = []
            var mine: [UInt64] = []
            while (revisions.last ?? first) < UInt64(clients * commands) {
              guard let event = try client.nextEvent(within: .seconds(600)) else { break }
              revisions.append(event.revision)
              if event.message == "\(number)" { mine.append(event.revision) }
            }
            // What the answers said is what the events said.
            #expect(mine == own)
            #expect(revisions == Array(first + 1...UInt64(clients * commands)))
            return own
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(seen.sorted() == Array(1...UInt64(clients * commands)))
  }

  @Test func anEventAfterTheAnswerToSubscribeIsRead() async throws {
    coach.publish(3, "before")
    try await apart {
      let client = try coach.client()
      #expect(try client.request(.subscribe).revision == 3)
      coach.publish(2, "after")
      let events = try (0..<2).map { _ in try client.nextEvent(within: .seconds(600)) }
      #expect(events.map(\.?.revision) == [4, 5])
      #expect(events.map(\.?.message) == ["after", "after"])
    }
  }

  /// Its client's other requests do not wait for it.
  @Test func aCheckHoldsUpNobody() async throws {
    let client = try await apart {
      let client = try RawClient(coach.path)
      _ = client.line()
      coach.hold()
      client.send("{\"id\":1,\"verb\":\"preset-check\",\"workout\":\"#\"}\n")
      return client
    }
    #expect(await eventually { coach.taken == [.presetCheck] })
    coach.state.withLock { $0.isHeld = false }
    try await apart {
      client.send("{\"id\":2,\"verb\":\"pause\"}\n")
      #expect(client.line()?.contains("\"id\":2") == true)
      coach.release()
      #expect(client.line()?.contains("\"id\":1") == true)
    }
  }

  @Test func whatIsSaidIsReadByWhomItWasAskedFor() async throws {
    try await apart {
      let (hearing, deaf) = (try RawClient(coach.path), try RawClient(coach.path))
      hearing.send("{\"id\":1,\"verb\":\"subscribe\",\"speech\":true}\n")
      deaf.send("{\"id\":1,\"verb\":\"subscribe\"}\n")
      for client in [hearing, deaf] { _ = (client.line(), client.line()) }
      let words = SpeechEvent(
        revision: 0, at: 1, lanes: ["anna"], text: "Rest", from: 2, until: 3, isWithdrawn: true)
      coach.state.withLock { $0.server }?.publish(words)
      coach.publish(1, "after")
      #expect(
        hearing.line()
          == #"{"at":1,"event":"speech","from":2,"lanes":["anna"],"revision":0,"text":"Rest","until":3,"withdrawn":true}"#
      )
      #expect(hearing.line()?.contains("after") == true)
      #expect(deaf.line()?.contains("after") == true)
    }
  }

  /// What is piped in is answered, though its sender has finished sending.
  @Test func aClientThatHasFinishedSendingIsAnswered() async throws {
    try await apart {
      let client = try RawClient(coach.path)
      client.send("{\"id\":1,\"verb\":\"pause\"}\n{\"id\":2,\"verb\":\"pause\"}\n")
      client.finish()
      #expect(client.line()?.contains("1.2.3") == true)
      #expect(client.line()?.contains("\"id\":1") == true)
      #expect(client.line()?.contains("\"id\":2") == true)
      #expect(client.line() == nil)
    }
  }

  @Test func aClientThatHasLeftIsObeyed() async throws {
    let client = try RawClient(coach.path)
    client.send("{\"id\":1,\"verb\":\"pause\"}\n{\"id\":2,\"verb\":\"stop\"}\n")
    client.leave()
    #expect(await eventually { coach.taken == [.pause, .stop] })
  }
}
