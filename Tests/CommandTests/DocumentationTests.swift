import ButtonMaps
import DesktopStatus
import Foundation
import InstalledFiles
import IntervalTimeline
import MQTTMaps
import NoticeRules
import Presets
import RecordedSpeech
import SessionStore
import SoundFiles
import TestSupport
import Testing

@testable import cuecoach
@testable import struct cuecoach_sense.SensorsFile

/// README.md and Documentation: every command in them works, every preset compiles, every link leads
/// somewhere.
@Suite struct DocumentationTests {
  private let space = Workspace()

  // MARK: Commands

  @Test(arguments: DocumentedLine.distinct) func commandWorks(_ line: DocumentedLine) async throws {
    let kind = try #require(DocumentedLine.kinds[line.text]).get()
    switch kind {
    case .makes, .administers, .serves, .asks: break
    case .answers:
      try furnish(row: Preset.oneSet)
      if line.text.contains("sessions") { try await interrupt() }
      if line.text.contains("takes") { try recordTakes() }
      try await space.run(line).expect(0)
    case .plays:
      for name in Preset.shipped {
        let preset = name == "class-stations" ? Preset.quietStations : Preset.quiet
        try space.write(preset, to: "Presets/\(name).yaml")
      }
      try furnish(row: Preset.quiet)
      try await space.run(line).expect(0)
    case .resumes:
      try await interrupt()
      let run = try await space.program.start(line.arguments)
      try await run.until("the interrupted session is named") { run.errors.contains("anna") }
      #expect(await run.end(by: SIGTERM).status == .exited(143))
    case .controls:
      try furnish(row: Preset.oneSet)
      let coach = try await RunningCoach(in: space)
      try await space.run(line).expect(0)
      _ = await coach.end()
    case .testsDevice:
      let outcome = try await space.run(line).expect(1)
      #expect(outcome.errors.contains("cuecoach: no sound: "))
    }
  }

  @Test func thereAreCommandsOfEveryKind() throws {
    let kinds = try DocumentedLine.kinds.values.map { try $0.get() }
    let all: [DocumentedLine.Kind] = [
      .answers, .plays, .resumes, .controls, .serves, .testsDevice, .makes,
    ]
    for kind in all {
      #expect(kinds.contains(kind))
    }
  }

  @Test(arguments: [
    "cuecoach run tabata --loudness 3", "cuecoach run tabata --volume loud", "cuecoach jump",
    "cuecoach run tabata --density", "make frobnicate", "make torture LIVES=9", "rm -r x",
    "cuecoach run tabata | cuecoach import-history -", "cuecoach history shows 3f2a",
    "cuecoach-web --port 1", "cuecoach-web --listen 80", "cuecoach-web link --renew",
    "cuecoach-mqtt check --renew", "cuecoach-sense --as anna", "cuecoach-desktop --port 1",
    "sudo cuecoach-sense pair",
    "cuecoach-notify test --seconds 3", "cuecoach-buttons learn jump",
    "cuecoach-buttons list --seconds 3",
    "cuecoach ctl begin tabata", "cuecoach ctl start tabata --at",
  ])
  func mistakenCommandIsNoticed(text: String) {
    #expect(throws: (any Error).self) { try DocumentedLine(place: "here:1", text: text).kind() }
  }

  @Test func everySubcommandAndOptionIsDocumented() throws {
    let text = DocumentationPage.all.map(\.text).joined()
    let commands = try CommandTree.ofPrograms().values.flatMap(\.all)
    // A default subcommand need not be named.
    for name in commands.map(\.commandName) where name != "list" {
      #expect(text.contains(name), "\(name) is not documented")
    }
    for option in Set(commands.flatMap(\.options)).subtracting(["help", "h", "version"]) {
      #expect(text.contains("--\(option)"), "--\(option) is not documented")
    }
  }

  @Test func helpHasExamplesThatAreUnderstood() throws {
    let discussions = try CommandTree.ofPrograms().values.flatMap(\.all).compactMap(\.discussion)
    let examples = discussions.flatMap { $0.split(separator: "\n") }
      .filter { $0.hasPrefix("  ") && $0.contains("cuecoach") }
      .map { DocumentedLine(place: "help", text: example(String($0))) }
    #expect(examples.count > 20)
    for line in examples { _ = try line.kind() }
  }

