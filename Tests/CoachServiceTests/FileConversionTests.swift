import ControlProtocol
import CueTesting
import Dispatch
import IntervalTimeline
import Synchronization
import TestSupport
import Testing

@testable import CoachService

/// Files of workouts come in pieces, and another process reads them.
@Suite struct FileConversionTests {
  /// Says how many bytes it was given.
  private static let counting: FileConversion = {
    (bytes, name, format, _) throws(ControlError) in
    if bytes.first == 0 { throw ControlError(.invalid, "\(name):1: a zero, expected none") }
    return ("\(bytes.count) as \(format)", bytes.count > 3 ? ["it is long"] : [])
  }

  private static func piece(
    _ count: Int, of upload: String? = nil, more: Bool = false, byte: UInt8 = 1
  ) -> ControlRequest.Action {
    let bytes = [UInt8](repeating: byte, count: count)
    return .preset(
      PresetRequest(.convert(FilePiece(file: "a.fit", bytes, upload: upload, hasMore: more))))
  }

  @Test func aFileIsAnsweredWithItsText() {
    let run = ControlRun(convertFile: Self.counting)
    let short = run.send(Self.piece(3))
    #expect(short.ok && short.text == "3 as yaml" && short.warnings == nil && short.upload == nil)
    let first = run.send(Self.piece(40_000, more: true))
    #expect(first.ok && first.text == nil)
    let second = run.send(Self.piece(40_000, of: first.upload, more: true))
    let last = run.send(Self.piece(1, of: second.upload))
    #expect(last.text == "80001 as yaml" && last.warnings == ["it is long"])
    // Nothing of it is left.
    #expect(run.send(Self.piece(1, of: second.upload)).error == .invalid)
    #expect(run.events.isEmpty)
  }

  @Test func aFaultIsTheAnswer() {
    let run = ControlRun(convertFile: Self.counting)
    let answer = run.send(Self.piece(1, byte: 0))
    #expect(answer.error == .invalid && answer.message == "a.fit:1: a zero, expected none")
    #expect(ControlRun().send(Self.piece(1)).message == "this coach reads no files of its surfaces")
  }

  @Test func whatIsTooLargeIsRefusedAtOnce() {
    let run = ControlRun(convertFile: Self.counting)
    var upload: String?
    for _ in 0..<4 {
      let answer = run.send(Self.piece(65_536, of: upload, more: true))
      #expect(answer.ok)
      upload = answer.upload
    }
    let refused = run.send(Self.piece(1, of: upload, more: true))
    #expect(
      refused.refusal
        == ControlError(.tooLarge, "a.fit: over 256 KB, expected at most 262144 bytes"))
    #expect(run.send(Self.piece(1, of: upload)).error == .invalid)
  }

  @Test func whatIsNotContinuedIsForgotten() {
    let run = ControlRun(convertFile: Self.counting)
    let uploads = (0..<5).map { _ in run.send(Self.piece(1, more: true)).upload }
    #expect(Set(uploads).count == 5)
    #expect(run.send(Self.piece(1, of: uploads[0])).error == .invalid)
    #expect(run.send(Self.piece(1, of: uploads[1])).text == "2 as yaml")
    run.clock.advance(to: run.clock.now + .seconds(61))
    let late = run.send(Self.piece(1, of: uploads[2]))
    #expect(late.message == "a.fit: too long ago; expected it from its beginning")
  }

  /// A reader that goes on when it may.
  private final class SlowReader: Sendable {
    let mayEnd = DispatchSemaphore(value: 0)
    /// Protects the answers, in the order in which they came.
    let answers = Mutex<[ControlAnswer]>([])
  }

  @Test func onlyAFewWait() async throws {
    let reader = SlowReader()
    let run = ControlRun(convertFile: { (bytes, _, _, _) throws(ControlError) in
      reader.mayEnd.wait()
      return ("\(bytes.count)", [])
    })
    for number in 1...3 {
      run.handler.handle(
        ControlRequest(.number(Int64(number)), Self.piece(number)), rights: .control
      ) { answer in reader.answers.withLock { $0.append(answer) } }
    }
    // Others are obeyed meanwhile.
    #expect(await eventually { reader.answers.withLock { $0.count } == 1 })
    let refused = reader.answers.withLock { $0[0] }
    #expect(refused.id == .number(3) && refused.error == .full)
    for _ in 1...2 { reader.mayEnd.signal() }
    #expect(await eventually { reader.answers.withLock { $0.count } == 3 })
    #expect(reader.answers.withLock { $0.dropFirst().map(\.text) } == ["1", "2"])
  }

  @Test func aPageThatMayNotEditConvertsNothing() {
    let run = ControlRun(convertFile: Self.counting)
    #expect(run.send(Self.piece(1), rights: .remote).error == .notAllowed)
    #expect(run.send(Self.piece(1), rights: .sense).error == .notAllowed)
  }
}
