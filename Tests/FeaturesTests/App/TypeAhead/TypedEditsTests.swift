import Foundation
import Messages
import Screen
import Storage
import TestBasics
import Testing

@testable import Interface
@testable import Profile
@testable import Session
@testable import Words

/// Keys that edit the settings, typed at random into the program's own session: every edit is in the journal.
@MainActor
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct TypedEditsTests {
  private nonisolated static let sizes = [
    Size(columns: 40, rows: 10), Size(columns: 80, rows: 24), Size(columns: 120, rows: 40),
  ]

  private static let file = """
    # mine
    [[source]]
    name = "a"  # first
    url = "https://a.example/"
    interval = "1h"

    # about b
    [[source]]
    name = "b"
    url = "https://b.example/"
    paused = true

    [[list]]
    name = "Soon"
    query = "is:unread"

    [[rule]]
    name = "stars"  # one
    when = "title:3"
    do = ["star"]

    # tags
    [[rule]]
    name = "tags"
    when = "title:5"
    do = ["tag:five", "read"]

    [[rule]]
    name = "few"
    when = "title:2 OR title:9"
    do = ["hide"]

    [[rule]]
    name = "unread"
    when = "is:unread -title:1"
    do = ["hide", "tag:hidden"]

    [[source]]
    name = "jobs"
    kind = "local"
    folder = "Work"

    [[source]]
    name = "more"
    kind = "local"
    folder = "Work"

    [[list]]
    name = "Late"   # two
    query = "is:starred"
    """

  private static let feed = """
    <rss version="2.0"><channel><title>Feed</title><item><guid>1</guid><title>One</title></item></channel></rss>
    """

  private static let opml = """
    <opml version="2.0"><body><outline text="X" xmlUrl="https://x.example/"/><outline text="F">\
    <outline text="Y" xmlUrl="https://y.example/"/></outline></body></opml>
    """

  /// The keys that edit the settings, from all panes: the sources, the page of rules, and prompts.
  private static let edits = [
    "hP", "hjP", "hjjjP", "hGP", "h>", "hj>", "hjj>", "hj<", "hjj<", "hG<", "hG>", "hD", "hjjD", "hGD",
    "ex\n",
    "hje\tx\n", "e\t\tx\n", "hGex\n", "W\n", "jWx\n", "kW\ty\n", "wP", "wjP", "wD", "wjD", "wjex\n",
    "w\n\tx\n",
    "/1\nSl\n", "/2\nSm\n", "Sn\n", "/\n", "Q2h\n", "Qoff\n", "a~/1.xml\n", "a~/2.xml\n", "I1.opml\n", "U",
    "UU", "d", "s", "ju",
  ]

  /// More of them by hand: `REDDOT_SEEDS=20..<60`.
  private nonisolated static let seeds = TypeAheadTests.seeds(0..<4)

  @Test(arguments: sizes, seeds)
  func everyEditIsUndoneByteForByteAndDoneAgain(size: Size, seed: Int) async throws {
    let settings = try EditedSettings(
      seed % 3 == 1 ? Self.file.replacing("\n", with: "\r\n") : Self.file)
    for (name, text) in [("1.xml", Self.feed), ("2.xml", Self.feed), ("1.opml", Self.opml)] {
      try Data(text.utf8).write(to: settings.folder.url.appending(path: name))
    }
    try await settings.push(12) { $0 % 3 == 0 ? "more" : $0 % 5 == 0 ? "cron" : "jobs" }
    let options = seed % 2 == 0 ? InterfaceOptions.typed : .typedInTwos
    var typed = try TypedSession(settings, size: size, options: options)
    try await typed.finish()
    func state() throws -> [String] { try settings.state(typed.session.loop.profile) }
    let beginning = try state()
    var typist = Typist(
      seed: seed &* 1000 &+ size.columns, size: size, keymap: options.keymap, edits: Self.edits)
    var (count, log) = (0, [String]())
    var seen: Set<String> = [beginning[0]]
    // Dialogs take many of the keys: without enough edits a test would see nothing.
    while count < 240 || seen.count <= 3 && count < 2400 {
      let step = typist.next(typed.state)
      switch step {
      case .input(let event):
        // A URL on the web is not to be requested.
        if case .paste = event { continue }
        if event == .key(KeyPress(.escape)) { try await typed.finish() }
        settings.time.pass(0.05)
        typed.session.loop.happened(.input(event))
        count += 1
      case .advance: for _ in 0..<5 { await Task.yield() }
      case .rest:
        try await typed.finish()
        settings.time.pass(1)
        let now = try state()
        seen.insert(now[0])
        try await typed.leaveDialogs()
        if typed.state.counts.canUndo, !typed.state.isOver {
          try await typed.type(.undo)
          try await typed.type(.redo)
          let again = try state()
          try #require(
            again == now,
            "\(Self.difference(again, now))\nafter U and ctrl-r in: \(log.joined(separator: " "))")
        }
      case .restart where typed.state.isOver:
        await typed.session.windDown()
        typed = try TypedSession(settings, size: size, options: options)
        try await typed.finish()
      case .poll, .news, .later, .banner, .restart: continue
      }
      log.append(step.description)
    }
    try await typed.finish()
    if typed.state.isOver {
      typed = try TypedSession(settings, size: size, options: options)
      try await typed.finish()
    }
    try await typed.leaveDialogs()
    #expect(seen.count > 3)
    func turn(_ command: Command, to wanted: [String]?) async throws {
      for _ in 0..<1000 {
        try await typed.type(command)
        let nothing = typed.state.options.words(command == .undo ? .nothingToUndo : .nothingToRedo)
        if typed.state.statusLine.toast?.text == nothing { break }
      }
      guard let wanted else { return }
      let found = try state()
      try #require(
        found == wanted,
        "\(Self.difference(found, wanted))\nafter \(command) to the end in: \(log.joined(separator: " "))")
    }
    try await turn(.redo, to: nil)
    let end = try state()
    try await turn(.undo, to: beginning)
    try await turn(.redo, to: end)
    try await turn(.undo, to: beginning)
    #expect(try typed.session.loop.profile.store.check.compareAll() == [])
    await typed.session.windDown()
  }

  /// An undo changes the file, which may be read again before the inbox knows of the undo.
  @Test func thePageOfRulesTakesKeysWhereTheFileWasReadBefore() async throws {
    let settings = try EditedSettings(Self.file)
    let typed = try TypedSession(settings, size: Size(columns: 80, rows: 24), options: .typed)
    for key in ["w", "j", "D"] as [Character] {
      try await typed.finish()
      typed.press(KeyPress(key))
    }
    try await typed.finish()
    typed.held = []
    typed.press(KeyPress("U"))
    while typed.held?.isEmpty == true { await Task.yield() }
    await typed.session.settings.reopen()
    let answers = typed.held ?? []
    typed.held = nil
    for answer in answers { answer() }
    try await typed.finish()
    typed.press(KeyPress("k"))
    try await typed.finish()
    guard case .rules(let page)? = typed.state.dialog.overlay else {
      Issue.record("no page: \(typed.state.dialog)")
      return
    }
    #expect(page.rows?.map(\.name) == ["stars", "tags", "few", "unread"] && page.row?.name == "stars")
    #expect(try settings.folder.text() == Self.file)
    await typed.session.windDown()
  }

  private static func difference(_ found: [String], _ wanted: [String]) -> String {
    found[0] == wanted[0]
      ? "\(found.dropFirst().difference(from: wanted.dropFirst()))"
      : "\(found[0])\ninstead of\n\(wanted[0])"
  }
}

extension TypedSession {
  fileprivate func type(_ command: Command) async throws {
    guard let keys = state.options.keymap.keys(of: command).first else { return }
    for key in keys.all { press(key) }
    try await finish()
  }

  /// Leaves dialogs until the keys apply to the panes.
  fileprivate func leaveDialogs() async throws {
    for _ in 0..<4 where state.dialog.prompt != nil || state.dialog.coversPanes {
      press(KeyPress(.escape))
      try await finish()
    }
  }
}
