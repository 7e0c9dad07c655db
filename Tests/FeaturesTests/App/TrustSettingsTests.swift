import Messages
import Storage
import Testing

@testable import Settings

/// Certificates, proxies and Unix sockets in the settings.
@Suite struct TrustSettingsTests {
  private func read(_ text: String, isReadableByOthers: Bool = false) throws -> Settings {
    try SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: isReadableByOthers)
      .read(text)
  }

  private func mistakes(_ text: String, isReadableByOthers: Bool = false) -> [String] {
    do {
      _ = try read(text, isReadableByOthers: isReadableByOthers)
      return []
    } catch let error as SettingsMistakes {
      return error.mistakes.map(\.sentence)
    } catch {
      return ["\(error)"]
    }
  }

  private static let team = "[[source]]\nname = \"team\"\nurl = \"https://team.example/feed\"\n"

  @Test func aSourceNamesItsFiles() throws {
    let source = try read(
      Self.team
        + "ca_file = \"~/ca.pem\"\nclient_certificate = \"/c.pem\"\nclient_key = \"~/c.key\"\nverify = false"
    ).sources[0].source
    #expect(source.settings.options.caFile == "/home/ada/ca.pem")
    #expect(source.settings.options.clientCertificate == "/c.pem")
    #expect(source.settings.options.clientKey == "/home/ada/c.key")
    #expect(!source.settings.verifiesCertificates)
    #expect(try read(Self.team).sources[0].source.settings.verifiesCertificates)
  }

  @Test func aProxyIsChecked() throws {
    #expect(try read("proxy = \"socks5://me@p:1\"\nno_proxy = [\"a.example\"]").proxy == "socks5://me@p:1")
    #expect(try read("proxy = \"none\"").proxy == "none")
    #expect(try read("no_proxy = [\"a.example\"]").proxyExceptions == ["a.example"])
    #expect(
      mistakes("proxy = \"ftp://p\"").first?.hasPrefix(
        "config.toml:1: proxy: asks for a proxy over ftp; only http, https and socks5 can be used") == true)
  }

  @Test func aPasswordOfAProxyIsRefusedWhereOthersCanReadTheFile() {
    let text = "proxy = \"http://me:s3cret@p:3128\""
    #expect(mistakes(text) == [])
    let found = mistakes(text, isReadableByOthers: true)
    #expect(found.count == 1 && found[0].contains("chmod 600") && !found[0].contains("s3cret"))
    #expect(mistakes("proxy = \"http://me@p:3128\"", isReadableByOthers: true) == [])
  }

  @Test(arguments: [
    ("http+unix://%2Frun%2Fserver.sock/feed?x=1", true), ("HTTP+UNIX://%2Frun%2Fserver.sock", true),
    ("http+unix://run/feed", false), ("http+unix:///run/server.sock", false), ("http+unix:", false),
  ])
  func aSocketIsAnAddressOfASource(address: String, isAllowed: Bool) {
    #expect(SourceAddress.normalized(address, home: "/home/ada") == (isAllowed ? address : nil))
    if isAllowed { #expect(SourceAddress.isSocket(address) && !SourceAddress.isWeb(address)) }
  }
}
