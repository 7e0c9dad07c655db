import Screen
import Testing

@Suite struct RectTests {
  private let screen = Rect(Size(columns: 10, rows: 4))

  @Test func splittingSharesAllCells() {
    let (top, rest) = screen.splitTop(1)
    #expect(top == Rect(column: 0, row: 0, columns: 10, rows: 1))
    #expect(rest == Rect(column: 0, row: 1, columns: 10, rows: 3))
    let (left, right) = rest.splitRight(4)
    #expect(left == Rect(column: 0, row: 1, columns: 6, rows: 3))
    #expect(right == Rect(column: 6, row: 1, columns: 4, rows: 3))
    #expect(screen.splitBottom(1).bottom == Rect(column: 0, row: 3, columns: 10, rows: 1))
    #expect(screen.row(2) == Rect(column: 0, row: 2, columns: 10, rows: 1))
  }

  @Test(arguments: [-5, 0, 4, 99])
  func aSplitThatDoesNotFitIsEmptyNotNegative(_ rows: Int) {
    for part in [
      screen.splitTop(rows).top, screen.splitTop(rows).rest, screen.splitBottom(rows).rest,
      screen.splitBottom(rows).bottom,
    ] {
      #expect(part.size.rows >= 0 && part.size.rows <= 4)
    }
    #expect(screen.splitTop(rows).top.size.rows + screen.splitTop(rows).rest.size.rows == 4)
  }

  @Test func rectsThatDoNotMeetShareNothing() {
    #expect(screen.intersection(Rect(column: 20, row: 0, columns: 5, rows: 5)).isEmpty)
    #expect(
      screen.intersection(Rect(column: -5, row: 1, columns: 7, rows: 9))
        == Rect(column: 0, row: 1, columns: 2, rows: 3))
    #expect(
      screen.inset(left: 1, top: 1, right: 1, bottom: 1) == Rect(column: 1, row: 1, columns: 8, rows: 2))
    #expect(screen.inset(left: 8, right: 8).isEmpty)
  }
}
