import CALSA

/// ALSA's words for a device; snd_pcm_info knows only the name it was opened by.
enum PCMWords {
  /// What an opened device calls itself, or the innermost of those within it. Allocates.
  static func of(_ pcm: OpaquePointer) -> String? {
    var output: OpaquePointer?
    guard snd_output_buffer_open(&output) >= 0 else { return nil }
    defer { snd_output_close(output) }
    var text: UnsafeMutablePointer<CChar>?
    guard snd_pcm_dump(pcm, output) >= 0 else { return nil }
    let count = snd_output_buffer_string(output, &text)
    guard count > 0, let text else { return nil }
    let bytes = UnsafeBufferPointer(start: text, count: count).map { UInt8(bitPattern: $0) }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    // "Plug PCM: <slave>", or further down "Slave: <slave>".
    let line = lines.last { $0.hasPrefix("Slave: ") } ?? lines.first
    guard let line else { return nil }
    let end = line.indices.last { line[$0...].hasPrefix(": ") }
    return String(end.map { line[$0...].dropFirst(2) } ?? line)
  }
}
