import Phrases

/// A catalogue of what the coach says in one language, in YAML:
///
///     language: de
///     voice: de                     # that speaks it unless another is asked for
///     plural: one-other             # one-other | zero-one-other | one-few-many | other
///     units:                        # {n} is the number
///       minute: {one: eine Minute, other: "{n} Minuten"}
///     phases:                       # what phases without a name are called
///       warmup: Aufwärmen
///     phrases:                      # a text, a list from the fullest to the shortest, or silent
///       halfway: Halbzeit
///       next: ["Gleich: {next}, {length}", "Gleich: {next}"]
///     screen:                       # what a display writes; English where it is missing
///       set: Satz {set} von {sets}
///
/// Besides the forms of a unit, single numbers may have a wording: `2: dwie minuty`.
public enum PhraseFile {
  /// Reads the catalogue at `path`, a regular file of at most 1 MB. Blocks only on the disk; a pipe or a device is
  /// refused.
  ///
  /// - Parameter catalogue: provides what the file does not have; nil: the file must be complete.
  public static func read(
    path: String, over catalogue: PhraseCatalogue? = nil
  ) throws(FileError) -> PhraseCatalogue {
    try parse(
      FileBytes.contents(ofFile: path, expected: "a catalogue of phrases"), file: path,
      over: catalogue)
  }

  /// Parses at most 1 MB of UTF-8; `file` names it in errors.
  ///
  /// - Parameter catalogue: provides what the file does not have; nil: the file must be complete.
  public static func parse(
    _ bytes: [UInt8], file: String, over catalogue: PhraseCatalogue? = nil
  ) throws(FileError) -> PhraseCatalogue {
    try FileError.naming(file) { () throws(FileFault) in
      try CatalogueForm.catalogue(YamlTree.root(of: bytes), over: catalogue)
    }
  }
}
