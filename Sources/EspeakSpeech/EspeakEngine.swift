import CEspeakNG
import CueSound
import Glibc
import SystemIO

/// libespeak-ng, initialised once in this process. Callers hold the lock of `EspeakSynthesizer`.
struct EspeakEngine {
  private let rate: Int
  /// The choice that led to the current voice, and the library's name for it; nil after a failure.
  private var selected: (choice: VoiceChoice, identifier: String)?
  /// The voice file that was opened last: -1 before.
  private var openFile: Int32 = -1

  init() throws(SpeechError) {
    espeak_ng_InitializePath(nil)
    // Not espeak_Initialize, which may call exit when its data is missing.
    var status = espeak_ng_Initialize(nil)
    if status == ENS_OK {
      // Even without playback the library looks for a sound server, and would wait for one that hangs.
      let server = getenv("PULSE_SERVER").map { String(cString: $0) }
      setenv("PULSE_SERVER", "unix:/dev/null", 1)
      status = espeak_ng_InitializeOutput(ENOUTPUT_MODE_SYNCHRONOUS, 0, nil)
      if let server { setenv("PULSE_SERVER", server, 1) } else { unsetenv("PULSE_SERVER") }
    }
    guard status == ENS_OK else {
      throw SpeechError(
        kind: .unavailable, detail: "espeak-ng does not start: \(Self.message(status))")
    }
    rate = Int(espeak_ng_GetSampleRate())
    espeak_SetSynthCallback { samples, count, events in
      guard let samples, count > 0, let collector = events?.pointee.user_data else { return 0 }
      let spoken = collector.assumingMemoryBound(to: [Int16].self)
      spoken.pointee.append(contentsOf: UnsafeBufferPointer(start: samples, count: Int(count)))
      // The library stops at 1.
      let limit = EspeakEngine.maxSeconds * Int(espeak_ng_GetSampleRate())
      return spoken.pointee.count < limit ? 0 : 1
    }
  }

  /// The library's version and its data: a change of either may change the sound.
  var identity: String {
    var path: UnsafePointer<CChar>?
    let version = espeak_Info(&path).map { String(cString: $0) } ?? ""
    let folder = path.map { String(cString: $0) } ?? ""
    let files = ["", "/phondata", "/phonindex", "/phontab", "/intonations"].map { file in
      var info = stat()
      guard stat(folder + file, &info) == 0 else { return "-" }
      return "\(info.st_size) \(info.st_mtim.tv_sec).\(info.st_mtim.tv_nsec)"
    }
    return ([version, folder] + files).joined(separator: " ")
  }

  /// Makes a voice the current one; after a failure, the default voice.
  mutating func select(_ choice: VoiceChoice) throws(SpeechError) {
    // The library reads a dozen files to select the same voice again. With a variant it must: the pitch
    // set before a text adds to the variant's own, which only a new selection resets. By the library's own
    // names for the two it finds them at once.
    if let selected, selected.choice == choice, selected.identifier == identifier,
      choice.variant == nil || Self.select(identifier: selected.identifier),
      selected.identifier == identifier
    {
      return
    }
    selected = nil
    do throws(SpeechError) {
      try select(name: choice.name)
      if let variant = choice.variant { try select(variant: variant) }
      selected = identifier.map { (choice, $0) }
    } catch {
      // A failed choice may leave a broken voice behind.
      _ = espeak_ng_SetVoiceByName(EspeakSynthesizer.defaultVoice)
      throw error
    }
  }

  /// Ends a selection that no text follows. The library copies each selected voice for the next text, and
  /// loses the copy (1360 bytes) where another selection comes first.
  func settle() {
    _ = espeak_ng_Synthesize("", 0, 0, POS_CHARACTER, 0, UInt32(espeakCHARS_UTF8), nil, nil)
  }

