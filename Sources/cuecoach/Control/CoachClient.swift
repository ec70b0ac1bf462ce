import ArgumentParser
import ControlProtocol
import ControlSocket
import FoundationEssentials
import IntervalTimeline
import Phrases

/// A coach that another process runs, as the commands of `ctl` need it.
struct CoachClient {
  /// Which coach.
  struct Options: ParsableArguments {
    @Option(
      help: "The coach's socket; by default this user's coach is asked, then the machine's.",
      completion: .file())
    var socket: String?

    var paths: [String] {
      socket.map { [$0] }
        ?? ControlPaths.ofClient(.control, context.environment)
    }

    func connect() throws(UserError) -> CoachClient {
      do throws(ControlSocketError) {
        return CoachClient(try ControlClient(paths, patience: CoachClient.patience))
      } catch {
        throw UserError(error)
      }
    }
  }

  /// How long the coach may take to answer. To start a workout it loads sounds and voices first, which takes
  /// seconds on a small machine with other work; a coach that has ended is noticed at once.
  private static let patience = Duration.seconds(60)

  private let client: ControlClient

  private init(_ client: ControlClient) { self.client = client }

  /// The coach's answer.
  ///
  /// - Throws: `UserError` also where it refuses.
  func request(_ action: ControlRequest.Action) throws(UserError) -> ControlAnswer {
    do throws(ControlSocketError) {
      let answer = try client.request(action)
      if let refusal = answer.refusal { throw ControlSocketError(.failed, refusal.message) }
      return answer
    } catch {
      throw UserError(error)
    }
  }

  /// How everything stands.
  func snapshot() throws(UserError) -> CoachSnapshot {
    guard let snapshot = try request(.status(outline: false)).snapshot else {
      throw .failed("the coach's answer has no snapshot")
    }
    return snapshot
  }

  /// Prints where some lanes are; one that has ended is passed over.
  func showPlaces(of lanes: [String]) throws(UserError) {
    var catalogues: [String: PhraseCatalogue] = [:]
    var snapshot = try snapshot()
    snapshot.lanes.removeAll { !lanes.contains($0.name) }
    let shown = ShownSnapshot(snapshot, &catalogues)
    context.printSentences(shown.laneLines)
  }
}

extension UserError {
  init(_ error: ControlSocketError) {
    switch error.kind {
    case .notRunning:
      self = .failed(
        "no coach is running; start one with cuecoach serve, or as a service with systemctl "
          + "enable --now cuecoach")
    case .denied:
      self = .failed("\(error.description); add this user to the group cuecoach and log in again")
    case .pathTooLong, .inUse, .notASocket, .full, .otherVersion, .timeout, .gone, .failed:
      self = .failed(error.description.singleLine)
    }
  }
}
