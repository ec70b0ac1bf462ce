import TestSupport
import Testing

@testable import IntervalTimeline

/// Where a workout is and how its phases ended, without any cue.
@Suite struct WorkoutProgressTests {
  /// Started at 0 s.
  private static func progress(_ phases: [Phase]) throws -> WorkoutProgress {
    let workout = Workout("Test", phases)
    var progress = WorkoutProgress(try Timeline(workout))
    progress.start(at: begin)
    return progress
  }

  private static let fixed = [Phase(.low, .fixed(.seconds(10))), Phase(.high, .fixed(.seconds(5)))]
  private static let open = Phase(.work, .open(.signal("go"), OpenBounds(atLeast: .seconds(8))))

  /// What is reported by then: "0 began 0, 0 done 10".
  private static func report(_ progress: inout WorkoutProgress, by seconds: Double) -> [String] {
    var lines: [String] = []
    while let instant = progress.unreportedBeginning(by: at(seconds)) {
      let time = begin.duration(to: instant).components.seconds
      if let end = progress.endReported(at: instant),
        case .phaseEnded(let phase, let outcome, _) = end.effect
      {
        lines.append("\(phase) \(outcome) \(time)")
      }
      switch progress.begin(at: instant) {
      case .phaseBegan(let phase, _): lines.append("\(phase) began \(time)")
      case .finished: lines.append("finished \(time)")
      default: lines.append("?")
      }
    }
    return lines
  }

  @Test func eachBoundaryIsReportedOnceAndWithItsOwnInstant() throws {
    var progress = try Self.progress(Self.fixed)
    #expect(Self.report(&progress, by: 0) == ["0 began 0"])
    #expect(Self.report(&progress, by: 9.9) == [])
    #expect(
      Self.report(&progress, by: 60) == ["0 done 10", "1 began 10", "1 done 15", "finished 15"])
    #expect(Self.report(&progress, by: 90) == [])
    #expect(progress.transport.state == .finished)
  }

  @Test func aMoveReportsThePhaseToWhichItLeadsAndRepeatsTheOnesAfterIt() throws {
    var progress = try Self.progress(Self.fixed)
    _ = Self.report(&progress, by: 12)
    #expect(progress.outcomes == [.done, .pending])
    #expect(progress.move(to: 0, at: at(12)) == .phaseBegan(0, at: at(12)))
    #expect(progress.outcomes == [.pending, .pending])
    progress.pause(at: at(13))
    #expect(progress.move(to: 2, at: at(14)) == .finished(at: at(14)))
    #expect(progress.transport.state == .finished)
  }

  @Test func anOpenPhaseIsSkippedAtItsVeryBeginningAndDoneAfterwards() throws {
    let progress = try Self.progress([Self.open])
    #expect(progress.outcomeOfNext(at: at(2.9)) == .skipped)
    #expect(progress.outcomeOfNext(at: at(3)) == .done)
    #expect(try Self.progress(Self.fixed).outcomeOfNext(at: at(9)) == .skipped)
  }

  @Test func theEndOfAnOpenPhaseIsDecidedOnce() throws {
    var progress = try Self.progress([Self.open, Self.fixed[0]])
    #expect(progress.undecidedPhase(at: at(-1)) == nil)
    #expect(progress.undecidedPhase(at: at(5)) == Self.open)
    let (length, end) = try #require(progress.shortestLength(after: at(5)))
    #expect(end == at(8))
    progress.setLength(length, at: at(5))
    #expect(progress.undecidedPhase(at: at(6)) == nil)
    #expect(progress.phase(at: at(6)) == Self.open)
    #expect(Self.report(&progress, by: 8) == ["0 began 0", "0 done 8", "1 began 8"])
    #expect(progress.shortestLength(after: at(8)) == nil)
  }

  @Test(arguments: [(RestoreMode.running, 0, false), (.held, 1, false), (.fromRecord, 1, true)])
  func whatIsRestoredRunsOnIsHeldOrResumes(mode: RestoreMode, pauses: Int, isResumed: Bool) throws {
    var progress = try Self.progress(Self.fixed)
    _ = Self.report(&progress, by: 4)
    let memory = AnnouncementMemory(window: .seconds(10)).record(at: at(4))
    let record = progress.record(at: at(4), memory)
    var restored = try #require(WorkoutProgress(progress.timeline, record))
    #expect(restored.restore(at: at(30), from: at(4), mode) == isResumed)
    #expect(restored.pauseCount == pauses)
    #expect(restored.transport.state == (mode == .held ? .paused : .running))
    #expect(restored.transport.position(at: at(30)).phase == (mode == .running ? 2 : 0))
  }
}
