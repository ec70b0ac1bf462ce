import CueSound
import Glibc
import Synchronization
import SystemIO

/// Rendered words in one file, which may be deleted at any time.
///
/// Each record says which synthesizer has made it, so several may share the file: none says the words of another, and
/// none drops them before their time. Records are appended under a lock of the file, so several programs can share it,
/// too: what one appends while another makes room is in the new file as well. Reading ends at a torn or damaged record,
/// which the next record overwrites. When the file is full, the least recently used records are dropped. In a folder that
/// cannot be written, the cache keeps nothing.
public final class SpeechCacheFile: SpeechCache {
  private static let mark: [UInt8] = Array("cuecoach words 2\n".utf8)

  /// How large the cache may become.
  public struct Limits: Sendable {
    /// The most bytes of the file; 32 MiB by default.
    public var size = 32 << 20
    /// The most bytes of clips that one run adds, to spare flash cards: for a workout of hundreds of sets the
    /// lengths are enough. 8 MiB by default.
    public var written = 8 << 20
    /// The most texts; 20 000 by default.
    public var count = 20_000

    /// 32 MiB in the file, 8 MiB of them added by a run, and 20 000 texts.
    public init() {}
  }

  /// Where a text is in the file.
  private struct Place {
    let record: SpeechRecord
    /// Where its head begins in the file; nil where it has not been written.
    var offset: Int64?
    /// Greater for a later use.
    var used: Int
  }

  private struct Index {
    var places: [SpeechRecord.Name: Place] = [:]
    /// Whose words are there; nil while nobody's are.
    var maker: SpeechRecord.Maker?
    /// False while `maker` is only `latest`.
    var isConfirmed = false
    /// Who has made, or used, the last of the file's words with these settings.
    var latest: SpeechRecord.Maker?
    var uses = 0
    /// `uses` when the file had been read: a place used later was used by this run.
    var usesRead = 0

    mutating func use(_ id: UInt64) -> Place? {
      guard let maker else { return nil }
      let name = SpeechRecord.Name(maker: maker.identity, id: id)
      guard places[name] != nil else { return nil }
      uses += 1
      places[name]?.used = uses
      return places[name]
    }

    mutating func add(_ record: SpeechRecord, at offset: Int64?) {
      uses += 1
      // A length that is appended again marks its clip as used.
      if record.count == 0, let known = places[record.name], known.record.count > 0 {
        places[record.name]?.used = uses
      } else {
        places[record.name] = Place(record: record, offset: offset, used: uses)
      }
    }
  }

  private struct File {
    var shared: SharedFile
    var isOpened = false
    /// The end of the last whole record.
    var end: Int64 = 0
    /// Records of lengths, to be written together, and of clips while another program has the lock.
    var unwritten: [UInt8] = []
    /// How many more bytes of clips this run may add.
    var clipRoom: Int
    /// A write failed: no more are tried.
    var hasFailed = false
  }

  private let settings: UInt64?
  private let maker: @Sendable () -> String?
  private let report: @Sendable (String) -> Void
  private let rate: Int
  private let limits: Limits
  /// Protects the file; held while it is read and written.
  private let file: Mutex<File>
  /// Protects what is known of it; taken last, and never held during disk access.
  private let index = Mutex(Index())

  /// - Parameters:
  ///   - folder: made where it is missing.
  ///   - name: of the file. Synthesizers that share one also share its room.
  ///   - rate: of the clips, in frames a second.
  ///   - limits: how large the file may become.
  ///   - settings: for a synthesizer that takes long to say who it is: what else determines its words. From `load` on
  ///     those that were made last with the same settings are there. By default `load` asks `maker` first.
  ///   - report: gets a line once where words cannot be kept; called with the file's lock held.
  ///   - maker: identifies the synthesizer exactly: what another has made is not said. Asked before anything is kept,
  ///     and again as long as it says nil; then nothing is kept.
  public init(
    folder: String, name: String = "speech", rate: Int = SampleRate.standard,
    limits: Limits = Limits(), settings: String? = nil,
    report: @escaping @Sendable (String) -> Void = { _ in },
    maker: @escaping @Sendable () -> String?
  ) {
    self.report = report
    (self.rate, self.limits) = (rate, limits)
    self.settings = settings.map { Self.hash("\($0) \(rate)") }
    self.maker = maker
    file = Mutex(
      File(shared: SharedFile("\(folder)/\(name)", mark: Self.mark), clipRoom: limits.written))
  }

