import SeededRandom
import Testing

@testable import Screen

@Suite struct FrameChangeTests {
  private static let size = Size(columns: 12, rows: 10)

  /// A list of numbers from `first` on, below a head.
  private func list(from first: Int) -> Frame {
    var frame = Frame(size: Self.size)
    frame.write("head", at: .zero)
    for row in 1..<Self.size.rows {
      frame.write("row \(first + row)", at: Point(column: 0, row: row))
    }
    return frame
  }

  /// The same list further down, with the rows of the frame before where it has them.
  private func moved(_ before: Frame, up: Int, from first: Int) -> Frame {
    var frame = list(from: first)
    for row in 1..<Self.size.rows where (1..<Self.size.rows).contains(row + up) {
      frame.takeRow(row + up, of: before, to: row)
    }
    frame.takeRow(0, of: before)
    return frame
  }

  @Test(arguments: [1, 3, -1, -2])
  func rowsThatMovedAreFound(up: Int) {
    let before = list(from: 50)
    let change = moved(before, up: up, from: 50 + up).change(from: before)
    let rows = max(1, 1 - up)..<min(10, 10 - up)
    #expect(change.move == FrameChange.Move(rows: rows, up: up))
    #expect(change.rows == (1..<10).filter { !rows.contains($0) })
    #expect(change.former(0) == 0)
    #expect(change.former(5) == 5 + up)
    for row in change.rows { #expect(change.former(row) == nil) }
  }

  @Test func rowsThatWereWrittenAreOnlyDifferent() {
    let before = list(from: 50)
    let change = list(from: 51).change(from: before)
    #expect(change.move == nil)
    #expect(change.rows == Array(1..<10))
    #expect(list(from: 50).change(from: before) == FrameChange(rows: []))
    #expect(before.change(from: Frame(size: .zero)).rows == Array(0..<10))
    #expect(Frame(size: .zero).change(from: before).rows == [])
  }

  @Test func theOldFrameChangedThatWayIsTheNewOne() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<2000 {
      var before = Frame(size: Self.size)
      for row in 0..<Self.size.rows where Bool.random(using: &random) {
        before.write("\(Int.random(in: 0..<20, using: &random))", at: Point(column: 0, row: row))
      }
      var after = before
      for _ in 0..<Int.random(in: 0..<14, using: &random) {
        let (from, to) = (Int.random(in: 0..<10, using: &random), Int.random(in: 0..<10, using: &random))
        let count = Int.random(in: 1..<8, using: &random)
        for row in 0..<count where from + row < 10 && to + row < 10 {
          after.takeRow(from + row, of: before, to: to + row)
        }
      }
      let change = after.change(from: before)
      var built = before
      for row in 0..<10 {
        if change.rows.contains(row) {
          built.takeRow(row, of: after)
        } else if let former = change.former(row) {
          built.takeRow(former, of: before, to: row)
        } else {
          Issue.record("row \(row) is nowhere")
        }
      }
      #expect(built == after)
    }
  }
}
