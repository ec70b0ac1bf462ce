import Glibc
import NoticeRules
import Presets
import SurfaceProgram
import SystemIO
import SystemdLink

/// Takes notices to one target.
struct Courier: Sendable {
  let target: NotifySettings.Target
  var patience = NoticeTries.patience
  var pauses = NoticeTries.pauses

  /// Bytes of what a program writes: nobody reads them.
  private static let output = 64 * 1024

  /// Tries until it has arrived, a few times at most. Blocks.
  ///
  /// - Parameter failed: takes why a try failed.
  /// - Returns: whether it has arrived.
  func deliver(_ notice: Notice, failed: (String) -> Void) -> Bool {
    let body = notice.json(with: target.fields)
    for number in 0..<NoticeTries.most {
      guard let fault = attempt(body) else { return true }
      failed(fault)
      guard number < pauses.count, number + 1 < NoticeTries.most else { break }
      sleep(pauses[number])
    }
    return false
  }

  private func sleep(_ time: Duration) {
    usleep(UInt32(time / .microseconds(1)))
  }

  /// Why it did not arrive; nil where it did.
  private func attempt(_ body: [UInt8]) -> String? {
    do throws(ChildFault) {
      switch target.way {
      case .post(let post):
        // A little longer than curl takes by itself.
        let reply = try ChildProgram.run(
          ["curl", "--disable", "--config", "-"],
          input: post.curlConfiguration(body, seconds: patience / .seconds(1)),
          within: patience + .seconds(1), most: Self.output)
        return NotifySettings.Post.fault(reply.output)
      case .run(let command):
        let reply = try ChildProgram.run(
          command, input: body, within: patience, most: Self.output)
        guard let code = reply.code else { return "it was killed" }
        return code == 0 ? nil : "it ended with code \(code)"
      }
    } catch {
      return error.description
    }
  }
}

/// A courier's thread: one that hangs holds up no other.
final class CourierThread: Sendable {
  /// Notices that wait: of more the oldest are left out.
  private static let most = 16
  private let box: Mailbox<Notice>
  private let events: Set<Notice.Event>

  init(_ courier: Courier, log: ServiceLog) throws(Complaint) {
    guard let box = Mailbox<Notice>() else {
      throw .failed("no descriptor is left: \(String(cString: strerror(errno)))")
    }
    (self.box, events) = (box, courier.target.events)
    let (thread, fault) = SystemThread.start(stack: 256 * 1024) {
      while let first = box.next(within: nil) {
        let waiting = [first] + box.takeAll()
        if waiting.count > Self.most {
          let count = waiting.count - Self.most
          log.answer(
            .warning,
            "too many notices wait for \(courier.target.text): the oldest \(count) are left out")
        }
        for notice in waiting.suffix(Self.most) {
          let (event, to) = (notice.event.rawValue, courier.target.text)
          let hasArrived = courier.deliver(notice) { log.log(.notice, "\(event), \(to): \($0)") }
          log.answer(
            hasArrived ? .info : .warning,
            "\(event): \(hasArrived ? "told" : "could not be told") to \(to)")
        }
      }
    }
    guard fault == 0 else {
      throw .failed("no thread can be started: \(String(cString: strerror(fault)))")
    }
    pthread_detach(thread)
  }

  func send(_ notice: Notice) { if events.contains(notice.event) { box.send(notice) } }
}
