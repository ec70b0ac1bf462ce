import Testing

@testable import CueSound

struct PlayedHistoryTests {
  private func taken(_ tap: RecordingTap) -> [Int16] {
    var samples: [Int16] = []
    while let sample = tap.samples.pop() { samples.append(sample) }
    return samples
  }

  @Test func theRecordingGetsWhatWasHeardAndNoMore() {
    let tap = RecordingTap(rate: 100)
    var tape = PlayedHistory(tap.samples)
    tape.keep([1, 2, 3, 4], count: 4, from: 0)
    #expect(taken(tap).isEmpty)
    tape.pass(upTo: 3)
    #expect(taken(tap) == [1, 2, 3])
    tape.pass(upTo: 9)
    #expect(taken(tap) == [4])
  }

  @Test func whatWasTakenBackIsNotInTheRecording() {
    let tap = RecordingTap(rate: 100)
    var tape = PlayedHistory(tap.samples)
    tape.keep([1, 2, 3, 4], count: 4, from: 0)
    tape.pass(upTo: 1)
    tape.keep([7, 8], count: 2, from: 2)
    tape.pass(upTo: 4)
    #expect(taken(tap) == [1, 2, 7, 8])
  }

  @Test func aMomentForWhichNothingWasRenderedIsSilence() {
    let tap = RecordingTap(rate: 100)
    var tape = PlayedHistory(tap.samples)
    tape.keep([1, 2], count: 2, from: 0)
    tape.keep([3], count: 1, from: 5)
    tape.pass(upTo: .max)
    #expect(taken(tap) == [1, 2, 0, 0, 0, 3])
  }

  @Test func framesThatWerePassedOverAreLeftOut() {
    let tap = RecordingTap(rate: 100)
    var tape = PlayedHistory(tap.samples)
    tape.keep([1, 2], count: 2, from: 0)
    tape.keep([3], count: 1, from: 1_000_000)
    tape.pass(upTo: 2_000_000)
    #expect(taken(tap) == [1, 2, 3])
  }

  @Test func aDeviceThatHoldsMoreThanTheTapeLosesNothing() {
    let tap = RecordingTap(rate: 48_000)
    var tape = PlayedHistory(tap.samples)
    var expected: [Int16] = []
    for block in 0..<40 {
      let sound = (0..<4_800).map { Int16(truncatingIfNeeded: block * 4_800 + $0) }
      tape.keep(sound, count: sound.count, from: Frames(block * 4_800))
      expected += sound
    }
    tape.pass(upTo: .max)
    #expect(taken(tap) == expected)
  }
}