  /// Without the comment after it, and without the other program that reads its output.
  private func example(_ line: String) -> String {
    let command = line.drop { $0 == " " }
    let end = ["  ", " | jq "].compactMap { command.firstRange(of: $0)?.lowerBound }.min()
    return String(command[..<(end ?? command.endIndex)])
  }

  // MARK: Inline code

  @Test(arguments: DocumentationPage.all.map(\.name)) func inlineCodeNamesWhatThereIs(
    page name: String
  ) throws {
    let page = try #require(DocumentationPage.all.first { $0.name == name })
    let trees = try CommandTree.ofPrograms()
    for code in page.inlineCode {
      if let fault = try fault(in: code.text, trees) {
        Issue.record("\(code.place): \(fault)")
      }
    }
  }

  private func fault(in code: String, _ trees: [String: CommandTree]) throws -> String? {
    let words = code.split(separator: " ").map(String.init)
    if let tree = words.first.flatMap({ trees[$0] }) {
      return tree.fault(in: Array(words.dropFirst()))
    }
    switch words.first {
    case "make"?:
      try Makefile.check(Array(words.dropFirst()))
      return nil
    case let option? where option.hasPrefix("--"):
      let name = String(option.dropFirst(2).prefix { $0 != "=" })
      let isKnown = trees.values.contains { $0.has(option: name) }
      return isKnown ? nil : "no command has --\(name)"
    default: return nil
    }
  }

  @Test(arguments: [
    "cuecoach runs", "cuecoach run --frobnicate", "cuecoach history forget", "--frobnicate",
    "cuecoach sessions list --since", "cuecoach-web links", "cuecoach-web link --network",
    "cuecoach-mqtt serve --replay", "cuecoach-sense find", "cuecoach-buttons learn --as",
  ])
  func mistakenInlineCodeIsNoticed(code: String) throws {
    #expect(try fault(in: code, CommandTree.ofPrograms()) != nil)
  }

  // MARK: Files

  @Test(arguments: DocumentationPage.all.flatMap(\.blocks)) func blockIsWhatItSays(
    _ block: DocumentationPage.Block
  ) throws {
    switch block.language {
    // Each of their lines has a test of its own.
    case "sh", "console": #expect(!block.lines.isEmpty)
    case "yaml": try check(yaml: block)
    case "json":
      for line in block.lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    case "swift": try check(swift: block)
    case "ini": try check(unit: block)
    case "text": try check(sensors: block)
    // They are run.
    case "python":
      let pages = ["Documentation/control.md:", "Documentation/languages-and-voices.md:"]
      #expect(pages.contains { block.place.hasPrefix($0) })
    // `ProxyLinesTests` reads it.
    case "nginx": #expect(block.place.hasPrefix("Documentation/page.md:"))
    // A file of WirePlumber's.
    case "lua":
      let text = block.lines.joined()
      #expect(block.place.hasPrefix("Documentation/desktop.md:"))
      #expect(text.count { $0 == "{" } == text.count { $0 == "}" })
    default: Issue.record("\(block.place): a block in \"\(block.language)\", which is not checked")
    }
  }

  /// Checks a part of a systemd unit: the commands that it starts.
  private func check(unit block: DocumentationPage.Block) throws {
    #expect(block.lines.first == "[Service]")
    let start = "ExecStart="
    let trees = try CommandTree.ofPrograms()
    for line in block.lines.dropFirst() {
      try #require(line.hasPrefix(start), "\(block.place): \(line)")
      // An empty one removes those of the unit.
      guard line != start else { continue }
      let installed = "/usr/bin/"
      let command = line.dropFirst(start.count)
      #expect(command.hasPrefix("\(installed)cuecoach"))
      let fault = try fault(in: String(command.dropFirst(installed.count)), trees)
      #expect(fault == nil, "\(block.place)")
    }
  }

