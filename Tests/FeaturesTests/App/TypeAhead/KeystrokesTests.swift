import Basics
import Foundation
import Messages
import Screen
import Storage
import TestBasics
import Testing

@testable import Interface

/// Typical jobs need few keys. The tests press the keys of each row of the page, and check that they do the job.
@Suite struct KeystrokesTests {
  private struct Row {
    var job: String
    var keys: [Step]
    /// The largest number of keys, without typed text.
    var most: Int
  }

  private enum Step {
    case key(String)
    /// The description of typed text.
    case text(String)
  }

  private struct Job: Sendable {
    /// The keys that are pressed before.
    var before: [String] = []
    var isDone: @Sendable (StoreStage) throws -> Bool
  }

  private static let typed = [
    "time": "1h", "word": "0007", "name": "news", "address": "https://new.example/feed", "title": "Renamed",
  ]

  /// The jobs of a day: keys in backquotes, typed text in italics, and the largest number of keys.
  private static let table = """
    | Read the next unread message | `n` `space` | 2 |
    | Mark a message read and go on to the next | `u` | 1 |
    | Mark five messages read | `5` `u` | 2 |
    | Mark all of the list read | `A` | 1 |
    | Undo that | `U` | 1 |
    | Open the page of a message in the browser | `o` | 1 |
    | Star a message, or flag it | `s` | 1 |
    | Put a message away | `d` | 1 |
    | Let a message come back later | `z` *time* `enter` | 2 |
    | Save a message in a file | `>` `enter` | 2 |
    | Write a rule for messages like this one | `W` `enter` | 2 |
    | Take back that rule | `U` | 1 |
    | Take a rule away | `D` | 1 |
    | Show unread messages only | `f` | 1 |
    | Search this list | `/` *word* `enter` | 2 |
    | Search everything, from the list of one source | `g` `/` *word* `enter` | 3 |
    | Open the next source with unread messages | `J` | 1 |
    | Open a certain source | `h` `/` *name* `enter` | 3 |
    | Follow a feed | `a` *address* `enter` | 2 |
    | Give a source another title | `e` `tab` *title* `enter` | 3 |
    | Follow a source no longer | `h` `D` | 2 |
    | See the next page | `space` | 1 |
    | Go from the end of a message to the next unread one | `space` | 1 |
    | Go to the next unread one before the end | `n` | 1 |
    | Mark the message unread again | `u` | 1 |
    | Open the second link of the text | `2` `o` | 2 |
    | Copy the address of the message | `y` | 1 |
    | Go back to the list | `esc` | 1 |
    | Quit | `q` | 1 |
    """

