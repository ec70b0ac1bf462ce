import ArgumentParser
import Glibc
import SurfaceProgram
import SystemIO
import WyomingProtocol

@main
struct CuecoachVoiceFlite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cuecoach-voice-flite",
    abstract: "Speak by flite, for cuecoach and other programs.",
    discussion: """
      It answers events of the Wyoming protocol on standard input with events on standard output, and ends with its input. \
      The voices are awb, rms and slt, all English. The coach starts it by itself:
        cuecoach run demo --voice flite:slt
      """,
    version: "0.1.0")

  static func main() { runSurface() }

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    var server = VoiceServer(Flite())
    var part = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = part.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // Whoever has asked is gone.
      guard count > 0 else { return }
      do {
        for answer in try server.answers(to: part[..<count]) {
          // Nobody reads any more.
          guard answer.withUnsafeBytes({ Descriptor.write(STDOUT_FILENO, $0) }) else { return }
        }
      } catch {
        throw Complaint.failed("\(error)")
      }
    }
  }
}
