import FoundationEssentials
import Glibc

/// A user's settings, in YAML:
///
///     device: plughw:CARD=Headphones   # where the command names none
///     outputs:                         # by ALSA device, or by card
///       CARD=Headphones:
///         latency: 150                 # ms, -500 to 1000
///         keep-alive: dither           # off | silence | dither
///         warm-up: 2                   # s, 0 to 30
///         volume: 80                   # the highest, 0 to 100
///     speech: {language: de, voice: de, variant: f3, rate: 180, pitch: 50, volume: 100}
///     sounds: gym
///     density: full                    # quiet | counts | normal | full
///     countdown: 5                     # the seconds counted down to a boundary, 1 to 10
///     acknowledge: pause, resume       # pause, resume, next, back; or all or none
///     phrases: {halfway: Half of it}   # what is said instead of the catalogue's wordings
///     athletes:                        # by lane; default: all others
///       default: {ftp: 250, max-heart-rate: 186, threshold-pace: 4:30/km}
///     sessions:
///       resume: hold                   # ask | continue | hold | discard
///       greatest-age: 12h              # older ones are not resumed; at most 24h
///       sleep: pause                   # pause | go-on
///       inhibit: on                    # on | off
///
/// All of it is optional.
package enum ConfigurationFile {
  /// Reads the file at `path`, of at most 1 MB. A missing file sets nothing. Blocks only on the
  /// disk. A pipe, a device, or a file that this user may not read is an error.
  package static func read(path: String) throws(FileError) -> Configuration {
    guard exists(path) else { return Configuration() }
    return try parse(
      FileBytes.contents(ofFile: path, expected: "a configuration file"), file: path)
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    // lstat, because a dangling link is an error.
    if lstat(path, &status) == 0 { return true }
    guard errno == EACCES else { return errno != ENOENT && errno != ENOTDIR }
    // A home that this user cannot enter, as with many services, has no settings for it.
    return lstat(URL(fileURLWithPath: path).deletingLastPathComponent().path, &status) == 0
  }

  /// Parses at most 1 MB of UTF-8; `file` names it in errors.
  package static func parse(_ bytes: [UInt8], file: String) throws(FileError) -> Configuration {
    try FileError.naming(file) { () throws(FileFault) in
      try ConfigurationForm.configuration(YamlTree.root(of: bytes))
    }
  }
}