  private mutating func select(name: String) throws(SpeechError) {
    // By its file: given a name, the library first reads the files of every voice.
    if let file = Self.file(of: name), select(file: file), isCurrent(name) { return }
    // Selection by name fails for some existing voices (en-gb, fr-fr, …) and leaves the previous voice
    // current, so the language is tried next and the result is checked.
    if espeak_ng_SetVoiceByName(name) == ENS_OK, isCurrent(name) { return }
    let status = name.withCString { languages in
      var properties = espeak_VOICE()
      properties.languages = languages
      return espeak_ng_SetVoiceByProperties(&properties)
    }
    guard status == ENS_OK, isCurrent(name) else {
      throw SpeechError(kind: .unknownVoice, detail: "there is no voice \"\(name)\"")
    }
  }

  /// Makes the voice of a file the current one: `file` as `file(of:)` gives it.
  private mutating func select(file: String) -> Bool {
    guard file.contains(where: \.isUppercase) else { return Self.select(identifier: file) }
    // The library looks for a file by its name in small letters. An open one has another name, without letters that
    // it could change; it is read again for each text that is said with a variant.
    if openFile >= 0 { close(openFile) }
    openFile = open("\(Self.folder ?? "")/lang/\(file)", O_RDONLY | O_CLOEXEC)
    return openFile >= 0 && Self.select(identifier: "\(Self.openFiles)\(openFile)")
  }

  /// The folder that shows the open files of this process.
  private static let openFiles = "/proc/self/fd/"

  /// Makes a voice the current one by the library's own name for it.
  private static func select(identifier: String) -> Bool {
    let isPath = identifier.hasPrefix(openFiles)
    return (isPath ? espeak_ng_SetVoiceByFile(identifier) : espeak_ng_SetVoiceByName(identifier))
      == ENS_OK
  }

  /// The library's folder of data.
  private static var folder: String? {
    var path: UnsafePointer<CChar>?
    _ = espeak_Info(&path)
    return path.map { String(cString: $0) }
  }

