import Foundation
import TerminalHarness
import TestBasics
import Testing

/// The scripts for mail and Matrix on the page of commands, exactly as they are there.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct RecipeTests {
  private static let hasPython = isInstalled("python3")
  private static let hasNotmuch = isInstalled("notmuch", "jq")
  private static let hasMatrix = isInstalled("curl", "jq")

  private static func isInstalled(_ programs: String...) -> Bool {
    programs.allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }
  }

  private let household: Household

  init() throws { household = try Household() }

  // MARK: - Steps

  /// Writes the script below a heading next to the settings, and a source that runs it.
  private func follow(_ heading: String, _ argument: String) throws {
    let page = try Project.text("Sources/Programs/reddot/Documentation.docc/Commands.md")
    let section = try #require(page.components(separatedBy: "\n### \(heading)\n").dropFirst().first)
    let block = try #require(section.components(separatedBy: "\n```").dropFirst().first)
    // The first line has the language.
    let script = try #require(block.split(separator: "\n", maxSplits: 1).last)
    let path = try household.write(".config/reddot/script", script + "\n")
    chmod(path, 0o700)
    try household.write(
      household.settingsFile,
      "[[source]]\nname = \"mail\"\nkind = \"command\"\ncommand = [\"./script\", \"\(argument)\"]\n")
  }

  /// Writes a mail into the folder `Mail`. The name contains the flags, such as S for a mail that was read.
  @discardableResult
  private func deliver(_ name: String, _ number: Int, _ subject: String) throws -> String {
    let (hour, minute) = (9 + number / 60, number % 60)
    return try household.write(
      "Mail/\(name)",
      """
      From: =?utf-8?q?J=C3=BCrgen?= <juergen@mail.example>
      Subject: \(subject)
      Message-ID: <\(number)@mail.example>
      Date: Mon, 30 Nov 2026 \(hour):\(minute < 10 ? "0" : "")\(minute):00 +0100

      Hello.

      """)
  }

  /// The titles of the messages that are unread, or read.
  private func titles(unread: Bool) throws -> Set<String> {
    let messages = try household.messages().filter { $0["unread"] as? Bool == unread }
    return Set(messages.compactMap { $0["title"] as? String })
  }

  private func poll() throws -> String {
    let ran = try household.run("poll", "--force")
    #expect(ran.exit == .status(0) && ran.errors.isEmpty, "\(ran.errors)")
    return ran.output
  }

  private static let encoded = "=?utf-8?b?R3LDvMOfZQ==?= =?iso-8859-1?q?_aus_K=F6ln?="
  private static let quoted = "He said \"no\\\" \u{1B}[31m{id}"

  /// Three mails, of which the second one was read, arrive once, and the first one is then read in a mail program.
  ///
  /// - Parameter update: runs after each change of the folder, as a mail program would.
  private func expectThreeMails(update: () throws -> Void = {}) throws {
    try deliver("new/1", 1, Self.encoded)
    try deliver("cur/2:2,S", 2, "Second")
    try deliver("cur/3:2,F", 3, Self.quoted)
    try update()
    #expect(try poll().hasPrefix("mail: 3 new\n"))
    #expect(try titles(unread: true) == ["Grüße aus Köln", Self.quoted])
    #expect(try titles(unread: false) == ["Second"])
    let authors = try household.messages().map { $0["author"] as? String ?? "" }
    #expect(authors.allSatisfy { $0.hasPrefix("Jürgen") }, "\(authors)")
    #expect(try poll() == "mail: Nothing new\n")

    let folder = "\(household.home)/Mail"
    try FileManager.default.moveItem(atPath: "\(folder)/new/1", toPath: "\(folder)/cur/1:2,S")
    try update()
    #expect(try poll() == "mail: Nothing new\n")
    #expect(try titles(unread: true) == [Self.quoted])
    #expect(try titles(unread: false) == ["Grüße aus Köln", "Second"])

    try FileManager.default.moveItem(atPath: "\(folder)/cur/1:2,S", toPath: "\(folder)/cur/1:2,")
    try update()
    _ = try poll()
    #expect(try titles(unread: true) == ["Grüße aus Köln", Self.quoted])
    #expect(try household.messages().count == 3)
  }

  // MARK: - Mail

  @Test(.enabled(if: hasPython, "no python3: Resources/install-packages"))
  func mailsOfAMaildirArriveOnceAndAreReadAsThere() throws {
    try follow("Maildir", "~/Mail")
    try expectThreeMails()
  }

  @Test(.enabled(if: hasPython, "no python3: Resources/install-packages"))
  func onlyTheNewestMailsOfALargeMaildirArrive() throws {
    try follow("Maildir", "~/Mail")
    try FileManager.default.createDirectory(
      atPath: "\(household.home)/Mail/new", withIntermediateDirectories: true)
    for number in 0..<210 {
      let path = try deliver("cur/\(number):2,", number, "Mail \(number)")
      // The order of arrival is that of the files' times, which would differ too little.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_796_000_000 + Double(number))], ofItemAtPath: path)
    }
    #expect(try poll().hasPrefix("mail: 200 new\n"))
    let titles = Set(try household.messages().compactMap { $0["title"] as? String })
    #expect(titles == Set((10..<210).map { "Mail \($0)" }))
  }

  /// Headers without rules, such as those of spam: each mail is still one line of JSON.
  @Test(.enabled(if: hasPython, "no python3: Resources/install-packages"))
  func noHeaderBreaksTheListOfMails() throws {
    try follow("Maildir", "~/Mail")
    try deliver("new/1", 1, "Good")
    let headers = [
      "Subject: =?no-such-charset?q?a?=\nDate: 99999999999", "Subject: =?utf-8?b?!!!!?=\nFrom: (<\"@>,;",
      "Subject: =?unicode_escape?q?=5Cud800?=", String(repeating: "x", count: 100_000),
      "Message-ID: <1@mail.example>\nSubject: The same id",
    ]
    for (number, header) in headers.enumerated() {
      try household.write("Mail/cur/bad-\(number)", header + "\n\nHello.\n")
    }
    try household.write("Mail/cur/empty", "")
    try household.write("Mail/cur/bytes", Data([0xFF, 0x00, 0xFE, 0x22, 0x0A]))
    let polled = try poll()
    #expect(polled.hasPrefix("mail: 7 new\n") && !polled.contains("left out"), "\(polled)")
    #expect(try household.messages().contains { $0["remote_id"] as? String == "<1@mail.example>" })
  }

  @Test(.enabled(if: hasNotmuch, "no notmuch or jq: Resources/install-packages --servers"))
  func mailsOfANotmuchQueryArriveOnceAndAreReadAsThere() throws {
    try follow("notmuch", "tag:inbox")
    try household.write(
      ".notmuch-config", "[database]\npath=\(household.home)/Mail\n[new]\ntags=unread;inbox\n")
    // Without a mail, the query has no result.
    try FileManager.default.createDirectory(
      atPath: "\(household.home)/Mail", withIntermediateDirectories: true)
    func update() throws {
      let ran = try Running("/usr/bin/notmuch", ["new"], environment: household.environment).waitForEnd()
      #expect(ran.exit == .status(0), "\(ran.errors)")
    }
    try update()
    #expect(try poll() == "mail: Nothing new\n")
    try expectThreeMails(update: update)
  }

  // MARK: - Matrix

  /// A response with three mentions, the newest first; the second one has been read.
  private static func mentions(newestIsRead: Bool) -> String {
    func mention(_ number: Int, _ content: String, isRead: Bool) -> String {
      """
      {"actions": ["notify", {"set_tweak": "highlight"}], "read": \(isRead), "room_id": "!room:matrix.example",
       "ts": 179600000\(number)000, "event": {"event_id": "$\(number)", "sender": "@ada:matrix.example",
       "type": "m.room.message", "content": \(content)}}
      """
    }
    let all = [
      mention(3, #"{"body": "Is \"4.2\" out? \\ \u001b[31m{id}\nYes."}"#, isRead: newestIsRead),
      mention(2, #"{"body": "Thanks"}"#, isRead: true),
      mention(1, #"{"body": {"no": "text"}}"#, isRead: false),
    ]
    return "{\"notifications\": [\(all.joined(separator: ",\n"))]}"
  }

  @Test(.enabled(if: hasMatrix, "no curl or jq: Resources/install-packages --servers"))
  func mentionsInMatrixArriveOnceAndAreReadAsThere() throws {
    let server = try LyingServer()
    let path = "/_matrix/client/v3/notifications"
    try follow("Matrix", server.url(""))
    try household.write(".config/reddot/matrix-token", "secret-of-ada\n")
    server.answer(path, text: Self.mentions(newestIsRead: false))
    #expect(try poll().hasPrefix("mail: 3 new\n"))
    let newest = "Is \"4.2\" out? \\ \u{1B}[31m{id}"
    #expect(try titles(unread: true) == [newest, "(no text)"])
    #expect(try titles(unread: false) == ["Thanks"])
    let links = try household.messages().compactMap { $0["url"] as? String }
    #expect(links.contains("https://matrix.to/#/!room:matrix.example/$3"), "\(links)")
    #expect(try poll() == "mail: Nothing new\n")
    server.answer(path, text: Self.mentions(newestIsRead: true))
    #expect(try poll() == "mail: Nothing new\n")
    #expect(try titles(unread: false) == [newest, "Thanks"])
    let requests = server.requests(path)
    #expect(requests.count == 3)
    for request in requests {
      #expect(request.headers["authorization"] == "Bearer secret-of-ada")
      #expect(request.query == "limit=200&only=highlight")
    }
    server.answer(path, status: "401 Unauthorized", text: "{}")
    let refused = try household.run("poll", "--force")
    #expect(refused.exit == .status(1) && refused.errors.contains("401"), "\(refused.errors)")
  }
}
