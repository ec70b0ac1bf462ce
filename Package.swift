// swift-tools-version:6.0
import PackageDescription

let package = Package(
  name: "cuecoach",
  products: [
    .library(name: "Instants", targets: ["Instants"]),
    .library(name: "IntervalTimeline", targets: ["IntervalTimeline", "Targets", "Instants"]),
    .library(name: "Phrases", targets: ["Phrases", "IntervalTimeline", "Targets", "Instants"]),
    .library(
      name: "CueEngine",
      targets: [
        "CueEngine", "Speech", "CueSound", "Phrases", "IntervalTimeline", "Targets", "Instants",
      ]),
    .library(name: "CoachHost", targets: ["CoachHost", "SessionStore"]),
    .library(name: "CoachService", targets: ["CoachService"]),
    .library(name: "ControlProtocol", targets: ["ControlProtocol"]),
    .library(name: "ControlSocket", targets: ["ControlSocket"]),
    .library(name: "ALSAOutput", targets: ["ALSAOutput"]),
    .library(name: "EspeakSpeech", targets: ["EspeakSpeech"]),
    .library(name: "SoundFiles", targets: ["SoundFiles"]),
    .library(name: "Presets", targets: ["Presets"]),
    .library(name: "ForeignWorkouts", targets: ["ForeignWorkouts", "Presets"]),
    .library(name: "InstalledFiles", targets: ["InstalledFiles"]),
    .library(name: "CueTesting", targets: ["CueTesting"]),
    .executable(name: "cuecoach", targets: ["cuecoach"]),
    .executable(name: "cuecoach-web", targets: ["cuecoach-web"]),
    .executable(name: "cuecoach-sense", targets: ["cuecoach-sense"]),
    .executable(name: "cuecoach-mqtt", targets: ["cuecoach-mqtt"]),
    .executable(name: "cuecoach-buttons", targets: ["cuecoach-buttons"]),
    .executable(name: "cuecoach-notify", targets: ["cuecoach-notify"]),
    .executable(name: "cuecoach-desktop", targets: ["cuecoach-desktop"]),
    .executable(name: "cuecoach-voice-flite", targets: ["cuecoach-voice-flite"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0")
  ],
  targets: [
    // The pure targets: only the standard library.
    .target(name: "Instants"),
    // Readings against targets: what is coached, and when.
    .target(name: "Targets", dependencies: ["Instants"]),
    .target(name: "IntervalTimeline", dependencies: ["Instants", "Targets"]),
    .target(name: "Phrases", dependencies: ["IntervalTimeline", "Targets"]),
    // What Bluetooth sensors send, as readings.
    .target(name: "SensorFormats", dependencies: ["Instants", "Targets"]),
    .target(name: "CueSound", dependencies: ["Instants"]),
    // The words: rendered, kept, and the gate at which they are awaited.
    .target(name: "Speech", dependencies: ["CueSound"]),
    // Places words that exist: when each is said, shortened, awaited or left out.
    .target(name: "Words", dependencies: ["IntervalTimeline", "Phrases", "CueSound"]),
    // Whether bytes from others are JSON, before they are decoded.
    .target(name: "JSONGrammar"),
    // What others ask the system: clocks, folders, a mailbox, a checksum.
    .target(name: "SystemIO", dependencies: ["Instants", "CGlibc"]),
    // The control socket's messages, shared by the coach and its surfaces.
    .target(name: "ControlProtocol", dependencies: ["IntervalTimeline", "JSONGrammar"]),
    // The socket itself, for the coach and for its surfaces.
    .target(name: "ControlSocket", dependencies: ["ControlProtocol", "SystemIO", "CGlibc"]),
    // What the page's server decides, without its sockets.
    .target(
      name: "PageServer", dependencies: ["ControlProtocol", "IntervalTimeline", "SystemIO"]),
    // What messages of MQTT mean to the coach, and what it tells Home Assistant.
    .target(
      name: "MQTTMaps",
      dependencies: ["ControlProtocol", "IntervalTimeline", "JSONGrammar", "Presets"]
    ),
    // Which events send a notice, to whom and with which text.
    .target(name: "NoticeRules", dependencies: ["ControlProtocol", "IntervalTimeline", "Presets"]),
    // What keys and buttons mean to the coach.
    .target(name: "ButtonMaps", dependencies: ["ControlProtocol", "IntervalTimeline", "Presets"]),
    // What a desktop is shown of the coach: a media player, notifications.
    .target(
      name: "DesktopStatus",
      dependencies: ["NoticeRules", "ControlProtocol", "IntervalTimeline", "Phrases", "Presets"]),

    // C libraries: only a module map and a shim header each.
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(
      name: "CEspeakNG", pkgConfig: "espeak-ng", providers: [.apt(["libespeak-ng-dev"])]),
    .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(
      name: "CSoxr", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"])]),

    .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(
      name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(
      name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(name: "CFlite", providers: [.apt(["flite1-dev"])]),
    // Speaks faster without a higher pitch; libespeak-ng loads it as well.
    .systemLibrary(name: "CSonic", providers: [.apt(["libsonic-dev"])]),
    .systemLibrary(name: "CGlibc"),
    // Loaded when it is needed, not linked: only the headers are needed to build.
    .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
    // Loaded when it is needed as well; no headers are needed.
    .systemLibrary(name: "CXML2", providers: [.apt(["libxml2"])]),

    // One adapter each.
    .target(name: "ALSAOutput", dependencies: ["CueSound", "SystemIO", "CALSA"]),
    .target(name: "EspeakSpeech", dependencies: ["CueSound", "SystemIO", "CEspeakNG"]),
    // The events that programs with voices exchange.
    .target(name: "WyomingProtocol", dependencies: ["JSONGrammar"]),
    // Voices of other programs, by that protocol.
    .target(
      name: "WyomingSpeech",
      dependencies: ["Instants", "CueSound", "SystemIO", "WyomingProtocol", "CSonic"]),
    .target(
      name: "SoundFiles", dependencies: ["CueSound", "SystemIO", "CSndFile", "CSoxr"]),
    // Voices that are recorded: a folder of a person's words.
    .target(
      name: "RecordedSpeech",
      dependencies: ["CueSound", "IntervalTimeline", "Presets", "SoundFiles", "SystemIO"]),
    // What users write for the coach, in YAML; and the workouts of other programs, which become such ones.
    .target(name: "Presets", dependencies: ["IntervalTimeline", "Phrases", "CYaml"]),
    .target(
      name: "ForeignWorkouts",
      dependencies: ["IntervalTimeline", "Phrases", "JSONGrammar", "Presets", "CXML2"]),

    .target(
      name: "SessionStore",
      dependencies: ["IntervalTimeline", "SystemIO", "CSQLite", "CGlibc"]),
    .target(name: "SystemdLink", dependencies: ["SystemIO", "CSystemd"]),
    .target(name: "PageHTTP", dependencies: ["PageServer", "CMicroHTTPD"]),
    .target(
      name: "CueEngine",
      dependencies: ["IntervalTimeline", "Phrases", "CueSound", "Speech", "SystemIO", "Words"]),
    // Clock, output and speech for tests: ours, and those of programs that embed the engine.
    .target(
      name: "CueTesting", dependencies: ["IntervalTimeline", "CueSound", "CueEngine", "CoachHost"]),
    .target(
      name: "InstalledFiles",
      dependencies: [
        "IntervalTimeline", "Phrases", "CueSound", "CueEngine", "ForeignWorkouts", "Presets",
        "SoundFiles",
        "SystemIO",
      ]),
    .target(
      name: "CoachHost",
      dependencies: ["IntervalTimeline", "CueSound", "CueEngine", "SessionStore"]
    ),
    // The control protocol's requests, obeyed: for the coach, and for anybody's daemon.
    .target(
      name: "CoachService",
      dependencies: [
        "IntervalTimeline", "CueSound", "CueEngine", "CoachHost", "ControlProtocol", "SessionStore",
        "SystemIO",
      ]),
    .executableTarget(
      name: "cuecoach",
      dependencies: [
        "IntervalTimeline", "Phrases", "CueSound", "CueEngine", "CoachHost", "CoachService",
        "ControlProtocol",
        "ControlSocket", "ALSAOutput", "EspeakSpeech", "Speech", "WyomingSpeech", "RecordedSpeech",
        "SoundFiles",
        "Presets", "ForeignWorkouts", "InstalledFiles", "SessionStore", "SystemdLink", "SystemIO",
        "Words", "CGlibc",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // What the programs that talk to the coach's sockets have in common.
    .target(
      name: "SurfaceProgram",
      dependencies: [
        "CGlibc", "IntervalTimeline", "SystemIO",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // The page: a process of its own, which talks to the control socket.
    .executableTarget(
      name: "cuecoach-web",
      dependencies: [
        "SurfaceProgram", "PageServer", "PageHTTP", "ControlSocket", "SystemdLink", "SystemIO",
        "CMicroHTTPD",
        "CQRencode",
        "CGlibc",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // Sensors: a process of its own as well, which talks to BlueZ.
    .executableTarget(
      name: "cuecoach-sense",
      dependencies: [
        "SensorFormats", "Targets", "IntervalTimeline", "ControlProtocol", "ControlSocket",
        "ForeignWorkouts", "Presets", "SystemdLink", "SystemIO", "CSystemd", "SurfaceProgram",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // MQTT: a process of its own as well; the only one that links libmosquitto.
    .executableTarget(
      name: "cuecoach-mqtt",
      dependencies: [
        "MQTTMaps", "ControlProtocol", "ControlSocket", "IntervalTimeline", "Presets",
        "SystemdLink", "SystemIO", "CGlibc", "CMosquitto", "SurfaceProgram",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // Keys and buttons: a process of its own as well, which reads input devices.
    .executableTarget(
      name: "cuecoach-buttons",
      dependencies: [
        "ButtonMaps", "ControlProtocol", "ControlSocket", "IntervalTimeline", "Presets",
        "SystemdLink", "SystemIO", "CGlibc", "SurfaceProgram",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // Notices to somebody who is not there: a process of its own as well, for it faces a network.
    .executableTarget(
      name: "cuecoach-notify",
      dependencies: [
        "NoticeRules", "ControlProtocol", "ControlSocket", "IntervalTimeline", "Presets",
        "SystemdLink", "SystemIO", "SurfaceProgram",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // The desktop: a process of its own too, on the bus of the user's session.
    .executableTarget(
      name: "cuecoach-desktop",
      dependencies: [
        "DesktopStatus", "ControlProtocol", "ControlSocket", "IntervalTimeline", "Phrases",
        "Presets", "SystemdLink", "SystemIO", "CSystemd", "SurfaceProgram",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // A voice: a process of its own too; the only one that links libflite.
    .executableTarget(
      name: "cuecoach-voice-flite",
      dependencies: [
        "WyomingProtocol", "SurfaceProgram", "SystemIO", "CFlite",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "cuecoach-bench",
      dependencies: [
        "IntervalTimeline", "CueSound", "CueEngine", "ALSAOutput", "CGlibc", "CueTesting",
      ],
      path: "Benchmarks/cuecoach-bench"),

    // Tests. They load the C libraries in Tests/EmulatedCard and Tests/AllocationWatch by path; the Makefile
    // builds them.
    .target(
      name: "TestSupport",
      dependencies: ["ButtonMaps", "ControlProtocol", "ControlSocket", "IntervalTimeline"],
      path: "Tests/TestSupport"),
    // Does what no program should do; MisuseTests read how it ends.
    .executableTarget(
      name: "misuse",
      dependencies: [
        "CueEngine", "CueSound", "IntervalTimeline", "CoachHost", "ALSAOutput", "CueTesting",
      ], path: "Tests/Misuse"),
    .testTarget(
      name: "IntervalTimelineTests", dependencies: ["Phrases", "IntervalTimeline", "TestSupport"]),
    .testTarget(
      name: "TargetsTests", dependencies: ["Targets", "Phrases", "Instants", "TestSupport"]),
    .testTarget(
      name: "SensorFormatsTests",
      dependencies: ["SensorFormats", "Targets", "Instants", "TestSupport"]),
    .testTarget(name: "PhrasesTests", dependencies: ["Phrases", "IntervalTimeline"]),
    .testTarget(name: "CueSoundTests", dependencies: ["CueSound", "TestSupport"]),
    .testTarget(name: "SystemIOTests", dependencies: ["SystemIO", "CGlibc", "TestSupport"]),
    .testTarget(name: "JSONGrammarTests", dependencies: ["JSONGrammar"]),
    .testTarget(
      name: "ControlProtocolTests",
      dependencies: ["ControlProtocol", "IntervalTimeline", "TestSupport"]),
    .testTarget(
      name: "ControlSocketTests",
      dependencies: ["TestSupport", "ControlSocket", "ControlProtocol", "IntervalTimeline"]),
    .testTarget(
      name: "PageServerTests",
      dependencies: ["PageServer", "ControlProtocol", "IntervalTimeline", "TestSupport"]),
    .testTarget(
      name: "SenseTests",
      dependencies: [
        "cuecoach-sense", "SurfaceProgram", "ControlProtocol", "ControlSocket", "IntervalTimeline",
        "SensorFormats", "SystemIO", "TestSupport",
      ]),
    .testTarget(
      name: "DesktopStatusTests",
      dependencies: [
        "DesktopStatus", "NoticeRules", "ControlProtocol", "IntervalTimeline", "Phrases", "Presets",
      ]),
    .testTarget(
      name: "DesktopTests",
      dependencies: [
        "cuecoach-desktop", "ControlProtocol", "ControlSocket", "DesktopStatus", "IntervalTimeline",
        "SystemIO", "TestSupport",
      ]),
    .testTarget(
      name: "MQTTMapsTests",
      dependencies: ["MQTTMaps", "ControlProtocol", "IntervalTimeline", "Presets", "TestSupport"]),
    .testTarget(
      name: "MQTTTests",
      dependencies: [
        "cuecoach-mqtt", "CMosquitto", "ControlProtocol", "ControlSocket", "IntervalTimeline",
        "TestSupport",
      ]),
    .testTarget(
      name: "ButtonMapsTests",
      dependencies: ["ButtonMaps", "ControlProtocol", "IntervalTimeline", "Presets", "TestSupport"]),
    .testTarget(
      name: "NoticeRulesTests",
      dependencies: [
        "NoticeRules", "ControlProtocol", "IntervalTimeline", "Presets", "TestSupport",
      ]
    ),
    .testTarget(
      name: "NotifyTests",
      dependencies: [
        "cuecoach-notify", "NoticeRules", "ControlProtocol", "IntervalTimeline", "Presets",
        "SystemdLink", "TestSupport",
      ]),
    .testTarget(
      name: "ButtonTests",
      dependencies: [
        "cuecoach-buttons", "ButtonMaps", "ControlProtocol", "ControlSocket", "IntervalTimeline",
        "SystemIO", "TestSupport",
      ]),
    .testTarget(
      name: "WyomingSpeechTests",
      dependencies: ["WyomingSpeech", "WyomingProtocol", "CueSound", "TestSupport"]),
    .testTarget(
      name: "RecordedSpeechTests",
      dependencies: [
        "RecordedSpeech", "Speech", "CueSound", "CueTesting", "SoundFiles", "Presets",
        "TestSupport",
      ]),
    .testTarget(
      name: "SpeechTests",
      dependencies: ["Speech", "CueSound", "IntervalTimeline", "CueTesting", "TestSupport"]),
    .testTarget(
      name: "WordsTests",
      dependencies: ["Words", "CueSound", "IntervalTimeline", "Phrases", "TestSupport"]),
    .testTarget(
      name: "CueEngineTests",
      dependencies: ["Speech", "Words", "CueEngine", "CueTesting", "TestSupport", "Presets"],
      exclude: ["Golden"]),
    // Damaged files of every format: for a test, and for `make fuzz-files`.
    .target(
      name: "FileFuzzing",
      dependencies: ["ForeignWorkouts", "IntervalTimeline", "Presets", "TestSupport"],
      path: "Tests/FileFuzzing"),
    .executableTarget(
      name: "fuzz-files", dependencies: ["FileFuzzing", "TestSupport"],
      path: "Benchmarks/fuzz-files"),
    .testTarget(
      name: "PresetsTests",
      dependencies: ["Phrases", "Presets", "IntervalTimeline", "TestSupport"],
      exclude: ["shipped.txt"]),
    .testTarget(
      name: "ForeignWorkoutsTests",
      dependencies: [
        "ForeignWorkouts", "IntervalTimeline", "Presets", "FileFuzzing", "TestSupport",
      ]
    ),
    .testTarget(
      name: "InstalledFilesTests",
      dependencies: [
        "InstalledFiles", "IntervalTimeline", "CueSound", "CueEngine", "SoundFiles", "Presets",
        "TestSupport",
      ]),
    .testTarget(
      name: "SessionStoreTests",
      dependencies: ["SessionStore", "IntervalTimeline", "SystemIO", "CSQLite", "TestSupport"]),
    .testTarget(
      name: "CoachHostTests",
      dependencies: [
        "CoachHost", "CueEngine", "CueTesting", "TestSupport", "SessionStore", "IntervalTimeline",
      ]),
    .testTarget(name: "SystemdLinkTests", dependencies: ["SystemdLink"]),
    .testTarget(
      name: "AdapterTests",
      dependencies: [
        "ALSAOutput", "EspeakSpeech", "SoundFiles", "CueSound", "CueEngine", "CueTesting",
        "CSndFile", "TestSupport", "misuse",
      ]
    ),
    .testTarget(
      name: "CoachServiceTests",
      dependencies: [
        "CoachService", "CoachHost", "ControlProtocol", "CueEngine", "CueSound", "CueTesting",
        "IntervalTimeline", "SessionStore", "TestSupport",
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "cuecoach", "cuecoach-web", "cuecoach-mqtt", "cuecoach-sense", "cuecoach-buttons",
        "cuecoach-notify", "cuecoach-desktop", "DesktopStatus", "CueEngine", "CueTesting",
        "TestSupport",
        "SessionStore",
        "Phrases", "IntervalTimeline",
        "Presets", "ForeignWorkouts", "EspeakSpeech", "InstalledFiles", "ControlProtocol",
        "ControlSocket",
        "CoachHost", "CoachService", "CueSound", "PageServer", "SurfaceProgram", "MQTTMaps",
        "ButtonMaps", "NoticeRules", "SoundFiles", "RecordedSpeech",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