  /// Checks the file that a block names in its first line, or a preset.
  private func check(yaml block: DocumentationPage.Block) throws {
    let bytes = Array(block.text.utf8)
    guard let path = block.installedPath else {
      let workout = try PresetFile.parse(bytes, file: block.place)
      #expect(try Timeline(workout).count > 0)
      return
    }
    if path.hasSuffix("voice.yaml") {
      #expect(try VoiceManifest.parse(bytes, file: block.place).onsets.count > 0)
    } else if path.hasSuffix("mqtt.yaml") {
      let settings = try BridgeSettings.parse(bytes, file: block.place) { name in
        (try? Data(contentsOf: SourceTree.url("Packaging/mqtt/\(name).yaml"))).map(Array.init)
      }
      #expect(!settings.maps.isEmpty)
    } else if path.hasSuffix("desktop.yaml") {
      #expect(try DesktopSettings.parse(bytes, file: block.place) != DesktopSettings())
    } else if path.hasSuffix("buttons.yaml") {
      try check(try ButtonMap.parse(bytes, file: block.place), block.place)
    } else if path.hasSuffix("notify.yaml") {
      #expect(try !NotifySettings.parse(bytes, file: block.place).targets.isEmpty)
    } else if path.contains("/presets/") {
      #expect(try Timeline(PresetFile.parse(bytes, file: block.place)).count > 0)
    } else if path.hasSuffix("config.yaml") {
      #expect(try ConfigurationFile.parse(bytes, file: block.place) != Configuration())
    } else {
      let language = try #require(block.language(ofPath: path))
      let shipped = try Catalogues(in: CommandContext.current.folders)
        .load(language)
      let catalogue = try PhraseFile.parse(bytes, file: block.place, over: shipped)
      #expect(catalogue.language == language)
      #expect(catalogue != shipped)
    }
  }

  /// The presets that keys start are shipped.
  private func check(_ map: ButtonMap, _ place: String) throws {
    let actions = map.devices.flatMap(\.keys.values).flatMap(\.values)
    #expect(!actions.isEmpty)
    let presets = try ShippedPresets.files()
    for case .start(let preset) in actions {
      #expect(presets.contains { $0.hasSuffix("/\(preset).yaml") }, "\(place): \(preset)")
    }
  }

  private func check(sensors block: DocumentationPage.Block) throws {
    #expect(block.installedPath?.hasSuffix("sensors.conf") == true, "\(block.place)")
    var file = SensorsFile()
    try file.parse(block.text, block.place)
    #expect(!file.entries.isEmpty)
  }

  /// Checks a line of a manifest, or a piece of `EmbeddingExample` or of a package in Examples, which are
  /// compiled and run.
  private func check(swift block: DocumentationPage.Block) throws {
    if block.text.hasPrefix(".package(") { return }
    let examples = try FileManager.default.contentsOfDirectory(
      atPath: SourceTree.path("Examples/Sources"))
    let files =
      ["EmbeddingExample.swift", "ArticleExamples.swift"].map { "Tests/CommandTests/\($0)" }
      + examples.map { "Examples/Sources/\($0)/main.swift" }
    let piece = Self.withoutIndents(block.text)
    let isCompiled = try files.contains {
      Self.withoutIndents(try SourceTree.text($0)).contains(piece)
    }
    #expect(isCompiled, "\(block.place): not compiled")
  }

  private static func withoutIndents(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
  }

  /// Their links are checked where they are built: `make docs`.
  @Test(arguments: DocumentationPage.articles.flatMap(\.blocks)) func exampleOfALibraryIsCompiled(
    _ block: DocumentationPage.Block
  ) throws {
    if block.language == "swift" { return try check(swift: block) }
    // `ArticleExamples` compares it with what is printed.
    #expect(block.language == "text", "\(block.place): a block that is not checked")
  }

