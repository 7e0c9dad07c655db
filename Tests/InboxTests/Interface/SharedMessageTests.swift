import Messages
import Testing
import Words

@testable import Interface

/// A message of several sources, as one row.
struct SharedMessageTests {
  private static func stage(columns: Int = 120) -> Stage {
    var store = ModelStore()
    store.addSource("blog")
    store.addSource("news", title: "The news")
    store.add("Both have it", age: 60) { $0.otherSources = [SourceID(2), SourceID(99)] }
    store.add("One has it", age: 120)
    return Stage(
      amid: store, columns: columns, rows: 24, options: InterfaceOptions(words: .english, zone: Stage.utc))
  }

  @Test func theRowNamesAllOfItsSources() {
    let lines = Self.stage().lines
    #expect(lines.contains { $0.contains("blog, The news") && $0.contains("Both have it") })
    #expect(lines.contains { $0.contains("blog ") && $0.contains("One has it") })
  }

  @Test func soDoesTheReader() throws {
    var stage = Self.stage(columns: 80)
    try stage.press("enter")
    #expect(stage.lines.contains { $0.contains("blog, The news") })
  }
}
