import Dispatch
import Glibc
import SystemIO
import Testing

struct MailboxTests {
  private func isReadable(_ descriptor: Int32) -> Bool {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, 0) > 0
  }

  @Test func messagesComeInOrderAndItIsReadableWhileAnyWaits() throws {
    let mailbox = try #require(Mailbox<Int>())
    #expect(!isReadable(mailbox.descriptor))
    #expect(mailbox.next(within: .zero) == nil)
    for number in 1...3 { mailbox.send(number) }
    for number in 1...3 {
      #expect(isReadable(mailbox.descriptor))
      #expect(mailbox.next(within: nil) == number)
    }
    #expect(!isReadable(mailbox.descriptor))
    for number in 4...5 { mailbox.send(number) }
    #expect(mailbox.takeAll() == [4, 5])
    #expect(!isReadable(mailbox.descriptor))
  }

  /// Its sender wakes the reader after the message was taken: the reader must not spin.
  @Test func aLateWakeUpIsForgotten() throws {
    let mailbox = try #require(Mailbox<Int>())
    var one: UInt64 = 1
    #expect(write(mailbox.descriptor, &one, 8) == 8)
    #expect(mailbox.next(within: .zero) == nil)
    #expect(!isReadable(mailbox.descriptor))
    mailbox.send(1)
    #expect(mailbox.next(within: nil) == 1)
  }

  @Test func aMessageOfAnotherThreadEndsTheWait() throws {
    let mailbox = try #require(Mailbox<Int>())
    DispatchQueue.global().async { for number in 1...1000 { mailbox.send(number) } }
    for number in 1...1000 { #expect(mailbox.next(within: nil) == number) }
  }
}