  private static func rows() throws -> [Row] {
    try table.split(onBytes: "\n").map { line in
      let cells = line.split(onBytes: "|", omittingEmptySubsequences: false).dropFirst().map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      return Row(job: cells[0], keys: steps(cells[1]), most: try #require(Int(cells[2])))
    }
  }

  private static func steps(_ cell: String) -> [Step] {
    cell.matches(of: /`([^`]+)`|\*([^*]+)\*/).compactMap { match in
      match.1.map { .key(String($0)) } ?? match.2.map { .text(String($0)) }
    }
  }

  private static func keys(_ steps: [Step]) -> Int {
    steps.count { if case .key = $0 { true } else { false } }
  }

  private static func message(_ row: Int, _ stage: StoreStage) throws -> Message {
    let keys = try stage.store.lists.keys(InboxQuery(), limit: 100)
    return try #require(try stage.store.messages.find(keys[row].id))
  }

  private static func count(_ query: InboxQuery, _ stage: StoreStage) throws -> Int {
    try stage.store.lists.keys(query, limit: 1000).count
  }

  private static func isReading(_ row: Int, _ stage: StoreStage) throws -> Bool {
    try stage.state.focus.pane == .reader && stage.state.shown.reader.subject == message(row, stage).id
  }

  private static func sends(_ stage: StoreStage, _ holds: (Effect) -> Bool) -> Bool {
    stage.sent.contains(where: holds)
  }

  private static func scope(_ name: String, _ stage: StoreStage) throws -> InboxQuery.Scope? {
    try stage.store.sources.statuses().first { $0.source.name == name }.map { .source($0.source.id) }
  }

  private static func titles(_ scope: InboxQuery.Scope, _ stage: StoreStage) throws -> [String] {
    try stage.store.lists.keys(InboxQuery(scope: scope), limit: 9).compactMap {
      try stage.store.messages.find($0.id)?.content.title
    }
  }

  /// The keys to the fourth row, which is unread and not the newest.
  private static let third = ["j", "j", "j"]

  /// The jobs in the page's words. The list of all messages is shown; the first of them is unread, then every third.
  private static let jobs: [String: Job] = [
    "Read the next unread message": Job(before: ["j"]) { try isReading(3, $0) },
    "Mark a message read and go on to the next": Job(before: third) {
      try !message(3, $0).isUnread && $0.state.shown.list.selectedRow?.id == message(4, $0).id
    },
    "Mark five messages read": Job(before: third) { stage in
      try (3..<8).allSatisfy { try !message($0, stage).isUnread }
    },
    "Mark all of the list read": Job { try count(InboxQuery(isUnreadOnly: true), $0) == 0 },
    "Undo that": Job(before: ["A"]) { try count(InboxQuery(isUnreadOnly: true), $0) == 34 },
    "Open the page of a message in the browser": Job(before: ["j"]) { stage in
      let url = try #require(try message(1, stage).content.url)
      return sends(stage) { $0 == .links(.open(url)) }
    },
    "Star a message, or flag it": Job(before: third) { try message(3, $0).isStarred },
    "Put a message away": Job(before: third) { try titles(.dismissed, $0) == ["Repeated"] },
    "Let a message come back later": Job(before: third) { try titles(.snoozed, $0) == ["Repeated"] },
    "Save a message in a file": Job(before: third) { stage in
      let id = try message(3, stage).id
      return sends(stage) {
        if case .programs(.save(let given, let path, _, _)) = $0 {
          given.keys.map(\.id) == [id] && !path.isEmpty
        } else {
          false
        }
      }
    },
    "Write a rule for messages like this one": Job {
      sends($0) { if case .rules(.save(let draft, _)) = $0 { !draft.actions.isEmpty } else { false } }
    },
    "Take back that rule": Job(before: ["W", "enter"]) {
      $0.rules.map(\.name) == ["first", "second", "third"]
    },
    "Take a rule away": Job(before: ["w", "j"]) { $0.rules.map(\.name) == ["first", "third"] },
    "Show unread messages only": Job { $0.state.shown.list.query.isUnreadOnly },
    "Search this list": Job {
      $0.state.shown.list.query.search?.hasPrefix("0007") == true && $0.state.shown.list.loaded.count == 1
        && $0.state.dialog.prompt == nil
    },
    "Search everything, from the list of one source": Job(before: ["J", "J"]) {
      $0.state.shown.list.query.search?.hasPrefix("0007") == true && $0.state.shown.list.query.scope == .all
        && $0.state.dialog.prompt == nil
    },
    "Open the next source with unread messages": Job(before: ["J", "J"]) {
      try $0.state.shown.list.query.scope == scope("team", $0)
    },
    "Open a certain source": Job(before: ["J", "J"]) {
      try $0.state.shown.list.query.scope == scope("news", $0) && $0.state.focus.pane == .messages
    },
    "Follow a feed": Job {
      sends($0) { if case .sources(.add("https://new.example/feed", _)) = $0 { true } else { false } }
    },
    "Give a source another title": Job(before: ["J", "J"]) {
      $0.sources.contains { $0.settings.title == "Renamed" }
    },
    "Follow a source no longer": Job(before: ["J", "J"]) { $0.sources.count == 2 },
    "See the next page": Job(before: ["j", "j", "j", "j", "enter"]) {
      try isReading(4, $0) && $0.state.shown.reader.scroll > 0
    },
    "Go from the end of a message to the next unread one": Job(before: ["enter"]) { try isReading(3, $0) },
    "Go to the next unread one before the end": Job(before: ["j", "j", "j", "j", "enter"]) {
      try isReading(6, $0)
    },
    "Mark the message unread again": Job(before: ["enter"]) { try message(0, $0).isUnread },
    "Open the second link of the text": Job(before: ["j", "enter"]) {
      sends($0) { $0 == .links(.open("https://b.example/1")) }
    },
    "Copy the address of the message": Job(before: ["j", "enter"]) { stage in
      let url = try #require(try message(1, stage).content.url)
      return sends(stage) { if case .links(.copy(url, _)) = $0 { true } else { false } }
    },
    "Go back to the list": Job(before: ["enter"]) { $0.state.focus.pane == .messages },
    "Quit": Job(before: ["enter"]) { $0.quits == 1 },
  ]

  @Test func eachRowsKeysDoItsJob() throws {
    let rows = try Self.rows()
    #expect(Set(rows.map(\.job)) == Set(Self.jobs.keys))
    #expect(rows.count == Self.jobs.count && rows.count > 20)
    for row in rows {
      guard let job = Self.jobs[row.job] else { continue }
      let stage = try StoreStage(
        SampleStore(102), size: Size(columns: 100, rows: 24), options: .typed)
      for key in job.before {
        try stage.press(key)
        try stage.finish()
      }
      #expect(try !job.isDone(stage), "\(row.job): it is done before")
      for step in row.keys {
        switch step {
        case .key(let name): try stage.press(name)
        case .text(let name): try stage.type(try #require(Self.typed[name], "\(name)"))
        }
        try stage.finish()
      }
      #expect(try job.isDone(stage), "\(row.job)\n\(stage.lines.joined(separator: "\n"))")
    }
  }

  @Test func theKeysAreCounted() throws {
    for row in try Self.rows() {
      #expect(Self.keys(row.keys) == row.most, "\(row.job)")
    }
  }
}
