import Messages
import Screen
import Testing

@testable import Interface

/// Pages of the lists that cover the panes.
struct OverlayPagingTests {
  /// The lists of 30 items, the names of which end with a full stop.
  enum Kind: CaseIterable {
    case rules, links, choices
  }

  private func stage(_ kind: Kind, columns: Int, rows: Int) throws -> Stage {
    var store = ModelStore()
    store.addSource("a")
    let links = (0..<30).map { "<p><a href='https://a.example/\($0)'>Item \($0).</a></p>" }.joined()
    store.add("Message", age: 1) { $0.content.html = links }
    var stage = Stage(store, columns: columns, rows: rows)
    switch kind {
    case .rules:
      try stage.press("w")
      let rules = (0..<30).map { RuleRow(name: "Item \($0).", condition: "title:x", actions: ["read"]) }
      stage.send(.rules(.loaded(stage.asked, rules)))
    case .links: try stage.press("enter", "L")
    case .choices:
      try stage.press("a")
      stage.type("a.example")
      try stage.press("enter")
      let choices = (0..<30).map { FeedChoice(title: "Item \($0).", url: "https://a.example/\($0)") }
      stage.send(.sources(.addAnswered(stage.asked, .choices(choices))))
    }
    return stage
  }

  @Test(arguments: Kind.allCases, [(160, 45), (80, 24), (40, 10)])
  func pagesSkipNoItem(kind: Kind, size: (Int, Int)) throws {
    var stage = try stage(kind, columns: size.0, rows: size.1)
    let all = Set((0..<30).map { "Item \($0)." })
    func visible() -> Set<String> {
      let screen = stage.screen
      return all.filter { screen.contains($0) }
    }
    for (key, last) in [
      ("pgdn", "Item 29."), ("pgup", "Item 0."), ("ctrl-d", "Item 29."), ("ctrl-u", "Item 0."),
    ] {
      var seen = visible()
      for _ in 0..<30 where !visible().contains(last) {
        try stage.press(key)
        seen.formUnion(visible())
      }
      #expect(seen == all, "\(key): \(all.subtracting(seen).sorted())")
    }
  }
}
