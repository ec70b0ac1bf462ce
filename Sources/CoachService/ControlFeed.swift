import ControlProtocol
import CueEngine
import Dispatch
import IntervalTimeline

/// Publishes events to the subscribers, and keeps the part of a snapshot that is not about workouts: device, volume and
/// the last warnings. Each event has a greater revision than the one before. Used on the handler's queue.
final class ControlFeed: Sendable {
  private struct State {
    var revision: UInt64 = 0
    var volume: Int
    /// There is silence instead.
    var isMuted = false
    /// Why no sound comes out.
    var lost: String?
    var device = DeviceSnapshot(.idle)
    /// The latest last.
    var warnings: [Sentence] = []
  }

  private let configuration: ControlHandler.Configuration
  private let queue: DispatchQueue
  private let state: QueueConfined<State>

  init(_ configuration: ControlHandler.Configuration, on queue: DispatchQueue) {
    (self.configuration, self.queue) = (configuration, queue)
    state = QueueConfined(State(volume: configuration.volume), to: queue)
  }

  var revision: UInt64 { state.value.revision }
  var volume: Int { state.value.volume }
  var isMuted: Bool { state.value.isMuted }
  /// The master gain of both.
  var gain: Float { isMuted ? 0 : configuration.gain(volume) }

  /// What a request is answered with that has been obeyed.
  func done(_ id: RequestID) -> ControlAnswer { ControlAnswer(id, revision: revision) }

  func publish(_ kind: ControlEvent.Kind, _ fill: (inout ControlEvent) -> Void) {
    state.value.revision += 1
    var event = ControlEvent(kind, revision: revision, at: configuration.clock().nanoseconds)
    fill(&event)
    configuration.publish(event)
  }

  func publishLists() { publish(.lists) { _ in } }

  /// Wraps an answer: unless it is a refusal, surfaces are first told that their lists are old. Call the result on any thread.
  func publishingLists(before answer: @escaping ControlHandler.Answer) -> ControlHandler.Answer {
    { [self] reply in
      guard reply.ok else { return answer(reply) }
      queue.async { [self] in
        publishLists()
        var reply = reply
        reply.revision = revision
        answer(reply)
      }
    }
  }

  func warn(_ line: Sentence, isLogged: Bool = true) {
    if isLogged { configuration.log(line.text.singleLine) }
    state.value.warnings = (state.value.warnings + [line]).suffix(ControlLimits.warnings)
    publish(.warning) { $0.message = line.text.shownShort }
  }

  /// Sets the volume, or silence instead of it; what is nil stays. Answers with both, and publishes them when the host has
  /// them.
  func setVolume(
    _ volume: Int?, isMuted: Bool? = nil, _ id: RequestID,
    _ answer: @escaping ControlHandler.Answer
  ) {
    let (volume, isMuted) = (volume ?? self.volume, isMuted ?? self.isMuted)
    let reply: @Sendable () -> Void = { [self] in
      var reply = done(id)
      (reply.volume, reply.muted) = (volume, isMuted)
      answer(reply)
    }
    guard volume != self.volume || isMuted != self.isMuted else { return reply() }
    (state.value.volume, state.value.isMuted) = (volume, isMuted)
    configuration.host.setVolume(gain) { [self] result in
      queue.async { [self] in
        guard result == .done else { return answer(ControlAnswer(id, .ending)) }
        publish(.volume) { ($0.volume, $0.muted) = (volume, isMuted) }
        reply()
      }
    }
  }

  /// Notes why no sound comes out, or with nil that it does.
  func note(lost reason: String?) { state.value.lost = reason }

  /// Publishes what has become of the device. Whether one is needed follows from the workouts. One that is lost is lost
  /// until the host says that it is back, also for a workout that begins meanwhile.
  func updateDevice(isNeeded: Bool) {
    let device =
      !isNeeded
      ? DeviceSnapshot(.idle)
      : state.value.lost.map { DeviceSnapshot(.lost, reason: $0) } ?? DeviceSnapshot(.working)
    guard device != state.value.device else { return }
    state.value.device = device
    publish(.device) { $0.device = device }
    if !isNeeded { configuration.becameIdle() }
  }

  /// What a request is answered with that asks for a snapshot.
  ///
  /// - Parameter repeatsWarnings: whether its warnings are beside it too, to be translated.
  func status(
    _ id: RequestID, _ lanes: [WorkoutStatus], at now: BootInstant, repeatsWarnings: Bool
  ) -> ControlAnswer {
    let warnings = state.value.warnings
    var snapshot = CoachSnapshot(
      revision: revision, at: now.nanoseconds, wall: configuration.wall(), lanes: lanes,
      device: state.value.device, volume: volume, warnings: warnings.map(\.text.shownShort))
    snapshot.muted = isMuted
    var reply = done(id)
    reply.snapshot = snapshot
    if repeatsWarnings { reply.notes = warnings }
    return reply
  }
}
