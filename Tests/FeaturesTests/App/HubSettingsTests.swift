import Testing

@testable import Settings

/// `[[hub]]`.
struct HubSettingsTests {
  private func read(_ text: String, isReadableByOthers: Bool = false) throws(SettingsMistakes) -> [HubEntry] {
    try SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: isReadableByOthers)
      .read(text).hubs
  }

  @Test func hubsAreReadInTheirOrder() throws {
    let hubs = try read(
      """
      [[hub]]
      name = "team"
      url = "https://hub.example"
      token_command = ["pass", "show", "hub"]
      ca_file = "~/ca.pem"
      [[hub]]
      name = "home"
      url = "http://127.0.0.1:8377"
      token_file = "~/hub-token"
      """)
    #expect(
      hubs == [
        HubEntry(
          name: "team", address: "https://hub.example", credential: .command(["pass", "show", "hub"]),
          caFile: "/home/ada/ca.pem"),
        HubEntry(name: "home", address: "http://127.0.0.1:8377", credential: .file("/home/ada/hub-token")),
      ])
  }

  @Test(arguments: [
    ("url = \"https://h.example\"", "config.toml:2: hub[0]: a hub needs a name"),
    ("name = \"a\"", "config.toml:2: hub[0]: a hub needs a url"),
    ("name = \" \"\nurl = \"https://h.example\"", "config.toml:3: name: must be 1 to 64 visible characters"),
    ("name = \"a\"\nurl = \"h.example\"", "config.toml:4: url: must be an http or https address"),
    ("name = \"a\"\nurl = \"http+unix://%2Frun%2Fs\"", "config.toml:4: url: must be an http or https"),
    (
      "name = \"a\"\nurl = \"https://h.example\"\ntoken_env = \"T\"\ntoken_file = \"t\"",
      "config.toml:2: hub[0]: set only one of token_command, token_file, token_env and token"
    ),
    (
      "name = \"a\"\nurl = \"https://h.example\"\ntokn = \"t\"",
      "config.toml:5: tokn: is not a setting here; did you mean token? known are "
    ),
    (
      "name = \"a\"\nurl = \"https://h.example\"\n[[hub]]\nname = \"a\"\nurl = \"https://g.example\"",
      "config.toml:6: name: \"a\" is already the name of the hub on line 2"
    ),
  ])
  func aMistakeIsNamedWithItsLine(_ entry: String, _ said: String) throws {
    let error = try #require(throws: SettingsMistakes.self) { try read("# mine\n[[hub]]\n\(entry)\n") }
    #expect(error.sentence.hasPrefix(said), "\(error.sentence)")
  }

  @Test func aTokenInAFileThatOthersReadIsRefused() throws {
    let text = "[[hub]]\nname = \"a\"\nurl = \"https://h.example\"\ntoken = \"s3cret\"\n"
    #expect(try read(text).first?.credential == .plain("s3cret"))
    let error = try #require(throws: SettingsMistakes.self) { try read(text, isReadableByOthers: true) }
    #expect(error.sentence.contains("chmod 600") && !error.sentence.contains("s3cret"))
  }
}
