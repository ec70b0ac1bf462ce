import CoachHost
import CoachService
import ControlProtocol
import ControlSocket
import FoundationEssentials
import InstalledFiles
import Synchronization

/// The control socket of this process, before and after there is a handler: what is requested earlier waits
/// for it.
final class ControlEndpoint: Sendable {
  private struct State {
    var handler: ControlHandler?
    var waiting: [(request: ControlRequest, rights: ControlRights, answer: ControlHandler.Answer)] =
      []
  }

  /// Apart from the endpoint, which has the server, whose closure has it.
  private final class EarlyRequests: Sendable {
    /// Protects the handler and what waits for it.
    private let state = Mutex(State())

    var handler: ControlHandler? { state.withLock { $0.handler } }

    func handle(
      _ request: ControlRequest, _ rights: ControlRights, _ answer: @escaping ControlHandler.Answer
    ) {
      let handler = state.withLock { state in
        if state.handler == nil { state.waiting.append((request, rights, answer)) }
        return state.handler
      }
      handler?.handle(request, rights: rights, answer)
    }

    func open(_ handler: ControlHandler) {
      state.withLock { state in
        state.handler = handler
        // In the order in which they came, before any other.
        for (request, rights, answer) in state.waiting {
          handler.handle(request, rights: rights, answer)
        }
        state.waiting = []
      }
    }
  }

  private let requests: EarlyRequests
  private let server: ControlServer

  /// The sockets, each with the group that it is given to where there is one and this process is in it.
  private static let sockets: [(rights: ControlRights, group: String?)] = [
    (.control, nil), (.remote, "cuecoach-web"), (.sense, "cuecoach-sense"),
  ]

  /// Opens the sockets; throws one line where that cannot be done.
  ///
  /// - Parameter report: called with a line for the log when something happens to them later.
  init(report: @escaping @Sendable (String) -> Void = { _ in }) throws(UserError) {
    let environment = ProcessInfo.processInfo.environment
    let sockets = Self.sockets.compactMap { rights, group in
      ControlPaths.ofServer(rights, environment).map {
        ControlServer.Socket($0, rights, group: group)
      }
    }
    guard !sockets.isEmpty else {
      throw .failed(
        "there is no folder for the control socket; set XDG_RUNTIME_DIR to a path that begins with /"
      )
    }
    let requests = EarlyRequests()
    self.requests = requests
    do throws(ControlSocketError) {
      server = try ControlServer(
        sockets, version: Cuecoach.configuration.version, report: report
      ) { request, rights, answer in
        requests.handle(request, rights, answer)
      }
    } catch {
      throw .failed(error.description.singleLine)
    }
  }

  /// Nil until `open`.
  var handler: ControlHandler? { requests.handler }

  func open(_ handler: ControlHandler) { requests.open(handler) }

  func publish(_ event: ControlEvent) { server.publish(event) }
  func publish(_ event: SpeechEvent) { server.publish(event) }

  /// Closes every connection and removes the sockets.
  func close() { server.stop() }

  /// The same, once every command that was obeyed has been answered.
  func closeAnswering() {
    handler?.finishAnswers()
    server.stop()
  }

  /// True where a coach that serves plays on its device just now. Waits for its answer, not long.
  static var deviceIsServed: Bool {
    let paths = ControlPaths.ofClient(.control, ProcessInfo.processInfo.environment)
    let client = try? ControlClient(paths, patience: .milliseconds(200))
    let answer = try? client?.request(.status(outline: false), within: .milliseconds(200))
    return answer?.snapshot?.device.state == .working
  }
}

extension ControlEndpoint {
  /// Opens it for the workouts of a terminal: they are shown and commanded, and no others started.
  func serve(_ host: CoachHost, _ installed: Installation, _ repository: SessionRepository?) {
    var configuration = ControlHandler.Configuration(
      host: host, files: ServedFiles(installed, repository),
      publish: { [weak self] in self?.publish($0) })
    configuration.publishSpeech = { [weak self] in self?.publish($0) }
    // The display has what the host reports, so nothing is logged.
    configuration.advice = DeviceAdvice.line(about:)
    configuration.gain = { Float($0 * $0) / 10_000 }
    configuration.takesStarts = false
    open(ControlHandler(configuration))
  }
}
