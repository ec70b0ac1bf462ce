/// The kind of effort in a phase.
public enum PhaseKind: String, CaseIterable, Hashable, Codable, Sendable {
  /// Time to get ready, before any effort.
  case prepare
  /// Light effort before the first interval.
  case warmup
  /// An easy interval: neither an effort nor a rest.
  case low
  /// A hard interval.
  case high
  /// Effort of any other kind, such as an exercise with repetitions.
  case work
  /// A break between efforts. The phase after it is announced in it.
  case rest
  /// Easy movement between efforts, announced as a rest is.
  case recovery
  /// Light effort after the last interval.
  case cooldown

  /// True if effort begins with the phase.
  public var isEffort: Bool { self == .high || self == .work }

  /// True if the next phase is announced in it.
  public var isRest: Bool { self == .rest || self == .recovery }
}

/// What ends an open phase. The `next` command ends each of them as well.
public enum OpenEnd: Hashable, Codable, Sendable {
  /// This many repetitions, counted by the `rep` command; 1 or more.
  case reps(Int)
  /// The `next` command alone.
  case untilNext
  /// A signal of this name, such as `heart-rate-low`: 1 to 40 of a–z, 0–9 and hyphens, from a letter; not
  /// `next`.
  case signal(String)
  /// A heart rate below this, 30…250 beats a minute: the median of some seconds, while a sensor is heard.
  case heartRate(below: Int)
  /// A send-off: it ends by itself this long after the phase before it began, at once where that phase has lasted
  /// longer. Without bounds.
  case sendOff(Duration)

  /// The heart rates below which a phase may end, in beats a minute.
  package static let heartRates = 30...250

  /// True if `name` can be a signal's.
  package static func isSignal(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return (1...40).contains(bytes.count) && letters.contains(bytes[0]) && name != "next"
      && bytes.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-") }
  }
}

/// How short and how long an open phase may be, and about how long it is. All are above zero, in whole milliseconds.
///
/// With `atMost` the phase that follows is announced and the end counted down, as in a phase of that length. What
/// ends the phase earlier withdraws that: the boundary follows at once, without a count. Where it ends at
/// `atLeast`, as many numbers are said as there is time for.
public struct OpenBounds: Hashable, Codable, Sendable {
  /// What would end the phase earlier ends it then; `next` ends it at once. Nil: at any time.
  public var atLeast: Duration?
  /// The phase ends then by itself; nil: never.
  public var atMost: Duration?
  /// How long it usually lasts, between the two: only for the totals that are shown. Nil: nobody knows.
  public var about: Duration?

  /// Without arguments the phase has no bounds. `Timeline` checks the values.
  public init(atLeast: Duration? = nil, atMost: Duration? = nil, about: Duration? = nil) {
    self.atLeast = atLeast
    self.atMost = atMost
    self.about = about
  }
}

/// How long a phase lasts.
public enum PhaseLength: Hashable, Sendable {
  /// A length above zero, in whole milliseconds.
  case fixed(Duration)
  /// A length that something outside decides, within bounds.
  case open(OpenEnd, OpenBounds = OpenBounds())

  /// How long it lasts unless something ends it earlier; nil for an open phase without `atMost`. The most for a
  /// send-off, whose length is what the phase before it leaves of it: `Timeline.length(of:)`.
  public var duration: Duration? {
    switch self {
    case .fixed(let duration): duration
    case .open(.sendOff(let time), _): time
    case .open(_, let bounds): bounds.atMost
    }
  }

  /// What ends the phase; nil if its length is fixed.
  public var end: OpenEnd? {
    if case .open(let end, _) = self { end } else { nil }
  }

  /// How long after the start of the phase before it a send-off ends; nil for every other length.
  package var sendOff: Duration? {
    if case .open(.sendOff(let time), _) = self { time } else { nil }
  }

  /// About how long an open phase is; nil where it does not say so.
  package var about: Duration? {
    if case .open(_, let bounds) = self { bounds.about } else { nil }
  }
}

extension PhaseLength: Codable {
  private enum CodingKeys: CodingKey { case fixed, open }
  private enum FixedKeys: String, CodingKey { case duration = "_0" }
  // Stored by versions without bounds, too.
  private enum OpenKeys: String, CodingKey {
    case end = "_0"
    case atLeast, atMost, about
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    if values.contains(.fixed) {
      let fixed = try values.nestedContainer(keyedBy: FixedKeys.self, forKey: .fixed)
      self = .fixed(try fixed.decode(Duration.self, forKey: .duration))
    } else {
      let open = try values.nestedContainer(keyedBy: OpenKeys.self, forKey: .open)
      self = .open(
        try open.decode(OpenEnd.self, forKey: .end),
        OpenBounds(
          atLeast: try open.decodeIfPresent(Duration.self, forKey: .atLeast),
          atMost: try open.decodeIfPresent(Duration.self, forKey: .atMost),
          about: try open.decodeIfPresent(Duration.self, forKey: .about)))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .fixed(let duration):
      var fixed = values.nestedContainer(keyedBy: FixedKeys.self, forKey: .fixed)
      try fixed.encode(duration, forKey: .duration)
    case .open(let end, let bounds):
      var open = values.nestedContainer(keyedBy: OpenKeys.self, forKey: .open)
      try open.encode(end, forKey: .end)
      try open.encodeIfPresent(bounds.atLeast, forKey: .atLeast)
      try open.encodeIfPresent(bounds.atMost, forKey: .atMost)
      try open.encodeIfPresent(bounds.about, forKey: .about)
    }
  }
}

