import ControlProtocol

/// The page's server without its sockets: what each request gets, and what each stream reads.
package struct Page: Sendable {
  package enum Decision: Hashable, Sendable {
    case answer(HTTPAnswer)
    /// The body is to come first; then `body` decides.
    case takeBody
    /// The same for somebody who only looks on.
    case takeViewersBody
    /// The coach answers; see `CoachLink.Effect.answer`.
    case wait(CoachLink.Ticket, [CoachLink.Effect])
    /// A stream of events that begins with these bytes.
    case stream([UInt8], usesToken: Bool)
  }

  private var requestGuard: RequestGuard
  private let files: [PageFile]
  package var link: CoachLink
  package private(set) var ring = EventRing()

  package init(files: [PageFile], hosts: HostRule, at now: Int64) {
    self.files = files
    requestGuard = RequestGuard(hosts: hosts, files: files.map(\.path))
    link = CoachLink(at: now)
  }

  /// - Parameters:
  ///   - token: what opens the page for others than this machine; nil: nothing does.
  ///   - view: what opens it to look on; nil: nothing does.
  package mutating func decide(
    _ head: HTTPRequestHead, token: String?, view: String? = nil, at now: Int64
  ) -> Decision {
    switch requestGuard.check(head, token: token, view: view, at: now) {
    case .refused(let answer): return .answer(answer)
    case .taken(.file(let number), _), .viewed(.file(let number)):
      return .answer(file(number, for: head))
    case .taken(.clock, _), .viewed(.clock):
      return .answer(.json(200, Array("{\"now\":\(now)}".utf8)))
    case .taken(.events, let usesToken):
      return .stream(link.mirror.opening(at: now).eventBytes, usesToken: usesToken)
    case .viewed(.events):
      let opening = [PageMessage(.viewer, at: now), link.mirror.opening(at: now)]
      return .stream(opening.flatMap(\.eventBytes), usesToken: true)
    case .taken(.request, _): return .takeBody
    case .viewed(.request): return .takeViewersBody
    }
  }

  private func file(_ number: Int, for head: HTTPRequestHead) -> HTTPAnswer {
    let file = files[number]
    let headers = [
      HTTPRequestHead.Header("ETag", file.tag), .init("Cache-Control", "no-cache"),
    ]
    if head.value("if-none-match") == file.tag { return HTTPAnswer(304, headers: headers) }
    return HTTPAnswer(
      200, headers: headers + [.init("Content-Type", file.contentType)], body: .file(number))
  }

  /// A body of `PageRoute.request`.
  ///
  /// - Parameter isViewers: of somebody who only looks on.
  package mutating func decide(
    body: [UInt8], isViewers: Bool = false, at now: Int64
  ) -> Decision {
    let request: ControlRequest
    do {
      request = try Self.request(body)
      if isViewers { try Self.checkViewer(request) }
    } catch {
      return .answer(.refusal(error.code == .tooLarge ? 413 : 400, error.message))
    }
    guard
      let (ticket, effects) = link.ask(
        request.action, sentAt: request.sentAt, language: request.language, at: now)
    else {
      return .answer(CoachLink.goneAnswer)
    }
    return .wait(ticket, effects)
  }

  /// What a page may ask of the coach.
  static func request(_ body: [UInt8]) throws(ControlError) -> ControlRequest {
    let request: ControlRequest
    do {
      request = try ControlCoding.request(body)
    } catch {
      throw error.error
    }
    // The coach's socket refuses the same; a mistake there opens nothing here.
    if let refusal = ControlRights.remote.refusal(of: request) {
      throw ControlError(.notAllowed, refusal)
    }
    switch request.action {
    case .subscribe, .say:
      throw ControlError(.notAllowed, "verb: a page does not ask for \(request.verb.rawValue)")
    default: break
    }
    if let style = request.action.started?.style, style != style.chosenOnAPage {
      throw ControlError(
        .notAllowed, "style: a page chooses language, density, voice and sounds and nothing else")
    }
    return request
  }

  private static func checkViewer(_ request: ControlRequest) throws(ControlError) {
    guard [.status, .presets].contains(request.verb) else {
      throw ControlError(
        .notAllowed, "verb: this link is for looking on; it takes status, subscribe and presets")
    }
  }

  /// For every stream.
  package mutating func publish(_ event: [UInt8]) { ring.append(event) }

  /// Says to every stream that its connection is alive.
  package mutating func beat(at now: Int64) { ring.append(PageMessage(.beat, at: now).eventBytes) }
}

extension AnnouncementStyle {
  /// Of what it asks for, that which a page may choose for a start.
  fileprivate var chosenOnAPage: AnnouncementStyle {
    AnnouncementStyle(
      language: language, voice: VoiceSettings(name: voice.name), sounds: sounds, density: density)
  }
}
