import ControlProtocol
import ControlSocket
import DesktopStatus
import Glibc
import IntervalTimeline
import Phrases
import Presets
import SurfaceProgram
import SystemIO
import SystemdLink

/// Joins the coach's socket and the bus of the user's session in one thread.
final class DesktopService {
  private let settings: DesktopSettings
  private let coach: CoachPeer
  private let pictures: PictureFolder?
  private let endSignals: Int32
  private let log = ServiceLog { Log.write($0) }
  private let words: DesktopWords
  private let others: OthersVolume?
  private let told = ToldFile()

  private var bus: SessionBus!
  private var busAt: Int64 = 0
  private var busBackOff = BackOff(from: .seconds(1), to: .seconds(60))
  /// Messages of the bus.
  private var read = ReadLimit(200)

  private var player = MediaPlayer()
  private var limit = CommandLimit()
  /// The workout whose phases were asked for last.
  private var outlineAsked: Int?
  private var notices: WorkoutNotices
  private var tray = NoticeTray()
  /// What the notification server can do; nil: it was not asked.
  private var abilities: Set<String>?
  /// Notices until it has answered.
  private var waiting: [Notice] = []
  private var unseen = UnseenNotices()
  private var rest = Footprint.Rest()
  /// Workouts that are to be taken up again, until the coach has answered.
  private var resumed: [RequestID: String] = [:]

  private static let mostWaiting = 64

  init(
    _ settings: DesktopSettings, coach: CoachPeer, pictures: PictureFolder?,
    catalogues: CatalogueFolders, endSignals: Int32
  ) {
    self.settings = settings
    self.coach = coach
    self.pictures = pictures
    self.endSignals = endSignals
    words = DesktopWords(catalogues, log)
    others = settings.lowersOthers ? OthersVolume() : nil
    notices = WorkoutNotices(settings.notifications, told: told.text)
    bus = SessionBus { [unowned self] call in answer(call) }
  }

  /// Until a signal asks for the end.
  func run() {
    while true {
      connect()
      var now = MachineTime.boot
      let next = check(at: now)
      if wait(until: next) { break }
      now = MachineTime.boot
      // The bus first: a notification server that is another one has other numbers.
      processBus(at: now)
      for event in coach.turn(at: now) { take(event, at: now) }
      tell(at: MachineTime.boot)
    }
    perform(tray.withdrawLive())
    bus.close()
    coach.close()
  }

  // MARK: Waiting

  private func connect() {
    let now = MachineTime.boot
    if let reason = coach.connectIfDue(at: now) {
      log.log(.notice, "the coach is not there: \(reason); trying again")
    }
    guard !bus.isOpen, busAt <= now else { return }
    if let reason = bus.open(isPlayer: settings.isMediaPlayer) { return lost(reason, at: now) }
    for notice in unseen.recent(at: now) { show(notice) }
  }

  private func lost(_ reason: String, at now: Int64) {
    bus.close()
    player.forget()
    tray.forget()
    notices.beginAnew()
    (abilities, waiting) = (nil, [])
    busAt = now + busBackOff.next().wholeNanoseconds
    log.log(.notice, "no desktop: \(reason); trying again")
  }

  /// What is due without a message. Returns when something is due next; nil: not before one.
  private func check(at now: Int64) -> Int64? {
    perform(notices.check(at: now, words.phrases), at: now)
    if bus.isOpen { perform(notices.askForEarlier(), at: now) }
    let spoken = others?.check(at: now)
    if let line = spoken?.line { log.log(.notice, line) }
    rest.check(at: now)
    return [spoken?.next, notices.deadline, rest.deadline].compactMap { $0 }.min()
  }

  /// True where the process is to end.
  private func wait(until next: Int64?) -> Bool {
    var wait = SurfaceWait(endSignals)
    wait.add(bus.descriptor, writes: bus.wantsToWrite, within: read, timeout: bus.timeout)
    wait.add(coach.descriptor, writes: coach.wantsToWrite)
    // A call that could not be sent has its answer already.
    wait.add(until: bus.hasEvents ? 0 : next)
    if !bus.isOpen { wait.add(until: busAt) }
    if !coach.isConnected { wait.add(until: coach.attemptAt) }
    return wait.wait()
  }

  // MARK: The coach

  private func take(_ event: CoachPeer.Event, at now: Int64) {
    rest.use(at: now)
    switch event {
    case .ended(let reason):
      log.log(.notice, "the coach is gone: \(reason); trying again")
      player.workouts.lose()
      notices.lose(at: now)
      resumed = [:]
      outlineAsked = nil
      others?.forget()
    case .speech(let event): others?.take(event)
    case .message(.greeting): break
    case .message(.answer(let answer)):
      let lane = answer.id.flatMap { resumed.removeValue(forKey: $0) }
      if let refusal = answer.refusal {
        if let lane { perform(notices.refused(lane, refusal.message), at: now) }
        if refusal.code != .noEffect {
          log.log(.notice, "the coach refuses: \(refusal.message)")
        }
        return
      }
      player.workouts.take(answer)
      if let snapshot = answer.snapshot {
        perform(notices.take(snapshot, at: now, words.phrases), at: now)
      }
      if let sessions = answer.sessions {
        perform(notices.take(sessions, words.phrases), at: now)
      }
    case .message(.event(let event)):
      player.workouts.take(event)
      perform(notices.take(event, at: now, words.phrases), at: now)
    }
  }

