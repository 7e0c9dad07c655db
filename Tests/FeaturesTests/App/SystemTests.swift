import Basics
import Foundation
import Logging
import Synchronization
import Testing
import Words

@testable import Platform
@testable import Profile

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
        command: ProgramTemplate(["true"]), environment: ["PATH": "/usr/bin:/bin"], programs: ProgramRunner()
      ).open(link)
    }
  }

  @Test func aLinkIsOneArgumentAndNoShellSeesIt() async throws {
    let folder = try SettingsFileTests.Folder()
    let marker = folder.url.appending(path: "opened").path
    let link = "https://a.example/?q=$(id)&x=`id`;true"
    let opener = LinkOpener(
      command: ProgramTemplate([
        "/bin/sh", "-c", "printf '%s' \"$1\" > \"$0.part\" && mv \"$0.part\" \"$0\"", marker,
      ]),
      environment: ["PATH": "/usr/bin:/bin"], programs: ProgramRunner())
    let events = try #require(FileEvents(watching: [marker]))
    try await opener.open(link)
    for await changed in events.changes where changed.contains(marker) { break }
    #expect(try String(contentsOfFile: marker, encoding: .utf8) == link)
  }

  @Test func aLinkStandsWhereThePlaceholderIsElseAtTheEnd() throws {
    func words(_ command: [String]) throws -> [String] {
      try LinkOpener(command: ProgramTemplate(command), environment: [:], programs: ProgramRunner())
        .words(for: "https://a.example/{id}")
    }
    #expect(try words(["w3m", "-o", "x"]) == ["w3m", "-o", "x", "https://a.example/{id}"])
    #expect(try words(["w3m", "{url}", "-o"]) == ["w3m", "https://a.example/{id}", "-o"])
  }

  @Test func aMissingProgramIsNamed() async {
    let failure = await #expect(throws: LinkOpener.Failure.self) {
      try await LinkOpener(
        command: ProgramTemplate(["no-such-browser"]), environment: ["PATH": "/usr/bin"],
        programs: ProgramRunner()
      ).open("https://a.example")
    }
    #expect(failure?.reason.hasPrefix("no-such-browser is not installed") == true)
  }
}

struct EnvironmentTests {
  private func environment(_ variables: [String: String]) -> Environment {
    Environment(
      variables: variables, home: "/home/ada", version: "1", now: { .distantPast }, clock: { .gmt },
      random: { 0 })
  }

  @Test(arguments: [
    (["LANG": "zh_CN.UTF-8"], "zh-CN"), (["LANG": "en_US", "LC_ALL": "hi_IN.UTF-8"], "hi-IN"),
    (["LANG": "de_DE@euro", "LC_MESSAGES": ""], "de-DE"), (["LANG": "C.UTF-8"], nil), ([:], nil),
  ])
  func theLanguageIsTheLocales(variables: [String: String], language: String?) {
    #expect(environment(variables).language == language)
  }

  @Test func directoriesFollowTheXDGVariables() {
    let plain = environment([:]).directories
    #expect(plain.settingsFile == "/home/ada/.config/reddot/config.toml")
    #expect(plain.databaseFile == "/home/ada/.local/share/reddot/reddot.sqlite")
    #expect(plain.logFile == "/home/ada/.local/state/reddot/reddot.log")
    let set = environment(["XDG_DATA_HOME": "/srv/data", "XDG_CONFIG_HOME": "relative"]).directories
    #expect(set.databaseFile == "/srv/data/reddot/reddot.sqlite")
    #expect(set.settingsFile == "/home/ada/.config/reddot/config.toml")
  }
}

