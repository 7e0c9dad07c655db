import Foundation
import Platform
import Screen
import Testing

@testable import Session

struct PictureTests {
  /// A GIF of one red pixel.
  static let gif = Data([
    0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0xFF, 0, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0,
    1, 0, 0, 2,
    2, 0x44, 1, 0, 0x3B,
  ])
  let renderer = PictureRenderer(
    environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], programs: ProgramRunner())

  @Test func aPictureBecomesColouredCells() async throws {
    let lines = try await renderer.draw(Self.gif, columns: 4, rows: 2, colors: .full)
    let runs = lines.flatMap(\.runs)
    #expect(!lines.isEmpty && lines.count <= 2)
    #expect(lines.allSatisfy { $0.columns <= 4 })
    #expect(runs.contains { $0.style.foreground != .terminal || $0.style.background != .terminal })
  }

  @Test(arguments: ["<svg xmlns='http://www.w3.org/2000/svg'/>", "", "push graphic-context", "GIF8"])
  func otherFilesThanPicturesAreNotDecoded(text: String) async {
    await #expect(throws: PictureRenderer.Failure.notAPicture) {
      try await renderer.draw(Data(text.utf8), columns: 4, rows: 2, colors: .full)
    }
  }

  @Test func aHeaderThatPromisesTooManyPixelsIsRefused() async {
    var bytes = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
    bytes.append(contentsOf: [0, 1, 0, 0, 0, 1, 0, 0])
    await #expect(throws: PictureRenderer.Failure.tooLarge) {
      try await renderer.draw(bytes, columns: 4, rows: 2, colors: .full)
    }
  }

  @Test func brokenBytesCostNothingButTheirPicture() async {
    await #expect(throws: PictureRenderer.Failure.undecodable) {
      try await renderer.draw(Self.gif.prefix(14), columns: 4, rows: 2, colors: .full)
    }
  }

  @Test func withoutADecoderItSaysSo() async {
    await #expect(throws: PictureRenderer.Failure.noDecoder) {
      try await PictureRenderer(environment: ["PATH": "/nowhere"], programs: ProgramRunner()).draw(
        Self.gif, columns: 4, rows: 2, colors: .full)
    }
  }

  @Test func coloursAndNothingElseAreReadFromTheDecodersAnswer() {
    let text = "\u{1B}[38;5;18;48;2;1;2;3m▄▄\u{1B}[0m\u{1B}]52;c;x\u{7}ok\n\u{1B}[?25lplain"
    let lines = SGRReader.lines(Data(text.utf8))
    #expect(lines.count == 2)
    #expect(lines[0].runs.first?.style.foreground == .indexed(18))
    #expect(lines[0].runs.first?.style.background == .rgb(1, 2, 3))
    #expect(lines[1].plain == "plain")
    #expect(!lines[0].plain.unicodeScalars.contains { $0.value < 32 })
  }
}