  /// Once for each workout that is chosen.
  private func askForOutline() {
    guard pictures != nil, player.workouts.needsOutline, let lane = player.workouts.chosen?.name
    else { return }
    let serial = player.workouts.serial(of: lane)
    guard serial != outlineAsked, coach.request(.status(outline: true)) != nil else { return }
    outlineAsked = serial
  }

  // MARK: The bus

  private func processBus(at now: Int64) {
    if bus.isOpen, read.rest(at: now) == nil {
      switch bus.process(most: read.left(at: now)) {
      case .failure(let fault): return lost(fault.description, at: now)
      case .success(let count): read.take(count, at: now)
      }
    }
    for event in bus.takeEvents() { take(event, at: now) }
  }

  private func answer(_ call: MediaCall) -> MediaAnswer {
    let now = MachineTime.boot
    let answer = player.answer(call, at: now)
    guard case .asks(let action) = answer else { return answer }
    guard limit.allows(at: now) else {
      return .refused(.tooMany, "more commands in a second than are taken")
    }
    coach.request(action, sentAt: now)
    return answer
  }

  private func take(_ event: SessionBus.Event, at now: Int64) {
    rest.use(at: now)
    switch event {
    case .named(let isOwn):
      busBackOff.reset()
      // What connecting took is not needed again, and the next events may come before a rest.
      Footprint.releaseHeap()
      Footprint.releaseCode()
      if !isOwn { log.log(.notice, "another program is the media player \(MediaPlayer.name)") }
    case .abilities(let abilities):
      self.abilities = abilities
      defer { waiting = [] }
      for notice in waiting { perform(tray.show(notice)) }
    case .shown(let lane, let id):
      let effects = tray.sent(lane, id)
      perform(effects)
      if id != nil, effects.isEmpty { unseen.remove(lane) }
      // One that is closed at once was another server's, or is not wanted any more.
      let isShown = id.map { !effects.contains(.close($0)) } ?? false
      if let lane, notices.shown(lane, isRefused: !isShown) { told.write(notices.told) }
    case .closed(let id, let byUser): tray.closed(id, byUser: byUser)
    case .server(let isThere):
      abilities = nil
      tray.forget()
      notices.beginAnew()
      if isThere { for notice in unseen.recent(at: now) { show(notice) } }
    case .pressed(let id, let key):
      guard let button = Notice.Button(rawValue: key), let lane = tray.pressed(id),
        limit.allows(at: now)
      else { return }
      perform(notices.press(button, of: lane, at: now, words.phrases), at: now)
    }
  }

  /// Tells others what has changed.
  private func tell(at now: Int64) {
    guard settings.isMediaPlayer else { return }
    askForOutline()
    player.picture = pictures?.address(of: PhasePicture(player.workouts))
    guard bus.isOpen else { return }
    bus.tell(player.changes(at: now))
  }

  // MARK: Notifications

  private func perform(_ effects: [WorkoutNotices.Effect], at now: Int64) {
    for effect in effects {
      switch effect {
      case .ask(let action):
        let id = coach.request(action, sentAt: action == .sessions ? nil : now)
        if case .command(.resume, let lane?) = action, let id { resumed[id] = lane }
      case .withdraw(let lane):
        unseen.remove(lane)
        waiting.removeAll { $0.lane == lane }
        perform(tray.withdraw(lane))
      case .show(let notice):
        unseen.add(notice, at: now)
        show(notice)
      }
    }
  }

  private func show(_ notice: Notice) {
    guard bus.isOpen else { return }
    guard abilities == nil else { return perform(tray.show(notice)) }
    // The server may have to be started for the first notice, and not before.
    if waiting.isEmpty { bus.askForAbilities() }
    // The end of a workout is not left out for where it was before, nor its beginning for where it is.
    var notice = notice
    if let index = waiting.firstIndex(where: { $0.lane == notice.lane }) {
      let former = waiting.remove(at: index)
      notice.onlyReplaces = notice.onlyReplaces && former.onlyReplaces
    }
    if waiting.count < Self.mostWaiting { waiting.append(notice) }
  }

  private func perform(_ effects: [NoticeTray.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let notice, let replaces):
        bus.show(notice, replaces: replaces, abilities: abilities ?? [], icon: words.icon)
      case .close(let id): bus.closeNotice(id)
      }
    }
  }
}
