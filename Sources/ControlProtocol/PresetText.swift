/// The text of a preset as a surface shows and changes it.
public struct PresetText: Hashable, Codable, Sendable {
  /// A text that it had before.
  public struct Version: Hashable, Codable, Sendable {
    /// What `preset-read` has as `version`.
    public var number: Int
    /// When it was saved, in ISO 8601 with the offset of the coach's zone.
    public var saved: String

    /// The arguments are taken as they are.
    public init(number: Int, saved: String) { (self.number, self.saved) = (number, saved) }
  }

  /// By which `start` finds it.
  public var name: String
  /// YAML.
  public var workout: String
  /// Identifies this text. `preset-save` and `preset-delete` need it. nil: the preset is no surface's own, and can only
  /// be copied under another name.
  public var tag: String?
  /// The latest first; nil where there are none.
  public var versions: [Version]?

  /// The arguments are taken as they are.
  public init(name: String, workout: String, tag: String? = nil, versions: [Version]? = nil) {
    (self.name, self.workout, self.tag, self.versions) = (name, workout, tag, versions)
  }
}

/// A text that is to be saved as a preset of the surfaces' own.
public struct PresetChange: Hashable, Sendable {
  /// The name under which it is saved.
  public var preset: String
  /// YAML; at most `ControlLimits.workout` bytes.
  public var workout: String
  /// The tag of the text that this one replaces; nothing is saved where the preset has another text by now. nil: a new
  /// preset.
  public var tag: String?
  /// Its name until now, which it loses; nil: the same.
  public var former: String?

  /// The arguments are taken as they are.
  package init(preset: String, workout: String, tag: String? = nil, former: String? = nil) {
    (self.preset, self.workout, self.tag, self.former) = (preset, workout, tag, former)
  }
}
