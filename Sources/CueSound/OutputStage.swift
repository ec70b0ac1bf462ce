/// What the last step was for: it says what its result means.
enum OutputStage: BitwiseCopyable {
  case resting
  case opening
  /// Asking for the device's position after the map has become useless.
  case relocking
  /// Asking for the device's position, which the map expected to be this frame at this instant.
  case looking(expected: Frames, at: BootInstant)
  /// Taking back what is queued beyond the frames that the hardware may have fetched.
  case takingBack(surplus: Frames)
  /// Filling the queue of a device that plays.
  case filling(isFar: Bool)
  /// Filling the queue of a device that has not started.
  case priming
  /// Some devices claim to give frames back and do not, so this many are tried before the start.
  case tryingRewind(Int)
  /// Writing them again.
  case refilling
  case starting
  case preparing
  case resuming
  case givingUp
}