  @Test func everyLibraryHasItsPage() throws {
    let manifest = try SourceTree.text("Package.swift")
    let libraries = manifest.matches(of: /\.library\(name: "(\w+)"/).map { String($0.1) }
    #expect(libraries.count >= 12)
    for library in libraries {
      let page = DocumentationPage.articles.first { $0.name.hasSuffix("/\(library).md") }
      #expect(page?.blocks.contains { $0.language == "swift" } == true, "\(library)")
    }
  }

  @Test(arguments: DocumentationPage.all.map(\.name)) func linksLeadSomewhere(
    page name: String
  ) throws {
    let page = try #require(DocumentationPage.all.first { $0.name == name })
    let folder = URL(fileURLWithPath: page.path).deletingLastPathComponent()
    for link in page.links where !link.text.hasPrefix("https://") {
      let parts = link.text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let path =
        parts[0].isEmpty
        ? page.path : folder.appendingPathComponent(String(parts[0])).standardizedFileURL.path
      #expect(FileManager.default.fileExists(atPath: path), "\(link.place): \(link.text)")
      guard parts.count > 1 else { continue }
      let target = try #require(DocumentationPage.all.first { $0.path == path })
      #expect(target.anchors.contains(String(parts[1])), "\(link.place): \(link.text)")
    }
  }

  // MARK: Surroundings

  /// A take of the first line of a script: a tone between silences.
  private func recordTakes() throws {
    try space.write("path,text,uses\nnumbers/0.wav,0,1\n", to: "takes/script.csv")
    let tone = (0..<48_000).map { index in
      (10_000..<30_000).contains(index) ? Int16(index % 120 < 60 ? 6_000 : -6_000) : 0
    }
    let writer = try SoundFileWriter(space.path("takes/001.wav"), as: .wav, rate: 48_000)
    try tone.withUnsafeBufferPointer { try writer.write($0.baseAddress!, count: $0.count) }
    try writer.finish()
  }

  private func interrupt() async throws {
    try space.write(Preset.long, to: "long.yaml")
    try await space.interrupt("anna", "long.yaml")
  }

  /// Creates the files that the documented commands read.
  private func furnish(row: String) throws {
    try space.write(row, to: "row.yaml")
    try space.write(
      "<workout_file><workout><SteadyState Duration=\"0.5\"/></workout></workout_file>",
      to: "ride.zwo")
    for block in DocumentationPage.all.flatMap(\.blocks) where block.language == "yaml" {
      guard let path = block.installedPath else { continue }
      if path.contains("/phrases/") || path.contains("/voices/") {
        try space.write(block.text, to: String(path.drop { $0 == "~" || $0 == "/" }))
      } else if path.contains("/presets/"), let name = path.split(separator: "/").last {
        try space.write(block.text, to: "Presets/\(name)")
      }
    }
    let noon = 1_763_726_400_000_000_000 as Int64
    try space.keep([PastSession.entry("3f2a5c7e91b04d68", at: noon, workout: "Tabata")])
    let exported = HistoryFile.bytes(of: [PastSession.entry("77aa5c7e91b04d68", at: noon)])
    try space.write(Data(exported), to: "history.jsonl")
  }
}

extension DocumentationPage.Block: CustomTestStringConvertible {
  var testDescription: String { "\(place) \(language)" }

  /// The path of the file, if its first line names it.
  fileprivate var installedPath: String? {
    guard let first = lines.first,
      ["# ~/.config/cuecoach/", "# /etc/cuecoach/"].contains(where: first.hasPrefix)
    else { return nil }
    return String(first.dropFirst(2))
  }

  fileprivate func language(ofPath path: String) -> String? {
    path.split(separator: "/").last?.split(separator: ".").first.map(String.init)
  }
}

extension DocumentedLine {
  fileprivate var arguments: [String] {
    Array((ShellWords(text).commands.first ?? []).dropFirst())
  }
}

extension Workspace {
  /// Runs a line in a shell, with the program as `cuecoach` and this machine instead of any other.
  /// `exit` is on a line of its own, because the command may end with a comment.
  fileprivate func run(_ line: DocumentedLine) async throws -> Outcome {
    var program = programOfCoach
    program.setUp =
      "{ cuecoach() { \"$0\" \"$@\"; }; ssh() { shift; \"$@\"; }; \(line.text)\nexit; }"
    return try await program.run([])
  }
}
