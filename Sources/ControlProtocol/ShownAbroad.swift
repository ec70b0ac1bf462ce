// Where the coach's files lie is for the people of its machine: of a path in a message others see the last part.

extension String {
  /// The last part alone of each absolute path in a message, but for devices, and for what stands in quotes: that is what
  /// somebody has written.
  package var withoutFolders: String {
    guard contains("/") else { return self }
    var shown: [Character] = []
    /// Where in `shown` the path begins that is being read.
    var start: Int?
    for index in indices {
      let character = self[index]
      if character == "/" {
        if let start {
          shown.removeSubrange(start...)
        } else if shown.last.map({ " (=[<,;".contains($0) }) ?? true,
          !self[index...].hasPrefix("/dev/")
        {
          start = shown.count
        }
      } else if " \"'`)]>,;".contains(character) {
        start = nil
      } else if let first = start, shown.count == first + 1, shown[first] == "/" {
        shown.removeLast()
      }
      shown.append(character)
    }
    return String(shown)
  }
}

extension ControlAnswer {
  package var withoutFolders: ControlAnswer {
    var answer = self
    answer.message = message?.withoutFolders
    answer.warnings = warnings?.map(\.withoutFolders)
    answer.snapshot?.warnings = snapshot?.warnings.map(\.withoutFolders) ?? []
    for index in presets?.indices ?? 0..<0 {
      answer.presets?[index].error = presets?[index].error?.withoutFolders
    }
    for index in check?.faults.indices ?? 0..<0 {
      answer.check?.faults[index].message = check?.faults[index].message.withoutFolders ?? ""
    }
    for index in check?.notes.indices ?? 0..<0 {
      answer.check?.notes[index].message = check?.notes[index].message.withoutFolders ?? ""
    }
    return answer
  }
}

extension ControlEvent {
  package var withoutFolders: ControlEvent {
    var event = self
    event.message = message?.withoutFolders
    return event
  }
}
