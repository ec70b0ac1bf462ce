import Instants
import TestSupport
import Testing

@testable import SensorFormats

/// The connection to sensors, whatever happens.
@Suite struct SensorLinkFuzzTests {
  /// Any events in any order: never a trap, a connection begun while a scan runs, or a deadline that has passed.
  @Test func invented() {
    var random = SeededGenerator(seed: 11)
    let paths = [
      SimulatedBlueZ.strap, SimulatedBlueZ.adapter, SimulatedBlueZ.adapter + "/dev_D0",
      SimulatedBlueZ.rate, "",
    ]
    let names = ["org.bluez.Device1", "org.bluez.Adapter1", "org.bluez.Battery1"]
    for _ in 0..<200 {
      var link = SensorLink([.name("Strap 42"), .name("Other")])
      var now = at(0)
      var calls: [(number: Int, call: LinkCall)] = []
      var isScanning = false
      func object() -> BlueZObject {
        let path = paths.randomElement(using: &random) ?? ""
        return switch Int.random(in: 0..<3, using: &random) {
        case 0: .adapter(path: SimulatedBlueZ.adapter, isPowered: Bool.random(using: &random))
        case 1: .characteristic(path: path + "/char", .heartRate)
        default:
          .device(
            .init(
              path: path, address: "", name: Bool.random(using: &random) ? "Strap 42" : "Other",
              isConnected: Bool.random(using: &random), isResolved: Bool.random(using: &random)))
        }
      }
      func event() -> LinkEvent? {
        let path = paths.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<24, using: &random) {
        case 0: return .serviceAppeared
        case 1: return Int.random(in: 0..<5, using: &random) == 0 ? .serviceVanished : nil
        case 2..<12:
          guard let index = calls.indices.randomElement(using: &random) else { return nil }
          let (number, call) = calls.remove(at: index)
          if Int.random(in: 0..<4, using: &random) == 0 {
            return .answered(number, .failed("fault"))
          }
          if call != .list { return .answered(number, .done) }
          return .answered(number, .objects((0..<5).map { _ in object() }))
        case 12: return .added(object())
        case 13:
          return .removed(path: path, interfaces: [names.randomElement(using: &random) ?? ""])
        case 14: return .powered(adapter: path, Bool.random(using: &random))
        case 15, 16: return .seen(device: path)
        case 17, 18: return .connected(device: path, Bool.random(using: &random))
        case 19, 20: return .resolved(device: path)
        case 21: return .battery(device: path, percent: Int.random(in: -5...300, using: &random))
        case 22: return .value(characteristic: path + "/char", bytes("16 78"))
        default: return nil
        }
      }
      func take(_ actions: [LinkAction]) {
        for action in actions {
          switch action {
          case .call(let number, let call):
            calls.append((number, call))
            switch call {
            case .startDiscovery: isScanning = true
            case .stopDiscovery, .power: isScanning = false
            case .connect: #expect(!isScanning)
            default: break
            }
          case .report, .heard, .log: break
          }
        }
        if let deadline = link.deadline { #expect(deadline > now) }
      }
      take(link.start(at: now))
      for _ in 0..<300 {
        now += .milliseconds(Int.random(in: 0...8_000, using: &random))
        if let event = event() {
          switch event {
          case .serviceVanished, .serviceAppeared, .removed, .powered: isScanning = false
          case .answered(_, .failed): isScanning = false
          default: break
          }
          take(link.handle(event, at: now))
        } else {
          take(link.check(at: now))
        }
      }
      take(link.stop(at: now))
      #expect(link.deadline == nil)
      for (number, _) in calls { take(link.handle(.answered(number, .done), at: now)) }
      #expect(link.isFinished)
    }
  }
}
