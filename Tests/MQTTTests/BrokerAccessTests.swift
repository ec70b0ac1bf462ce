import Foundation
import Glibc
import TestSupport
import Testing

/// TLS and passwords, with a real broker.
@Suite(
  .enabled(if: FileManager.default.isExecutableFile(atPath: MQTTBed.mosquitto), "no mosquitto"))
struct BrokerAccessTests {
  private static let connected = "connected to the broker"

  /// A certificate that is its own authority. Returns its path.
  private func certificate(_ name: String, _ bed: MQTTBed) throws -> String {
    let status = try Child(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", bed.files.path("\(name).key"), "-out", bed.files.path("\(name).pem"),
        "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
      ], errors: bed.files.path("openssl.log")
    ).end(0)
    #expect(status == 0)
    return bed.files.path("\(name).pem")
  }

  private func tlsBed(authority: String) throws -> MQTTBed {
    let bed = try MQTTBed()
    for name in ["own", "other"] { _ = try certificate(name, bed) }
    try bed.write(
      brokerOptions: """
        certfile \(bed.files.path("own.pem"))
        keyfile \(bed.files.path("own.key"))
        """, broker: ", ca: \(bed.files.path("\(authority).pem"))")
    try bed.startBroker()
    try bed.startBridge()
    return bed
  }

  @Test func anAuthorityOfOnesOwnIsTrusted() async throws {
    let bed = try tlsBed(authority: "own")
    let log = bed.log
    #expect(await eventually { log.contains(Self.connected) })
    #expect(bed.bridge?.end(SIGTERM) == 0)
  }

  @Test func theWrongAuthorityIsOneLine() async throws {
    let bed = try tlsBed(authority: "other")
    let line = "127.0.0.1:\(bed.port): TLS: certificate verify failed; trying again"
    let log = bed.log
    #expect(await eventually { log.contains(line) })
    #expect(bed.bridge?.end(SIGTERM) == 0)
    #expect(!log.contains(Self.connected))
  }

  @Test(arguments: [
    (nil, "no such file, expected"), ("x", "no certificate, expected"),
  ])
  func whatIsNoCertificateIsOneLine(text: String?, fault: String) throws {
    let bed = try MQTTBed()
    if let text { try bed.files.write(text, to: "ca.pem") }
    try bed.write(broker: ", ca: \(bed.files.path("ca.pem"))")
    try bed.startBridge()
    #expect(bed.bridge?.end(0) == 1 << 8)
    #expect(bed.log.text.hasPrefix("cuecoach-mqtt: \(bed.files.path("ca.pem")): \(fault)"))
    #expect(bed.log.text.split(separator: "\n").count == 1)
  }

  private func passwordBed(_ password: String) throws -> MQTTBed {
    let bed = try MQTTBed()
    let status = try Child(
      "/usr/bin/mosquitto_passwd", ["-c", "-b", bed.files.path("users"), "coach", "right"],
      errors: bed.files.path("passwd.log")
    ).end(0)
    #expect(status == 0)
    let path = try bed.files.write("\(password)\n", to: "password")
    #expect(chmod(path, 0o600) == 0)
    try bed.write(
      brokerOptions: "password_file \(bed.files.path("users"))", isOpen: false,
      settings: "user: coach\npassword-file: \(path)")
    return bed
  }

  @Test func thePasswordIsThatOfItsFile() async throws {
    let bed = try passwordBed("right")
    try bed.startBroker()
    try bed.startBridge()
    let log = bed.log
    #expect(await eventually { log.contains(Self.connected) })
    #expect(bed.bridge?.end(SIGTERM) == 0)
  }

  @Test func theWrongPasswordIsOneLine() async throws {
    let bed = try passwordBed("wrong")
    try bed.startBroker()
    try bed.startBridge()
    let line =
      "127.0.0.1:\(bed.port): Connection Refused: not authorised.; trying again"
    let log = bed.log
    #expect(await eventually { log.contains(line) })
    #expect(bed.bridge?.end(SIGTERM) == 0)
  }

  @Test func aPasswordThatOthersMayReadIsRefused() throws {
    let bed = try passwordBed("right")
    let path = bed.files.path("password")
    #expect(chmod(path, 0o644) == 0)
    try bed.startBridge()
    #expect(bed.bridge?.end(0) == 1 << 8)
    #expect(
      bed.log.text
        == "cuecoach-mqtt: \(path): a password that others may read, expected chmod 600 \(path)\n")
  }
}