  deinit { file.withLock { $0.shared.close() } }

  // MARK: Reading

  public func load() {
    if settings == nil { _ = confirm() } else { file.withLock { open(&$0) } }
  }

  public func confirm() -> Bool {
    // Without the lock, because asking a synthesizer may take long, and nobody else must wait for it.
    guard !index.withLock({ $0.isConfirmed }), let name = maker() else { return true }
    let settings = settings ?? Self.hash("\(rate)")
    let found = SpeechRecord.Maker(settings: settings, identity: Self.hash("\(settings) \(name)"))
    return file.withLock { file in
      let isOthers = index.withLock { index in
        defer { (index.maker, index.isConfirmed) = (found, true) }
        return index.maker.map { $0 != found } ?? false
      }
      open(&file)
      return !isOthers
    }
  }

  private static func hash(_ text: String) -> UInt64 { SpeechRecord.id(of: Array(text.utf8)) }

  public func length(of text: String, voice: SpeechVoice) -> Duration? {
    let id = SpeechRecord.id(of: SpeechRecord.key(text, voice))
    return index.withLock { $0.use(id)?.record.length }
  }

  public func clip(of text: String, voice: SpeechVoice) -> PCMClip? {
    let key = SpeechRecord.key(text, voice)
    let id = SpeechRecord.id(of: key)
    load()
    return file.withLock { file in
      var known = index.withLock { $0.use(id) }
      if known?.offset == nil || known?.record.count == 0 {
        // Another program may have kept it meanwhile.
        if file.shared.follow() { reread(&file) } else { scan(&file) }
        known = index.withLock { $0.use(id) }
      }
      guard let place = known, place.record.count > 0, let offset = place.offset else { return nil }
      var isWhole = false
      let clip = PCMClip(rate: rate, unwritten: place.record.count) { samples in
        var found = [UInt8](repeating: 0, count: place.record.keySize)
        let bytes = UnsafeMutableRawBufferPointer(samples)
        let start = offset + Int64(SpeechRecord.headSize)
        isWhole =
          found.withUnsafeMutableBytes {
            Descriptor.read(file.shared.descriptor, into: $0, at: start)
          }
          && Descriptor.read(file.shared.descriptor, into: bytes, at: start + Int64(found.count))
          && found == key
          && SpeechRecord.checksum(key: found, samples: UnsafeRawBufferPointer(bytes))
            == place.record.checksum
      }
      if !isWhole { index.withLock { $0.places[place.record.name] = nil } }
      return isWhole ? clip : nil
    }
  }

  private func open(_ file: inout File) {
    guard !file.isOpened else { return }
    file.isOpened = true
    if file.shared.open() { reread(&file) }
  }

  /// Reads a file that has taken the place of the one before, if there was any. What this run has used, it has used last.
  private func reread(_ file: inout File) {
    let (before, usesRead) = index.withLock { index in
      defer { index.places = [:] }
      return (index.places, index.usesRead)
    }
    file.end = Int64(Self.mark.count)
    scan(&file)
    let used = before.values.filter { $0.used > usesRead }.sorted { $0.used < $1.used }
    index.withLock { index in
      index.usesRead = index.uses
      for place in used {
        index.uses += 1
        if place.offset == nil, index.places[place.record.name] == nil {
          index.places[place.record.name] = place
        }
        index.places[place.record.name]?.used = index.uses
      }
    }
  }

