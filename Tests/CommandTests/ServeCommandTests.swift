import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import Testing

/// The coach as a service, from outside.
@Suite struct ServeCommandTests {
  private let space = Workspace()

  init() throws {
    try space.write(Preset.long, to: "Presets/long.yaml")
    try space.write(Preset.tiny, to: "Presets/tiny.yaml")
  }

  /// libdispatch reports each thread whose priority it may not set. That of its timers is its own.
  @Test(.enabled(if: getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) == 0))
  func noPriorityIsAskedForThatAUserMayNotHave() async throws {
    let program = space.program.with(\.keepsPriority, true).with("LIBDISPATCH_LOG", "stderr")
    let service = try await Service(in: space, program: program)
    #expect(try service.start("tiny", lane: "anna").ok)
    #expect(try service.send(.presets(nil, outline: false)).presets?.isEmpty == false)
    try await service.run.until("it is over") {
      (try? service.send(.history(limit: 5)).history?.map(\.lane)) == ["anna"]
    }
    let outcome = await service.run.end(by: SIGTERM).expect(0)
    let refusals = outcome.errors.split(separator: "\n").filter { $0.contains("thread priority") }
    #expect(refusals.count <= 1, "\(refusals)")
  }

  @Test func tenClientsSeeTheSameRevisions() async throws {
    let service = try await Service(in: space)
    #expect(try service.start("long").ok)
    let clients = try (0..<10).map { _ in try service.client() }
    let first = try clients.map { try $0.request(.subscribe).snapshot?.revision ?? 0 }
    for (number, client) in clients.enumerated() {
      let command: ControlRequest.LaneCommand = number.isMultiple(of: 2) ? .pause : .resume
      try client.send(.command(command, lane: nil))
    }
    // A last change, which everybody sees.
    var last: UInt64 = 0
    for client in clients {
      while case .some(let message) = try client.receive(within: .seconds(600)) {
        guard case .answer(let answer) = message else { continue }
        last = max(last, answer.revision ?? 0)
        break
      }
    }
    let end = try service.send(.volume(10)).revision ?? 0
    #expect(end > last)
    for (client, first) in zip(clients, first) {
      var revisions: [UInt64] = []
      while let event = try client.nextEvent(within: .seconds(600)) {
        revisions.append(event.revision)
        if event.event == .volume { break }
      }
      // What came before the answer was passed over above.
      #expect(revisions.last == end)
      #expect(revisions == revisions.sorted() && revisions.first! > first)
    }
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }

  /// Each start reads its workout and checks its voice; nothing of that may stay.
  @Test func aThousandStartsKeepNoMemory() async throws {
    let service = try await Service(in: space)
    let client = try service.client()
    func start(_ count: Int) throws {
      for _ in 0..<count {
        let start = StartOrder(
          preset: "long", lane: "later", at: BootInstant(nanoseconds: bootTime()) + .seconds(86_400)
        )
        try #require(try client.request(.start(start)).ok)
        try #require(try client.request(.command(.stop, lane: "later")).ok)
      }
    }
    try start(100)
    let before = service.memory
    try start(1_000)
    #expect(service.memory - before < 2_048)
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }

  /// Its end may still be on its way to the disk.
  @Test func aNameThatHasJustBecomeFreeWasNotInterrupted() async throws {
    let service = try await Service(in: space)
    for _ in 0..<10 {
      let started = try service.start("long", lane: "anna")
      #expect(started.ok)
      #expect(started.warnings ?? [] == [], "\(started.warnings ?? [])")
      #expect(try service.send(.command(.stop, lane: "anna")).ok)
    }
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }

  @Test func twoServicesDoNotShareASocket() async throws {
    let service = try await Service(in: space)
    let program = space.program.with("XDG_RUNTIME_DIR", space.folder)
    let second = try await program.run(["serve", "--no-sound"]).expect(1)
    #expect(second.errors == "cuecoach: \(service.path): another coach answers there\n")
    #expect(try service.send(.status(outline: false)).ok)
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }

  /// The folder of the socket, and what is said.
  @Test(arguments: [
    (nil, "there is no folder for the control socket; set XDG_RUNTIME_DIR"),
    (String(repeating: "x", count: 120), "a socket's path has at most 107 bytes, this one "),
  ]) func aSocketThatCannotBeIsOneLine(_ place: (folder: String?, message: String)) async throws {
    let program = space.program.with("XDG_RUNTIME_DIR", place.folder.map { space.path($0) })
    let outcome = try await program.run(["serve", "--no-sound"]).expect(1)
    #expect(outcome.errorLines.count == 1 && outcome.errors.contains(place.message))
  }

  /// What it appends is a ledger, and it appends to nothing else without being told.
  @Test func aFileThatIsNoLedgerStaysAsItIs() async throws {
    try space.write("What I wrote\n", to: "notes.txt")
    let program = space.program.with("XDG_RUNTIME_DIR", space.folder)
    let command = ["serve", "--no-sound", "--ledger", "notes.txt"]
    let refused = try await program.run(command).expect(2)
    #expect(
      refused.errors
        == "cuecoach: --ledger notes.txt: that file is no ledger; expected another name, or --force\n"
    )
    #expect(try space.text("notes.txt") == "What I wrote\n")
    for arguments in [command + ["--force"], Service.options, Service.options] {
      let service = try await Service(in: space, arguments)
      // The next ones resume it.
      if arguments.contains("--force") { #expect(try service.start("tabata").ok) }
      #expect(await service.run.end(by: SIGTERM).status == .exited(0))
    }
    #expect(try space.text("notes.txt").hasPrefix("What I wrote\n{\"event\":\""))
    #expect(space.ledger.lines.isEmpty || space.ledger.isWhole)
  }

  @Test func theRemoteSocketTakesNamesAlone() async throws {
    let service = try await Service(in: space)
    let remote = try service.client(.remote)
    #expect(remote.greeting.rights == .remote)
    let path = try space.write(Preset.tiny, to: "mine.yaml")
    #expect(try remote.request(.start(StartOrder(preset: path))).error == .notAllowed)
    #expect(try remote.request(.start(StartOrder(preset: "mine.yaml"))).error == .unknownPreset)
    #expect(
      try remote.request(.start(StartOrder(workout: Preset.tiny))).error == .notAllowed)
    var style = AnnouncementStyle()
    style.sounds = space.path("sounds")
    #expect(
      try remote.request(.start(StartOrder(preset: "long", style: style))).error == .notAllowed)
    #expect(try remote.request(.presets(path, outline: true)).error == .notAllowed)
    #expect(try remote.request(.say("hello", lane: nil)).error == .notAllowed)
    #expect(service.lanes.isEmpty)
    #expect(try remote.request(.start(StartOrder(preset: "long"))).ok)
    // The people of this machine may.
    #expect(try service.start(path).ok)
    #expect(try service.send(.start(StartOrder(workout: Preset.tiny, lane: "own"))).ok)
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }

  @Test func theSocketForSensorsTakesReadingsSignalsAndRepetitionsAlone() async throws {
    let service = try await Service(in: space)
    let sense = try service.client(.sense)
    #expect(sense.greeting.rights == .sense)
    let text =
      "name: A\nblocks:\n  - phases:\n      - rest: {until: ready}\n      - work: {reps: 2}\n        target: {watts: 190 to 210}\n"
    #expect(try service.send(.start(StartOrder(workout: text, lane: "anna"))).ok)
    let value = ValueRequest("watts", number: 187)
    #expect(try sense.request(.value(value, lane: "anna")).ok)
    #expect(try sense.request(.value(value, lane: "ben")).error == .unknownLane)
    #expect(try sense.request(.command(.rep, lane: "anna")).error == .noEffect)
    for action in [.signal("ready", lane: "anna"), .command(.rep, lane: "anna")]
      as [ControlRequest.Action]
    {
      while try sense.request(action).error == .noEffect {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    let words = ValueRequest("watts", text: "anything at all")
    for action in [
      .value(words, lane: "anna"), .start(StartOrder(preset: "long")),
      .command(.pause, lane: "anna"), .status(outline: false),
      .presets(nil, outline: false), .history(limit: 1), .volume(nil), .say("hello", lane: nil),
    ] as [ControlRequest.Action] {
      #expect(try sense.request(action).error == .notAllowed)
    }
    #expect(try sense.request(.subscribe).snapshot?.lanes.map(\.name) == ["anna"])
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }

  /// The coach may read what its client may not.
  @Test func aFileThatIsNoPresetIsNotQuoted() async throws {
    let service = try await Service(in: space)
    for text in ["s3cret:x:0:0\n", "s3cret: 1\nblocks: []\n", "name: A\nblocks: s3cret\n"] {
      let path = try space.write(text, to: "shadow")
      let answer = try service.start(path)
      #expect(answer.error == .invalid)
      let message = try #require(answer.message)
      #expect(message.hasPrefix("\(path):") && !message.contains("s3cret"), "\(message)")
      let entry = try service.send(.presets(path, outline: true)).presets?.first
      #expect(entry?.error?.hasPrefix("\(path):") == true)
      #expect(entry?.error?.contains("s3cret") == false, "\(entry?.error ?? "")")
    }
    let unknown = try service.start("nothing")
    #expect(unknown.error == .unknownPreset)
    #expect(unknown.message?.hasSuffix("cuecoach ctl presets lists them") == true)
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }

  @Test func mistakesInARequestAreNamed() async throws {
    try space.write("name: X\nblocks: 3\n", to: "Presets/broken.yaml")
    let service = try await Service(in: space)
    var style = AnnouncementStyle()
    style.countdown = 11
    let refused: [(StartOrder, ControlError.Code, String)] = [
      (StartOrder(preset: "lon"), .unknownPreset, "did you mean \"long\"?"),
      (StartOrder(preset: "long", style: style), .invalid, "style.countdown 11: expected"),
      (StartOrder(preset: "broken"), .invalid, "broken.yaml:2"),
      (
        StartOrder(preset: "./long.yaml"), .invalid, "preset: expected a name or an absolute path"
      ),
      (StartOrder(workout: "name: Y\nblocks: 3\n"), .invalid, "workout:2"),
    ]
    for (start, code, message) in refused {
      let answer = try service.send(.start(start))
      #expect(answer.error == code)
      #expect(answer.message?.contains(message) == true, "\(answer.message ?? "")")
    }
    let presets = try #require(try service.send(.presets(nil, outline: false)).presets)
    #expect(presets.first { $0.name == "broken" }?.error?.contains("broken.yaml:2") == true)
    #expect(presets.first { $0.name == "tiny" }?.seconds == 0.5)
    let long = try service.send(.presets("long", outline: true)).presets
    #expect(long?.first?.outline?.isEmpty == false)
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }

  // MARK: On a sound card

  /// The first sound is heard at the instant that was asked for, by the card's own clock.
  @Test func aStartIsHeardAtItsInstant() async throws {
    let made = try await undisturbed {
      let space = Workspace()
      defer { space.remove() }
      try space.write(Preset.tiny, to: "Presets/tiny.yaml")
      let card = try SoundCard(in: space)
      let service = try await Service(
        in: space, ["serve", "--ledger", Workspace.ledgerName], program: card.program)
      // Nobody has asked for sound.
      #expect(!space.has("card/log"))
      var at: Int64 = 0
      // On a slow machine a start is prepared for longer than the first of these.
      for lead in [1.5, 8, 40, 200] {
        at = bootTime() + Int64(lead * 1e9)
        let request = StartOrder(preset: "tiny", lane: "a", at: BootInstant(nanoseconds: at))
        // Refused where it arrives later than that.
        guard try service.send(.start(request)).ok else { continue }
        try await service.run.until("it is over") { service.lanes.isEmpty }
        if space.ledger.lines.last(where: { $0.event == "start" })?.at == at { break }
      }
      #expect(await service.run.end(by: SIGTERM).status == .exited(0))
      let truth = try CardTruth(folder: space.path("card"))
      return (
        at: at, ledger: space.ledger,
        heard: truth.beginnings.compactMap { truth.instant(ofFrame: $0) }
      )
    } ledger: {
      $0.ledger
    }
    #expect(made.ledger.lines.last { $0.event == "start" }?.at == made.at)
    #expect(made.ledger.cues.contains { $0.kind == "transition" && $0.due == made.at })
    // As precise as a card's pointer.
    #expect(made.heard.contains { abs($0 - made.at) < 1_000_000 })
  }

  @Test func aRunOnTheServicesDeviceNamesTheService() async throws {
    let service = try await Service(in: space)
    #expect(try service.start("long").ok)
    let program = try SoundCard(in: space, .busy).program.with("XDG_RUNTIME_DIR", space.folder)
    let run = try await program.start(["run", "other=long"])
    try await run.until("it says so") {
      run.errors.contains("cuecoach ctl start PRESET starts a workout there")
    }
    _ = await run.end(by: SIGTERM)
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }

  // MARK: A run with the socket

  @Test func aRunInATerminalCanBeCommanded() async throws {
    let run = try await Service(
      in: space,
      ["run", "anna=long", "--no-sound", "--control", "--ledger", Workspace.ledgerName])
    try await run.run.until("it runs") { space.ledger.has("start") }
    #expect(try run.send(.command(.pause, lane: "anna")).ok)
    #expect(run.lanes.map(\.state) == [.paused])
    #expect(try run.start("tiny").error == .failed)
    #expect(try run.send(.command(.stop, lane: "anna")).ok)
    #expect(await run.run.end().status == .exited(0))
    #expect(!space.has("cuecoach/control"))
  }
}

/// Nanoseconds of CLOCK_BOOTTIME.
private func bootTime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_BOOTTIME, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