/// One phase of a workout.
public struct Phase: Hashable, Codable, Sendable {
  /// Decides with which sound it begins, how much is said in it, and what it is called without a name.
  public var kind: PhaseKind
  /// Its name; nil to call it by its kind.
  public var name: String?
  /// How long it lasts. `Timeline` checks it.
  public var length: PhaseLength
  /// Texts that are spoken in it.
  public var remarks: [Remark]
  /// How hard it is, in words of the workout's own: "95 % FTP, 90 rpm". It is shown, and is the variable
  /// `{intensity}`; nothing else depends on it. Nil: not said.
  public var intensity: String?
  /// What is said of the rounds that were counted in it once it has ended: "Rounds: {counted}". `rep` and `next`
  /// count rounds then; in a pause `next` ends the phase. Nil: none are counted. Only with a fixed length.
  public var total: Template?
  /// False where repetitions or rounds are counted without a word, such as the metres of a row.
  public var countsAloud = true
  /// True where the workout asks for its target to be coached: a missing sensor is announced. Where it is false, an
  /// intensity is a target as soon as there is a sensor for it.
  public var isCoached = false
  /// The ticks that are heard in it; nil: none.
  public var metronome: Metronome?
  /// The tones of a tempo that is heard and not counted; nil: none.
  public var glides: Glides?
  /// True for a phase that comes by surprise: nothing before it says what is left until it, or what it is.
  public var isSurprise = false
  /// Where it stands in a rolling course, whose phases are told as stretches; nil for a phase of its own.
  public var course: Course?
  /// A note to be shown, not said.
  public var note: String?
  /// An address to be shown, such as that of a video. Not said.
  public var link: String?

  /// The place of a short phase in a rolling course: a road that goes up and down without a break.
  public enum Course: String, CaseIterable, Hashable, Codable, Sendable {
    /// The first phase of a stretch that is told as one.
    case begins
    /// A phase of the stretch that an earlier one has begun.
    case continues
  }

  /// True where `rep` counts: repetitions that end the phase, or rounds.
  package var isCounted: Bool {
    if case .reps = length.end { return true }
    return countsRounds
  }

  /// True where `rep` and `next` count rounds.
  var countsRounds: Bool { total != nil && length.end == nil }

  /// A phase that is called by its kind and has no texts and no intensity unless they are given.
  public init(
    _ kind: PhaseKind, _ length: PhaseLength, name: String? = nil, remarks: [Remark] = [],
    intensity: String? = nil
  ) {
    self.kind = kind
    self.name = name
    self.length = length
    self.remarks = remarks
    self.intensity = intensity
  }
}

extension Phase {
  private enum CodingKeys: CodingKey {
    case kind, name, length, remarks, intensity, total, countsAloud, isCoached, metronome,
      glides, isSurprise, course, note, link
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    kind = try values.decode(PhaseKind.self, forKey: .kind)
    name = try values.decodeIfPresent(String.self, forKey: .name)
    length = try values.decode(PhaseLength.self, forKey: .length)
    remarks = try values.decode([Remark].self, forKey: .remarks)
    intensity = try values.decodeIfPresent(String.self, forKey: .intensity)
    total = try values.decodeIfPresent(Template.self, forKey: .total)
    // Absent in workouts that were stored by earlier versions, and where it is as usual.
    countsAloud = try values.decodeIfPresent(Bool.self, forKey: .countsAloud) ?? true
    isCoached = try values.decodeIfPresent(Bool.self, forKey: .isCoached) ?? false
    metronome = try values.decodeIfPresent(Metronome.self, forKey: .metronome)
    glides = try values.decodeIfPresent(Glides.self, forKey: .glides)
    isSurprise = try values.decodeIfPresent(Bool.self, forKey: .isSurprise) ?? false
    course = try values.decodeIfPresent(Course.self, forKey: .course)
    note = try values.decodeIfPresent(String.self, forKey: .note)
    link = try values.decodeIfPresent(String.self, forKey: .link)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind, forKey: .kind)
    try values.encodeIfPresent(name, forKey: .name)
    try values.encode(length, forKey: .length)
    try values.encode(remarks, forKey: .remarks)
    try values.encodeIfPresent(intensity, forKey: .intensity)
    try values.encodeIfPresent(total, forKey: .total)
    if !countsAloud { try values.encode(false, forKey: .countsAloud) }
    if isCoached { try values.encode(true, forKey: .isCoached) }
    try values.encodeIfPresent(metronome, forKey: .metronome)
    try values.encodeIfPresent(glides, forKey: .glides)
    if isSurprise { try values.encode(true, forKey: .isSurprise) }
    try values.encodeIfPresent(course, forKey: .course)
    try values.encodeIfPresent(note, forKey: .note)
    try values.encodeIfPresent(link, forKey: .link)
  }
}
