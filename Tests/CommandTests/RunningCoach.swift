import ControlProtocol
import ControlSocket
import Foundation
import IntervalTimeline

/// A coach that runs as a service without sound, and `cuecoach ctl` for it.
final class RunningCoach: Sendable {
  let space: Workspace
  let run: RunningProgram

  /// Waits until it answers.
  ///
  /// - Parameter space: its presets are in the folder Presets.
  init(in space: Workspace) async throws {
    self.space = space
    run = try await space.programOfCoach.start(["serve", "--no-sound"])
    try await run.until("it answers") { (try? Self.snapshot(in: space)) != nil }
  }

  private struct Refused: Error { let error: ControlError }

  private static func snapshot(in space: Workspace) throws -> CoachSnapshot? {
    let answer = try ControlClient([space.controlSocket]).request(.status(outline: false))
    if let refusal = answer.refusal { throw Refused(error: refusal) }
    return answer.snapshot
  }

  /// Its workouts.
  var lanes: [WorkoutStatus] { answered { try Self.snapshot(in: space)?.lanes } ?? [] }

  /// Runs `cuecoach ctl` to its end.
  func ctl(_ arguments: String...) async throws -> Outcome {
    try await space.programOfCoach.run(["ctl"] + arguments)
  }

  func end(with signal: Int32 = SIGTERM) async -> Outcome {
    return await run.end(by: signal)
  }
}

extension Workspace {
  /// The program, for which this folder is the one of the boot.
  var programOfCoach: Program {
    program.with("XDG_RUNTIME_DIR", folder).with("TZ", "UTC")
  }

  var controlSocket: String { path("cuecoach/control") }
}
