import CoachHost
import ControlProtocol
import CueEngine
import Dispatch
import IntervalTimeline

/// What is tried of a text before it is a preset: what it is in another format, what there is to say of it, and how it
/// sounds. Its state lies on the handler's queue.
final class PresetTrials: Sendable {
  typealias Answer = ControlHandler.Answer

  private struct State {
    /// A text is being checked.
    var isChecking = false
    /// The one that is checked next.
    var waiting: Check?
    /// What is being heard; nil while it is prepared, too.
    var heard: TextTrial?
    /// How often something was to be heard, or not any more.
    var turn = 0
  }

  private struct Check {
    let text: String
    let id: RequestID
    let answer: Answer
  }

  private let configuration: ControlHandler.Configuration
  private let queue: DispatchQueue
  private let starts: WorkoutStarts
  private let repeated: RepeatedStarts
  private let state: QueueConfined<State>
  let conversions: FileConversions
  /// A check takes seconds, so it holds up nothing else.
  let checking = DispatchQueue(label: "cuecoach.control.check")
  let hearing = DispatchQueue(label: "cuecoach.control.hear")

  /// Nothing is heard of a text while a workout is to begin within this time.
  private static let quietBefore = Duration.seconds(60)

  init(
    _ configuration: ControlHandler.Configuration, _ starts: WorkoutStarts,
    _ repeated: RepeatedStarts, on queue: DispatchQueue
  ) {
    (self.configuration, self.starts, self.repeated) = (configuration, starts, repeated)
    self.queue = queue
    state = QueueConfined(State(), to: queue)
    conversions = FileConversions(configuration, starts.feed, on: queue)
  }

  /// Does what a request asks for; false where it is about a preset that is kept.
  func takes(
    _ preset: PresetRequest, of request: ControlRequest, _ answer: @escaping Answer
  ) -> Bool {
    let id = request.id
    switch preset.kind {
    case .read, .save, .delete: return false
    case .convert(let piece): conversions.take(piece, language: request.language, id, answer)
    case .check(let text): check(text, id, answer)
    case .hear(let text, let phase): hear(text, phase: phase, id, answer)
    case .silence:
      silence()
      answer(starts.feed.done(id))
    }
    return true
  }

  // MARK: Checks

  /// One text is checked at a time, and one waits: the latest.
  private func check(_ text: String, _ id: RequestID, _ answer: @escaping Answer) {
    let check = Check(text: text, id: id, answer: answer)
    guard !state.value.isChecking else {
      if let former = state.value.waiting {
        former.answer(
          ControlAnswer(former.id, ControlError(.full, "another text is to be checked first")))
      }
      state.value.waiting = check
      return
    }
    state.value.isChecking = true
    checking.async { [self] in
      let result = Result { () throws(ControlError) in try configuration.checkPreset(text) }
      queue.async { [self] in
        switch result {
        case .success(let report):
          var reply = starts.feed.done(id)
          reply.check = report
          answer(reply)
        case .failure(let error): answer(ControlAnswer(id, error))
        }
        state.value.isChecking = false
        guard let next = state.value.waiting else { return }
        state.value.waiting = nil
        self.check(next.text, next.id, next.answer)
      }
    }
  }

  // MARK: Hearing

  /// Says what a text says, while nobody trains. Another text may be heard meanwhile: it ends.
  private func hear(_ text: String, phase: Int?, _ id: RequestID, _ answer: @escaping Answer) {
    if let refusal { return answer(ControlAnswer(id, refusal)) }
    silence()
    let turn = state.value.turn
    hearing.async { [self] in
      let texts = Result { () throws(ControlError) in try self.texts(of: text, phase: phase) }
      queue.async { [self] in
        if let refusal { return answer(ControlAnswer(id, refusal)) }
        switch texts {
        case .failure(let error): answer(ControlAnswer(id, error))
        case .success where state.value.turn != turn: answer(starts.feed.done(id))
        case .success(let (texts, style)): begin(texts, style, id, answer)
        }
      }
    }
  }

  private func begin(
    _ texts: [String], _ style: LaneStyle, _ id: RequestID, _ answer: @escaping Answer
  ) {
    let turn = state.value.turn
    hearing.async { [self] in
      do throws(LaneError) {
        let trial = try TextTrial(texts, by: style, in: configuration.host) { [weak self] in
          guard let self else { return }
          queue.async { self.hasEnded(turn) }
        }
        queue.async { [self] in
          if state.value.turn == turn { state.value.heard = trial } else { trial.stop() }
          answer(starts.feed.done(id))
        }
      } catch {
        answer(ControlAnswer(id, ControlError(.failed, "\(error)")))
      }
    }
  }

  /// Ends what is heard, if anything is.
  func silence() {
    state.value.turn += 1
    state.value.heard?.stop()
    state.value.heard = nil
  }

  private func hasEnded(_ turn: Int) {
    if state.value.turn == turn { state.value.heard = nil }
    if starts.isIdle { configuration.becameIdle() }
  }

  /// Why nothing can be heard now; nil where something can.
  private var refusal: ControlError? {
    if !configuration.takesStarts || !starts.isIdle {
      return ControlError(.busy, "a workout is running")
    }
    let soon = configuration.clock() + Self.quietBefore
    let coming =
      starts.scheduled.map { (name: $0.name, at: $0.at) } + [repeated.next].compactMap { $0 }
    return coming.first { $0.at <= soon }.map {
      ControlError(.busy, "\"\($0.name)\" begins within a minute")
    }
  }

  /// What is said in a text, and by whom. Blocks on the disk.
  private func texts(
    of text: String, phase: Int?
  ) throws(ControlError) -> (texts: [String], style: LaneStyle) {
    let workout = try configuration.files.workout(StartOrder(workout: text))
    // Whoever has the page's link may have written it.
    if let refusal = ControlRights.refusal(
      ofVoice: workout.timeline.workout.style.voice.name,
      besides: configuration.files.offeredVoices)
    {
      throw ControlError(.notAllowed, "voice: \(refusal)")
    }
    let count = workout.timeline.count
    if let phase, phase >= count {
      throw ControlError(.invalid, "phase \(phase): expected the index of one of \(count) phases")
    }
    let texts = PlannedTexts.texts(of: workout.timeline, workout.style, phase: phase)
    guard !texts.isEmpty else { throw ControlError(.noEffect, "nothing is said in it") }
    return (texts, workout.style)
  }
}
