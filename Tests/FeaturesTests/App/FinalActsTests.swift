import Basics
import Foundation
import Messages
import Screen
import Services
import TestBasics
import Testing
import Words

@testable import Interface

/// Acts that a service performs and cannot undo are announced before.
struct FinalActsTests {
  private static let words: [(WritableMarks, String)] = [
    (.read, "read"), (.unread, "unread"), (.star, "starred"), (.unstar, "unstarred"), (.done, "dismissed"),
    (.undone, "undismissed"), (.snooze, "snoozed"),
  ]

  private static func names(_ acts: WritableMarks) -> String {
    words.filter { acts.contains($0.0) }.map(\.1).joined(separator: ", ")
  }

  @Test func theManualsTableHasTheFactsOfEachService() throws {
    let page = try Project.text("Sources/Programs/reddot/Documentation.docc/Services.md")
    let facts = SourceKind.allCases.compactMap(SourceAdapters.facts)
    let rows = facts.map { facts in
      let cells = [facts.name, Self.names(facts.writableMarks), Self.names(facts.writableMarks.final)]
      return "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
    }
    let heading = "| service | gets | cannot undo |"
    let table = page.components(separatedBy: "\n").drop { $0 != heading }.prefix { !$0.isEmpty }
    #expect(Set(table.dropFirst(2)) == Set(rows) && table.count == rows.count + 2)
    #expect(
      facts.contains { $0.writableMarks.final.isEmpty } && facts.contains { !$0.writableMarks.final.isEmpty })
  }

  @Test func whatIsTakenBackIsNotFinal() {
    #expect(WritableMarks([.read, .unread, .star, .unstar, .snooze]).final == [])
    #expect(WritableMarks([.read, .star, .unstar, .done]).final == [.read, .done])
    #expect(WritableMarks([.done, .undone]).final == [])
  }

  /// Three messages, the middle one of a service with these acts.
  private func inbox(_ kind: SourceKind, known: Set<SourceKind> = []) throws -> (
    state: AppState, effects: [Effect]
  ) {
    var preferences = Preferences()
    preferences.knownFinal = known
    var state = AppState(
      options: InterfaceOptions(words: .inLanguage("en"), zone: .gmt), size: Size(columns: 80, rows: 24),
      now: Date(timeIntervalSince1970: 1_795_183_200), preferences: preferences)
    var sources = ["blog", "work", "notes"].enumerated().map { index, name in
      Source(id: SourceID(Int64(index + 1)), name: name, kind: .feed, address: "https://\(name).example/")
    }
    sources[1].kind = kind
    sources[1].settings.writableMarks = SourceAdapters.facts(of: kind)?.writableMarks ?? []
    let rows = (1...3).map { number in
      MessageRow(
        key: ListKey(rank: .normal, sortTime: Int64(-number), id: MessageID(Int64(number))),
        source: SourceID(Int64(number)), kind: .feed, title: "Message \(number)", isUnread: true,
        isStarred: false)
    }
    _ = update(&state, .started)
    let snapshot = InboxSnapshot(
      query: InboxQuery(), window: state.shown.list.window, rows: rows, hasMoreBefore: false,
      hasMoreAfter: false,
      sources: sources.map { SourceStatus(source: $0, title: $0.name, isUnseen: false, unread: 1, total: 1) },
      unread: 3, total: 3, starred: 0, isUnseen: false, newest: MessageID(3), canUndo: false)
    let effects = update(&state, .inboxChanged(snapshot))
    return (state, effects)
  }

  @Test(arguments: [
    (SourceKind.github, "work: what you read or dismiss here is read or gone there too, for good."),
    (.gitlab, "work: what you dismiss here is gone there too, for good. U undoes it here only."),
    (.discourse, "work: what you read or dismiss here is read there too, for good. U undoes it here only."),
  ]) func itIsSaidOnceBeforeAnyKey(kind: SourceKind, sentence: String) throws {
    var (state, effects) = try inbox(kind)
    #expect(render(state, state.terminal.size).lines().joined().contains(sentence))
    #expect(effects.contains(.remember("known_final", kind.rawValue)))
    // A key removes the sentence, and a further act does not show it again.
    state.now += 3
    effects = update(&state, .input(.key(KeyPress("j"))))
    effects += update(&state, .input(.key(KeyPress("s"))))
    #expect(!render(state, state.terminal.size).lines().joined().contains("for good"))
    #expect(!effects.contains { if case .remember = $0 { true } else { false } })
    #expect(
      try !render(inbox(kind, known: [kind]).state, state.terminal.size).lines().joined().contains("for good")
    )
  }

  @Test(arguments: [SourceKind.miniflux, .gitea, .alertmanager, .healthchecks, .feed])
  func nothingIsSaidWhereAllCanBeTakenBack(kind: SourceKind) throws {
    let (state, effects) = try inbox(kind, known: [.github])
    #expect(!render(state, state.terminal.size).lines().joined().contains("for good"))
    #expect(state.statusLine.toast == nil)
    #expect(!effects.contains { if case .remember = $0 { true } else { false } })
  }
}
