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
  private var watch = NoticeWatch()
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
      for notice in watch.check(at: now) { tell(notice) }
      rest.check(at: now)
      if wait() { break }
      for event in coach.turn(at: MachineTime.boot) { take(event) }
    }
    coach.close()
  }

  /// - Returns: true where the process is to end.
  private func wait() -> Bool {
    let now = MachineTime.boot
    var waits = [
      pollfd(fd: endSignals, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: coach.descriptor, events: Int16(coach.wantsToWrite ? POLLIN | POLLOUT : POLLIN),
        revents: 0),
    ]
    let next = [watch.deadline, rest.deadline, coach.isConnected ? nil : coach.attemptAt].compactMap
    { $0 }.min()
    let left = next.map { Int32(max(0, min(3_600_000, ($0 - now + 999_999) / 1_000_000))) }
    return poll(&waits, nfds_t(waits.count), left ?? -1) > 0 && waits[0].revents != 0
  }

  private func take(_ event: CoachPeer.Event) {
    let now = MachineTime.boot
    rest.use(at: now)
    switch event {
    case .ended(let reason):
      log.log(.notice, "the coach is not there: \(reason); trying again")
      watch.lose(at: now)
    case .message(.answer(let answer)):
      if let snapshot = answer.snapshot { watch.take(snapshot, at: now) }
    case .message(.event(let event)): for notice in watch.take(event, at: now) { tell(notice) }
    case .message(.greeting), .speech: break
    }
  }

  private func tell(_ notice: Notice) { for courier in couriers { courier.send(notice) } }
}
