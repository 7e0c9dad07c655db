import Basics
import Screen
import Testing

@testable import Terminal

/// The bytes for a terminal with kitty's protocol, and the cells that show the pictures.
@Suite struct KittyGraphicsTests {
  private func graphic(_ number: Int, bytes: Int = 16) -> Graphic {
    Graphic(
      number: number, size: Size(columns: 2, rows: 2), width: 1, height: 1,
      pixels: .rgba(base64: Array(repeating: UInt8(ascii: "A"), count: bytes)))
  }

  private func frame(_ graphics: [Graphic]) -> Frame {
    var frame = Frame(size: Size(columns: 20, rows: 100))
    for (index, graphic) in graphics.enumerated() {
      for (row, line) in graphic.over([StyledText("##"), StyledText("##")]).enumerated() {
        frame.write(line, at: Point(column: 3, row: 2 * index + row))
      }
    }
    return frame
  }

  /// Returns everything that is sent until nothing is left.
  private func sent(_ kitty: inout KittyGraphics) -> String {
    var bytes: [UInt8] = []
    while let piece = kitty.next() { bytes += piece.bytes }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func cellsAreHalfBlocksUntilThePictureWasSent() {
    var kitty = KittyGraphics(colors: .indexed)
    let frame = frame([graphic(7)])
    #expect(kitty.place(frame) == frame)
    #expect(
      sent(&kitty) == "\u{1B}_Ga=T,U=1,i=16,f=32,s=1,v=1,c=2,r=2,q=2,m=0;AAAAAAAAAAAAAAAA\u{1B}\\")
    #expect(!kitty.hasMore)
    let placed = kitty.place(frame)
    #expect(placed.lines()[0] == "   \u{10EEEE}\u{305}\u{305}\u{10EEEE}\u{305}\u{30D}")
    #expect(placed.lines()[1] == "   \u{10EEEE}\u{30D}\u{305}\u{10EEEE}\u{30D}\u{30D}")
    #expect(placed[4, 1].style == Style(foreground: .indexed(16)))
    #expect(placed[2, 0] == Cell() && placed[5, 0] == Cell())
    // It is sent once.
    #expect(!kitty.hasMore && kitty.next() == nil)
    #expect(kitty.forget() == "\u{1B}_Ga=d,d=I,i=16,q=2\u{1B}\\")
    #expect(kitty.forget() == "" && kitty.place(frame) == frame && kitty.hasMore)
  }

  @Test func directColorsHaveTheNumberInTheirBlue() {
    var kitty = KittyGraphics(colors: .direct)
    _ = kitty.place(frame([graphic(7)]))
    _ = sent(&kitty)
    #expect(kitty.place(frame([graphic(7)]))[3, 0].style == Style(foreground: .rgb(0, 0, 16)))
  }

  @Test func aLargePictureGoesInPiecesThatAreEndedWhenItIsGivenUp() {
    var kitty = KittyGraphics(colors: .indexed)
    let large = graphic(1, bytes: 3 * Limits.graphicPieceBytes)
    _ = kitty.place(frame([large]))
    let first = kitty.next()
    #expect(first?.isComplete == false && kitty.hasMore)
    #expect((first?.bytes.count ?? 0) < Limits.graphicPieceBytes + 4200)
    // The picture disappears from the frame, but a begun transmission is still completed.
    _ = kitty.place(frame([]))
    let rest = sent(&kitty)
    #expect(rest.hasSuffix("\u{1B}\\") && rest.contains("\u{1B}_Gq=2,m=0;"))
    #expect(kitty.forget() == "\u{1B}_Ga=d,d=I,i=16,q=2\u{1B}\\")
    _ = kitty.place(frame([large]))
    _ = kitty.next()
    #expect(kitty.forget() == "\u{1B}_Gq=2,m=0;\u{1B}\\\u{1B}_Ga=d,d=I,i=16,q=2\u{1B}\\")
    #expect(kitty.next() == nil)
  }

  @Test func aPictureThatHasGoneBeforeItWasSentIsNotSent() {
    var kitty = KittyGraphics(colors: .indexed)
    _ = kitty.place(frame([graphic(1)]))
    _ = kitty.place(frame([]))
    #expect(!kitty.hasMore && kitty.next() == nil && kitty.isEmpty)
  }

  @Test func theOnesShownLongestAgoAreDeletedFirst() {
    var kitty = KittyGraphics(colors: .indexed)
    for number in 1...Limits.terminalGraphics {
      _ = kitty.place(frame([graphic(number)]))
      _ = sent(&kitty)
    }
    // The first picture is shown again, so the second is deleted.
    _ = kitty.place(frame([graphic(1)]))
    _ = kitty.place(frame([graphic(100)]))
    let bytes = sent(&kitty)
    #expect(bytes.hasPrefix("\u{1B}_Ga=d,d=I,i=17,q=2\u{1B}\\\u{1B}_Ga=T,U=1,i=17,"))
    _ = kitty.place(frame([graphic(1), graphic(100)]))
    #expect(!kitty.hasMore)
    // A frame with more pictures than a terminal is given shows the others with half blocks.
    let many = (200..<240).map { graphic($0) }
    _ = kitty.place(frame(many))
    _ = sent(&kitty)
    let placed = kitty.place(frame(many))
    let shown = placed.cells.filter { $0.base == Cell.pictureBase.value }
    #expect(shown.count == 4 * Limits.terminalGraphics && !kitty.hasMore)
    #expect(placed.lines()[78] == "   ##")
  }

  @Test func theBytesInATerminalAreLimited() {
    var kitty = KittyGraphics(colors: .indexed)
    let half = Limits.terminalGraphicBytes / 2
    for number in 1...3 {
      _ = kitty.place(frame([graphic(number, bytes: half)]))
      let bytes = sent(&kitty)
      #expect(bytes.hasPrefix("\u{1B}_Ga=d,d=I,i=16,q=2\u{1B}\\") == (number == 3))
    }
  }

  @Test func theMarksAreThoseOfKittysList() {
    #expect(KittyGraphics.marks.count == 297)
    #expect(
      KittyGraphics.marks.prefix(6) == ["\u{305}", "\u{30D}", "\u{30E}", "\u{310}", "\u{312}", "\u{33D}"])
    #expect(KittyGraphics.marks[30] == "\u{483}" && KittyGraphics.marks.last == "\u{1D244}")
    #expect(Set(KittyGraphics.marks).count == 297)
  }
}
