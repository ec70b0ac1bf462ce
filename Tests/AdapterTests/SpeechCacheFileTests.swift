import CueSound
import Dispatch
import Foundation
import Glibc
import SoundFiles
import Synchronization
import Testing

/// Rendered words on disk: correct, or missing.
final class SpeechCacheFileTests: Sendable {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("cuecoach-cache-\(UUID().uuidString)/cuecoach").path
  private let voice = SpeechVoice(name: "en")
  private var path: String { "\(folder)/speech" }

  deinit {
    try? FileManager.default.removeItem(atPath: (folder as NSString).deletingLastPathComponent)
  }

  private func cache(
    maker: String = "1.51", _ limits: SpeechCacheFile.Limits = .init()
  ) -> SpeechCacheFile {
    let cache = SpeechCacheFile(folder: folder, limits: limits) { maker }
    cache.load()
    return cache
  }

  private func clip(_ seed: Int, count: Int = 500) -> PCMClip {
    PCMClip(rate: 48_000, samples: (0..<count).map { Int16(truncatingIfNeeded: $0 &* 31 &+ seed) })
  }

  private func samples(_ clip: PCMClip?) -> [Int16]? {
    clip.map { clip in Array(clip.samples) }
  }

  private func fill(_ cache: SpeechCacheFile, _ seeds: Range<Int>, count: Int = 500) {
    for seed in seeds {
      let clip = clip(seed, count: count)
      cache.keep(clip.length, clip, of: "text \(seed)", voice: voice)
    }
    cache.save()
  }

  private var size: Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  @Test func theNextRunHasTheWords() {
    fill(cache(), 0..<3)
    let next = cache()
    #expect(next.length(of: "text 1", voice: voice) == clip(1).length)
    #expect(samples(next.clip(of: "text 1", voice: voice)) == samples(clip(1)))
    #expect(next.clip(of: "text 9", voice: voice) == nil)
    for other in [SpeechVoice(name: "de"), SpeechVoice(name: "en", rate: 80)] {
      #expect(next.length(of: "text 1", voice: other) == nil)
    }
    // The gain does not belong to the words.
    #expect(next.length(of: "text 1", voice: SpeechVoice(name: "en", gain: 0.5)) != nil)
  }

  @Test func aLengthIsKeptWithoutItsWords() {
    let first = cache()
    first.keep(.nanoseconds(7), nil, of: "a", voice: voice)
    first.save()
    let next = cache()
    #expect(next.length(of: "a", voice: voice) == .nanoseconds(7))
    #expect(next.clip(of: "a", voice: voice) == nil)
    next.keep(clip(0).length, clip(0), of: "a", voice: voice)
    #expect(cache().clip(of: "a", voice: voice) != nil)
  }

  /// Nor does another version drop it.
  @Test func whatAnotherVersionMadeIsNotSaid() {
    fill(cache(), 0..<3)
    let other = cache(maker: "1.52")
    #expect(other.length(of: "text 1", voice: voice) == nil)
    #expect(other.clip(of: "text 1", voice: voice) == nil)
    fill(other, 5..<6)
    let next = cache(maker: "1.52")
    #expect(next.clip(of: "text 5", voice: voice) != nil)
    #expect(next.clip(of: "text 1", voice: voice) == nil)
    #expect(samples(cache().clip(of: "text 1", voice: voice)) == samples(clip(1)))
  }

  /// Each synthesizer finds its own words for a text. The least recently used go first, whoever made them.
  @Test func severalShareTheRoom() {
    var limits = SpeechCacheFile.Limits()
    limits.size = 20_000
    func clip(_ seed: Int, by maker: String) -> PCMClip { self.clip(seed + (maker == "b" ? 5 : 0)) }
    for run in 0..<30 {
      let maker = run.isMultiple(of: 2) ? "a" : "b"
      let cache = cache(maker: maker, limits)
      let known = samples(cache.clip(of: "text 0", voice: voice))
      #expect(known == (run < 2 ? nil : samples(clip(0, by: maker))))
      for seed in [0, run] {
        let clip = clip(seed, by: maker)
        cache.keep(clip.length, clip, of: "text \(seed)", voice: voice)
      }
      cache.save()
      #expect(size <= limits.size)
    }
    #expect(cache(maker: "a", limits).clip(of: "text 2", voice: voice) == nil)
  }