  /// The file of the voice of a language, such as "gmw/en" or for "en-us" "gmw/en-US"; nil where none has that name.
  private static func file(of name: String) -> String? {
    guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
      return nil
    }
    let parts = name.split(separator: "-")
    let name = parts.enumerated().map { index, part in
      index > 0 && part.count == 2 ? part.uppercased() : String(part)
    }.joined(separator: "-")
    guard let folder else { return nil }
    for family in Folder.names(in: "\(folder)/lang") {
      var info = stat()
      let file = "\(family)/\(name)"
      if stat("\(folder)/lang/\(file)", &info) == 0,
        info.st_mode & S_IFMT == S_IFREG
      {
        return file
      }
    }
    return nil
  }

  /// Applies a variant to the current voice. The library silently ignores an unknown one; only its name for
  /// the voice shows that.
  private func select(variant: String) throws(SpeechError) {
    guard let voice = identifier, Self.select(identifier: "\(voice)+\(variant)"),
      identifier == "\(voice)+\(variant)"
    else { throw VoiceChoice.unknown(variant: variant) }
  }

  /// The library's name for the current voice: "gmw/en", with a variant "gmw/en+f3".
  private var identifier: String? {
    espeak_GetCurrentVoice()?.pointee.identifier.map { String(cString: $0) }
  }

  /// The current voice's, without its region.
  var language: String {
    let languages = espeak_GetCurrentVoice().map { Self.languages($0.pointee) } ?? []
    return languages.first?.split(separator: "-").first.map { $0.lowercased() } ?? ""
  }

  private func isCurrent(_ voice: String) -> Bool {
    guard let current = espeak_GetCurrentVoice()?.pointee, let identifier,
      // A variant chosen by itself speaks nothing.
      !identifier.hasPrefix(Self.variantFolder), !identifier.contains("+")
    else { return false }
    let names = [current.name.map { String(cString: $0) }, identifier].compactMap { $0 }
    let ids = names.flatMap { [$0, $0.split(separator: "/").last.map(String.init) ?? $0] }
    return (ids + Self.languages(current)).contains { $0.lowercased() == voice.lowercased() }
  }

  private static let variantFolder = "!v/"

  func speak(_ text: SpeakableText, _ voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    // Before every text: an earlier one may have left other values.
    let parameters: [(espeak_PARAMETER, Int)] = [
      (espeakRATE, min(450, max(80, voice.rate))), (espeakVOLUME, 100),
      (espeakPITCH, min(99, max(0, voice.pitch))),
      (espeakRANGE, 50), (espeakPUNCTUATION, 0), (espeakCAPITALS, 0),
      (espeakWORDGAP, Self.wordGap),
    ]
    for (parameter, value) in parameters {
      _ = espeak_ng_SetParameter(parameter, Int32(value), 0)
    }
    var samples: [Int16] = []
    let status = withUnsafeMutablePointer(to: &samples) { collector in
      text.words.withCString { words in
        // Neither espeakSSML nor espeakPHONEMES: "<" and "[[" are text like any other.
        espeak_ng_Synthesize(
          words, 0, 0, POS_CHARACTER, 0, UInt32(espeakCHARS_UTF8), nil, collector)
      }
    }
    guard samples.count < Self.maxSeconds * rate else {
      throw SpeechError(
        kind: .text, detail: "a text that takes more than \(Self.maxSeconds) s to say")
    }
    guard status == ENS_OK else {
      throw SpeechError(kind: .failed, detail: "espeak-ng: \(Self.message(status))")
    }
    let clip = PCMClip(rate: rate, samples: samples)
    // Without its program, or with other data, an mbrola voice renders nothing.
    if let identifier, identifier.hasPrefix("mb/"), clip.peak < 100 {
      throw SpeechError(kind: .failed, detail: "the voice \"\(identifier)\" says nothing")
    }
    return clip
  }

  /// The pause between words, in 10 ms at the library's own rate. Without one "set eight" runs
  /// together, and a speech recogniser hears "set six" (`make listen`).
  private static let wordGap = 2

  /// The longest rendering before a text is given up: 500 digits at 80 words a minute take five minutes.
  private static let maxSeconds = 120

  func voices() -> [EspeakSynthesizer.Voice] {
    guard var entry = espeak_ListVoices(nil) else { return [] }
    var voices: [EspeakSynthesizer.Voice] = []
    while let voice = entry.pointee?.pointee {
      if let name = voice.name, let language = Self.languages(voice).first {
        voices.append(.init(language: language, name: String(cString: name)))
      }
      entry += 1
    }
    return voices.sorted { ($0.language, $0.name) < ($1.language, $1.name) }
  }

  /// The variants that can be applied to any voice, by the names of their files.
  func variants() -> [String] {
    let entries = "variant".withCString { language in
      var wanted = espeak_VOICE()
      wanted.languages = language
      return espeak_ListVoices(&wanted)
    }
    guard var entry = entries else { return [] }
    var variants: [String] = []
    while let voice = entry.pointee?.pointee {
      let file = voice.identifier.map { String(cString: $0) } ?? ""
      if file.hasPrefix(Self.variantFolder) {
        variants.append(String(file.dropFirst(Self.variantFolder.count)))
      }
      entry += 1
    }
    return variants.sorted()
  }

  /// The languages of a voice: a list of (priority byte, zero-ended name), ended by a zero byte.
  private static func languages(_ voice: espeak_VOICE) -> [String] {
    guard var place = voice.languages else { return [] }
    var languages: [String] = []
    while place.pointee != 0 {
      let language = String(cString: place + 1)
      languages.append(language)
      place += language.utf8.count + 2
    }
    return languages
  }

  private static func message(_ status: espeak_ng_STATUS) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      buffer.initialize(repeating: 0)
      espeak_ng_GetStatusCodeMessage(status, buffer.baseAddress, buffer.count)
      return String(cString: buffer.baseAddress!)
    }
  }
}
