import Messages
import Screen
import SeededRandom
import Testing

@testable import Interface

/// Frames that are made from the ones before are those that are drawn anew.
struct RendererTests {
  @Test(arguments: [Size(columns: 120, rows: 40), Size(columns: 40, rows: 10), Size(columns: 20, rows: 5)])
  func aMoveOfTheSelectionShowsWhatAnewFrameShows(size: Size) throws {
    var stage = Stage(.long(450), columns: size.columns, rows: size.rows)
    var renderer = Renderer()
    var (moved, last) = (0, renderer.unchecked(stage.state, size))
    // Far enough to scroll, down and up again, beside the sources and alone.
    let far = Array(repeating: "j", count: 50) + Array(repeating: "k", count: 50)
    let keys =
      "j j k j j j k k k pgdn j G k k g j s j k f j j".split(separator: " ").map { String($0) } + far
    for key in keys {
      try stage.press(key)
      let frame = renderer.unchecked(stage.state, size)
      #expect(differences(frame, stage.frame) == [], "after \(key)")
      if frame != last { moved += 1 }
      last = frame
    }
    #expect(moved > 10)
  }

  @Test(arguments: 0..<4)
  func whateverHappensItShowsTheState(seed: Int) {
    var monkey = Monkey(seed: UInt64(seed), store: seed % 2 == 0 ? .long(450) : .sample)
    var renderer = Renderer()
    for step in 0..<1500 {
      monkey.waiting += update(&monkey.state, monkey.next())
      if monkey.waiting.count > 400 { monkey.waiting.removeFirst(200) }
      let size = monkey.state.terminal.size
      let frame = renderer.unchecked(monkey.state, size)
      let found = differences(frame, render(monkey.state, size))
      guard found == [] else {
        Issue.record("seed \(seed), step \(step): \(found)")
        return
      }
    }
  }

  /// What two frames show differently, in words.
  private func differences(_ one: Frame, _ other: Frame) -> [String] {
    if one == other { return [] }
    var found: [String] = []
    if one.size != other.size { found.append("sizes \(one.size) and \(other.size)") }
    if one.title != other.title { found.append("titles") }
    if one.cursor != other.cursor { found.append("cursors") }
    if one.parkedCursor != other.parkedCursor {
      found.append("parked cursors \(one.parkedCursor as Any) \(other.parkedCursor as Any)")
    }
    for row in one.changedRows(from: other) {
      found.append("row \(row), columns \(one.changedColumns(of: row, from: other))")
    }
    return found + (found.isEmpty ? ["links or pictures"] : [])
  }
}
