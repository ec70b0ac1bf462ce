import ArgumentParser
import ButtonMaps
import Glibc
import Presets
import SurfaceProgram
import SystemIO

struct LearnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn",
    abstract: "Show what a button sends, and write down what it is for.",
    discussion: """
      An action is pause, next, back, where-am-i, say-time, rep, stop, volume-up, volume-down, signal NAME or start PRESET; with \
      double or long in front it needs such a press. Stop always needs a long one.
      """)

  @Argument(help: "What to learn; the usual actions when left out.")
  var actions: [String] = ["pause", "next", "back", "where-am-i", "long stop"]
  @Option(help: "A device to listen to; all that may be read when left out. May be repeated.")
  var device: [String] = []
  @Option(help: "After how many seconds without a press an action is left out, 1 to 600.")
  var seconds = 15
  @OptionGroup var file: MapOption

  func validate() throws {
    guard (1...600).contains(seconds) else {
      throw ValidationError("--seconds \(seconds): expected 1 to 600")
    }
    for text in actions where Lesson(text) == nil {
      throw ValidationError(
        "\"\(text.prefix(60))\": expected \(ButtonAction.expected), perhaps with double or long before it"
      )
    }
  }

  func run() throws {
    let path = file.pathToWrite
    let isThere = access(path, F_OK) == 0
    // A mistake in it is said before anything is learnt.
    var map = isThere ? try MapOption.map(path) : ButtonMap()
    var teacher = try Teacher(device, endSignals: EndSignals.descriptor())
    var learnt: [Lesson: Button] = [:]
    for lesson in actions.compactMap(Lesson.init) {
      guard let button = try teacher.button(for: lesson, besides: learnt, within: seconds) else {
        Teacher.say("  left out")
        continue
      }
      learnt[lesson] = button
      map.add(lesson.action, to: lesson.gesture, of: button.code, on: button.place)
    }
    guard !learnt.isEmpty else {
      throw Complaint.failed("no button was pressed; nothing is written")
    }
    AtomicFile.makeFolders(for: path, mode: 0o755)
    // The map that was there is in its place until the new one is whole.
    if isThere {
      let former = try? FileBytes.contents(ofFile: path, expected: "a map of buttons")
      guard let former, Self.write(former, to: "\(path)~") else { throw Self.unwritable(path) }
    }
    let text = "# Written by cuecoach-buttons learn.\n" + map.text
    guard Self.write(Array(text.utf8), to: path) else { throw Self.unwritable(path) }
    print("written to \(path)" + (isThere ? "; what it was is \(path)~" : ""))
  }

  private static func write(_ bytes: [UInt8], to path: String) -> Bool {
    guard let file = AtomicFile(path, mode: 0o644) else { return false }
    return file.write(bytes) && file.commit()
  }

  private static func unwritable(_ path: String) -> Complaint {
    .failed("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
}

/// Something for which a button is to be pressed.
struct Lesson: Hashable {
  let action: ButtonAction
  let gesture: Gesture

  /// - Parameter text: an action, perhaps with a gesture in front.
  init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    let named = words.count == 2 ? Gesture(rawValue: words[0]) : nil
    guard let action = ButtonAction(named == nil ? text : words[1]) else { return nil }
    let gesture = named ?? (action.isAllowed(for: .short) ? .short : .long)
    guard action.isAllowed(for: gesture) else { return nil }
    (self.action, self.gesture) = (action, gesture)
  }
}

/// What was pressed.
struct Button: Hashable {
  let place: ButtonMap.Device.Place
  let code: UInt16
}

/// Listens to devices without keeping what they send from others.
private struct Teacher {
  private struct Heard {
    let input: InputDevice
    var events = KeyEventReader()
    var downs: Set<UInt16> = []
  }

  private var heard: [Heard] = []
  private let endSignals: Int32
  /// A button that is let go may still bounce, or be pressed twice by habit.
  private static let quiet: Int64 = 300_000_000

  init(_ paths: [String], endSignals: Int32) throws(Complaint) {
    self.endSignals = endSignals
    for path in paths.isEmpty ? InputNode.all().map(\.path) : paths {
      do throws(InputDevice.Fault) {
        let input = try InputDevice(path)
        heard.append(Heard(input: input))
        if !input.isShared {
          Self.say(
            "\(input.name ?? path) is another program's, perhaps the service's: it is not heard until that ends "
              + "(sudo systemctl stop cuecoach-buttons)")
        }
      } catch {
        guard paths.isEmpty else { throw .failed("\(path) cannot be read: \(error.reason)") }
      }
    }
    guard !heard.isEmpty else {
      throw .failed(
        "no input device may be read; connect one, and try: sudo cuecoach-buttons learn")
    }
  }

  /// Asks for a button; nil where none is pressed in time.
  mutating func button(
    for lesson: Lesson, besides learnt: [Lesson: Button], within seconds: Int
  ) throws(Complaint) -> Button? {
    let how = lesson.gesture == .short ? "" : ", which will need a \(lesson.gesture.rawValue) press"
    Self.say("press the button for: \(lesson.action.text)\(how)")
    while let button = try press(before: MachineTime.boot + Int64(seconds) * 1_000_000_000) {
      let other = learnt.first { $0.value == button && $0.key.gesture == lesson.gesture }
      Self.say("  \(button.place.text): \(KeyName.name(of: button.code))")
      try awaitQuiet()
      guard let other else { return button }
      Self.say("  it is for \(other.key.action.text) already; another one")
    }
    return nil
  }

  /// At once, whoever reads it.
  static func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  private mutating func press(before end: Int64) throws(Complaint) -> Button? {
    while MachineTime.boot < end {
      if let button = try listen(until: end).first { return button }
    }
    return nil
  }

  private mutating func awaitQuiet() throws(Complaint) {
    var end = MachineTime.boot + Self.quiet
    while MachineTime.boot < end {
      let isPressed = try !listen(until: end).isEmpty
      if isPressed || heard.contains(where: { !$0.downs.isEmpty }) {
        end = MachineTime.boot + Self.quiet
      }
    }
  }

  /// Waits until something is sent. Returns what was pressed.
  private mutating func listen(until end: Int64) throws(Complaint) -> [Button] {
    var waits = ([endSignals] + heard.map(\.input.descriptor)).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let left = Int32(max(0, (end - MachineTime.boot) / 1_000_000 + 1))
    guard poll(&waits, nfds_t(waits.count), left) > 0 else { return [] }
    guard waits[0].revents == 0 else { throw .failed("nothing is written") }
    var pressed: [Button] = []
    for index in heard.indices.reversed() where waits[index + 1].revents != 0 {
      var items: [KeyEventReader.Item] = []
      let reading = heard[index].input.read {
        items = heard[index].events.take($0, at: MachineTime.boot)
      }
      for case .key(let event) in items {
        let code = ButtonMap.Device.common(event.code)
        guard event.isDown else {
          heard[index].downs.remove(code)
          continue
        }
        heard[index].downs.insert(code)
        let input = heard[index].input
        pressed.append(
          Button(place: input.name.map { .name($0) } ?? .path(input.path), code: code))
      }
      if case .gone = reading { heard.remove(at: index) }
    }
    guard !heard.isEmpty else { throw .failed("the device has gone; nothing is written") }
    return pressed
  }
}
