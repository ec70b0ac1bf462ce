import FileFuzzing
import ForeignWorkouts
import TestSupport
import Testing

/// A short form of `make fuzz-files`.
@Suite struct FileFuzzTests {
  @Test func samplesOfEveryFormatAreWorkouts() throws {
    let formats = try FileSamples.all.map { try FileTrial.read($0) }
    #expect(Set(formats) == Set(WorkoutFile.Format.allCases.map(Optional.some)))
  }

  @Test(arguments: 1...8)
  func damagedFileIsAWorkoutOrOneLine(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var workouts = 0
    for number in 0..<500 {
      let bytes = FileMutation.file(of: FileSamples.all, using: &generator)
      do throws(FileTrial.Failure) {
        if try FileTrial.read(bytes) != nil { workouts += 1 }
      } catch {
        Issue.record("number \(number): \(error.what)")
      }
    }
    #expect((1..<500).contains(workouts))
  }
}
