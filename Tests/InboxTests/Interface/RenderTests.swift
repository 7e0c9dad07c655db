import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// Screens as the user sees them.
struct RenderTests {
  private static func stage(_ columns: Int, _ rows: Int, signs: Signs = .unicode) -> Stage {
    let options = InterfaceOptions(signs: signs, zone: Stage.utc)
    var stage = Stage(columns: columns, rows: rows, options: options)
    stage.send(.polling(.changed([SourceID(1): SourcePolling(phase: .idle, next: ModelStore.start + 420)])))
    return stage
  }

  /// Lines of a screen; `×N` means N times the line before it.
  private func expect(_ stage: Stage, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("×"), let count = Int(line.dropFirst()) {
        lines += Array(repeating: lines.last ?? "", count: count - 1)
      } else {
        lines.append(line)
      }
    }
    #expect(stage.lines == lines, "\(stage.screen)", sourceLocation: sourceLocation)
  }

  @Test func threePanes() throws {
    var stage = Self.stage(150, 40)
    expect(
      stage,
      #"""
       ● All  4 unread · newest first                                                                                                                1 of 8
      ───────────────────────────┬━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┬───────────────────────────────────────────────────────────────
      ▌● All                   4 │▌● ▲ Maintenance on Sunday, 02:00 to 04:00                │ Maintenance on Sunday, 02:00 to 04:00
         Starred               1 │▌  Team board · 13:55                                     │ Team board
                                 │ ● Swift 6.3 released                                     │ Friday 20 November 2026, 13:55
         Swift Blog            1 │   Swift Blog · 13:50                                     │
         Team board            3 │ ● Deployment at 15:00                                    │
         Scripts                 │   Team board · 13:00                                     │
                                 │   Tests done                                             │
                                 │   Scripts · 12:00                                        │
                                 │ ● ★ 消息中心 的 新 功能 和 修复                          │
                                 │   Team board · Thu 13:00                                 │
                                 │   What is new in Foundation                              │
                                 │   Swift Blog · Tue 14:00                                 │
                                 │   Older news                                             │
                                 │   Swift Blog · 11 Oct                                    │
                                 │   Much older news                                        │
                                 │   Swift Blog · 11 Sep 24                                 │
                                 │                                                          │
      ×21
       enter open  space read on  s star  d dismiss  f unread only  / search  ? help
      """#)
    try stage.press("j", "enter")
    expect(
      stage,
      #"""
         Swift Blog › Swift 6.3 released
      ───────────────────────────┬──────────────────────────────────────────────────────────┬━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      ▌  All                   3 │ ● ▲ Maintenance on Sunday, 02:00 to 04:00                │ Swift 6.3 released
         Starred               1 │   Team board · 13:55                                     │ Swift Blog · Jane Doe
                                 │▌  Swift 6.3 released                                     │ Friday 20 November 2026, 13:50
         Swift Blog              │▌  Swift Blog · 13:50                                     │ https://www.swift.org/blog/swift-6.3
         Team board            3 │ ● Deployment at 15:00                                    │ Tags: release, swift
         Scripts                 │   Team board · 13:00                                     │
                                 │   Tests done                                             │ It is here.
                                 │   Scripts · 12:00                                        │ Read https://www.swift.org/blog[1] for more.
                                 │ ● ★ 消息中心 的 新 功能 和 修复                          │
                                 │   Team board · Thu 13:00                                 │ ────────
                                 │   What is new in Foundation                              │ [1] https://www.swift.org/blog
                                 │   Swift Blog · Tue 14:00                                 │
                                 │   Older news                                             │
                                 │   Swift Blog · 11 Oct                                    │
                                 │   Much older news                                        │
                                 │   Swift Blog · 11 Sep 24                                 │
                                 │                                                          │
      ×21
       space read on  n next unread  o open link  u unread  s star  d dismiss  / find  h back  ? help
      """#)
  }

  @Test func twoPanes() throws {
    var stage = Self.stage(80, 24)
    expect(
      stage,
      #"""
       ● All  4 unread · newest first                                          1 of 8
      ──────────────────────┬━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      ▌● All              4 │▌● ▲ Maintenance on Sunday, 02:00 to 04:00
         Starred          1 │▌  Team board · 13:55
                            │ ● Swift 6.3 released
         Swift Blog       1 │   Swift Blog · 13:50
         Team board       3 │ ● Deployment at 15:00
         Scripts            │   Team board · 13:00
                            │   Tests done
                            │   Scripts · 12:00
                            │ ● ★ 消息中心 的 新 功能 和 修复
                            │   Team board · Thu 13:00
                            │   What is new in Foundation
                            │   Swift Blog · Tue 14:00
                            │   Older news
                            │   Swift Blog · 11 Oct
                            │   Much older news
                            │   Swift Blog · 11 Sep 24
                            │
      ×5
       enter open  space read on  s star  d dismiss  f unread only  / search  ? help
      """#)
    try stage.press("j", "enter")
    expect(
      stage,
      #"""
         Swift Blog › Swift 6.3 released
      ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
       Swift 6.3 released
       Swift Blog · Jane Doe
       Friday 20 November 2026, 13:50
       https://www.swift.org/blog/swift-6.3
       Tags: release, swift

       It is here.
       Read https://www.swift.org/blog[1] for more.

       ────────
       [1] https://www.swift.org/blog

      ×10
       space read on  n next unread  o open link  u unread  s star  d dismiss  ? help
      """#)
  }

  @Test func onePane() throws {
    var stage = Self.stage(40, 10)
    expect(
      stage,
      #"""
       ● All  4 unread · newest first  1 of 8
      ▌● ▲ Maintenance on Sunday, 02:00 to 0…
      ▌  Team board · 13:55
       ● Swift 6.3 released
         Swift Blog · 13:50
       ● Deployment at 15:00
         Team board · 13:00
         Tests done
         Scripts · 12:00
       enter open  space read on  ? help
      """#)
    try stage.press("j", "enter")
    expect(
      stage,
      #"""
         Swift … › Swift 6.3 released  ↓ 66 %
       Swift 6.3 released
       Swift Blog · Jane Doe
       Friday 20 November 2026, 13:50
       https://www.swift.org/blog/swift-6.3
       Tags: release, swift

       It is here.
       Read https://www.swift.org/blog[1] for
       space read on  n next unread  ? help
      """#)
    try stage.press("h", "h")
    expect(
      stage,
      #"""
         All  3 unread · newest first  2 of 8
      ▌  All                                3
         Starred                            1
         Swift Blog
         Team board                         3
         Scripts



       enter open  r refresh  a add  ? help
      """#)
  }

  @Test func aVerySmallScreen() throws {
    var stage = Self.stage(20, 5)
    expect(
      stage,
      #"""
       ● All  4    1 of 8
      ▌● ▲ Maintenance on…
       ● Swift 6.3 releas…
       ● Deployment at 15…
       enter open  ? help
      """#)
    try stage.press("j", "enter")
    expect(
      stage,
      #"""
         Swift 6…  ↓ 16 %
      Swift 6.3 released
      Swift Blog · Jane
      Doe
       o open link  ? help
      """#)
  }

  @Test func theDemosScreenInASCII() {
    let options = InterfaceOptions(signs: .ascii, zone: Stage.utc, notice: "10 minutes are 10 seconds here")
    var stage = Stage(columns: 80, rows: 20, options: options, timeline: true)
    stage.send(.polling(.changed([SourceID(1): SourcePolling(phase: .idle, next: ModelStore.start + 10)])))
    let results: [(Int64, PollTrigger, Double, PollAttempt.Result)] = [
      (1, .forced, 3, .new(count: 3, updated: 0)),
      (2, .soft, 180, .heldBack(until: ModelStore.start + 600, rule: .grace)),
      (2, .periodic, 90_000, .failed(.nameNotFound(host: "x"))), (1, .initial, 90_010, .notModified),
    ]
    stage.send(
      .polling(
        .timelineLoaded(
          nil,
          results.map { source, trigger, age, result in
            PollAttempt(
              source: SourceID(source), trigger: trigger, start: ModelStore.start - age,
              end: ModelStore.start - age,
              result: result)
          })))
    expect(
      stage,
      #"""
       * All  4 unread - newest first                                          1 of 8
      ----------------------+=========================================================
      >* All              4 |>* ^ Maintenance on Sunday, 02:00 to 04:00
         Starred          1 |>  Team board - 13:55
         Swift Blog       1 | * Swift 6.3 released
         Team board       3 |   Swift Blog - 13:50
         Scripts            | * Deployment at 15:00
                            |   Team board - 13:00
                            |   Tests done
                            |   Scripts - 12:00
                            | * + 消息中心 的 新 功能 和 修复
                            |   Team board - Thu 13:00
      -- Polls -----------------------------------------------------------------------
       Swift Blog  next 14:00:10 - interval
       13:59:57  Swift Blog  at once   * 3 new
       13:57:00  Team board  refresh   ~ held back until 14:10: just polled
       Thu 13:00 Team board  interval  x server not found
       Thu 12:59 Swift Blog  start       nothing new (304)

       enter open  space read on  s star  ? help       10 minutes are 10 seconds here
      """#)
  }

  @Test func aBigScreenKeepsLinesReadable() throws {
    var stage = Self.stage(220, 12)
    try stage.press("j", "enter")
    expect(
      stage,
      #"""
         Swift Blog › Swift 6.3 released                                                                                                                                                                                   ↓ 81 %
      ────────────────────────────┬────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┬━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      ▌  All                    3 │ ● 13:55      Team board  ▲ Maintenance on Sunday, 02:00 to 04:00                                                   │ Swift 6.3 released
         Starred                1 │▌  13:50      Swift Blog  Swift 6.3 released                                                                        │ Swift Blog · Jane Doe
         Swift Blog               │ ● 13:00      Team board  Deployment at 15:00                                                                       │ Friday 20 November 2026, 13:50
         Team board             3 │   12:00      Scripts     Tests done                                                                                │ https://www.swift.org/blog/swift-6.3
         Scripts                  │ ● Thu 13:00  Team board  ★ 消息中心 的 新 功能 和 修复                                                             │ Tags: release, swift
                                  │   Tue 14:00  Swift Blog  What is new in Foundation                                                                 │
                                  │   11 Oct     Swift Blog  Older news                                                                                │ It is here.
                                  │   11 Sep 24  Swift Blog  Much older news                                                                           │ Read https://www.swift.org/blog[1] for more.
                                  │                                                                                                                    │
       space read on  n next unread  o open link  u unread  s star  d dismiss  / find  h back  ? help
      """#)
  }

  // MARK: Sizes

  @Test(arguments: [(1, 1), (0, 0), (0, 24), (80, 0), (2, 1), (1, 3), (3, 4), (7, 2), (500, 3), (3, 200)])
  func anySizeWillDo(columns: Int, rows: Int) throws {
    for mode in [[], ["enter"], ["h"], ["?"], ["p"], ["/"], ["a"], ["enter", "i"], ["o"]] {
      var stage = Self.stage(80, 24)
      for key in mode { try stage.press(key) }
      stage.resize(columns, rows)
      #expect(stage.frame.size == Size(columns: columns, rows: rows))
      #expect(stage.lines.count == rows)
      try stage.press("j", "G", "space", "esc", "esc", "k", "f7")
      if let cursor = stage.frame.cursor { #expect(stage.frame.bounds.contains(cursor)) }
      stage.resize(80, 24)
      try stage.press("esc", "esc", "esc")
      #expect(stage.lines.count == 24)
    }
  }

  @Test func onOneCellThereIsStillAList() {
    #expect(Self.stage(1, 1).lines == ["▌"])
    #expect(Self.stage(0, 0).lines == [])
  }

  @Test func whatIsTypedIsSeenOnOneRow() throws {
    var stage = Self.stage(30, 1)
    try stage.press("/")
    stage.type("abc")
    #expect(stage.lines == [" Search: abc  enter accept"])
    #expect(stage.frame.cursor == Point(column: 12, row: 0))
  }

  @Test func aLongInputScrollsWithItsCursor() throws {
    var stage = Self.stage(40, 10)
    try stage.press("a")
    stage.type("https://example.example/" + String(repeating: "a", count: 60) + "/feed")
    #expect(stage.bottom.hasSuffix("aaa/feed"))
    #expect(stage.bottom.hasPrefix(" Address: "))
    #expect(stage.frame.cursor?.column == 39)
    try stage.press("home")
    #expect(stage.bottom.hasPrefix(" Address: https://example"))
    #expect(stage.frame.cursor?.column == 10)
  }

  // MARK: Columns and colours

  @Test func wideTextMovesNoColumn() throws {
    var store = ModelStore.sample
    for index in store.messages.indices {
      store.messages[index].content.title =
        [
          "消息中心消息中心消息中心消息中心", "👩‍👩‍👧‍👦 family 👍🏽", "नमस्ते दुनिया", "e\u{301}\u{301}\u{301}x", "مرحبا",
          "a\tb\u{1B}[31m\nc", "한국어 메시지", "",
        ][index]
    }
    for size in [(120, 40), (80, 24), (72, 12)] {
      let stage = Stage(store, columns: size.0, rows: size.1)
      let separators = stage.state.layout.messages.map { $0.origin.column - 1 } ?? 0
      for row in stage.state.layout.body.rows where row < size.1 - 1 {
        #expect(stage.frame[separators, row].text == "│")
        #expect(stage.frame.row(row).reduce(0) { $0 + Int($1.width) } == size.0)
      }
      #expect(stage.screen.contains("(no title)"))
      #expect(!stage.screen.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }
  }

  @Test func theDotIsRedAndTheSelectionReversed() throws {
    let stage = Self.stage(84, 24)
    let messages = try #require(stage.state.layout.messages)
    let dot = stage.frame[messages.origin.column + 1, messages.origin.row + 1]
    #expect(dot.text == "●" && dot.style.foreground == .ansi(1))
    for column in messages.columns.dropFirst() {
      #expect(stage.frame[column, messages.origin.row].style.attributes.contains(.reverse))
    }
    #expect(
      !stage.frame[messages.origin.column + 5, messages.origin.row + 1].style.attributes.contains(.reverse))
  }

  @Test func aDowntimeHasAColourOfItsOwn() throws {
    var stage = Self.stage(84, 24)
    // The bar is on neither of the two.
    try stage.press("j")
    let messages = try #require(stage.state.layout.messages)
    let colours = try [("M", 0), ("D", 2)].map { letter, row in
      let cells = stage.frame.row(messages.origin.row + row).dropFirst(messages.origin.column)
      return try #require(cells.first { $0.text == letter }).style.foreground
    }
    #expect(colours[0] != colours[1])
  }

  @Test func onlyTheTerminalsOwnColoursAreUsed() throws {
    var stage = Self.stage(150, 40)
    for keys in [[], ["enter"], ["?"], ["?", "p"]] {
      for key in keys { try stage.press(key) }
      for cell in stage.frame.cells {
        for color in [cell.style.foreground, cell.style.background] {
          switch color {
          case .terminal, .ansi: break
          case .indexed, .rgb: Issue.record("\(color) is nobody's choice")
          }
        }
      }
    }
  }

  /// Every state has a sign, not only a colour.
  @Test func withoutColoursNothingIsLost() throws {
    var store = ModelStore()
    store.addSource("a")
    store.addSource("b")
    store.add("plain", age: 9, unread: false)
    let states: [(String, (inout Message) -> Void)] = [
      ("unread", { $0.isUnread = true }), ("starred", { $0.isStarred = true }),
      ("downtime", { $0.content.rank = .downtime }), ("pinned", { $0.content.rank = .pinned }),
      ("urgent", { $0.content.priority = Priority(5) }),
    ]
    for (name, change) in states { store.add(name, age: 9, unread: false, change: change) }
    store.sources[0].isUnseen = true
    store.sources[1].state.failures = 2
    store.sources[1].state.lastFailure = .gone
    store.sources[1].badge = 4
    for signs in [Signs.unicode, .ascii] {
      var stage = Stage(
        store, columns: 80, rows: 24, options: InterfaceOptions(signs: signs, zone: Stage.utc))
      try stage.press("G")
      let frame = stage.frame
      let left = try #require(stage.state.layout.messages).origin.column
      func line(_ word: String) -> String {
        (0..<24).map { row in frame.row(row).dropFirst(left).map(\.text).joined() }.first {
          $0.contains(word)
        } ?? ""
      }
      let plain = line("plain").replacing("plain", with: "")
      for (name, _) in states {
        #expect(line(name).replacing(name, with: "").trimmingCharacters(in: .whitespaces) != plain)
      }
      #expect(line("unread").contains(signs.dot.text))
      #expect(line("starred").contains(signs.star.text + " starred"))
      #expect(line("downtime").contains(signs.downtime.text + " downtime"))
      #expect(line("pinned").contains(signs.pinned.text + " pinned"))
      #expect(line("urgent").contains("! urgent"))
      #expect(stage.lines.contains { $0.contains("b") && $0.contains(signs.failed.text + " [4]") })
      // Which pane has the keys.
      let rule = stage.lines[1]
      #expect(rule.contains(signs.heavy.text) && rule.contains(signs.light.text))
      // Which list is shown while the keys are elsewhere.
      #expect(stage.lines[2].hasPrefix(signs.bar.text))
      if signs.isASCII { #expect(stage.screen.utf8.allSatisfy { $0 < 0x80 }) }
    }
  }

  @Test func emptyListsExplainThemselves() throws {
    var store = ModelStore()
    store.addSource("a", title: "A feed")
    store.addSource("scripts", kind: .local)
    var stage = Stage(store, columns: 80, rows: 24)
    #expect(stage.screen.contains("No messages yet.") && stage.screen.contains("R polls now."))
    try stage.press("f")
    #expect(stage.screen.contains("Nothing unread.") && stage.screen.contains("f shows all messages."))
    try stage.press("f", "h", "j", "enter")
    #expect(stage.screen.contains("No starred messages yet.") && stage.screen.contains("s stars a message."))
    try stage.press("h", "j", "enter")
    #expect(stage.screen.contains("r polls now."))
    stage.outside {
      $0.sources[0].state.failures = 1
      $0.sources[0].state.lastFailure = .notAFeed(found: "a picture", alternates: [])
    }
    #expect(
      stage.screen.contains("The last poll failed:")
        && stage.screen.contains("This is a picture, not a feed."))
    try stage.press("h", "j", "enter")
    #expect(stage.screen.contains("Scripts fill this list with reddot push TITLE"))
  }

  @Test func beforeAnythingIsLoadedNothingIsClaimed() {
    var state = AppState(
      options: InterfaceOptions(zone: Stage.utc), size: Size(columns: 80, rows: 24), now: ModelStore.start)
    _ = update(&state, .started)
    let screen = render(state, state.terminal.size).lines().joined()
    #expect(!screen.contains("No messages"))
    #expect(!screen.contains("Welcome"))
  }
}
