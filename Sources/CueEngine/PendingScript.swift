import IntervalTimeline

/// The steps of a script whose time has not come yet.
struct PendingScript {
  /// A step whose time has come.
  struct Due {
    let index: Int
    let instant: BootInstant
    let action: ScriptStep.Action
    /// The lanes that it is for; nil where its lane's name is unknown.
    let lanes: [LaneID]?

    /// - Parameter report: called once for a text, with this step's index, if it becomes known what becomes of it.
    func perform(
      _ coach: inout Coach, report: @escaping @Sendable (Int, MessageReport) -> Void
    ) -> CommandAnswer {
      let answer = perform(&coach) { [index] in report(index, $0) }
      if case .say(let message, _) = action, answer != .done {
        report(index, MessageReport(refused: answer, message))
      }
      return answer
    }

    private func perform(
      _ coach: inout Coach, report: @escaping @Sendable (MessageReport) -> Void
    ) -> CommandAnswer {
      guard let lanes else { return .unknownLane }
      switch action {
      case .command(let command): return coach.handle(command, lanes: lanes, at: instant).answer
      case .signal(let name):
        return coach.signal(name, lane: lanes.count == 1 ? lanes[0] : nil, at: instant).answer
      case .say(let message, let time):
        guard let lane = lanes.first else { return .noLane }
        let due = time.map { PlannedRun.start + $0 }
        return coach.say(message, lane: lane, due: due, at: instant, report: report)
      case .value(let name, let value):
        let lane = lanes.count == 1 ? lanes[0] : nil
        return coach.setValue(name, to: value, lane: lane, at: instant)
      }
    }
  }

  /// Far longer than any run, and small enough that sums cannot overflow.
  private static let maxTime = Duration.seconds(366 * 86_400)

  private let steps: [ScriptStep]
  private let lanes: [LaneID]
  private let names: [String]
  /// The indices of the steps that are left, each kind by time and then as in the script.
  private var sinceStart: ArraySlice<Int>
  private var inWorkoutTime: [Int]
  private(set) var answers: [CommandAnswer?]

  init(_ steps: [ScriptStep], lanes: [LaneID], names: [String]) {
    for step in steps {
      var times = [step.moment.time]
      if case .say(_, let time?) = step.action { times.append(time) }
      for time in times where !(.zero...Self.maxTime).contains(time) {
        fatalError("a step of a script at \(time): expected zero to a year")
      }
    }
    self.steps = steps
    self.lanes = lanes
    self.names = names
    answers = Array(repeating: nil, count: steps.count)
    let byTime = steps.indices.sorted {
      (steps[$0].moment.time, $0) < (steps[$1].moment.time, $1)
    }
    func isSinceStart(_ index: Int) -> Bool {
      if case .sinceStart = steps[index].moment { true } else { false }
    }
    sinceStart = byTime.filter(isSinceStart)[...]
    inWorkoutTime = byTime.filter { !isSinceStart($0) }
  }

  /// Whether the time of a step has not come.
  var hasMore: Bool { !sinceStart.isEmpty || !inWorkoutTime.isEmpty }

  /// The lanes that the script does not start.
  var lanesStartedByItself: [LaneID] {
    let starts = steps.filter { $0.action == .command(.start) }
    return zip(lanes, names).filter { _, name in
      !starts.contains { $0.lane == nil || $0.lane == name }
    }.map(\.0)
  }

  /// The first step whose time comes by `limit`; nil for any time.
  func next(by limit: BootInstant?, in table: LaneTable, at now: BootInstant) -> Due? {
    var found: (index: Int, instant: BootInstant)?
    if let first = sinceStart.first {
      found = (first, max(now, PlannedRun.start + steps[first].moment.time))
    }
    for index in inWorkoutTime {
      guard let instant = instant(ofWorkoutTime: index, in: table, at: now) else { continue }
      if let other = found, (other.instant, other.index) < (instant, index) { continue }
      found = (index, instant)
    }
    guard let (index, instant) = found, limit.map({ instant <= $0 }) ?? true else { return nil }
    return Due(
      index: index, instant: instant, action: steps[index].action, lanes: lanes(of: steps[index]))
  }

  /// Nil while nothing leads to it.
  private func instant(
    ofWorkoutTime index: Int, in table: LaneTable, at now: BootInstant
  ) -> BootInstant? {
    guard let lane = lanes(of: steps[index])?.first, table.contains(lane) else { return nil }
    let transport = table[lane].session.transport
    let time = steps[index].moment.time
    switch transport.state {
    case .running: return transport.instant(of: time).map { max(now, $0) }
    case .paused: return transport.elapsed(at: now) >= time ? now : nil
    case .ready, .stopped, .finished: return nil
    }
  }

  private func lanes(of step: ScriptStep) -> [LaneID]? {
    guard let name = step.lane else { return lanes }
    return names.firstIndex(of: name).map { [lanes[$0]] }
  }

  mutating func note(_ answer: CommandAnswer, of step: Due) {
    answers[step.index] = answer
    if sinceStart.first == step.index {
      sinceStart.removeFirst()
    } else {
      inWorkoutTime.removeAll { $0 == step.index }
    }
  }
}
