import CueSound
import Instants
import Synchronization
import SystemIO
import WyomingProtocol

/// Speech by a server of the Wyoming protocol, such as Piper's: a program that is started here, or one that listens on a
/// Unix socket.
///
/// A server that fails or does not answer in time, or refuses ten texts one after the other, is given up: a child's process
/// group is killed, a socket is closed, and another attempt follows after 1 s, then 2 s, up to a minute, and after no less
/// than it has been waited for. Until then `render` throws `unavailable` at once.
public final class WyomingSynthesizer: SpeechSynthesizer {
  /// Where the server is.
  public enum Server: Hashable, Sendable {
    /// A program and its arguments, which no shell reads. It speaks the protocol on its standard input and output, gets
    /// PATH, HOME, LANG, TMPDIR and the XDG folders of caches and data, and ends with this process.
    case command([String])
    /// The path of a Unix socket.
    case socket(String)
  }

  /// A voice that a server has.
  public struct Voice: Hashable, Sendable {
    /// The name to pass.
    public let name: String
    /// The languages that it speaks, as the server names them, such as "en_US".
    public let languages: [String]
  }

  private struct State {
    var stream: WyomingStream?
    /// How much of the time to load a voice is left, for all answers before the first text that the server speaks.
    var loading: Duration
    /// How many texts it has refused since the last that it spoke.
    var refusals = 0
    /// What has been said of it once.
    var told: Set<String> = []
    /// Why it has been given up.
    var fault: WyomingFault?
    var backOff = BackOff(from: .seconds(1), to: .seconds(60))
    /// When another attempt is due, on the monotonic clock.
    var retry: Int64 = 0
    /// Texts as the server spoke them, the latest last: to be said faster they are not spoken again.
    var recent: [Spoken] = []
  }

  private struct Spoken {
    let text: String
    let voice: String?
    let clip: PCMClip
    /// At which it has been asked for, in words a minute.
    var rates: Set<Int>
  }

  private let server: Server
  private let patience: Patience
  private let report: Report
  private let state: Mutex<State>

  /// Gets a line when the server is given up, with the time after which it is asked again, and one without a time when
  /// it refuses a text, but not for each of several.
  public typealias Report = @Sendable (_ line: String, _ again: Duration?) -> Void

  /// How long answers may take.
  package struct Patience: Sendable {
    /// All answers up to the first text: a voice has to be loaded.
    package var first = Duration.seconds(60)
    /// Each other text with all that is asked for it, besides twice the length that it probably has.
    package var each = Duration.seconds(3)

    package init(first: Duration = .seconds(60), each: Duration = .seconds(3)) {
      (self.first, self.each) = (first, each)
    }

    func text(_ text: String) -> Duration {
      each + WyomingSynthesizer.probableLength(of: text) * 2
    }
  }

  /// At a usual speed. A digit is said as a word.
  private static func probableLength(of text: String) -> Duration {
    .milliseconds(400 + 80 * (text.count + 4 * text.count(where: \.isNumber)))
  }

  /// - Parameters:
  ///   - server: asked at the first text, not before.
  ///   - report: called during the call that it concerns, from which nothing of this may be called. By default nobody.
  public convenience init(_ server: Server, report: @escaping Report = { _, _ in }) {
    self.init(server, patience: Patience(), report: report)
  }

  package init(_ server: Server, patience: Patience, report: @escaping Report) {
    (self.server, self.patience, self.report) = (server, patience, report)
    state = Mutex(State(loading: patience.first))
  }

  /// Words a minute that are taken for the speed of the server's voice, which nobody knows.
  package static let nativeRate = 150
  /// Words a minute: faster ones are not understood as well.
  public static let maxRate = Int(Double(nativeRate) * TimeCompression.fastest)

  public func fastestRate(of voice: SpeechVoice) -> Int { Self.maxRate }

