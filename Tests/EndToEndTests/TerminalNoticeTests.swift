import Foundation
import TerminalHarness
import TestBasics
import Testing

/// Notices in terminals of different kinds: each gets the code that it understands, and nothing that it answers becomes
/// a key.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct TerminalNoticeTests {
  private let household: Household

  init() throws { household = try Self.household() }

  private static func household() throws -> Household {
    let household = try Household()
    try household.write(
      household.settingsFile,
      "animations = false\nnotify_via = [\"terminal\"]\n"
        + "[[source]]\nname = \"builds\"\ntitle = \"Build server\"\nkind = \"local\"\nnotify = true\n")
    return household
  }

  private func push(_ title: String, to household: Household) throws {
    #expect(try household.run("push", title, "--body", "Linker; exit 1").exit == .status(0))
  }

  private func markFirstRead(_ household: Household) throws {
    let id = try #require(try household.messages().first?["id"] as? Int)
    #expect(try household.run("mark", "\(id)", "--read").exit == .status(0))
  }

  /// One terminal of each kind runs at the same time, since each notification waits for more messages of its round.
  @Test func eachTerminalTellsByItsOwnCodeAndItsAnswersStayUnseen() throws {
    let homes = try TerminalKind.all.map { _ in try Self.household() }
    let inboxes = try zip(TerminalKind.all, homes).map { try AnsweringTerminal($0, $1) }
    for inbox in inboxes {
      let terminal = inbox.terminal
      try inbox.wait(forText: "Build server")
      // Another window gets the focus. Then responses arrive that an earlier program requested.
      terminal.send("\u{1B}[O")
      try inbox.wait(forText: "Welcome to reddot")
      let screen = terminal.screen.text
      terminal.send(inbox.kind.lateAnswers + "?")
      try inbox.wait(for: "the help") { $0.terminal.screen.text != screen }
      terminal.send("\u{1B}")
      try inbox.wait(for: "the same screen as before") { $0.terminal.screen.text == screen }
    }

    for home in homes { try push("Build 1; failed", to: home) }
    for (home, inbox) in zip(homes, inboxes) {
      try inbox.wait(forTold: 1)
      try inbox.wait(forText: "Build 1; failed")
      try markFirstRead(home)
    }
    for inbox in inboxes where inbox.kind.code == .identified {
      try inbox.wait(for: "its end") { !$0.told.closed.isEmpty }
    }
    for home in homes { try push("Build 2", to: home) }
    for inbox in inboxes {
      try inbox.wait(forTold: 2)
      try inbox.wait(forText: "Build 2")
      let texts = ["kitty", "foot(", "ghostty", "iTerm2", "tmux", "99;", ";52", "i=q", "alive", "untracked"]
      for answer in texts {
        #expect(!inbox.terminal.screen.text.contains(answer), "\(inbox.kind.name): \(answer)")
      }
      inbox.terminal.send("q")
      #expect(try inbox.terminal.waitForExit() == .status(0), "\(inbox.kind.name)")
      expectTwoBuilds(inbox.told, in: inbox.kind)
      expectTheRestIsClean(inbox.told, inbox.terminal, inbox.kind.name)
    }
  }

  private func expectTwoBuilds(_ told: ToldNotices, in kind: TerminalKind) {
    let name = Comment(rawValue: kind.name)
    #expect(told.problems == [] && told.notices.allSatisfy { $0.isWrapped == kind.isInTmux }, name)
    #expect(Set(told.notices.map(\.code)) == Set([kind.code].compactMap(\.self)), name)
    let body = "Build server · Linker; exit 1"
    switch kind.code {
    case .identified:
      #expect(told.notices.map(\.title) == ["Build 1; failed", "Build 2"], name)
      #expect(told.notices.map(\.body) == [body, body], name)
      // The first one was withdrawn by its own id, and the second one is shown.
      #expect(told.closed == ["reddot-1"] && told.notices.first?.id == "reddot-1", name)
      #expect(told.notices.last?.id != "reddot-1", name)
    case .titled:
      #expect(told.notices.map(\.title) == ["Build 1, failed", "Build 2"], name)
      #expect(told.notices.map(\.body) == [body, body], name)
    case .plain:
      #expect(told.notices.map(\.title) == ["Build 1; failed: \(body)", "Build 2: \(body)"], name)
    case nil: #expect(told.notices.isEmpty, name)
    }
    if kind.code != .identified { #expect(told.closed.isEmpty, name) }
    // tmux may drop the code, and does not report that.
    #expect(told.bells == (kind.code == nil || kind.isInTmux ? 2 : 0), name)
  }

  /// Checks that the output besides notifications and bells has only cells, modes and titles.
  private func expectTheRestIsClean(
    _ told: ToldNotices, _ terminal: PseudoTerminal, _ name: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let reader = TerminalBytes(columns: terminal.screen.columns, rows: terminal.screen.rows)
    #expect(reader.problems(told.rest) == [], "\(name)", sourceLocation: sourceLocation)
    #expect(terminal.screen.copies == [], "\(name)", sourceLocation: sourceLocation)
  }

  // MARK: A real tmux

  @Test(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  func aRealTmuxPassesItOnToTheTerminalAroundIt() throws {
    let name = "reddot-told-\(ProcessInfo.processInfo.processIdentifier)"
    let settings = try household.write(
      "tmux.conf",
      "set -g status off\nset -g focus-events on\nset -sg escape-time 0\nset -g default-terminal tmux-256color\n"
        + "set -gq allow-passthrough on\n")
    let tmux = ["/usr/bin/tmux", "/bin/tmux", "/usr/local/bin/tmux"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    let program = try #require(tmux)
    defer {
      let end = try? Running(program, ["-L", name, "kill-server"], environment: household.environment)
      _ = try? end?.waitForEnd()
    }
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let environment = household.environment.merging(["KITTY_WINDOW_ID": "1", "TERM": "xterm-256color"]) { $1 }
    try terminal.start(
      program, ["-L", name, "-u", "-f", settings, "new-session", "env", BuiltProduct.path("reddot")],
      environment: environment, keeping: household)
    let inbox = AnsweringTerminal(.kitty, terminal)
    try inbox.wait(forText: "Build server")
    terminal.send("\u{1B}[O")
    try inbox.wait(forText: "Welcome to reddot")
    try push("Build 1", to: household)
    try inbox.wait(forTold: 1)
    try inbox.wait(forText: "Build 1")
    let notice = try #require(inbox.told.notices.first)
    #expect(notice.code == .identified && notice.title == "Build 1" && !notice.isWrapped)
    #expect(notice.body == "Build server · Linker; exit 1")
    #expect(!terminal.screen.text.contains("kitty") && !terminal.screen.text.contains("62;"))
    try markFirstRead(household)
    try inbox.wait(for: "its end") { $0.told.closed == [notice.id] }
    terminal.send("q")
    #expect(try terminal.waitForExit() == .status(0))
    #expect(inbox.told.problems == [])
  }

  // MARK: Texts that break programs

  /// Strings that could end a code early, begin another one, or be taken for a part of its grammar. They are JSON,
  /// which can contain more than a string.
  private static let handmade: [String] = [
    #"a\u001b]0;PWN\u0007b"#, #"a\u001b\\b"#, #"a\u001b\u001b\\b"#, #"a\u0007b"#, #"a\u009cb"#,
    #"a\u009d99;i=x;b"#,
    #"a\u001b\\\u001b]99;i=1:p=close;\u001b\\"#, #"a\u001b]777;notify;x;y\u0007"#, #"a\u0090tmux;b\u009c"#,
    #"\u001bPtmux;\u001b\u001b]52;c;UFdO\u0007\u001b\\"#, #"a\u0018b\u001ac"#, #"\u202eabc\u2066d\u2069"#,
    "a;b:c=d;e", "4;3;100", "9;9;/tmp", "12", ";", ":p=close;", "i=0:d=0;", "Command completed",
    #"a\nb\r\nc\u2028d\u0085e"#, #"\ud800a\udfff"#, #"\ud83d"#, #"\udc00\ud800"#, #"a;\u0301b"#,
    #"\u0000a\u007f"#, #"$(touch x)`x`"#, #"-\u200b-help"#, String(repeating: "x", count: 300 << 10),
    String(repeating: "é;", count: 150 << 10), "e" + String(repeating: #"\u0301"#, count: 3000),
    String(repeating: "\u{1F468}\u{200D}\u{1F467}", count: 400),
  ].map { "\"\($0)\"" }

  /// Returns the published strings that are most likely to cause problems in terminals, shells and layouts.
  private static func published() throws -> [String] {
    let all = try Corpora.naughtyTexts()
    // Strings with controls, C1, blanks, invisible characters, marks, directions or escapes, and one of a few thousand bytes.
    let worst = all.filter { text in
      text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || 0x7F...0x9F ~= $0.value }
        || text.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) || $0.value == 0x2066 }
        || text.unicodeScalars.contains { $0.value == 0xFEFF || $0.value == 0xFFFE || $0.value == 0x2029 }
    }
    let others = all.filter { $0.utf8.count > 300 || $0.hasPrefix("1;") || $0.hasPrefix(";") }
    return try (worst + others.prefix(8)).map {
      String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
    }
  }

  /// Sends each string from a feed to two kinds of terminals. The tests of `Terminal` check the form of each code with every
  /// string.
  @Test(.enabled(if: Corpora.naughtyStrings != nil), arguments: [TerminalKind.foot, .tmux])
  func noTextLeavesItsCode(_ kind: TerminalKind) throws {
    let texts = Self.handmade + (kind.isInTmux ? [] : try Self.published())
    #expect(texts.count >= (kind.isInTmux ? 30 : 50))
    // A channel shows three messages within a minute individually: each three have a separate inbox.
    let groups = stride(from: 0, to: texts.count, by: 3).map { Array(texts[$0..<min($0 + 3, texts.count)]) }
    // Many at once, since each waits for more messages of its round.
    for some in stride(from: 0, to: groups.count, by: 10).map({ groups[$0..<min($0 + 10, groups.count)] }) {
      try expectHarmless(Array(some), in: kind)
    }
  }

  /// Notifies of each group in a separate inbox.
  private func expectHarmless(_ groups: [[String]], in kind: TerminalKind) throws {
    var homes: [Household] = []
    for _ in groups {
      let home = try Household()
      try home.write("feed.json", #"{"title": "Ready", "list": []}"#)
      try home.settings(
        "animations = false\nnotify_via = [\"terminal\"]",
        sources: [("team", "\(home.home)/feed.json", "kind = \"native\"\nnotify = true")])
      homes.append(home)
    }
    for poll in try homes.map({ try $0.start(["poll"]) }) {
      #expect(try poll.waitForEnd().exit == .status(0))
    }
    let inboxes = try homes.map { try AnsweringTerminal(kind, $0, columns: 60, rows: 12) }
    for inbox in inboxes { try inbox.wait(forText: "No messages yet.") }
    for (home, texts) in zip(homes, groups) {
      let items = texts.enumerated().map {
        #"{"id": \#($0.offset + 1), "title": \#($0.element), "body": \#($0.element)}"#
      }
      try home.write("feed.json", #"{"title": "Ready", "list": [\#(items.joined(separator: ","))]}"#)
    }
    for poll in try homes.map({ try $0.start(["poll", "--force"]) }) {
      #expect(try poll.waitForEnd().exit == .status(0))
    }
    for (inbox, texts) in zip(inboxes, groups) {
      try inbox.wait(forTold: texts.count)
      try inbox.terminal.leaveFromAnywhere()
      let told = inbox.told
      let name = "\(texts.map { $0.prefix(60) })"
      #expect(told.problems == [], "\(name)")
      #expect(told.notices.count == texts.count, "\(name)")
      #expect(told.notices.allSatisfy { $0.code == kind.code && $0.isWrapped == kind.isInTmux }, "\(name)")
      #expect(told.bells == (kind.isInTmux ? texts.count : 0), "\(name)")
      #expect(told.closed.isEmpty, "\(name)")
      expectTheRestIsClean(told, inbox.terminal, name)
    }
  }
}
