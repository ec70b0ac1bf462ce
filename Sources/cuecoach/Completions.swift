import ArgumentParser
import ControlProtocol
import ControlSocket
import FoundationEssentials
import Glibc
import InstalledFiles
import SessionStore

/// What a shell offers for an argument, found when it asks.
enum Completions {
  /// Presets by name, and files; after `NAME=` too.
  static let presets = CompletionKind.custom { _, _, prefix in
    let (name, preset) = LaneArgument.split(prefix)
    let found = PresetLibrary(in: context.folders).all().map(\.name) + files(preset)
    return name.map { name in found.map { "\(name)=\($0)" } } ?? found
  }

  /// The presets of the coach, or those of this user where none answers; and files.
  static let coachPresets = CompletionKind.custom { words, _, prefix in
    let entries = client(words).flatMap { client in
      try? ControlAnswer.whole(.presets(nil, outline: false)) { action throws(ControlSocketError) in
        try client.request(action, within: patience)
      }.presets
    }
    let names =
      entries.map { $0.map(\.name) } ?? PresetLibrary(in: context.folders).all().map(\.name)
    return names + files(prefix)
  }

  /// The workouts that the coach runs.
  static let lanes = CompletionKind.custom { words, _, _ in
    let answer = client(words).flatMap { client in
      try? client.request(.status(outline: false), within: patience)
    }
    return answer?.snapshot?.lanes.map(\.name) ?? []
  }

  /// The sessions that were interrupted.
  static let sessions = CompletionKind.custom { _, _, _ in
    guard let folder = context.folders.state,
      access("\(folder)/\(SessionStore.fileName)", F_OK) == 0,
      let contents = try? StoreContents(
        folder: folder, runtimeFolder: context.folders.runtime, date: "")
    else { return [] }
    return contents.sessions.map(\.lane)
  }

  /// Nobody waits longer for a completion.
  private static let patience = Duration.milliseconds(500)

  /// The coach that the command line names.
  private static func client(_ words: [String]) -> ControlClient? {
    let given = words.firstIndex(of: "--socket").map { words[($0 + 1)...].prefix(1) }
    let paths =
      given.map(Array.init)
      ?? ControlPaths.ofClient(.control, context.environment)
    return try? ControlClient(paths, patience: patience)
  }

  /// Presets' files that begin so; folders too, once something is typed.
  private static func files(_ prefix: String) -> [String] {
    let end = prefix.lastIndex(of: "/").map { prefix.index(after: $0) } ?? prefix.startIndex
    let folder = String(prefix[..<end])
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder))
    return (names ?? []).filter { !$0.hasPrefix(".") }.sorted().compactMap { name in
      let path = folder + name
      if PresetLibrary.suffixes.contains(where: { name.hasSuffix($0) }) { return path }
      return !prefix.isEmpty && InstalledFolders.isFolder(path) ? path + "/" : nil
    }
  }
}
