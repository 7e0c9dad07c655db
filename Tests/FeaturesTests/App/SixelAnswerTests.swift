import Testing

@testable import Session

/// The accepted output of a program that draws sixel.
struct SixelAnswerTests {
  private static let box = PictureSize(width: 20, height: 12)

  private static func answer(_ data: String, width: Int = 20, height: Int = 12, end: String = "\u{1B}\\")
    -> [UInt8]
  {
    Array("\u{1B}P0;1;0q\"1;1;\(width);\(height)\(data)\(end)".utf8)
  }

  @Test func aPictureInItsBoxIsTaken() throws {
    let data = "#0;2;5;2;50#1;2;100;0;0#0!20~$#1??~~-#0!19@A"
    let answer = try #require(SixelAnswer(Self.answer(data), in: Self.box))
    #expect(answer.width == 20 && answer.height == 12 && answer.data == Array(data.utf8))
    // So it begins in chafa 1.14.0.
    let other = String(decoding: Self.answer(data), as: UTF8.self).replacing("P0;1;0q", with: "P0;0;0q")
    #expect(SixelAnswer(Array(other.utf8), in: Self.box)?.data == Array(data.utf8))
    // The end of the last line would move the cursor below the picture.
    #expect(SixelAnswer(Self.answer(data + "-", end: "\u{1B}\\\n"), in: Self.box)?.data == Array(data.utf8))
    // So it ends in chafa 1.18.
    #expect(SixelAnswer(Self.answer(data + "-#0!20?"), in: Self.box)?.data == Array(data.utf8))
  }

  @Test(arguments: [
    answer("#0~", width: 21), answer("#0~", height: 13), answer("#0~", width: 0), answer("!21~"),
    answer("!20~~"), answer("~-~-~"), answer("!0~"), answer("!~"), answer("#256~"), answer("#0;1;5;2;50~"),
    answer("#0;2;101;2;50~"), answer("#0;2;5;2~"), answer("\"1;1;2;2~"), answer("~\n~"), answer("~\u{7}"),
    answer("~\u{9C}"), answer("~", end: ""), answer("~", end: "\u{1B}\\\u{1B}[2J"),
    answer("~\u{1B}]52;c;eA==\u{7}"), Array("\u{1B}[2J".utf8) + answer("~"), Array("▄▄\n".utf8), [],
    answer("!99999999~"), answer("~-~-#0!20@"),
  ])
  func anythingElseIsRefused(output: [UInt8]) {
    #expect(SixelAnswer(output, in: Self.box) == nil)
  }
}
