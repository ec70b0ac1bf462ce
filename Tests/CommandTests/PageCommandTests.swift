import Foundation
import SurfaceProgram
import Testing

@testable import cuecoach_web

@Suite struct PageCommandTests {
  static let places: [(String, String, UInt16, Bool)] = [
    ("127.0.0.1:8642", "127.0.0.1", 8642, false), ("localhost:80", "127.0.0.1", 80, false),
    ("[::1]:8642", "::1", 8642, false), ("[::]:8642", "::", 8642, true),
    ("0.0.0.0:1", "0.0.0.0", 1, true), ("192.168.1.20:9000", "192.168.1.20", 9000, true),
  ]

  @Test(arguments: places) func aPlaceIsAnAddressAndAPort(
    _ text: String, _ address: String, _ port: UInt16, _ isOpenToOthers: Bool
  ) throws {
    let place = try #require(ListenAddress(argument: text))
    #expect(place.address == address)
    #expect(place.port == port)
    #expect(place.isOpenToOthers == isOpenToOthers)
  }

  @Test(arguments: [
    "", ":80", "80", "localhost", "localhost:", "::1:80", "[]:80", "a:65536", "a:-1",
  ])
  func noPlaceIsRefused(_ text: String) { #expect(ListenAddress(argument: text) == nil) }

  private let space = Workspace()
  private var folder: String { space.folder }

  @Test func aTokenIsMadeOnceAndReadableByItsOwnerAlone() throws {
    let file = TokenFile(path: "\(folder)/state/token")
    #expect(try file.read() == nil)
    let token = try file.create()
    #expect(token.count == 22)
    #expect(try file.create() == token)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/state") == ["token"])
  }

  @Test func aRenewedTokenIsNoticed() throws {
    let file = TokenFile(path: "\(folder)/token")
    let old = try file.create()
    let copy = try #require(file.read(nil))
    #expect(copy.token == old)
    let new = try file.renew()
    #expect(new != old)
    #expect(file.read(copy)?.token == new)
    try FileManager.default.removeItem(atPath: file.path)
    #expect(file.read(copy) == nil)
  }

  /// The first reading after it notices, be it that of a request or of the timer.
  @Test func aRenewalIsNoticedOnce() throws {
    let file = TokenFile(path: "\(folder)/token")
    var tokens = PageTokens(file)
    func readings(_ count: Int) -> [Bool] { (0..<count).map { _ in tokens.read() } }
    #expect(readings(1) == [false] && tokens.isEmpty)
    let old = try file.create()
    #expect(readings(1) == [false] && tokens.token == old)
    let new = try file.renew()
    #expect(readings(2) == [true, false] && tokens.token == new)
    let viewers = try file.forViewers.create()
    #expect(readings(1) == [false] && tokens.viewToken == viewers)
    try FileManager.default.removeItem(atPath: file.forViewers.path)
    #expect(readings(2) == [true, false] && tokens.viewToken == nil && !tokens.isEmpty)
  }

  @Test func aTokenThatOthersCanReadIsNotUsed() throws {
    let file = TokenFile(path: "\(folder)/token")
    _ = try file.create()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: file.path)
    #expect(throws: Complaint.self) { try file.read() }
    #expect(throws: Complaint.self) { try file.create() }
    #expect(file.read(nil) == nil)
    _ = try file.renew()
    #expect(try file.read() != nil)
  }

  @Test(arguments: ["", "short\n", "two tokens of text, no token\n"])
  func whatIsNoTokenIsRefused(_ text: String) throws {
    let file = TokenFile(path: "\(folder)/token")
    _ = try file.create()
    try Data(text.utf8).write(to: URL(fileURLWithPath: file.path))
    #expect(throws: Complaint.self) { try file.read() }
  }

  @Test func aPictureHasABorderAndTheSameModulesInBothForms() throws {
    let picture = try #require(QRPicture("http://192.168.1.20:8642/#ABCDEFGHIJKLMNOPQRSTUV"))
    let plain = picture.text(isColoured: false).split(separator: "\n").map(Array.init)
    // A code of version 4 has 33 modules a side, and 4 around it.
    #expect(plain.count == 21)
    #expect(plain.allSatisfy { $0.count == 41 })
    #expect(plain[0].allSatisfy { $0 == "█" })
    // The dark corner of the code.
    #expect(String(plain[2].prefix(12)) == "████ ▄▄▄▄▄ █")
    #expect(picture.text(isColoured: true).hasPrefix("\u{1b}[30;107m "))
  }
}
