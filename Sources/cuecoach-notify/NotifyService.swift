import ControlProtocol
import ControlSocket
import Glibc
import NoticeRules
import SurfaceProgram
import SystemIO
import SystemdLink

/// Listens to the coach, and gives what is to be told to the couriers. One thread, which sleeps until something happens.
final class NotifyService {
  private let coach: CoachPeer
  private let couriers: [CourierThread]
  private let endSignals: Int32
  private let log: ServiceLog
  private var watch = CoachWatch()
  private var rest = Footprint.Rest()

  init(
    _ settings: NotifySettings, sockets: [String], endSignals: Int32, log: ServiceLog
  ) throws(Complaint) {
    (self.endSignals, self.log) = (endSignals, log)
    coach = CoachPeer(sockets, subscribes: true)
    var couriers: [CourierThread] = []
    for target in settings.targets {
      couriers.append(try CourierThread(Courier(target: target), log: log))
    }
    self.couriers = couriers
  }

  /// Until a signal asks for the end.
  func run() {
    while true {
      let now = MachineTime.boot
      if let reason = coach.connectIfDue(at: now) {
        log.log(.notice, "the coach is not there: \(reason); trying again")
      }
      tell(watch.check(at: now))
      rest.check(at: now)
      if wait() { break }
      for event in coach.turn(at: MachineTime.boot) { take(event) }
    }
    coach.close()
  }

  /// - Returns: true where the process is to end.
  private func wait() -> Bool {
    var wait = SurfaceWait(endSignals)
    wait.add(coach.descriptor, writes: coach.wantsToWrite)
    wait.add(until: watch.deadline)
    wait.add(until: rest.deadline)
    if !coach.isConnected { wait.add(until: coach.attemptAt) }
    return wait.wait()
  }

  private func take(_ event: CoachPeer.Event) {
    let now = MachineTime.boot
    rest.use(at: now)
    switch event {
    case .ended(let reason):
      log.log(.notice, "the coach is not there: \(reason); trying again")
      watch.lose(at: now)
    case .message(.answer(let answer)):
      if let snapshot = answer.snapshot { tell(watch.take(snapshot, at: now)) }
      if let sessions = answer.sessions { tell(watch.take(sessions)) }
    case .message(.event(let event)): tell(watch.take(event, at: now))
    case .message(.greeting), .speech: break
    }
  }

  private func tell(_ news: [CoachWatch.News]) {
    for news in news {
      if news == .unclear { coach.request(.sessions) }
      guard let notice = Notice(news) else { continue }
      for courier in couriers { courier.send(notice) }
    }
  }
}
