/// A shell line, as far as the documentation uses the syntax: its simple commands, each as words.
///
/// Understands quotes, comments, `|`, `;`, `&&`, `&` and redirections; expands nothing.
struct ShellWords {
  private(set) var commands: [[String]] = []
  private var word: String?
  private var words: [String] = []
  /// The next word is a file name.
  private var isRedirected = false

  init(_ line: some StringProtocol) {
    var quote: Character?
    var isComment = false
    for character in line where !isComment {
      switch character {
      case quote: quote = nil
      case _ where quote != nil: word = (word ?? "") + String(character)
      case "\"", "'": (quote, word) = (character, word ?? "")
      case "#" where word == nil: isComment = true
      case " ": endWord()
      case "<", ">":
        endWord()
        isRedirected = true
      case "|", ";", "&": endCommand()
      default: word = (word ?? "") + String(character)
      }
    }
    endCommand()
  }

  private mutating func endWord() {
    guard let word else { return }
    if !isRedirected { words.append(word) }
    (self.word, isRedirected) = (nil, false)
  }

  private mutating func endCommand() {
    endWord()
    if !words.isEmpty { commands.append(words) }
    words = []
  }
}
