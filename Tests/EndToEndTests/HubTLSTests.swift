import Foundation
import StandIns
import TerminalHarness
import TestBasics
import Testing

private let openSSL = "/usr/bin/openssl"

/// The built `reddot-hub` that speaks TLS itself.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: openSSL), "openssl is not installed"),
  .timeLimit(.minutes(HangLimit.minutes)))
struct HubTLSTests {
  private let hub: HubHousehold
  private var household: Household { hub.household }

  init() throws {
    hub = try HubHousehold()
    _ = try hub.output("feed", "add", "ops", "--title", "Ops")
    for name in ["hub", "other"] { try makeCertificate(name) }
  }

  private func path(_ name: String) -> String { "\(household.home)/\(name)" }

  /// The certificate and key of localhost: `NAME.pem` and `NAME.key`.
  private func makeCertificate(_ name: String) throws {
    let ran = try Running(
      openSSL,
      [
        "req", "-x509", "-nodes", "-days", "2", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", path("\(name).key"),
        "-out", path("\(name).pem"),
      ], environment: household.environment
    ).waitForEnd()
    try #require(ran.exit == .status(0), "\(ran.errors)")
  }

  private func tls(_ certificate: String, _ key: String) -> String {
    "[tls]\ncertificate = \"\(path(certificate))\"\nkey = \"\(path(key))\""
  }

  @Test func publishersAndReadersReachIt() throws {
    try household.write("token", try hub.output("token", "add", "both", "--publish", "ops", "--read", "ops"))
    let (program, client) = try hub.serve(more: tls("hub.pem", "hub.key"))
    let address = "https://localhost:\(client.port)"
    #expect(try hub.output("check").contains(#/certificate  good  ends on \d{4}-\d\d-\d\d/#))
    try household.settings(
      """
      [[hub]]
      name = "team"
      url = "\(address)"
      token_file = "~/token"
      ca_file = "~/hub.pem"
      """, sources: [])
    let pushed = try household.run("push", "Disk full", "--feed", "ops")
    #expect(pushed.exit == .status(0), "\(pushed.errors)")
    let added = try household.run(
      "add", address, "--token-file", path("token"), "--ca-file", path("hub.pem"))
    #expect(added.output.contains("1 added"), "\(added)")
    #expect(try household.run("poll", "--force").exit == .status(0))
    #expect(try household.run("list").output.contains("Disk full"))
    // Other certificates are not trusted, and nothing is sent unencrypted.
    let stranger = try household.run("add", "\(address)/v1/feeds", "--token-file", path("token"))
    #expect(stranger.exit == .status(1) && stranger.errors.contains("certificate"), "\(stranger)")
    #expect((try? client.ask("GET", "/health")) == nil)
    kill(program.process, SIGTERM)
    #expect(try program.waitForEnd().exit == .status(0))
  }

  private static let files = [
    ("gone.pem", "hub.key", "certificate under [tls]: HOME/gone.pem cannot be read: "),
    ("hub.pem", "gone.key", "key under [tls]: HOME/gone.key cannot be read: "),
    ("hub.key", "hub.key", "certificate under [tls]: HOME/hub.key contains no certificate (PEM)"),
    ("hub.pem", "hub.pem", "key under [tls]: HOME/hub.pem contains no key (PEM) without a password"),
    (
      "hub.pem", "open.key",
      "key under [tls]: others can read or change HOME/open.key; run chmod 600 HOME/open.key"
    ),
    ("hub.pem", "other.key", "key under [tls]: HOME/other.key is not the key of HOME/hub.pem"),
  ]

  @Test func filesThatCannotBeUsedAreSaid() throws {
    try FileManager.default.copyItem(atPath: path("hub.key"), toPath: path("open.key"))
    chmod(path("open.key"), 0o644)
    for (certificate, key, said) in Self.files {
      try hub.settings(port: 0, more: tls(certificate, key))
      let sentence = said.replacing("HOME", with: household.home)
      let check = try hub.run("check")
      #expect(
        check.exit == .status(1) && check.output.contains("certificate  fails  \(sentence)"), "\(check)")
      let serve = try hub.run("serve")
      // A line about too few open files may be printed before this sentence.
      #expect(serve.exit == .status(1) && serve.errors.contains("reddot-hub: \(sentence)"), "\(serve)")
    }
  }

  private static let mistakes = [
    ("[tls]\ncertificate = \"/a\"", "tls: needs a key"),
    ("[tls]\ncertificate = \"a\"\nkey = \"/b\"", "tls.certificate: must be the path of a file"),
    ("[tls]\ncertificate = \"/a\"\nkey = \"/b\"\nca = \"/c\"", "tls.ca: is not a setting of this reddot-hub"),
    ("tls = true", "tls: must be a table: [tls]"),
  ]

  @Test func mistakesOfTheTableAreSaid() throws {
    for (lines, said) in Self.mistakes {
      try hub.settings(port: 0, more: lines)
      let ran = try hub.run("check")
      #expect(ran.exit == .status(1) && ran.errors.contains(said), "\(ran)")
    }
  }
}
