import Messages
import Screen
import Testing

@testable import Interface

/// Texts that are too long to be laid out between two keys.
struct PageTests {
  private static func store(lines: Int) -> ModelStore {
    var store = ModelStore()
    store.addSource("a")
    let text = (0..<lines).map { "Line \($0) of a long text" }.joined(separator: "\n\n")
    store.add("Long", age: 1, body: text) { $0.content.url = "https://a.example/long" }
    store.add("Short", age: 2, body: "Read https://a.example/short")
    return store
  }

  private func requests(_ stage: Stage) -> [PageRequest] {
    stage.effects.compactMap { if case .reader(.layOut(let request)) = $0 { request } else { nil } }
  }

  @Test func aLongTextIsLaidOutOnAnotherThreadAndKeysStillWork() throws {
    var stage = Stage(amid: Self.store(lines: 3000), columns: 80, rows: 24)
    stage.laysOut = false
    try stage.press("enter")
    let request = try #require(requests(stage).last)
    #expect(stage.screen.contains("Long"))
    #expect(!stage.screen.contains("Line 0 "))
    #expect(!stage.screen.contains("Laying out"))
    stage.send(.reader(.layingOut(request.number)))
    #expect(stage.screen.contains("Laying out the text"))
    try stage.press("j")
    stage.send(.reader(.laidOut(request.number, request.page())))
    #expect(stage.screen.contains("Line 1 of"))
    #expect(!stage.screen.contains("Laying out"))
  }

  @Test func aResizeOrAnotherMessageDropsTheOldOne() throws {
    var stage = Stage(amid: Self.store(lines: 3000), columns: 80, rows: 24)
    stage.laysOut = false
    try stage.press("enter")
    let first = try #require(requests(stage).last)
    stage.resize(60, 24)
    let second = try #require(requests(stage).last)
    #expect(second.number != first.number && second.columns != first.columns)
    stage.send(.reader(.laidOut(first.number, first.page())))
    #expect(!stage.screen.contains("Line 0 "))
    try stage.press("h", "j", "enter")
    stage.send(.reader(.laidOut(second.number, second.page())))
    #expect(!stage.screen.contains("Line 0 "))
    #expect(stage.screen.contains("https://a.example/short"))
  }

  @Test func theTextIsLaidOutAsFarAsItIsLookedAt() throws {
    var stage = Stage(amid: Self.store(lines: 15_000), columns: 80, rows: 24)
    try stage.press("enter")
    #expect((10_000..<11_000).contains(stage.state.shown.reader.lines.count))
    #expect(!stage.lines[0].contains("%"))
    for _ in 0..<3 {
      stage.type("9999")
      try stage.press("j")
    }
    #expect(stage.state.shown.reader.lines.count > 20_000)
    try stage.press("G")
    #expect(stage.screen.contains("Line 14999 of"))
    #expect(stage.state.shown.reader.isAtEnd(visible: stage.state.layout.rows(of: .reader)))
    try stage.press("g")
    #expect(stage.screen.contains("Line 0 of"))
    #expect(stage.lines[0].contains("%"))
  }

  @Test func theLinkOfATextThatIsOnItsWayIsUsedWhenItIsThere() throws {
    var store = Self.store(lines: 3000)
    store.messages[0].content.url = nil
    store.messages[0].content.body += "\n\nhttps://a.example/last"
    var stage = Stage(amid: store, columns: 80, rows: 24)
    stage.laysOut = false
    try stage.press("enter", "y")
    #expect(!stage.effects.contains(.links(.copy("https://a.example/last", stage.asked))))
    let request = try #require(requests(stage).last)
    stage.send(.reader(.laidOut(request.number, request.page())))
    #expect(stage.effects.contains(.links(.copy("https://a.example/last", stage.asked))))
  }
}
