import ArgumentParser
import Glibc
import MQTTMaps
import Presets
import SurfaceProgram
import SystemIO

/// `--config`, and the files that it leads to.
struct SettingsOption: ParsableArguments {
  @Option(
    help: """
      The settings; $XDG_CONFIG_HOME/cuecoach/mqtt.yaml, else /etc/cuecoach/mqtt.yaml, when left out.
      """)
  var config: String?

  private var path: String { config ?? Places.configuration("mqtt.yaml") }

  func settings() throws(Complaint) -> BridgeSettings {
    let path = path
    do throws(FileError) {
      let bytes = try FileBytes.contents(ofFile: path, expected: "the settings of cuecoach-mqtt")
      let settings = try BridgeSettings.parse(bytes, file: path, shipped: Self.shipped)
      if settings.password != nil { try FileBytes.checkIsPrivate(path, holding: "a password") }
      try checkServiceReads(path)
      return settings
    } catch {
      throw .failed("\(error)")
    }
  }

  /// Root can read every file; the user of the service cannot.
  private func checkServiceReads(_ file: String) throws(FileError) {
    guard geteuid() == 0, path == Places.systemConfiguration("mqtt.yaml") else { return }
    try FileBytes.checkIsReadable(file, by: "cuecoach-mqtt")
  }

  /// The broker, with the password of its file.
  func place(_ settings: BridgeSettings) throws(Complaint) -> BrokerPlace {
    var place = BrokerPlace(
      host: settings.host, port: settings.port, clientID: settings.clientID,
      authorities: settings.authorities, user: settings.user, password: settings.password)
    do throws(FileError) {
      if let path = settings.authorities, !path.isEmpty { try Self.checkHasCertificate(path) }
      guard let path = settings.passwordFile else { return place }
      let bytes = try FileBytes.contents(ofFile: path, expected: "a file with a password")
      try FileBytes.checkIsPrivate(path, holding: "a password")
      try checkServiceReads(path)
      let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      guard !line.isEmpty, !line.contains(0) else {
        throw FileError(
          FileFault(line: nil, "no password", expected: "it on the first line"), of: path)
      }
      place.password = String(decoding: line, as: UTF8.self)
    } catch {
      throw .failed("\(error)")
    }
    return place
  }

  /// libmosquitto finds it out with each connection anew.
  private static func checkHasCertificate(_ path: String) throws(FileError) {
    let bytes = try FileBytes.contents(ofFile: path, expected: "certificates in PEM form")
    guard String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
      throw FileError(
        FileFault(line: nil, "no certificate", expected: "-----BEGIN CERTIFICATE-----"), of: path)
    }
  }

  /// A map that is installed: in share/cuecoach/mqtt beside bin, or beside the sources.
  private static func shipped(_ name: String) -> [UInt8]? {
    let isName = name.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-"
    }
    guard isName else { return nil }
    let paths = Programs.homes.map {
      "\($0.folder)/\($0.isInstalled ? "" : "Packaging/")mqtt/\(name).yaml"
    }
    return paths.first { access($0, R_OK) == 0 }
      .flatMap { try? FileBytes.contents(ofFile: $0, expected: "a map") }
  }
}
