/// The rate at which everything is mixed and played; sound of another rate is converted when it is
/// read.
public enum SampleRate {
  /// Frames a second.
  public static var standard: Int { 48_000 }
}
