import IntervalTimeline

extension ControlRequest {
  /// Every field that a request may have.
  enum Field: String, CodingKey, CaseIterable {
    case id, verb, preset, workout, lane, style, at, seed, group, athlete, volume, outline, limit,
      text, signal,
      name, number, unit, seconds, validFor, sentAt, version, tag, former
    case speech, quick, phase, stop
    case before, year, session, person, on, time, days, schedule, output, muted
    case file, data, upload, more, to, lanes, after, folder, language
  }
}

/// The fields of a request that is being read: each as what is expected of it, or a line that says so.
struct RequestFields {
  private let fields: KeyedDecodingContainer<ControlRequest.Field>
  private let all: KeyedDecodingContainer<AnyKey>

  init(_ decoder: any Decoder) throws {
    fields = try decoder.container(keyedBy: ControlRequest.Field.self)
    all = try decoder.container(keyedBy: AnyKey.self)
  }

  /// Any key of the object, to find those that are no field of the verb.
  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func contains(_ field: ControlRequest.Field) -> Bool { fields.contains(field) }

  func value<Value: Decodable>(
    _ field: ControlRequest.Field, _ what: String
  ) throws -> Value? {
    do {
      return try fields.decodeIfPresent(Value.self, forKey: field)
    } catch let error as ControlError {
      throw error
    } catch {
      throw ControlError(.malformed, "\(field.rawValue): expected \(what)")
    }
  }

  func required<Value: Decodable>(
    _ field: ControlRequest.Field, _ what: String
  ) throws -> Value {
    guard let found: Value = try value(field, what) else {
      throw ControlError(.malformed, "\(field.rawValue): missing; expected \(what)")
    }
    return found
  }

  /// Throws where a field is none of the verb's, or has no value.
  func check(_ verb: ControlVerb, _ allowed: [ControlRequest.Field]) throws {
    for key in all.allKeys {
      guard let field = ControlRequest.Field(rawValue: key.stringValue), allowed.contains(field)
      else {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        throw ControlError(
          .malformed,
          "\(key.stringValue.shown): \(verb.rawValue) has no such field; it has \(names)")
      }
      // "at": null would start at once, which nobody means who names an instant.
      guard try !fields.decodeNil(forKey: field) else {
        throw ControlError(
          .malformed, "\(field.rawValue): null, expected a value, or no \(field.rawValue)")
      }
    }
  }

  /// Throws where a key of an object is none of these, or has no value.
  private func check(_ field: ControlRequest.Field, has names: [String]) throws {
    let object = try? fields.nestedContainer(keyedBy: AnyKey.self, forKey: field)
    for key in object?.allKeys ?? [] where !names.contains(key.stringValue) {
      throw ControlError(
        .malformed,
        "\(field.rawValue).\(key.stringValue.shown): expected one of \(names.joined(separator: ", "))"
      )
    }
    for key in object?.allKeys ?? [] where try object?.decodeNil(forKey: key) == true {
      throw ControlError(
        .malformed,
        "\(field.rawValue).\(key.stringValue.shown): null, expected a value, or no \(key.stringValue.shown)"
      )
    }
  }

  /// Nil where there is none.
  func style() throws -> AnnouncementStyle? {
    try check(.style, has: StyleOptions.names)
    let style: StyleOptions? = try value(.style, "an object of options")
    return try style?.ofRequest()
  }

  /// Nil where there is none.
  func quick() throws -> QuickTimer? {
    try check(.quick, has: QuickTimer.names)
    return try value(.quick, "an object of whole numbers: sets, work and rest, prepare")
  }

  /// Nil where there is none.
  func athlete() throws -> Athlete? {
    try check(.athlete, has: AthleteNumbers.names)
    let athlete: AthleteNumbers? = try value(.athlete, "an object of numbers")
    return try athlete?.checked()
  }
}
