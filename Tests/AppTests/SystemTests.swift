import Foundation
import Logging
import Programs
import Testing

@testable import App

struct LinkOpenerTests {
  @Test(arguments: ["https://example.org/?a=1&b=2", "HTTP://example.org", "mailto:ada@example.org"])
  func webAndMailLinksMayBeOpened(link: String) {
    #expect(LinkOpener.isAllowed(link))
  }

  @Test(arguments: [
    "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "https://a.example/\u{1b}]52;c;x\u{7}",
    "",
    "https://a.example/ --flag", "https://a.example/\u{9b}2J", "ftp://a.example", "-https://a.example",
  ])
  func nothingElseMay(link: String) async {
    #expect(!LinkOpener.isAllowed(link))
    await #expect(throws: LinkOpener.Failure.self) {
      try await LinkOpener(
        command: ["true"], environment: ["PATH": "/usr/bin:/bin"], programs: ProgramRunner()
      ).open(link)
    }
  }

  @Test func aLinkIsOneArgumentAndNoShellSeesIt() async throws {
    let folder = try SettingsFileTests.Folder()
    let marker = folder.url.appending(path: "opened").path
    let link = "https://a.example/?q=$(id)&x=`id`;true"
    let opener = LinkOpener(
      command: ["/bin/sh", "-c", "printf '%s' \"$1\" > \"$0.part\" && mv \"$0.part\" \"$0\"", marker],
      environment: ["PATH": "/usr/bin:/bin"], programs: ProgramRunner())
    let events = try #require(FileEvents(watching: [marker]))
    try await opener.open(link)
    for await changed in events.changes where changed.contains(marker) { break }
    #expect(try String(contentsOfFile: marker, encoding: .utf8) == link)
  }

  @Test func aMissingProgramIsNamed() async {
    let failure = await #expect(throws: LinkOpener.Failure.self) {
      try await LinkOpener(
        command: ["no-such-browser"], environment: ["PATH": "/usr/bin"], programs: ProgramRunner()
      ).open("https://a.example")
    }
    #expect(failure?.reason.hasPrefix("no-such-browser is not installed") == true)
  }
}

struct FileEventsTests {
  @Test func aFileThatIsReplacedIsNoticed() async throws {
    let folder = try SettingsFileTests.Folder()
    let events = try #require(FileEvents(watching: [folder.path]))
    try folder.write("a = 1\n")
    var changes = events.changes.makeAsyncIterator()
    #expect(await changes.next() == [folder.path])
  }

  @Test func otherFilesOfTheFolderAreNot() async throws {
    let folder = try SettingsFileTests.Folder()
    let events = try #require(FileEvents(watching: [folder.path]))
    try Data("x".utf8).write(to: folder.url.appending(path: "other"))
    try folder.write("a = 1\n")
    var changes = events.changes.makeAsyncIterator()
    #expect(await changes.next() == [folder.path])
  }
}

struct SurroundingsTests {
  private func surroundings(_ environment: [String: String]) -> Surroundings {
    Surroundings(
      environment: environment, home: "/home/ada", version: "1", now: { .distantPast }, zone: { .gmt },
      random: { 0 })
  }

  @Test(arguments: [
    (["LANG": "zh_CN.UTF-8"], "zh-CN"), (["LANG": "en_US", "LC_ALL": "hi_IN.UTF-8"], "hi-IN"),
    (["LANG": "de_DE@euro", "LC_MESSAGES": ""], "de-DE"), (["LANG": "C.UTF-8"], nil), ([:], nil),
  ])
  func theLanguageIsTheLocales(environment: [String: String], language: String?) {
    #expect(surroundings(environment).language == language)
  }

  @Test func directoriesFollowTheXDGVariables() {
    let plain = surroundings([:]).directories
    #expect(plain.settingsFile == "/home/ada/.config/reddot/config.toml")
    #expect(plain.databaseFile == "/home/ada/.local/share/reddot/reddot.sqlite")
    #expect(plain.logFile == "/home/ada/.local/state/reddot/reddot.log")
    let set = surroundings(["XDG_DATA_HOME": "/srv/data", "XDG_CONFIG_HOME": "relative"]).directories
    #expect(set.databaseFile == "/srv/data/reddot/reddot.sqlite")
    #expect(set.settingsFile == "/home/ada/.config/reddot/config.toml")
  }
}

struct FileLogTests {
  @Test func aLogLineHoldsNoControlCharacter() throws {
    let folder = try SettingsFileTests.Folder()
    let path = folder.url.appending(path: "state/reddot.log").path
    let log = FileLog(path: path, now: { Date(timeIntervalSince1970: 0) })
    log.logger(label: "test").warning("feed said \u{1b}[2J\nand more")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text == "1970-01-01T00:00:00Z warning feed said \u{FFFD}[2J\u{FFFD}and more\n")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
  }
}
