/// The units of counting. "{n}" stands for the number in each form.
public enum CountUnit: String, CaseIterable, Hashable, Sendable {
  /// Of a length, which the coach says itself: "2 hours". Every catalogue has words for it.
  case hour
  /// Of a length, which the coach says itself: "3 minutes". Every catalogue has words for it.
  case minute
  /// Of a length, which the coach says itself: "20 seconds". Every catalogue has words for it.
  case second
  /// Of a count of repetitions, which the coach says itself: "12 reps". Every catalogue has words for it.
  case rep
  /// Of a count of sets: "4 sets". Without words for it in the catalogue the number is said alone.
  case set
  /// Of a count of repetitions of several phases: "6 times". Without words for it in the catalogue the number is said
  /// alone.
  case time
  /// Of a live value, such as a distance. Without words for it in the catalogue the number is said alone.
  case metre
  /// Of a live value, such as a distance. Without words for it in the catalogue the number is said alone.
  case kilometre
  /// Of a live value, such as a load. Without words for it in the catalogue the number is said alone.
  case kilogram
  /// Of a live value: a power. Without words for it in the catalogue the number is said alone.
  case watt
  /// Of a live value: energy, in kilocalories. Without words for it in the catalogue the number is said alone.
  case calorie
  /// Of a live value, such as a gradient. Without words for it in the catalogue the number is said alone.
  case percent
  /// Of a live value: a count of strokes. Without words for it in the catalogue the number is said alone.
  case stroke
  /// Of a live value: a heart rate. Without words for it in the catalogue the number is said alone.
  case beatsPerMinute = "beats-per-minute"
  /// Of a live value: a stroke rate, as in rowing. Without words for it in the catalogue the number is said alone.
  case strokesPerMinute = "strokes-per-minute"
  /// Of a live value: a cadence, as in cycling. Without words for it in the catalogue the number is said alone.
  case revolutionsPerMinute = "revolutions-per-minute"
  /// Of a live value: a speed. Without words for it in the catalogue the number is said alone.
  case kilometrePerHour = "kilometre-per-hour"

  /// Those that every catalogue has to have.
  package static let needed: [CountUnit] = [.hour, .minute, .second, .rep]
}
