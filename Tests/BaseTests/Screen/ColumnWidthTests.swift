import Testing

@testable import Screen

@Suite struct ColumnWidthTests {
  @Test(
    arguments: [
      ("a", 1), ("é", 1), ("\u{301}", 0), ("中", 2), ("ｱ", 1), ("Ａ", 2), ("😀", 2), ("\u{1161}", 0), ("가", 2),
      ("ا", 1), ("ि", 1),
    ] as [(Unicode.Scalar, Int)])
  func columnsAreThoseOfTheTerminal(_ scalar: Unicode.Scalar, _ columns: Int) {
    #expect(ColumnWidth.of(scalar) == columns)
  }

  @Test func theShortcutsSayWhatLibcSays() {
    let differing = (0x20...0x1FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).filter {
      TextFilter.fate(of: $0) == .keep && ColumnWidth.of($0) != ColumnWidth.libc($0)
    }
    #expect(differing.isEmpty)
  }

  @Test func whatLibcCannotPrintHasNoColumns() {
    #expect(ColumnWidth.of("\u{378}") == nil)
    #expect(ColumnWidth.of("\u{1B}") == nil)
  }
}
