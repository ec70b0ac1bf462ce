/// Which notices are shown, by the numbers of the notification server, so that one replaces the last of its workout.
package struct NoticeTray: Sendable {
  private struct Slot {
    /// Nil: it is not shown.
    var id: UInt32?
    /// It was sent, and has no number yet.
    var isSending = false
    /// What is to be sent next.
    var waiting: Notice?
    /// It is to be closed once it has a number.
    var isWithdrawn = false
    /// The user has closed it: what only says where the workout is is not shown again.
    var isDismissed = false
    /// One of its buttons was pressed: many servers close it then.
    var isPressed = false
    /// It says where a workout is, or that there is no sound: nobody keeps that true once this program has ended.
    var isLive = false
  }

  /// What is asked of the server.
  package enum Effect: Hashable, Sendable {
    /// - Parameter replaces: the notice that it takes the place of; 0: none.
    case send(Notice, replaces: UInt32)
    case close(UInt32)
  }

  /// By workout; nil: of the sound device.
  private var slots: [String?: Slot] = [:]

  /// Notices that are remembered. What is forgotten stays where it is, and is replaced no more.
  private static let most = 64

  package init() {}

  /// A button of it was pressed. Returns whose notice it is; nil where none has that number.
  package mutating func pressed(_ id: UInt32) -> String?? {
    guard let (lane, _) = slots.first(where: { $0.value.id == id }) else { return nil }
    slots[lane]?.isPressed = true
    return .some(lane)
  }

  package mutating func show(_ notice: Notice) -> [Effect] {
    var slot = slots[notice.lane] ?? Slot()
    if notice.onlyReplaces, slot.id == nil, !slot.isSending, !slot.isPressed { return [] }
    defer { slots[notice.lane] = slot }
    slot.isWithdrawn = false
    slot.isLive = notice.lane == nil || notice.isProgress
    if slot.isDismissed, notice.isProgress { return [] }
    slot.isDismissed = false
    guard !slot.isSending else {
      slot.waiting = notice
      return []
    }
    if slots.count >= Self.most, slots[notice.lane] == nil {
      slots = slots.filter { $0.value.isSending }
    }
    (slot.isSending, slot.isPressed) = (true, false)
    return [.send(notice, replaces: slot.id ?? 0)]
  }

  /// The server has given the notice a number; nil: it has refused it.
  package mutating func sent(_ lane: String?, _ id: UInt32?) -> [Effect] {
    guard var slot = slots[lane] else { return id.map { [.close($0)] } ?? [] }
    (slot.id, slot.isSending) = (id, false)
    if slot.isWithdrawn {
      slots[lane] = nil
      return id.map { [.close($0)] } ?? []
    }
    // A server that has refused one, or was too slow, may take the next.
    guard let waiting = slot.waiting else {
      slots[lane] = id == nil ? nil : slot
      return []
    }
    (slot.waiting, slot.isSending) = (nil, true)
    slots[lane] = slot
    return [.send(waiting, replaces: slot.id ?? 0)]
  }

  package mutating func withdraw(_ lane: String?) -> [Effect] {
    guard var slot = slots[lane] else { return [] }
    guard !slot.isSending else {
      (slot.waiting, slot.isWithdrawn) = (nil, true)
      slots[lane] = slot
      return []
    }
    slots[lane] = nil
    return slot.id.map { [.close($0)] } ?? []
  }

  /// The program ends, and only what stays true stays on the screen.
  package mutating func withdrawLive() -> [Effect] {
    slots.filter(\.value.isLive).keys.flatMap { withdraw($0) }
  }

  /// - Parameter byUser: not by its time, and not by a call.
  package mutating func closed(_ id: UInt32, byUser: Bool) {
    guard let (lane, slot) = slots.first(where: { $0.value.id == id }) else { return }
    guard byUser || slot.isSending else {
      slots[lane] = nil
      return
    }
    slots[lane]?.id = nil
    slots[lane]?.isDismissed = byUser && !slot.isPressed
  }

  /// The server is gone, and its numbers with it.
  package mutating func forget() { slots = [:] }
}
