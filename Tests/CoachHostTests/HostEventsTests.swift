import CueEngine
import IntervalTimeline
import TestSupport
import Testing

@testable import CoachHost

/// A host's events as a sequence, and the commands of a task.
struct HostEventsTests {
  private let run = HostRun()

  @Test func aSequenceHasWhatASubscriberReceives() async throws {
    let events = run.host.events
    let lane = try run.add("anna", .phases("Short", 3, 2))
    await run.host.begin([lane])
    run.run(.seconds(8))
    #expect(run.host.shutDown())
    var received: [String] = []
    for await event in events { received.append("\(event)") }
    #expect(received == run.events.map { "\($0)" })
    #expect(received.count > 5)
    #expect(run.host.subscriberCount == 0)
  }

  @Test func aSubscriptionEndsWithItsTask() async throws {
    let host = run.host
    let others = host.subscriberCount
    let task = Task {
      for await _ in host.events {}
    }
    #expect(await eventually { host.subscriberCount == others + 1 })
    task.cancel()
    await task.value
    #expect(host.subscriberCount == others)
    #expect(host.shutDown())
  }

  @Test func aHostThatIsReleasedEndsItsSequences() async throws {
    var run: HostRun? = HostRun()
    let events = try #require(run?.host.events)
    run = nil
    for await event in events { Issue.record("\(event)") }
  }

  @Test func aLaneWhoseStartWasRefusedCanBegin() async throws {
    let lane = try run.add("anna", .phases("Short", 3))
    let answer = await run.host.begin([lane], at: BootInstant(nanoseconds: .max))
    #expect(answer == .refused("a start more than 24 hours ahead"))
    #expect(await run.host.begin([lane]) == .done)
    #expect(await run.host.send(.pause, to: lane) == .done)
    #expect(await run.host.signal("heart-rate-low") == .noEffect(.paused))
    #expect(await run.host.setVolume(.nan) == .refused("a volume that is no number"))
    #expect(run.host.shutDown())
    #expect(await run.host.send(.pause) == .shutDown)
  }
}
