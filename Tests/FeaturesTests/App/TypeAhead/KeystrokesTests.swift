import Foundation
import Messages
import Screen
import Storage
import TestBasics
import Testing

@testable import Interface

/// The page that counts keys: reddot's are pressed, and do what the row says.
@Suite struct KeystrokesTests {
  private struct Row {
    var job: String
    var keys: [Step]
    /// The numbers of keys that stand there, and those that were counted.
    var counts: [(written: String, counted: Int)]
  }

  private enum Step {
    case key(String)
    /// The name of what is typed.
    case text(String)
  }

  private struct Job: Sendable {
    /// What is pressed before.
    var before: [String] = []
    var isDone: @Sendable (StoreStage) throws -> Bool
  }

  private static let typed = [
    "time": "1h", "word": "0007", "name": "news", "address": "https://new.example/feed", "title": "Renamed",
  ]

  private static func rows() throws -> [Row] {
    let page = try Project.text("Sources/Programs/reddot/Documentation.docc/Keystrokes.md")
    return page.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| job |") }.map { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      let (own, other) = (steps(cells[1]), steps(cells[3]))
      return Row(
        job: cells[0], keys: own,
        counts: [(cells[2], keys(own)), (cells[4].isEmpty ? "0" : cells[4], keys(other))])
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

  /// To the third row, which is not the newest, and unread.
  private static let third = ["j", "j", "j"]

  /// By the words of the page. The list of all messages is shown; the first of them is unread, then every third.
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
      return sends(stage) { $0 == .openLink(url) }
    },
    "Star a message, or flag it": Job(before: third) { try message(3, $0).isStarred },
    "Put a message away": Job(before: third) { try titles(.dismissed, $0) == ["Repeated"] },
    "Let a message come back later": Job(before: third) { try titles(.snoozed, $0) == ["Repeated"] },
    "Save a message in a file": Job(before: third) { stage in
      let id = try message(3, stage).id
      return sends(stage) {
        if case .save(let given, let path, _, _) = $0 {
          given.keys.map(\.id) == [id] && !path.isEmpty
        } else {
          false
        }
      }
    },
    "Write a rule for messages like this one": Job {
      sends($0) { if case .saveRule(let draft, _) = $0 { !draft.actions.isEmpty } else { false } }
    },
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
      sends($0) { if case .addSource("https://new.example/feed", _) = $0 { true } else { false } }
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
      sends($0) { $0 == .openLink("https://b.example/1") }
    },
    "Copy the address of the message": Job(before: ["j", "enter"]) { stage in
      let url = try #require(try message(1, stage).content.url)
      return sends(stage) { if case .copy(url, _) = $0 { true } else { false } }
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
      for (written, counted) in row.counts { #expect(written == String(counted), "\(row.job)") }
    }
  }
}