  /// Until a synthesizer has said who it is, the words of who spoke last are there, also where it has made none of late.
  @Test func theLastToSpeakIsThereFirst() {
    func cache(_ identity: String?) -> SpeechCacheFile {
      let cache = SpeechCacheFile(folder: folder, settings: "a") { identity }
      cache.load()
      return cache
    }
    for maker in ["new", "old", "new"] {
      let cache = cache(maker)
      _ = cache.confirm()
      if cache.clip(of: "text 1", voice: voice) == nil {
        let clip = clip(maker == "old" ? 3 : 7)
        cache.keep(clip.length, clip, of: "text 1", voice: voice)
      }
      cache.save()
    }
    #expect(samples(cache(nil).clip(of: "text 1", voice: voice)) == samples(clip(7)))
  }

  /// Damages every byte in turn: the words are the stored ones, or none.
  @Test func damageIsNeverHeard() throws {
    fill(cache(), 0..<2, count: 20)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    var found = 0
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= 0x41
      try damaged.write(to: URL(fileURLWithPath: path))
      let cache = cache()
      for seed in 0..<2 {
        let length = cache.length(of: "text \(seed)", voice: voice)
        #expect(length == nil || length == clip(seed, count: 20).length)
        guard let heard = samples(cache.clip(of: "text \(seed)", voice: voice)) else { continue }
        #expect(heard == samples(clip(seed, count: 20)))
        found += 1
      }
    }
    // Usually only one of the two is hit.
    #expect(found > whole.count / 2)
  }

  @Test(arguments: [0, 1, 31, 32, 33, 79, 80, 300])
  func aTornEndIsWrittenOver(_ cut: Int) throws {
    fill(cache(), 0..<2, count: 20)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    try whole.prefix(cut).write(to: URL(fileURLWithPath: path))
    fill(cache(), 2..<4, count: 20)
    let next = cache()
    for seed in 2..<4 {
      #expect(
        samples(next.clip(of: "text \(seed)", voice: voice)) == samples(clip(seed, count: 20)))
    }
  }

  @Test(arguments: ["no cache at all", "", String(repeating: "x", count: 70_000)])
  func aFileThatIsNotOursIsReplaced(_ text: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let first = cache()
    #expect(first.clip(of: "text 0", voice: voice) == nil)
    fill(first, 0..<1)
    #expect(cache().clip(of: "text 0", voice: voice) != nil)
  }

  @Test func aFolderInItsPlaceIsLeftAlone() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    fill(cache(), 0..<3)
    #expect(cache().length(of: "text 0", voice: voice) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["speech"])
  }

  @Test(arguments: ["/proc/self/cache", "/dev/null/cache", "/proc/self/a/b/cache"])
  func aPlaceThatTakesNothingKeepsNothing(_ folder: String) {
    let cache = SpeechCacheFile(folder: folder) { "1" }
    cache.load()
    fill(cache, 0..<3)
    #expect(cache.clip(of: "text 0", voice: voice) == nil)
  }

  @Test func deletedWhileItIsUsed() throws {
    let first = cache()
    fill(first, 0..<3)
    try FileManager.default.removeItem(atPath: folder)
    #expect(samples(first.clip(of: "text 1", voice: voice)) == samples(clip(1)))
    fill(first, 3..<6)
    fill(cache(), 7..<8)
    #expect(cache().clip(of: "text 7", voice: voice) != nil)
  }

  @Test func cutShortWhileItIsUsed() throws {
    let first = cache()
    fill(first, 0..<3)
    #expect(truncate(path, 100) == 0)
    #expect(first.clip(of: "text 1", voice: voice) == nil)
    fill(first, 3..<6)
    let next = cache()
    for seed in 0..<6 {
      let heard = samples(next.clip(of: "text \(seed)", voice: voice))
      #expect(heard == nil || heard == samples(clip(seed)))
    }
  }

  @Test func twoAtOnceKeepBoth() {
    let (one, two) = (cache(), cache())
    for seed in 0..<20 {
      fill(seed.isMultiple(of: 2) ? one : two, seed..<(seed + 1))
    }
    let next = cache()
    for seed in 0..<20 {
      #expect(samples(next.clip(of: "text \(seed)", voice: voice)) == samples(clip(seed)))
    }
  }

  private func has(_ cache: SpeechCacheFile, _ seeds: some Sequence<Int>) -> Bool {
    seeds.allSatisfy { samples(cache.clip(of: "text \($0)", voice: voice)) == samples(clip($0)) }
  }

  /// The other one has the former file open.
  @Test(arguments: [false, true]) func whatAnotherKeepsWhileOneMakesRoomIsThere(isLate: Bool) {
    var limits = SpeechCacheFile.Limits()
    limits.size = 20_000
    fill(cache(limits), 0..<10)
    let (one, two) = (cache(limits), cache(limits))
    if !isLate { fill(two, 20..<22) }
    fill(one, 10..<16)
    #expect(size < 15_000, "room was made")
    if isLate { fill(two, 20..<22) }
    let next = cache(limits)
    #expect(has(next, [20, 21, 14, 15]))
    // It reads on in the new file, also where it adds nothing.
    #expect(has(two, [20, 21, 14, 15]))
  }

  @Test func twoThatMakeRoomAtOnceKeepBoth() {
    var limits = SpeechCacheFile.Limits()
    limits.size = 200_000
    fill(cache(limits), 0..<130)
    let both = [cache(limits), cache(limits)]
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      for seed in 0..<40 {
        let first = 1000 * (index + 1) + seed
        fill(both[index], first..<(first + 1))
      }
    }
    let next = cache(limits)
    #expect(has(next, 1000..<1040) && has(next, 2000..<2040))
    #expect(next.clip(of: "text 0", voice: voice) == nil)
    #expect(size <= limits.size)
  }

  /// Words wait for the lock that another program holds, and one that keeps it is a line.
  @Test func aLockThatIsHeldCostsNoWords() throws {
    let lines = Mutex<[String]>([])
    fill(cache(), 0..<1)
    let held = open(path, O_RDONLY)
    defer { close(held) }
    #expect(flock(held, LOCK_EX) == 0)
    let cache = SpeechCacheFile(
      folder: folder, report: { line in lines.withLock { $0.append(line) } }, maker: { "1.51" })
    cache.keep(clip(1).length, clip(1), of: "text 1", voice: voice)
    #expect(!has(self.cache(), [1]))
    flock(held, LOCK_UN)
    cache.save()
    #expect(has(self.cache(), [0, 1]))
    #expect(flock(held, LOCK_EX) == 0)
    fill(cache, 2..<3)
    #expect(lines.withLock { $0 } == ["\(path): another program keeps its lock"])
    flock(held, LOCK_UN)
    fill(cache, 3..<4)
    #expect(has(self.cache(), [0, 1, 3]))
  }

  /// Without waiting for the end of the run.
  @Test func whatIsKeptIntoAFullFileTakesThePlaceOfTheOldest() {
    var limits = SpeechCacheFile.Limits()
    limits.size = 20_000
    let cache = cache(limits)
    for seed in 0..<30 {
      cache.keep(clip(seed).length, clip(seed), of: "text \(seed)", voice: voice)
    }
    #expect(has(cache, 24..<30))
    #expect(cache.clip(of: "text 2", voice: voice) == nil)
    #expect(size <= limits.size)
  }

  @Test func itNeverGrowsBeyondItsBoundAndTheOldestUseGoesFirst() {
    var limits = SpeechCacheFile.Limits()
    limits.size = 20_000
    fill(cache(limits), 0..<6)
    for run in 1..<30 {
      let cache = cache(limits)
      #expect(cache.clip(of: "text 0", voice: voice) != nil, "used by every run")
      fill(cache, (run * 6)..<(run * 6 + 3))
      #expect(size <= limits.size)
    }
    let last = cache(limits)
    #expect(last.clip(of: "text 174", voice: voice) != nil)
    #expect(last.clip(of: "text 2", voice: voice) == nil)
  }

  /// A workout whose words fill most of the file finds them again, whatever was there before.
  @Test func whatARunHasUsedStays() {
    var limits = SpeechCacheFile.Limits()
    limits.size = 20_000
    for run in 0..<4 {
      let seeds = (run % 2 * 100)..<(run % 2 * 100 + 13)
      fill(cache(limits), seeds)
      #expect(has(cache(limits), seeds))
      #expect(size <= limits.size)
    }
  }

  @Test func oneRunWritesNoMoreThanItMay() {
    var limits = SpeechCacheFile.Limits()
    limits.written = 5_000
    fill(cache(limits), 0..<50)
    #expect(size < 5_000 + 50 * 100)
    let next = cache(limits)
    #expect(next.clip(of: "text 0", voice: voice) != nil)
    #expect(next.clip(of: "text 49", voice: voice) == nil)
    #expect(next.length(of: "text 49", voice: voice) == clip(49).length)
  }

  /// Words of a synthesizer that takes long to say who it is are there at once, until it says that it is another.
  @Test(arguments: [true, false]) func wordsAreThereBeforeTheirMakerIsKnown(isSame: Bool) {
    let identity = Mutex<String?>("1")
    let maker: @Sendable () -> String? = { identity.withLock { $0 } }
    func cache(_ settings: String = "a") -> SpeechCacheFile {
      SpeechCacheFile(folder: folder, settings: settings, maker: maker)
    }
    let first = cache()
    #expect(first.confirm())
    fill(first, 0..<2)
    identity.withLock { $0 = nil }
    let (next, other) = (cache(), cache("b"))
    next.load()
    other.load()
    #expect(samples(next.clip(of: "text 1", voice: voice)) == samples(clip(1)))
    #expect(other.clip(of: "text 1", voice: voice) == nil)
    #expect(next.confirm())
    // Nobody knows whose words these are.
    fill(next, 2..<3)
    #expect(next.clip(of: "text 2", voice: voice) == nil)
    identity.withLock { $0 = isSame ? "1" : "2" }
    #expect(next.confirm() == isSame)
    #expect(next.confirm())
    #expect((next.clip(of: "text 1", voice: voice) != nil) == isSame)
    fill(next, 3..<4)
    let last = cache()
    last.load()
    #expect(last.clip(of: "text 3", voice: voice) != nil)
    #expect((last.length(of: "text 1", voice: voice) != nil) == isSame)
  }

  /// Another synthesizer has a file of its own, and is asked who it is until it says so.
  @Test func eachSynthesizerHasAFileOfItsOwn() {
    let identity = Mutex<String?>(nil)
    let usual = SpeechCacheFile(folder: folder) { "usual" }
    let other = SpeechCacheFile(folder: folder, name: "speech-other") { identity.withLock { $0 } }
    let clip = PCMClip(rate: SampleRate.standard, samples: [1, 2, 3])
    usual.keep(clip.length, clip, of: "Next", voice: SpeechVoice())
    other.keep(clip.length, clip, of: "Next", voice: SpeechVoice())
    #expect(other.clip(of: "Next", voice: SpeechVoice()) == nil)
    identity.withLock { $0 = "other" }
    other.keep(clip.length, clip, of: "Rest", voice: SpeechVoice())
    #expect(other.clip(of: "Rest", voice: SpeechVoice())?.count == 3)
    let later = SpeechCacheFile(folder: folder, name: "speech-other") { "newer" }
    #expect(later.clip(of: "Rest", voice: SpeechVoice()) == nil)
    later.keep(clip.length, clip, of: "Low", voice: SpeechVoice())
    #expect(
      SpeechCacheFile(folder: folder) { "usual" }.clip(of: "Next", voice: SpeechVoice())?.count == 3
    )
  }
}
