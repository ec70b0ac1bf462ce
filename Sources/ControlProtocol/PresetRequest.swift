#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is asked about the text of a preset, by the verbs that begin with `preset-`.
public struct PresetRequest: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The text of a preset, or of an earlier version of one that a surface has made.
    case read(String, version: Int?)
    /// Saves a preset of the surfaces' own.
    case save(PresetChange)
    /// Deletes one; its text stays the latest of its versions.
    case delete(String, tag: String)
    /// What there is to say of a text that may be none.
    case check(String)
    /// Plays what is said in a phase of a text, by its index, or with nil in all of it.
    case hear(String, phase: Int?)
    /// Ends that.
    case silence
    /// Has the file of a workout, whichever its format is, written in another.
    case convert(FilePiece)
  }

  package var kind: Kind

  package init(_ kind: Kind) { self.kind = kind }
}

/// A piece of a workout's file: one request does not hold a large one.
package struct FilePiece: Hashable, Sendable {
  /// What the file is called: it names the workout that has no other name, and stands in messages.
  package var file: String
  package var bytes: [UInt8]
  /// What the answer to the piece before it said; nil: it is the first.
  package var upload: String?
  /// Others follow.
  package var hasMore: Bool
  /// What is written of it all: a format of `WorkoutWriter`.
  package var format: String

  package init(
    file: String, _ bytes: [UInt8], upload: String? = nil, hasMore: Bool = false,
    format: String = "yaml"
  ) {
    (self.file, self.bytes, self.upload) = (file, bytes, upload)
    (self.hasMore, self.format) = (hasMore, format)
  }
}

extension PresetRequest {
  typealias Field = ControlRequest.Field

  /// Under which it is sent.
  var verb: ControlVerb {
    switch kind {
    case .read: .presetRead
    case .save: .presetSave
    case .delete: .presetDelete
    case .check: .presetCheck
    case .hear, .silence: .presetHear
    case .convert: .presetConvert
    }
  }

  /// The fields of a verb, besides `id` and `verb`; nil for a verb of another kind.
  static func fields(of verb: ControlVerb) -> [Field]? {
    switch verb {
    case .presetRead: [.preset, .version]
    case .presetSave: [.preset, .workout, .tag, .former, .sentAt]
    case .presetDelete: [.preset, .tag, .sentAt]
    case .presetCheck: [.workout]
    case .presetHear: [.workout, .phase, .stop, .sentAt]
    case .presetConvert: [.file, .data, .upload, .more, .to]
    default: nil
    }
  }

  /// - Parameter fields: those of the verb alone.
  init(_ verb: ControlVerb, _ fields: RequestFields) throws {
    let name = "the name of a preset"
    let text = "the text of a preset"
    switch verb {
    case .presetRead:
      kind = .read(
        try fields.required(.preset, name), version: try fields.value(.version, "a whole number"))
    case .presetSave:
      kind = .save(
        PresetChange(
          preset: try fields.required(.preset, name), workout: try fields.required(.workout, text),
          tag: try fields.value(.tag, "the tag of the text before"),
          former: try fields.value(.former, name)))
    case .presetDelete:
      kind = .delete(
        try fields.required(.preset, name), tag: try fields.required(.tag, "the text's tag"))
    case .presetCheck:
      kind = .check(try ControlRequest.bounded(fields.required(.workout, text)))
    case .presetConvert: kind = .convert(try FilePiece(fields))
    default: kind = try Self.hearing(fields)
    }
  }

  private static func hearing(_ fields: RequestFields) throws -> Kind {
    let text: String? = try fields.value(.workout, "the text of a preset")
    let phase: Int? = try fields.value(.phase, "the index of a phase, 0 or more")
    if try fields.value(.stop, "true") == true, text == nil, phase == nil { return .silence }
    guard let text, !fields.contains(.stop) else {
      throw ControlError(.malformed, "preset-hear: expected either workout or stop")
    }
    if let phase, phase < 0 {
      throw ControlError(.malformed, "phase \(phase): expected the index of a phase, 0 or more")
    }
    return .hear(try ControlRequest.bounded(text), phase: phase)
  }

  func encode(to fields: inout KeyedEncodingContainer<Field>) throws {
    switch kind {
    case .read(let name, let version):
      try fields.encode(name, forKey: .preset)
      try fields.encodeIfPresent(version, forKey: .version)
    case .save(let change):
      try fields.encode(change.preset, forKey: .preset)
      try fields.encode(change.workout, forKey: .workout)
      try fields.encodeIfPresent(change.tag, forKey: .tag)
      try fields.encodeIfPresent(change.former, forKey: .former)
    case .delete(let name, let tag):
      try fields.encode(name, forKey: .preset)
      try fields.encode(tag, forKey: .tag)
    case .check(let text): try fields.encode(text, forKey: .workout)
    case .hear(let text, let phase):
      try fields.encode(text, forKey: .workout)
      try fields.encodeIfPresent(phase, forKey: .phase)
    case .silence: try fields.encode(true, forKey: .stop)
    case .convert(let piece):
      try fields.encode(piece.file, forKey: .file)
      try fields.encode(Data(piece.bytes).base64EncodedString(), forKey: .data)
      try fields.encodeIfPresent(piece.upload, forKey: .upload)
      if piece.hasMore { try fields.encode(true, forKey: .more) }
      try fields.encode(piece.format, forKey: .to)
    }
  }
}

extension FilePiece {
  fileprivate init(_ fields: RequestFields) throws {
    let name: String = try fields.required(.file, Self.name)
    let isName = !name.isEmpty && name.unicodeScalars.count <= 200
    guard isName, name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw ControlError(.malformed, "file: expected \(Self.name)") }
    let data: String = try fields.required(.data, Self.base64)
    guard let bytes = Data(base64Encoded: data) else {
      throw ControlError(.malformed, "data: expected \(Self.base64)")
    }
    self.init(
      file: name, [UInt8](bytes), upload: try fields.value(.upload, "what an answer said"),
      hasMore: try fields.value(.more, "true or false") ?? false,
      format: try fields.value(.to, "a format") ?? "yaml")
  }

  private static let name = "the name of a file, of at most 200 characters"
  private static let base64 = "the bytes of a file in Base64"
}
