import Foundation
import HTTP
import Interface
import Messages
import Platform
import Screen
import Synchronization
import Testing

@testable import Session

/// The pictures of a message's text: their size, their cost, and the cache.
struct TextPicturesTests {
  // MARK: Sizes

  private static func bytes(_ text: String, _ rest: [UInt8]) -> Data { Data(text.utf8) + Data(rest) }

  static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xFF, 0xE1, 0, 2, 0xFF, 0xC4, 0, 3, 9]
    + [0xFF, 0xC2, 0, 11, 8, 1, 2, 3, 4, 1, 1, 0x11, 0]

  @Test func headersSayHowLargeAPictureIs() {
    let pictures: [(Data, Int, Int)] = [
      (PictureTests.gif, 1, 1), (Data(Self.jpeg), 0x304, 0x102),
      (
        Self.bytes("RIFF", [0, 0, 0, 0]) + Self.bytes("WEBPVP8 ", [0, 0, 0, 0, 0, 0, 0])
          + Data([0x9D, 1, 0x2A, 0x20, 0x43, 0x10, 0x41]), 0x320, 0x110
      ),
      (
        Self.bytes("RIFF", [0, 0, 0, 0]) + Self.bytes("WEBPVP8L", [0, 0, 0, 0, 0x2F])
          + Data([0x3F, 0xC0, 0x0F, 0, 0, 0, 0, 0, 0]), 64, 64
      ),
      (
        Self.bytes("RIFF", [0, 0, 0, 0]) + Self.bytes("WEBPVP8X", [0, 0, 0, 0, 0, 0, 0, 0])
          + Data([0x1F, 3, 0, 0x0F, 1, 0]), 0x320, 0x110
      ),
    ]
    for (bytes, width, height) in pictures {
      let format = PictureFormat(bytes)
      #expect(format?.size(bytes) == PictureSize(width: width, height: height), "\(format as Any)")
      for length in 0..<bytes.count {
        let cut = Data(bytes.prefix(length))
        _ = PictureFormat(cut).map { ($0.size(cut), $0.isTooLarge(cut)) }
      }
    }
  }

  @Test func aJPEGThatClaimsTooManyPixelsIsRefused() {
    var bytes = Self.jpeg
    bytes.replaceSubrange(23...26, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(PictureFormat.jpeg.isTooLarge(Data(bytes)))
    #expect(!PictureFormat.jpeg.isTooLarge(Data(Self.jpeg)))
    let endless = Data([0xFF, 0xD8, 0xFF]) + Data(repeating: 0xFF, count: 1_000_000)
    #expect(PictureFormat.jpeg.size(endless) == nil)
  }

  // MARK: The cache

  private final class Web: HTTPTransport {
    private let state: Mutex<(pages: [String: Data], asked: [TransportRequest])>

    init(_ pages: [String: Data]) { state = Mutex((pages, [])) }

    var asked: [TransportRequest] { state.withLock { $0.asked } }

    func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
      let page = state.withLock { state in
        state.asked.append(request)
        return state.pages[request.url]
      }
      guard let page else { throw .refused(host: "p.example", port: 443) }
      return TransportResponse(
        status: 200, headers: ["Content-Type": "image/png"], body: page, finalURL: request.url)
    }
  }

  static let hasChafa = FileManager.default.isExecutableFile(atPath: "/usr/bin/chafa")

  private func cache(_ web: Web, path: String = "/usr/bin:/bin") -> PictureCache {
    PictureCache(
      transport: web, environment: ["PATH": path], programs: ProgramRunner(), colors: .full,
      limits: PollSettings())
  }

  /// A PNG that is one colour: its data are stored, not compressed.
  static func png(width: Int, height: Int) -> Data {
    let rows = [UInt8](repeating: 0, count: (1 + (width + 7) / 8) * height)
    func big(_ number: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
    func crc(_ bytes: [UInt8]) -> UInt32 {
      ~bytes.reduce(UInt32.max) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
          value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
        }
      }
    }
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      let body = Array(name.utf8) + data
      return big(UInt32(data.count)) + body + big(crc(body))
    }
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in rows {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    let length = [UInt8(rows.count & 255), UInt8(rows.count >> 8)]
    let stored = [0x78, 1, 1] + length + length.map { ~$0 } + rows + big(high << 16 | low)
    return Data(
      [0x89, 0x50, 0x4E, 0x47, 0xD, 0xA, 0x1A, 0xA]
        + chunk("IHDR", big(UInt32(width)) + big(UInt32(height)) + [1, 0, 0, 0, 0]) + chunk("IDAT", stored)
        + chunk("IEND", []))
  }

  @Test(.enabled(if: hasChafa, "skipped: no chafa"))
  func aPictureIsNotEnlargedAndFetchedOnce() async throws {
    let address = "https://p.example/a.png"
    let web = Web([address: Self.png(width: 64, height: 48)])
    let cache = cache(web)
    for columns in [40, 30] {
      let request = PictureRequest(address: address, columns: columns, rows: 20, isInText: true)
      guard case .drawn(let lines) = await cache.draw(request) else {
        Issue.record("not drawn")
        return
      }
      #expect(lines.count == 3 && lines.allSatisfy { $0.columns == 8 })
    }
    let narrow = await cache.draw(PictureRequest(address: address, columns: 4, rows: 20, isInText: true))
    guard case .drawn(let lines) = narrow else {
      Issue.record("not drawn: \(narrow)")
      return
    }
    #expect(lines.allSatisfy { $0.columns <= 4 } && (1...2).contains(lines.count))
    #expect(web.asked.count == 1)
    #expect(web.asked.allSatisfy { $0.credential == nil })
  }

  @Test(.enabled(if: hasChafa, "skipped: no chafa"))
  func aPictureOfAFewPixelsIsNotDrawn() async throws {
    let web = Web([
      "https://p.example/1.gif": PictureTests.gif, "https://p.example/2": Self.png(width: 600, height: 1),
    ])
    for address in ["https://p.example/1.gif", "https://p.example/2"] {
      let answer = await cache(web).draw(
        PictureRequest(address: address, columns: 40, rows: 20, isInText: true))
      #expect(answer == .drawn([]))
    }
  }

  @Test(.enabled(if: hasChafa, "skipped: no chafa"))
  func aPictureThatCameWithItsMessageNeedsNoRequest() async throws {
    let web = Web([:])
    let address = PictureData(png: Self.png(width: 64, height: 48)).address
    let answer = await cache(web).draw(
      PictureRequest(address: address, columns: 40, rows: 20, isInText: true))
    guard case .drawn(let lines) = answer else {
      Issue.record("not drawn: \(answer)")
      return
    }
    #expect(lines.count == 3 && web.asked.isEmpty)
  }

  @Test func withoutTheProgramThatDrawsNothingIsFetched() async {
    let web = Web([:])
    let answer = await cache(web, path: "/nowhere").draw(
      PictureRequest(address: "https://p.example/a.png", columns: 40, rows: 20, isInText: true))
    #expect(answer == .failed(.noDecoder) && web.asked.isEmpty)
  }
}
