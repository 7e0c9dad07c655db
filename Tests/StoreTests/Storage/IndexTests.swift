import Foundation
import GRDB
import Messages
import TestBasics
import Testing

@testable import Storage

/// An index with a condition is used only if a query has the same condition: `state < 3` does not find `state = 0`.
@Suite struct IndexTests {
  /// The indexes whose queries are composed of parts: the tests of lists and of undoing, and the benchmarks, check
  /// those.
  private static let composed: Set<String> = [
    "listed", "listed_unread", "starred", "starred_unread", "source_listed", "source_unread", "prioritised",
    "prioritised_unread", "source_out_of_inbox", "dismissed", "snoozed", "hidden", "journal_undoable",
    "outgoing_waiting",
  ]

  @Test func everyPartialIndexIsUsedByAQuery() throws {
    let store = try Store.fresh()
    let (partial, used) = try store.read { db in
      let partial = try String.fetchAll(
        db,
        sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%WHERE%'")
      var used: Set<String> = []
      for statement in try Self.statements() {
        // A statement with a part that the source has elsewhere can't be prepared, and is skipped.
        guard let plan = try? Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(statement)") else { continue }
        for row in plan {
          let detail: String = row["detail"]
          for name in partial where detail.contains("INDEX \(name) ") || detail.hasSuffix("INDEX \(name)") {
            used.insert(name)
          }
        }
      }
      return (Set(partial), used)
    }
    #expect(partial.count > 20)
    #expect(partial.subtracting(used).subtracting(Self.composed) == [])
  }

  /// Returns the statements of the store's sources, with numbers for their parameters.
  private static func statements() throws -> [String] {
    let sources = Project.folder.appending(path: "Sources/Store/Storage")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    var statements: [String] = []
    for file in try #require(files) {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: #/"""\n([\s\S]*?)"""|"((?:[^"\\\n]|\\.)*)"/#) {
        let literal = String(match.1 ?? match.2 ?? "")
        guard literal.contains(#/^\s*(SELECT|UPDATE|DELETE|INSERT|WITH)\b/#) else { continue }
        statements.append(literal.replacing(#/\?\d*/#, with: "1").replacing(#/\\\([^()]*\)/#, with: "1"))
      }
    }
    return statements
  }
}
