import Basics
import Foundation
import Messages
import Storage
import Testing

@testable import Platform
@testable import Profile
@testable import Settings
@testable import Subscriptions

/// The offers on a machine without reddot's files, and the way in which they are followed.
struct OfferTests {
  private let folder: SettingsFileTests.Folder
  private var home: String { folder.url.path }

  init() throws { folder = try SettingsFileTests.Folder() }

  private func write(_ path: String, _ text: String) throws {
    let url = folder.url.appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: folder.url.appending(path: path), encoding: .utf8)
  }

  /// Makes programs of these names.
  private func install(_ names: String...) throws {
    for name in names {
      try write("bin/\(name)", "#!/bin/sh\n")
      chmod("\(home)/bin/\(name)", 0o755)
    }
  }

  private func environment(_ variables: [String: String] = [:]) -> Environment {
    Environment(
      variables: ["PATH": "\(home)/bin"].merging(variables) { $1 }, home: home, version: "0",
      now: { Date(timeIntervalSince1970: 1_800_000_000) }, clock: { .gmt }, random: { 0 })
  }

  private func profile(_ environment: Environment) throws -> Profile {
    var profile = try Profile(
      config: folder.path, database: folder.url.appending(path: "reddot.sqlite").path,
      environment: environment)
    profile.logFile = nil
    profile.ownProgram = ["/opt/my apps/reddot"]
    return profile
  }

  @Test func nothingIsFoundWhereThereIsNothing() throws {
    #expect(OfferFinder(environment()).find() == [])
    // Programs alone are not in use, nor files without their program.
    try install("gh", "tmux", "dunst")
    #expect(OfferFinder(environment(["SHELL": "/opt/xonsh"])).find() == [])
    try write(".newsboat/urls", "# none yet\n\"query:All:unread = \\\"yes\\\"\"\n")
    try write(".config/gh/hosts.yml", "git.example:\n    user: ada\n")
    #expect(OfferFinder(environment()).find() == [])
  }

  @Test func whatIsInUseIsFound() throws {
    try install("gh", "tmux", "dunst")
    try write(".config/newsboat/urls", "https://a.example/feed dev\nhttps://b.example/feed\n")
    try write(".config/gh/hosts.yml", "github.com:\n    user: ada\n")
    let variables = [
      "SHELL": "/usr/bin/zsh", "TMUX": "/tmp/tmux-1000/default,1,0",
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/1000/bus",
    ]
    #expect(
      OfferFinder(environment(variables)).find() == [
        .newsboat(folder: "\(home)/.config/newsboat", feeds: 2), .github, .shell("zsh"), .tmux,
        .desktop(daemon: "dunst"),
      ])
    // A shell that has the line already.
    try write(".zshrc", "eval \"$(reddot hooks zsh)\"\n")
    #expect(!OfferFinder(environment(variables)).find().contains(.shell("zsh")))
  }

  @Test func aFolderInPlaceOfAFileIsNothing() throws {
    try write(".newsboat/urls/file", "")
    try write(".bashrc/file", "")
    #expect(OfferFinder(environment(["SHELL": "/bin/bash"])).find() == [.shell("bash")])
  }

  @Test func theFeedsOfNewsboatAreFollowed() async throws {
    try write(".newsboat/urls", "https://a.example/feed dev\nhttps://b.example/feed\n")
    let profile = try profile(environment())
    let offer = try #require(OfferFinder(environment()).find().first)
    try await OfferTaker(profile).accept(offer) { _ in }
    #expect(
      try profile.settingsFile.load().sources.map(\.source.address) == [
        "https://a.example/feed", "https://b.example/feed",
      ])
  }

  @Test(arguments: [
    ("bash", ".bashrc", "eval \"$('/opt/my apps/reddot' hooks bash"),
    ("zsh", ".zshrc", "eval \"$('/opt/my apps/reddot' hooks zsh"),
    ("fish", ".config/fish/config.fish", "'/opt/my apps/reddot' hooks fish"),
  ])
  func theLineOfAShellIsAddedOnceAtTheEnd(_ name: String, _ file: String, _ line: String)
    async throws
  {
    try write(file, "alias ll='ls -l'")
    let profile = try profile(environment(["SHELL": "/bin/\(name)"]))
    for _ in 0..<2 { try await OfferTaker(profile).accept(.shell(name)) { _ in } }
    let text = try text(file)
    #expect(text.hasPrefix("alias ll='ls -l'\n"))
    #expect(text.components(separatedBy: line).count == 2)
    // The line contains the files of this inbox, since they are not the default ones.
    #expect(text.contains("--config") && text.contains("--database"))
    #expect(text.hasSuffix(name == "fish" ? "| source\n" : ")\"\n"))
  }

  @Test func theDesktopsNotificationsAreASource() async throws {
    let profile = try profile(environment())
    try await OfferTaker(profile).accept(.desktop(daemon: "dunst")) { _ in }
    let sources = try profile.settingsFile.load().sources
    #expect(sources.map(\.source.kind) == [.desktop] && sources.map(\.source.name) == ["desktop"])
  }

  @Test func aProgramThatFailsIsTheReason() async throws {
    try install("reddot")
    try write("bin/reddot", "#!/bin/sh\necho 'reddot: no tmux here' >&2\nexit 1\n")
    chmod("\(home)/bin/reddot", 0o755)
    var profile = try profile(environment(["PATH": "\(home)/bin:/usr/bin:/bin"]))
    profile.ownProgram = ["\(home)/bin/reddot"]
    let error = await #expect(throws: OfferTaker.Refused.self) {
      try await OfferTaker(profile).accept(.tmux) { _ in }
    }
    #expect(error?.sentence.contains("no tmux here") == true)
  }
}
