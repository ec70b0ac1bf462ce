/// The text of a preset as a surface shows and changes it.
public struct PresetText: Hashable, Codable, Sendable {
  /// By which `start` finds it.
  public var name: String
  /// YAML.
  public var workout: String
  /// Of a preset of the surfaces' own; it changes with the text, and whoever saves or deletes says it. nil: somebody
  /// else has made it, and it is copied under another name instead of changed.
  public var tag: String?
  /// The numbers of its earlier versions, the latest first; nil where there are none.
  public var versions: [Int]?

  /// The arguments are taken as they are.
  public init(name: String, workout: String, tag: String? = nil, versions: [Int]? = nil) {
    (self.name, self.workout, self.tag, self.versions) = (name, workout, tag, versions)
  }
}

/// A text that is to be saved as a preset of the surfaces' own.
public struct PresetChange: Hashable, Sendable {
  /// The name under which it is saved.
  public var preset: String
  /// YAML; at most `ControlLimits.workout` bytes.
  public var workout: String
  /// The tag of the text that was changed: where the preset has another one meanwhile, it stays. nil: it is new.
  public var tag: String?
  /// Its name until now, which it loses; nil: the same.
  public var former: String?

  /// The arguments are taken as they are.
  package init(preset: String, workout: String, tag: String? = nil, former: String? = nil) {
    (self.preset, self.workout, self.tag, self.former) = (preset, workout, tag, former)
  }
}
