// swift-tools-version:6.0
import PackageDescription

// A package of its own, which depends on cuecoach as yours does; yours names its URL instead of a path.
let package = Package(
  name: "Examples",
  dependencies: [.package(name: "cuecoach", path: "..")],
  targets: [
    .executableTarget(
      name: "FirstSound",
      dependencies: [
        .product(name: "CueEngine", package: "cuecoach"),
        .product(name: "ALSAOutput", package: "cuecoach"),
        .product(name: "EspeakSpeech", package: "cuecoach"),
        .product(name: "SoundFiles", package: "cuecoach"),
      ]),
    .executableTarget(
      name: "HeartRateRest",
      dependencies: [
        .product(name: "CueEngine", package: "cuecoach"),
        .product(name: "ALSAOutput", package: "cuecoach"),
        .product(name: "EspeakSpeech", package: "cuecoach"),
        .product(name: "SoundFiles", package: "cuecoach"),
      ]),
    .executableTarget(
      name: "OwnOutput", dependencies: [.product(name: "CueEngine", package: "cuecoach")]),
    .executableTarget(
      name: "OwnVoice",
      dependencies: [
        .product(name: "CueEngine", package: "cuecoach"),
        .product(name: "ALSAOutput", package: "cuecoach"),
        .product(name: "SoundFiles", package: "cuecoach"),
      ]),
    .executableTarget(
      name: "ClassOfTwenty",
      dependencies: [
        .product(name: "CueEngine", package: "cuecoach"),
        .product(name: "ALSAOutput", package: "cuecoach"),
        .product(name: "EspeakSpeech", package: "cuecoach"),
        .product(name: "SoundFiles", package: "cuecoach"),
      ]),
    .executableTarget(
      name: "Rower",
      dependencies: [
        .product(name: "CueEngine", package: "cuecoach"),
        .product(name: "ALSAOutput", package: "cuecoach"),
        .product(name: "EspeakSpeech", package: "cuecoach"),
        .product(name: "SoundFiles", package: "cuecoach"),
      ]),
    .executableTarget(
      name: "KeptFile",
      dependencies: [
        .product(name: "CoachHost", package: "cuecoach"),
        .product(name: "CueEngine", package: "cuecoach"),
        .product(name: "ForeignWorkouts", package: "cuecoach"),
        .product(name: "ALSAOutput", package: "cuecoach"),
        .product(name: "EspeakSpeech", package: "cuecoach"),
        .product(name: "SoundFiles", package: "cuecoach"),
      ]),
    .testTarget(
      name: "RestTests",
      dependencies: [
        .product(name: "CueEngine", package: "cuecoach"),
        .product(name: "CueTesting", package: "cuecoach"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
