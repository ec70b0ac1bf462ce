import Foundation
import Glibc
import TestSupport
import Testing

/// A service that is asked to end, early or late.
@Suite struct ServiceEndTests {
  private let space = Workspace()

  init() throws {
    try space.write(Preset.long, to: "Presets/long.yaml")
  }

  @Test(arguments: [SIGTERM, SIGINT]) func whatWasAskedForIsNoFailure(number: Int32) async throws {
    let service = try await Service(in: space)
    #expect(try service.start("long", lane: "anna").ok)
    #expect(await service.run.end(by: number).status == .exited(0))
    #expect(space.unfinished == ["anna"])
  }

  private static let signalsAreShown: ConditionTrait = .disabled(
    if: Emulator.isUsed, "under qemu-user the kernel knows the emulator's signals alone")

  @Test(signalsAreShown, arguments: [SIGTERM, SIGINT])
  func thePageEndsWithoutAFailureToo(number: Int32) async throws {
    let program = space.program.with(\.executable, Program.pathOfPage)
    let page = try await program.start(["--listen", "127.0.0.1:0"])
    try await page.until("it reads its signals") { page.takesSignal(number) }
    #expect(await page.end(by: number).status == .exited(0))
  }

  /// The store never opens: another program has its lock. The first thing that a service does is to read
  /// its signals.
  @Test(signalsAreShown, arguments: [SIGTERM, SIGINT])
  func aStartThatHangsIsEnded(number: Int32) async throws {
    try FileManager.default.createDirectory(
      atPath: space.stateFolder, withIntermediateDirectories: true)
    let lock = open("\(space.stateFolder)/sessions.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    let program = space.program.with("XDG_RUNTIME_DIR", space.folder)
    let service = try await program.start(["serve", "--no-sound"])
    try await service.until("it waits for the store") {
      space.has("cuecoach/control") && service.takesSignal(number)
    }
    #expect(await service.end(by: number).status == .exited(0))
    #expect(!space.has("cuecoach/control"))
  }

  /// As soon as it can be, before anything of the start has been done.
  @Test(signalsAreShown) func aSignalInTheFirstMomentIsRead() async throws {
    let program = space.program.with("XDG_RUNTIME_DIR", space.folder)
    let service = try await program.start(["serve", "--no-sound"])
    try await service.until("it reads its signals") {
      service.takesSignal(SIGTERM)
    } then: {
      service.send(signal: SIGTERM)
    }
    #expect(await service.end().status == .exited(0))
  }

  /// In the middle of resuming many workouts, all of which are there the next time.
  @Test func aSignalWhileWorkoutsAreResumedKeepsThemAll() async throws {
    let first = try await Service(in: space)
    let names = (1...32).map { "lane \($0)" }
    for name in names { #expect(try first.start("long", lane: name).ok) }
    try await first.run.until("all are kept") {
      space.unfinished.count == 32
    } then: {
      first.run.send(signal: SIGKILL)
    }
    _ = await first.run.end()
    let program = space.program.with("XDG_RUNTIME_DIR", space.folder)
    for _ in 0..<2 {
      let second = try await program.start(["serve", "--no-sound"])
      try await second.until("the first is resumed") {
        second.errors.contains("resumes Long")
      } then: {
        second.send(signal: SIGTERM)
      }
      #expect(await second.end().status == .exited(0))
      #expect(Set(space.unfinished) == Set(names))
    }
    let third = try await Service(in: space)
    try await third.run.until("all run") {
      third.lanes.filter { $0.state == .running }.count == 32
    } then: {
      third.run.send(signal: SIGTERM)
    }
    #expect(await third.run.end().status == .exited(0))
  }
}

extension RunningProgram {
  /// The program has its own way with that signal: it is caught, or held for a descriptor.
  fileprivate func takesSignal(_ number: Int32) -> Bool {
    // Not the shell that starts it.
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
    guard program?.contains("/cuecoach") == true else { return false }
    let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
    return status.split(separator: "\n").contains { line in
      guard line.hasPrefix("SigCgt:") || line.hasPrefix("SigBlk:") else { return false }
      let mask = UInt64(line.split(separator: "\t").last ?? "", radix: 16) ?? 0
      return mask & 1 << (number - 1) != 0
    }
  }
}