  /// Reads the records from `end` on, up to the first that is not whole.
  private func scan(_ file: inout File) {
    var info = stat()
    guard fstat(file.shared.descriptor, &info) == 0 else { return }
    let size = Int64(info.st_size)
    withUnsafeTemporaryAllocation(byteCount: 1 << 15, alignment: 8) { buffer in
      var bufferStart = Int64(0)
      var buffered = 0
      while file.end < size {
        // Heads of lengths lie close together, so one read gets many of them. Clips are skipped.
        if file.end < bufferStart
          || file.end + Int64(SpeechRecord.headSize) > bufferStart + Int64(buffered)
        {
          bufferStart = file.end
          buffered = max(
            0, pread(file.shared.descriptor, buffer.baseAddress!, buffer.count, off_t(bufferStart)))
        }
        let head = Int(file.end - bufferStart)
        guard head + SpeechRecord.headSize <= buffered,
          let record = SpeechRecord(UnsafeRawBufferPointer(rebasing: buffer[head..<buffered])),
          file.end + Int64(record.size) <= size
        else { return }
        index.withLock { index in
          index.add(record, at: file.end)
          guard record.maker.settings == settings else { return }
          index.latest = record.maker
          if !index.isConfirmed { index.maker = record.maker }
        }
        file.end += Int64(record.size)
      }
    }
  }

  // MARK: Writing

  public func keep(_ length: Duration, _ clip: PCMClip?, of text: String, voice: SpeechVoice) {
    let key = SpeechRecord.key(text, voice)
    guard length > .zero, key.count <= SpeechRecord.maxKey else { return }
    load()
    file.withLock { file in
      let maker = index.withLock { $0.isConfirmed ? $0.maker : nil }
      guard let maker, !file.hasFailed else { return }
      if let clip, clip.rate == rate {
        let record = SpeechRecord(maker: maker, key: key, length: length, samples: clip.memory)
        if record.size <= file.clipRoom {
          file.clipRoom -= record.size
          // A program that keeps the lock is not waited for: what is too much is rendered again.
          if file.unwritten.count < Self.mostUnwritten {
            file.unwritten += record.head + key + UnsafeRawBufferPointer(clip.memory)
          }
          // The samples are the clip's memory.
          withExtendedLifetime(clip) {}
          return write(&file)
        }
      }
      let record = SpeechRecord(maker: maker, key: key, length: length, samples: Self.none)
      let isNew = index.withLock { index in
        guard index.places.count < limits.count,
          index.places[record.name]?.record.length != length
        else { return false }
        index.add(record, at: nil)
        return true
      }
      guard isNew else { return }
      file.unwritten += record.head + key
      if file.unwritten.count >= 4096 { write(&file) }
    }
  }

  /// Bytes.
  private static let mostUnwritten = 4 << 20

  private static var none: UnsafeBufferPointer<Int16> { .init(start: nil, count: 0) }

  public func save() {
    file.withLock { file in
      guard !file.hasFailed else { return }
      let isCrowded = index.withLock { $0.places.count } >= limits.count
      // The next run says at once what was said last.
      let isOthers = index.withLock { index in
        index.isConfirmed && index.latest != nil && index.latest != index.maker
      }
      if isCrowded || isOthers || file.end > limits.size / 2 { noteUses(&file) }
      write(&file, within: Self.patience)
      if isCrowded || isFull(file), lock(&file, within: Self.patience) {
        compact(&file, ofRun: 8)
        file.shared.unlock()
      }
      guard !file.unwritten.isEmpty, !file.hasFailed else { return }
      file.unwritten = []
      report("\(file.shared.path): another program keeps its lock")
    }
  }

  /// How long the last call waits for another program that makes room.
  private static let patience = Duration.seconds(2)

  /// Appends the lengths of the file's words that this run has used, which marks them as used for the next
  /// run.
  private func noteUses(_ file: inout File) {
    let used = index.withLock { index in
      index.places.values.filter { $0.used > index.usesRead && $0.offset != nil }
    }
    for place in used.sorted(by: { $0.used < $1.used }) {
      guard let key = key(of: place, file.shared.descriptor) else { continue }
      let record = SpeechRecord(
        maker: place.record.maker, key: key, length: place.record.length, samples: Self.none)
      file.unwritten += record.head + key
    }
  }