struct FileLogTests {
  private struct Place {
    let folder: SettingsFileTests.Folder
    let path: String
    init() throws {
      folder = try SettingsFileTests.Folder()
      path = folder.url.appending(path: "state/reddot.log").path
    }
    func text(_ suffix: String = "") throws -> String {
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + suffix)), as: UTF8.self)
    }
    func log(limit: Int = 1 << 20, onFailure: @escaping @Sendable (String) -> Void = { _ in }) -> Logger {
      FileLog(path: path, limit: limit, now: { Date(timeIntervalSince1970: 0) }, onFailure: onFailure)
        .logger(label: "test")
    }
  }

  @Test(arguments: [
    ("\u{1b}[2J\nand more", "\u{FFFD}[2J"), ("a\u{202E}b\u{2066}c\u{061C}d\u{200F}e", "a"),
    ("a\u{E0041}b", "a"), ("\u{9b}2J", "\u{FFFD}2J"), ("a\rb", "a"),
    ("z\(String(repeating: "\u{301}", count: 4000))", "z"),
  ])
  func aLogLineHoldsNothingThatATerminalActsOn(_ said: String, _ beginning: String) throws {
    let place = try Place()
    place.log().warning("feed said \(said)")
    let text = try place.text()
    #expect(text.hasPrefix("1970-01-01T00:00:00Z warning feed said "))
    #expect(text.hasSuffix("\n"))
    let line = text.dropLast()
    let unsafe = line.unicodeScalars.filter {
      $0.value < 32 || (127...159).contains($0.value) || (0x202A...0x202E).contains($0.value)
        || (0x2066...0x2069).contains($0.value) || (0xE0000...0xE007F).contains($0.value) || $0 == "\u{61C}"
        || $0 == "\u{200F}"
    }
    #expect(unsafe.isEmpty, "\(unsafe)")
    #expect(line.unicodeScalars.count < 100)
    let mode = try FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
  }

  @Test func theLogIsCutWhileItIsWritten() throws {
    let place = try Place()
    let log = place.log(limit: 1000)
    for number in 0..<500 { log.info("line \(number)") }
    let (text, old) = (try place.text(), try place.text(".old"))
    #expect(text.utf8.count <= 1000 && old.utf8.count <= 1000)
    #expect(text.hasSuffix("line 499\n"))
    // No line is lost between the two.
    let numbers = (old + text).split(separator: "\n").compactMap {
      $0.split(separator: " ").last.flatMap { Int($0) }
    }
    #expect(numbers == Array(499 - numbers.count + 1...499))
  }

  @Test func twoProcessesCutOneLog() throws {
    let place = try Place()
    let logs = [place.log(limit: 2000), place.log(limit: 2000)]
    for number in 0..<400 { logs[number % 2].info("line \(number)") }
    let text = try place.text(".old") + place.text()
    let numbers = text.split(separator: "\n").compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(numbers == Array(399 - numbers.count + 1...399))
    #expect(try place.text().utf8.count <= 2000)
    #expect(try place.text(".old").utf8.count <= 2000)
  }

  @Test func aLongLineIsCut() throws {
    let place = try Place()
    place.log().info("\(String(repeating: "x", count: 1 << 20))")
    #expect(try place.text().utf8.count < 5000)
  }

  @Test func aDeletedLogIsCreatedAgain() throws {
    let place = try Place()
    let log = place.log()
    log.info("one")
    try FileManager.default.removeItem(atPath: place.path)
    log.info("two")
    #expect(try place.text() == "1970-01-01T00:00:00Z info two\n")
  }

  @Test func aLogThatCannotBeWrittenSaysSoOnce() throws {
    let place = try Place()
    // A file where the log's directory should be.
    try Data().write(to: place.folder.url.appending(path: "state"))
    let told = Mutex<[String]>([])
    let log = place.log { reason in told.withLock { $0.append(reason) } }
    for _ in 0..<3 { log.info("x") }
    let sentences = told.withLock { $0 }
    #expect(sentences.count == 1)
    #expect(sentences.first?.hasPrefix("\(place.path) cannot be written: ") == true)
  }

  /// The system's device that is always full.
  @Test(.enabled("needs /dev/full") { FileManager.default.fileExists(atPath: "/dev/full") })
  func aFullDiskIsSaidOnce() throws {
    let told = Mutex<[String]>([])
    let log = FileLog(
      path: "/dev/full", now: { .distantPast }, onFailure: { reason in told.withLock { $0.append(reason) } }
    ).logger(label: "test")
    for _ in 0..<3 { log.info("x") }
    #expect(told.withLock { $0 } == ["/dev/full cannot be written: No space left on device"])
  }
}
