import ArgumentParser

struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Print the token that opens the page, or renew it.")

  @Flag(help: "Make a new token: earlier links no longer open the page, and open pages close.")
  var renew = false
  @OptionGroup var token: TokenOption

  func run() throws {
    let file = try token.fileToShow()
    // Links to look on are links, too.
    if renew, try file.forViewers.read() != nil { _ = try file.forViewers.renew() }
    print(renew ? try file.renew() : try file.create())
  }
}
