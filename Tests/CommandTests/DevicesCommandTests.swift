import Foundation
import Testing

/// The devices of the machine, and the default device of a run.
@Suite struct DevicesCommandTests {
  private let space = Workspace()

  /// Cards that have only names, since no test machine has a real one.
  private static let cards = """
    pcm.plughw {
      @args [ CARD DEV ]
      @args.CARD { type string }
      @args.DEV { type integer default 0 }
      type null
      hint {
        show on
        description { @func concat strings [ "bcm2835 " $CARD ", with all conversions" ] }
      }
    }
    pcm.hdmi {
      @args [ CARD DEV ]
      @args.CARD { type string }
      @args.DEV { type integer default 0 }
      type null
      hint { show on description "vc4-hdmi-0, HDMI Audio Output" }
    }
    pcm.dmix {
      @args [ CARD ]
      @args.CARD { type string }
      type null
      hint { show on description "bcm2835 Headphones, mixed" }
    }
    pcm.box { type null hint { show on description "A box" } }
    pcm.'plughw:CARD=Headphones,DEV=0' { type null }
    pcm.'dmix:CARD=Headphones' { type null }
    pcm.'hdmi:CARD=vc4hdmi0,DEV=0' { type null }
    pcm.'plughw:CARD=vc4hdmi0,DEV=0' { type null }
    pcm.'plughw:CARD=PCH,DEV=0' { type null }
    pcm.'hdmi:CARD=PCH,DEV=1' { type null }

    """

  private static let list = """
    Headphones: bcm2835 Headphones
      plughw:CARD=Headphones,DEV=0  (bcm2835 Headphones, with all conversions)
    vc4hdmi0: vc4-hdmi-0
      hdmi:CARD=vc4hdmi0,DEV=0  (vc4-hdmi-0, HDMI Audio Output)
    PCH: bcm2835 PCH
      plughw:CARD=PCH,DEV=0  (bcm2835 PCH, with all conversions)
      hdmi:CARD=PCH,DEV=1  (vc4-hdmi-0, HDMI Audio Output)
    box  (A box)

    """

  private func devices(_ alsa: String, _ options: String...) async throws -> Outcome {
    let program = space.program.with("ALSA_CONFIG_PATH", try space.write(alsa, to: "alsa.conf"))
    return try await program.run(["devices"] + options)
  }

  private func configure(_ device: String) throws {
    try space.write("device: \(device)\n", to: ".config/cuecoach/config.yaml")
  }

  @Test func cardsAreNamedByIdWithWhatToPass() async throws {
    let outcome = try await devices(Self.cards)
    outcome.expectSuccess()
    #expect(
      outcome.output == Self.list
        + "default is not there; pass --device, or name a device in config.yaml\n")
  }

  @Test func outputsOfTheConfigurationThatMatchNothingAreNamed() async throws {
    try space.write(
      """
      outputs:
        CARD=Headphone: {volume: 80}
        CARD=PCH: {volume: 80}
        bix: {latency: 20}
        box: {latency: 20}
        plughw:CARD=Headphones,DEV=0: {volume: 70}
        hdmi:CARD=Nothing: {volume: 70}

      """, to: ".config/cuecoach/config.yaml")
    let file = space.path(".config/cuecoach/config.yaml")
    for options in [[], ["--json"]] {
      var program = space.program
      program.environment["ALSA_CONFIG_PATH"] = try space.write(Self.cards, to: "alsa.conf")
      let outcome = try await program.run(["devices"] + options).expect(0)
      #expect(
        outcome.errorLines == [
          "\(file):2: no device matches the output \"CARD=Headphone\"; the nearest is CARD=Headphones",
          "\(file):4: no device matches the output \"bix\"; the nearest is box",
          "\(file):7: no device matches the output \"hdmi:CARD=Nothing\"",
        ])
    }
  }

  @Test func nullIsSaidToBeHeardByNobody() async throws {
    let outcome = try await devices(Self.cards + "pcm.!default { type null }\n")
    #expect(
      outcome.output == Self.list + "default plays nothing: it is ALSA's null device\n")
  }

  @Test func deviceOfTheConfigurationIsTheOneOfARun() async throws {
    try configure("plughw:CARD=Headphones")
    let there = try await devices(Self.cards)
    #expect(
      there.lines.last
        == "plughw:CARD=Headphones, the device of config.yaml, plays nothing: it is ALSA's null "
        + "device")
    try configure("hw:CARD=Nosuch")
    let gone = try await devices("")
    gone.expectSuccess()
    #expect(
      gone.output
        == "hw:CARD=Nosuch, the device of config.yaml, is not there; pass --device, or name a "
        + "device in config.yaml\n")
  }

  private static let orders: [(SoundCard.Order, String)] = [
    (.run, "default plays through the cuecoach emulated card\n"),
    (
      .busy,
      "default cannot be opened: \"default\" is in use by another program; "
        + "fuser -v /dev/snd/* shows which; close that one\n"
    ),
    (
      .denied,
      "default cannot be opened: \"default\" may not be used by this user; join the group "
        + "audio (sudo usermod -aG audio $USER) and log in again\n"
    ),
  ]

  @Test(arguments: orders)
  func defaultIsOpenedToSayWhatItIs(order: SoundCard.Order, says: String) async throws {
    let card = try SoundCard(in: space, order)
    for (device, subject) in [(nil, "default"), ("plug:card", "plug:card")] {
      if let device { try configure(device) }
      let outcome = try await card.program.run(["devices"]).expectSuccess()
      let words = says.replacingOccurrences(of: "\"default\"", with: "\"\(subject)\"")
        .replacingOccurrences(
          of: "default ",
          with: device == nil ? "default " : "\(subject), the device of config.yaml, ")
      #expect(outcome.output == words)
    }
    #expect(!card.hasSounded)
  }

  @Test func asJSONEveryDeviceIsAnObject() async throws {
    let outcome = try await devices(Self.cards + "pcm.!default { type null }\n", "--json")
    #expect(outcome.status == .exited(0))
    #expect(outcome.lines.count == 8)
    #expect(
      outcome.lines.contains(
        "{\"device\":\"plughw:CARD=Headphones,DEV=0\",\"description\":"
          + "\"bcm2835 Headphones, with all conversions\",\"card\":\"Headphones\","
          + "\"default\":null,\"opens\":null}"))
    #expect(
      outcome.lines.last
        == "{\"device\":\"default\",\"description\":null,\"card\":null,\"default\":\"ALSA\","
        + "\"opens\":\"null\"}")
  }

  @Test func asJSONTheOneOfTheConfigurationIsMarkedInItsPlace() async throws {
    try configure("box")
    let outcome = try await devices(Self.cards, "--json")
    #expect(outcome.lines.count == 7)
    #expect(
      outcome.lines.contains(
        "{\"device\":\"box\",\"description\":\"A box\",\"card\":null,\"default\":\"config.yaml\","
          + "\"opens\":\"null\"}"))
  }

  @Test func asJSONADefaultThatIsNotThereHasItsError() async throws {
    let outcome = try await devices("", "--json")
    #expect(outcome.status == .exited(0))
    #expect(
      outcome.lines == [
        "{\"device\":\"default\",\"description\":null,\"card\":null,\"default\":\"ALSA\","
          + "\"opens\":null,"
          + "\"error\":\"\\\"default\\\" is not there; cuecoach devices lists what is there\"}"
      ])
  }

  @Test func withoutADeviceItSaysWhatToDo() async throws {
    let outcome = try await space.run("devices").expect(0)
    #expect(outcome.output == "")
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("--record"))
  }
}
