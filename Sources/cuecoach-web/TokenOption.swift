import ArgumentParser
import SurfaceProgram

struct TokenOption: ParsableArguments {
  @Option(help: "The file with the token; in the folder of the state when left out.")
  var tokenFile: String?

  /// For a page that this process serves.
  func fileToServe() throws -> TokenFile {
    TokenFile(path: try named() ?? TokenChoice.ofThisProcess.pathToServe())
  }

  /// For the person who wants the token. Where it could be another one, a line says which it is.
  func fileToShow() throws -> TokenFile {
    if let path = try named() { return TokenFile(path: path) }
    let (path, remark) = try TokenChoice.ofThisProcess.pathToShow()
    if let remark { Log.complain(remark) }
    return TokenFile(path: path)
  }

  private func named() throws -> String? {
    guard let tokenFile else { return nil }
    guard tokenFile.hasPrefix("/") else {
      throw Complaint.usage("--token-file \(tokenFile): expected a path from /")
    }
    return tokenFile
  }
}