  private func key(of place: Place, _ descriptor: Int32) -> [UInt8]? {
    guard let offset = place.offset else { return nil }
    var key = [UInt8](repeating: 0, count: place.record.keySize)
    let start = offset + Int64(SpeechRecord.headSize)
    let isRead = key.withUnsafeMutableBytes { Descriptor.read(descriptor, into: $0, at: start) }
    return isRead && SpeechRecord.id(of: key) == place.record.id ? key : nil
  }

  /// Locks the file, and reads what other programs have appended meanwhile. False where another one keeps the lock.
  private func lock(_ file: inout File, within patience: Duration) -> Bool {
    switch file.shared.lock(within: patience) {
    case .busy: return false
    case .failed:
      fail(&file)
      return false
    case .heldOfAnother: reread(&file)
    case .held:
      var info = stat()
      let isCut = fstat(file.shared.descriptor, &info) == 0 && Int64(info.st_size) < file.end
      if isCut { reread(&file) } else { scan(&file) }
    }
    return true
  }

  /// Appends what has not been written.
  private func write(_ file: inout File, within patience: Duration = .zero) {
    guard !file.unwritten.isEmpty, lock(&file, within: patience) else { return }
    defer { file.shared.unlock() }
    let bytes = file.unwritten
    file.unwritten = []
    if file.end + Int64(bytes.count) > Int64(limits.size) { compact(&file, ofRun: 6) }
    let begin = file.end
    guard begin + Int64(bytes.count) <= Int64(limits.size) else { return }
    // Anything after the last whole record is a torn record.
    guard ftruncate(file.shared.descriptor, off_t(begin)) == 0,
      bytes.withUnsafeBytes({ Descriptor.write(file.shared.descriptor, $0, at: begin) })
    else {
      fail(&file)
      ftruncate(file.shared.descriptor, off_t(begin))
      return
    }
    scan(&file)
  }

  /// Keeps nothing more; `errno` says why.
  private func fail(_ file: inout File) {
    file.hasFailed = true
    report("\(file.shared.path): \(String(cString: strerror(errno)))")
  }

  /// Whether the next run needs room that can be made.
  private func isFull(_ file: File) -> Bool {
    guard file.end > limits.size / 4 * 3 else { return false }
    let kept = survivors(ofRun: 8).reduce(0) { $0 + $1.record.size }
    return file.end - Int64(kept) >= limits.size / 8
  }

  /// The records that stay when room is made, those used last first: up to five eighths of the greatest size, and of those
  /// that were used or added since this run began up to `eighths`.
  private func survivors(ofRun eighths: Int) -> ArraySlice<Place> {
    let (places, usesRead) = index.withLock { index in
      (index.places.values.filter { $0.offset != nil }, index.usesRead)
    }
    var size = Self.mark.count
    return places.sorted { $0.used > $1.used }.prefix(limits.count / 2).prefix { place in
      size += place.record.size
      return size <= limits.size / 8 * (place.used > usesRead ? eighths : 5)
    }
  }

  /// Rewrites the file, which is locked, with the records that stay.
  private func compact(_ file: inout File, ofRun eighths: Int) {
    let old = file.shared.descriptor
    let places = survivors(ofRun: eighths)
    let isReplaced = file.shared.replace { new in
      var end = Int64(Self.mark.count)
      for place in places.reversed() {
        var bytes = [UInt8](repeating: 0, count: place.record.size)
        guard bytes.withUnsafeMutableBytes({ Descriptor.read(old, into: $0, at: place.offset!) })
        else { continue }
        guard bytes.withUnsafeBytes({ Descriptor.write(new, $0, at: end) }) else { return false }
        end += Int64(bytes.count)
      }
      return true
    }
    if isReplaced { reread(&file) }
  }
}