  public func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    let speed = Double(min(voice.rate, Self.maxRate)) / Double(Self.nativeRate)
    let clip = try state.withLock { state throws(SpeechError) in
      let known = state.recent.firstIndex { $0.text == text && $0.voice == voice.name }
      // Asked for again, it is to be spoken anew: some voices never say a text twice in the same way.
      if let known, state.recent[known].rates.insert(voice.rate).inserted {
        return state.recent[known].clip
      }
      let clip = try speak(text, voice.name, &state)
      if let known { state.recent.remove(at: known) }
      state.recent.append(
        Spoken(text: text, voice: voice.name, clip: clip, rates: [voice.rate]))
      if state.recent.count > Self.remembered { state.recent.removeFirst() }
      return clip
    }
    return TimeCompression.compressed(clip, by: max(0.5, speed))
  }

  private static let remembered = 8
  private static let maxRefusals = 10

  /// What the server says of itself: its programs, their versions and voices. Waits for it.
  public func voices() throws(SpeechError) -> [Voice] {
    try describe().voices.map { Voice(name: $0.name, languages: $0.languages ?? []) }
  }

  /// Identifies the server by its programs and their versions: another may sound different.
  public func identity() throws(SpeechError) -> String { try describe().identity }

  // MARK: Asking

  private struct Request: Encodable {
    struct Voice: Encodable { let name: String }
    let text: String
    let voice: Voice?
  }

  private func speak(_ text: String, _ voice: String?, _ state: inout State)
    throws(SpeechError) -> PCMClip
  {
    let deadline = deadline(for: text, state)
    try check(voice, until: deadline, &state)
    let request = WyomingEvent.bytes(
      "synthesize", Request(text: text, voice: voice.map { Request.Voice(name: $0) }))
    var answer = SpokenAnswer()
    try ask(request + Self.describe, until: deadline, &state) {
      item throws(WyomingFault) in
      try answer.take(item)
      return answer.isConfirmed
    }
    if let refusal = answer.refusal {
      state.refusals += 1
      guard state.refusals < Self.maxRefusals else { throw giveUp(refusal, &state) }
      if state.refusals == 1 { report("the voice's server \(name): \(refusal)", nil) }
      throw SpeechError(kind: .failed, detail: "\(refusal)")
    }
    (state.loading, state.refusals) = (.zero, 0)
    state.backOff.reset()
    // Nobody speaks so fast: the end of the answer is missing.
    let shortest = Duration.milliseconds(60 + 15 * text.count)
    guard let clip = answer.clip, clip.peak == 0 || !clip.isFaint else {
      throw refuse(
        .text, "it speaks too quietly, expected a peak of at least \(PCMClip.faintest)", &state)
    }
    let word = clip.peak > 0 ? clip.trimmed() : clip
    let length = clip.peak > 0 ? word.length : .zero
    guard length >= shortest else {
      throw refuse(
        .text, "it says nothing, or too little, for \"\(text)\"", saidOf: "silence", &state)
    }
    let longest = Self.probableLength(of: text) * 4
    guard length <= longest else {
      let most = longest / .seconds(1)
      throw refuse(
        .failed, "it says more than \"\(text)\", expected at most \(most) s", saidOf: "length",
        &state)
    }
    return word
  }

  /// Throws where the server lists its voices, and not that one: some say a voice that they do not have by another.
  private func check(
    _ voice: String?, until deadline: WyomingStream.Deadline, _ state: inout State
  ) throws(SpeechError) {
    guard let voice else { return }
    if state.stream?.voices == nil { _ = try describe(until: deadline, &state) }
    guard let voices = state.stream?.voices, !voices.isEmpty, !voices.contains(voice) else {
      return
    }
    throw refuse(.unknownVoice, "it \(Self.lack(of: voice, among: voices))", &state)
  }

  /// Says once what is wrong with what the server has. Returns what is thrown therefore.
  ///
  /// - Parameter subject: of which but one line is said; nil: `why` itself.
  private func refuse(
    _ kind: SpeechError.Kind, _ why: String, saidOf subject: String? = nil, _ state: inout State
  ) -> SpeechError {
    let fault = WyomingFault(why).description
    if state.told.insert(subject ?? fault).inserted {
      report("the voice's server \(name): \(fault)", nil)
    }
    return SpeechError(kind: kind, detail: fault)
  }

  /// "has no voice x; it has a, b", with ten at most.
  package static func lack(of voice: String, among voices: Set<String>) -> String {
    let more = voices.count > 10 ? " and \(voices.count - 10) others" : ""
    return "has no voice \"\(voice)\"; it has "
      + voices.sorted().prefix(10).joined(separator: ", ") + more
  }

  /// For all that is asked for a text.
  private func deadline(for text: String, _ state: State) -> WyomingStream.Deadline {
    .init(limit: max(state.loading, patience.text(text)))
  }

  private func ask(
    _ request: [UInt8], until deadline: WyomingStream.Deadline, _ state: inout State,
    _ take: (WyomingReader.Item) throws(WyomingFault) -> Bool
  ) throws(SpeechError) {
    guard state.stream != nil || MachineTime.monotonic >= state.retry else {
      throw SpeechError(kind: .unavailable, detail: state.fault?.description ?? "")
    }
    let start = deadline.passed
    do throws(WyomingFault) {
      if state.stream == nil { state.stream = try connect() }
      guard let stream = state.stream else { return }
      try stream.ask(request, until: deadline, take)
    } catch {
      throw giveUp(error, after: deadline.isOver ? deadline.limit : .zero, &state)
    }
    state.loading = max(.zero, state.loading - (deadline.passed - start))
  }

  /// Ends the connection. Returns what is thrown therefore.
  ///
  /// - Parameter wait: for how long it has been waited for in vain: another attempt may cost as much.
  private func giveUp(
    _ fault: WyomingFault, after wait: Duration = .zero, _ state: inout State
  ) -> SpeechError {
    (state.stream, state.loading, state.refusals, state.fault) = (nil, patience.first, 0, fault)
    // The last of them may have been another text's.
    state.recent = []
    let wait = max(wait, state.backOff.next())
    state.retry = MachineTime.monotonic + wait.wholeNanoseconds
    report("the voice's server \(name): \(fault)", wait)
    return SpeechError(kind: .unavailable, detail: "\(fault)")
  }

  private func connect() throws(WyomingFault) -> WyomingStream {
    switch server {
    case .command(let command): try WyomingStream(command: command)
    case .socket(let path): try WyomingStream(socket: path)
    }
  }

  private var name: String {
    switch server {
    case .command(let command): command.first ?? ""
    case .socket(let path): path
    }
  }

  // MARK: What the server is

  private struct Info: Decodable {
    struct Voice: Decodable {
      let name: String
      let languages: [String]?
      let version: String?
    }
    struct Program: Decodable {
      let name: String
      let version: String?
      let voices: [Voice]?
    }
    let tts: [Program]?

    var voices: [Voice] { (tts ?? []).flatMap { $0.voices ?? [] } }
    var identity: String {
      (tts ?? []).map { program in
        let voices = (program.voices ?? []).map { "\($0.name) \($0.version ?? "")" }
        return "\(program.name) \(program.version ?? "") \(voices.joined(separator: ","))"
      }.joined(separator: ";")
    }
  }

  private static let describe = WyomingEvent.bytes("describe", Never?.none)

  private func describe() throws(SpeechError) -> Info {
    try state.withLock { state throws(SpeechError) in
      try describe(until: deadline(for: "", state), &state)
    }
  }

  private func describe(
    until deadline: WyomingStream.Deadline, _ state: inout State
  ) throws(SpeechError) -> Info {
    var info = Info(tts: nil)
    try ask(Self.describe, until: deadline, &state) { item throws(WyomingFault) in
      guard case .event(let event) = item, event.type == "info" else {
        try WyomingStream.expectNoAnswer(item)
        return false
      }
      guard let found = event.data(Info.self) else {
        throw WyomingFault("an \"info\" that lists no voices")
      }
      info = found
      return true
    }
    state.stream?.voices = Set(info.voices.map(\.name))
    return info
  }
}
