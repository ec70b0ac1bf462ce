import Glibc
import SurfaceProgram
import Testing

@testable import cuecoach_web

/// Which token is meant: a user's own, or that of the system's service.
@Suite struct TokenChoiceTests {
  private static let own = "/home/anna/.local/state/cuecoach/page-token"
  private static let folder = "/var/lib/cuecoach-web"
  private static let service = "/var/lib/cuecoach-web/token"

  /// - Parameter files: those that are there, each with the errno of who wants to read it.
  private func choice(
    _ files: [String: Int32], isRoot: Bool = false, hasUnit: Bool = false, own: String? = own,
    current: String? = nil
  ) -> TokenChoice {
    TokenChoice(
      current: current, own: own, serviceFolder: Self.folder, isRoot: isRoot,
      hasUnit: hasUnit,
      obstacle: { path, mode in
        guard let reason = files[path] else { return ENOENT }
        // That it is there can be seen, unless its folder may not be searched.
        return mode == F_OK && path == Self.folder ? 0 : reason
      })
  }

  private func complaint(_ body: () throws -> Void) -> Complaint? {
    do {
      try body()
      return nil
    } catch {
      return error as? Complaint
    }
  }

  @Test func withoutTheServiceItIsTheUsersOwn() throws {
    for isRoot in [false, true] {
      let choice = choice([:], isRoot: isRoot)
      let (path, remark) = try choice.pathToShow()
      #expect(path == Self.own && remark == nil)
      #expect(try choice.pathToServe() == Self.own)
    }
  }

  /// A token of root, or a new one of a user, would open no page.
  @Test func beforeTheServiceWasStartedThereIsNone() throws {
    for (files, isRoot) in [([:], false), ([:], true), ([Self.own: 0], true)]
      as [([String: Int32], Bool)]
    {
      let complaint = complaint {
        _ = try choice(files, isRoot: isRoot, hasUnit: true).pathToShow()
      }
      #expect(complaint?.message.hasSuffix(": sudo systemctl enable --now cuecoach-web") == true)
    }
    #expect(try choice([Self.own: 0], hasUnit: true).pathToShow().path == Self.own)
    #expect(try choice([:], hasUnit: true).pathToServe() == Self.own)
  }

  /// Also where root has a token from before the service had one.
  @Test(arguments: [[:], [own: 0], [service: 0], [own: 0, service: 0]] as [[String: Int32]])
  func forRootItIsTheServices(_ files: [String: Int32]) throws {
    let choice = choice(files.merging([Self.folder: 0]) { $1 }, isRoot: true)
    let (path, remark) = try choice.pathToShow()
    #expect(path == Self.service)
    #expect(remark?.contains(Self.service) == true)
    #expect(try choice.pathToServe() == Self.service)
  }

  /// It would be a new token, which opens nothing.
  @Test(arguments: [EACCES, EPERM]) func aUserWithoutAPageIsSentToRoot(_ reason: Int32) {
    let choice = choice([Self.folder: reason, Self.service: reason])
    let complaint = complaint { _ = try choice.pathToShow() }
    #expect(complaint?.code == 1)
    #expect(complaint?.message.hasSuffix(": sudo cuecoach-web link") == true)
    #expect(complaint?.message.contains("\n") == false)
  }

  @Test func aFolderThatMayNotBeLookedAtIsThere() {
    var choice = choice([:])
    choice.obstacle = { path, _ in path.hasPrefix(Self.folder) ? EACCES : ENOENT }
    #expect(complaint { _ = try choice.pathToShow() }?.code == 1)
  }

  @Test func aUserWithAPageHasItsToken() throws {
    let choice = choice([Self.folder: EACCES, Self.service: EACCES, Self.own: 0])
    let (path, remark) = try choice.pathToShow()
    #expect(path == Self.own)
    #expect(remark?.contains(Self.own) == true)
    #expect(remark?.contains("sudo cuecoach-web link") == true)
  }

  @Test func aUserWhoServesAPageHasATokenOfTheirOwn() throws {
    let choice = choice([Self.folder: EACCES, Self.service: EACCES])
    #expect(try choice.pathToServe() == Self.own)
  }

  @Test func theUserOfTheServiceHasItsToken() throws {
    let choice = choice([Self.folder: 0, Self.service: 0], own: nil)
    #expect(try choice.pathToShow().path == Self.service)
  }

  @Test func theServiceHasTheTokenOfItsFolder() throws {
    let choice = choice(
      [Self.folder: 0, Self.own: 0], isRoot: true, current: "/run/other/token")
    #expect(try choice.pathToServe() == "/run/other/token")
    let (path, remark) = try choice.pathToShow()
    #expect(path == "/run/other/token" && remark == nil)
  }

  @Test func withoutAHomeAFileHasToBeNamed() {
    let choice = choice([:], own: nil)
    #expect(complaint { _ = try choice.pathToServe() }?.code == 2)
    #expect(complaint { _ = try choice.pathToShow() }?.code == 2)
  }
}
