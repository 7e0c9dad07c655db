import Foundation
import TerminalHarness
import Testing

/// A native feed so large that it is stored while it is read.
@Suite struct LargeNativeFileTests {
  private static let count = 20_000
  private let household: Household

  init() throws {
    household = try Household()
    let file = try household.write("board.json", Self.page((1...Self.count).map { Self.item($0) }))
    try household.settings(sources: [
      (name: "board", url: URL(filePath: file).absoluteString, more: "kind = \"native\"\n")
    ])
  }

  private static func item(_ number: Int, title: String = "Item") -> String {
    #"{"id": \#(number), "title": "\#(title) \#(number)", "body": "\#(String(repeating: "word ", count: 24))"}"#
  }

  private static func page(_ items: [String]) -> String {
    "{\"list\": [\n\(items.joined(separator: ",\n"))\n], \"has_more\": false, \"title\": \"The board\"}"
  }

  private func stored(_ field: String = "total") throws -> Int {
    let ran = try household.run("status", "--format", "{\(field)}")
    return try #require(Int(ran.output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(ran)")
  }

  @Test func itIsTakenInOnceAndThenOnlyWhatIsNew() throws {
    let first = try household.run("poll", "--all")
    #expect(first.exit == .status(0) && first.output.hasPrefix("board: \(Self.count) new"), "\(first.errors)")
    #expect(try stored() == Self.count)
    // The newest messages of a first poll are unread.
    #expect(try stored("unread") == 20)
    #expect(try household.run("list", "--limit", "1").output.contains("Item \(Self.count)"))

    var items = (1...Self.count + 1).map { Self.item($0) }
    items[4] = Self.item(5, title: "Changed")
    try household.write("board.json", Self.page(items))
    let second = try household.run("poll", "--force")
    #expect(second.output.hasPrefix("board: 1 new"), "\(second.output.prefix(200))")
    #expect(try stored() == Self.count + 1)
    #expect(try stored("unread") == 21)
    #expect(try household.run("list", "--search", "title:Changed").output.contains("Changed 5"))
  }

  @Test func aKillInTheMiddleLosesAndRepeatsNothing() throws {
    for delay in [20, 60, 120, 250, 500] {
      _ = try household.start(["poll", "--force"]).kill(after: .milliseconds(delay))
      let there = try stored()
      #expect(there == 0 || there == Self.count, "a part of a poll was stored")
    }
    #expect(try household.run("poll", "--force").exit == .status(0))
    #expect(try stored() == Self.count)
    #expect(try stored("unread") == 20)
  }
}
