import Synchronization

extension ALSAOutput {
  /// Whether this process's sound thread gets real-time priority. Tried on a thread that ends at
  /// once.
  public static var isRealtimePermitted: Bool {
    let answer = Answer()
    AudioThread { answer.isYes.store(AudioThread.askForRealtime(), ordering: .releasing) }.join()
    return answer.isYes.load(ordering: .acquiring)
  }

  private final class Answer: Sendable {
    let isYes = Atomic(false)
  }
}
