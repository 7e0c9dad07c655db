import Basics
import Foundation
import HTTP
import Interface
import Messages
import Platform
import Screen
import Synchronization
import Testing

@testable import Session

/// Pictures in pixels: the output of the decoding program that is accepted.
struct GraphicTests {
  private static func answer(
    _ width: Int = 2, _ height: Int = 1, _ pieces: [String] = ["AAECAwQF", "Bgc="], end: String = "\u{1B}\\\n"
  ) -> [UInt8] {
    Array(
      ("\u{1B}_Ga=T,f=32,s=\(width),v=\(height),c=1,r=1,m=1\u{1B}\\"
        + pieces.map { "\u{1B}_Gm=1;\($0)\u{1B}\\" }.joined() + "\u{1B}_Gm=0" + end).utf8)
  }

  @Test func thePixelsAreTakenFromExactlyOneForm() throws {
    let answer = try #require(KittyAnswer(Self.answer()))
    #expect(answer.width == 2 && answer.height == 1)
    #expect(answer.bytes == Array(0...7))
    #expect(KittyAnswer(Self.answer(end: "\u{1B}\\")) == answer)
    // So it begins in chafa 1.18.
    let quiet = String(decoding: Self.answer(), as: UTF8.self).replacing("r=1,m=1", with: "r=1,m=1,q=2")
    #expect(KittyAnswer(Array(quiet.utf8)) == answer)
    // Each piece may have padding, and chafa 1.12 writes the last bits before the padding differently.
    #expect(KittyAnswer(Self.answer(2, 1, ["AAECAw==", "BAUGBw=="])) == answer)
    #expect(KittyAnswer(Self.answer(2, 1, ["AAECAwQ=", "BQYH"])) == answer)
    #expect(KittyAnswer(Self.answer(2, 1, ["//////////8="]))?.bytes == Array(repeating: 255, count: 8))
    #expect(KittyAnswer(Self.answer(2, 1, ["/////////PP="]))?.bytes.suffix(3) == [255, 252, 255])
  }

  static let others: [[UInt8]] = [
    [], answer(3, 1), answer(1, 1), answer(0, 1, []), answer(2, 99_999), answer(2, 1, ["AAECAwQFBgc"]),
    answer(2, 1, ["AAECAwQFBg=="]), answer(2, 1, ["AAECAw=F", "Bgc="]),
    answer(2, 1, ["AAECAw\u{7}F", "Bgc="]),
    answer(2, 1, ["AAECAwQF", "", "Bgc="]), answer(2, 1, ["AAECAwQF", "Bgc=", "AAAA"]),
    answer(2, 1, ["AAECAwQF", "Bgc=\u{1B}]52;c;eA==\u{7}"]), answer(end: ""), answer(end: "\u{1B}\\\n\n"),
    answer(end: "\u{1B}\\\u{1B}[2J"), Array("\u{1B}[2J".utf8) + answer(), answer().dropLast(7),
    Array("\u{1B}_Ga=T,f=100,s=2,v=1,c=1,r=1,m=1\u{1B}\\".utf8), Array("▄▄\n".utf8),
    Array("\u{1B}_Ga=T,f=32,t=f,s=2,v=1,c=1,r=1,m=1\u{1B}\\".utf8) + answer().dropFirst(35),
    answer(2, 1, ["AAECAwQF", "Bgc=\u{9C}"]),
  ]

  @Test(arguments: others.indices)
  func anythingElseIsRefused(index: Int) {
    #expect(KittyAnswer(Self.others[index]) == nil)
  }

  @Test func moreThanALargePictureIsRefused() {
    let (side, count) = (Limits.graphicSide, Limits.graphicPixels)
    let text = String(repeating: "A", count: (count + side) * 16 / 3 / 4 * 4 + 4)
    #expect(KittyAnswer(Self.answer(side, count / side + 1, [text])) == nil)
    #expect(KittyAnswer(Self.answer(side + 1, 1, [text])) == nil)
  }

  // MARK: Sizes

