// swift-tools-version:6.0
import PackageDescription

// Builds the libraries' documentation: `make docs`. A package of its own, so that a program which depends on
// cuecoach does not fetch swift-docc-plugin.
let package = Package(
  name: "cuecoach-documentation",
  dependencies: [
    .package(name: "cuecoach", path: "../.."),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"),
  ],
  targets: [
    .target(
      name: "Documented",
      dependencies: [
        .product(name: "Instants", package: "cuecoach"),
        .product(name: "IntervalTimeline", package: "cuecoach"),
        .product(name: "Phrases", package: "cuecoach"),
        .product(name: "CueEngine", package: "cuecoach"),
        .product(name: "CoachHost", package: "cuecoach"),
        .product(name: "CoachService", package: "cuecoach"),
        .product(name: "ControlProtocol", package: "cuecoach"),
        .product(name: "ControlSocket", package: "cuecoach"),
        .product(name: "ALSAOutput", package: "cuecoach"),
        .product(name: "EspeakSpeech", package: "cuecoach"),
        .product(name: "SoundFiles", package: "cuecoach"),
        .product(name: "Presets", package: "cuecoach"),
        .product(name: "ForeignWorkouts", package: "cuecoach"),
        .product(name: "InstalledFiles", package: "cuecoach"),
        .product(name: "CueTesting", package: "cuecoach"),
      ])
  ]
)