  @Test func aPictureHasThePixelsOfItsCellsButNoMoreThanItsOwn() {
    let cells = Size(columns: 20, rows: 10)
    func pixels(_ cell: Size?, _ natural: PictureSize?) -> PictureSize {
      GraphicFormat.kitty(cell: cell).pixels(for: cells, natural: natural)
    }
    #expect(pixels(nil, nil) == PictureSize(width: 160, height: 160))
    #expect(pixels(Size(columns: 10, rows: 20), nil) == PictureSize(width: 200, height: 200))
    #expect(
      pixels(Size(columns: 10, rows: 20), PictureSize(width: 90, height: 70))
        == PictureSize(width: 90, height: 70))
    let huge = GraphicFormat.kitty(cell: Size(columns: 9999, rows: 9999)).pixels(
      for: Size(columns: 256, rows: 100), natural: nil)
    #expect(huge.width * huge.height <= Limits.graphicPixels && huge.width > 700)
  }

  /// No finer than is wanted, but for a part of a cell; and never more pixels than the limit.
  @Test(arguments: [
    (64, 48, Size(columns: 8, rows: 8), Size(columns: 8, rows: 6)),
    (64, 48, Size(columns: 10, rows: 20), Size(columns: 7, rows: 3)),
    (1000, 1000, Size(columns: 10, rows: 20), Size(columns: 100, rows: 50)),
    (999, 1001, Size(columns: 10, rows: 20), Size(columns: 99, rows: 50)),
    (3, 1, Size(columns: 10, rows: 20), Size(columns: 1, rows: 1)),
  ])
  func aPictureIsAskedForInTheCellsOfTheProgram(width: Int, height: Int, cell: Size, cells: Size) {
    #expect(PictureSize(width: width, height: height).cells(of: cell, pixels: 1_000_000) == cells)
  }

  // MARK: The program

  private struct Web: HTTPTransport {
    var body: Data

    func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
      TransportResponse(status: 200, headers: [:], body: body, finalURL: request.url)
    }
  }

  private let request = PictureRequest(
    address: "https://p.example/a.png", columns: 40, rows: 20, isInText: true)

  private func drawn(path: String = "/usr/bin:/bin", format: GraphicFormat? = .kitty(cell: nil)) async -> (
    drafts: [PictureAnswer], answer: PictureAnswer
  ) {
    let cache = PictureCache(
      transport: Web(body: TextPicturesTests.png(width: 64, height: 48)), environment: ["PATH": path],
      programs: ProgramRunner(), colors: .full, limits: PollSettings())
    let drafts = Mutex<[PictureAnswer]>([])
    let answer = await cache.draw(request, format: format) { draft in drafts.withLock { $0.append(draft) } }
    return (drafts.withLock { $0 }, answer)
  }

  @Test(.enabled(if: TextPicturesTests.hasChafa, "skipped: no chafa"))
  func halfBlocksComeFirstThenTheSameCellsWithThePixels() async throws {
    let (drafts, answer) = await drawn()
    guard case .draft(let blocks)? = drafts.first, case .drawn(let lines) = answer else {
      Issue.record("\(drafts), \(answer)")
      return
    }
    #expect(drafts.count == 1 && lines.map(\.plain) == blocks.map(\.plain) && lines.count == 3)
    #expect(blocks.allSatisfy { $0.runs.allSatisfy { $0.graphic == nil } })
    let rows = lines.compactMap { $0.runs.first?.graphic }
    #expect(rows.map(\.row) == [0, 1, 2] && Set(rows.map(\.graphic.number)).count == 1)
    let graphic = try #require(rows.first?.graphic)
    #expect(graphic.size == Size(columns: 8, rows: 3))
    // The program fills its cells, which depend on its version.
    #expect((64..<74).contains(graphic.width) && (48..<68).contains(graphic.height))
    guard case .rgba(let base64) = graphic.pixels else {
      Issue.record("\(graphic.pixels)")
      return
    }
    let pixels = try #require(Data(base64Encoded: Data(base64)))
    #expect(pixels.count == graphic.width * graphic.height * 4)
    // Every pixel is black, except for rounding errors.
    #expect(pixels.allSatisfy { $0 <= 1 || $0 >= 254 })
  }

  /// A terminal doesn't scale it: it must not be larger than its cells.
  @Test(.enabled(if: TextPicturesTests.hasChafa, "skipped: no chafa"))
  func aSixelPictureFitsItsCells() async throws {
    let cell = Size(columns: 10, rows: 20)
    guard case .drawn(let lines) = await drawn(format: .sixel(cell: cell)).answer else {
      Issue.record("nothing is drawn")
      return
    }
    let graphic = try #require(lines.first?.runs.first?.graphic?.graphic)
    #expect(graphic.size == Size(columns: 8, rows: 3))
    #expect((70...80).contains(graphic.width) && (40...60).contains(graphic.height))
  }

  @Test(.enabled(if: TextPicturesTests.hasChafa, "skipped: no chafa"))
  func withoutPixelsThereIsOneAnswer() async {
    let (drafts, answer) = await drawn(format: nil)
    guard case .drawn(let lines) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(drafts.isEmpty && lines.count == 3)
  }

  /// If the shell refused a limit, the program would run without limits.
  @Test func theProgramHasLimitedTimeMemoryAndFiles() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let program = folder.appending(path: "chafa").path
    let script = "#!/bin/sh\necho $(ulimit -t) $(ulimit -v) $(ulimit -f) $(ulimit -c)\n"
    try Data(script.utf8).write(to: URL(filePath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let (_, answer) = await drawn(path: "\(folder.path):/usr/bin:/bin", format: nil)
    guard case .drawn(let lines) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(lines.map(\.plain) == ["2 786432 32768 0"])
  }

  @Test(arguments: ["printf 'not pixels'", "exit 3", "printf '\\033_Ga=T,f=32,s=9,v=9,c=1,r=1,m=1\\033\\\\'"])
  func aProgramThatPrintsSomethingElseLeavesTheHalfBlocks(instead: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let script = """
      #!/bin/sh
      case "$*" in *symbols*) printf '\\033[31m####\\033[0m\\n####\\n' ;; *) \(instead) ;; esac
      """
    let program = folder.appending(path: "chafa").path
    try Data(script.utf8).write(to: URL(filePath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let (drafts, answer) = await drawn(path: "\(folder.path):/usr/bin:/bin")
    guard case .draft(let blocks)? = drafts.first else {
      Issue.record("\(answer)")
      return
    }
    #expect(answer == .drawn(blocks) && blocks.map(\.plain) == ["####", "####"])
  }
}
