import Foundation
import Testing

@testable import HTTP

struct ContentDecoderTests {
  /// Decodes bytes in pieces of `step` bytes, as from a network.
  private func decode(
    _ bytes: [UInt8], _ codings: [String], limit: Int = 1 << 24, step: Int = .max
  ) throws(ContentDecoder.Failure) -> Data {
    let decoder = ContentDecoder(codings: codings, limit: limit)
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(step))
      rest = rest.dropFirst(step)
      let result = piece.withUnsafeBytes { piece in
        Result { () throws(ContentDecoder.Failure) in try decoder.append(piece) }
      }
      try result.get()
    }
    guard try decoder.finish() else { throw .cutOff }
    return decoder.decoded()
  }

  private func text(_ bytes: [UInt8], _ codings: [String]) throws -> String {
    String(decoding: try decode(bytes, codings), as: UTF8.self)
  }

  @Test func everyKindOfBlockIsRead() throws {
    #expect(try text(Compressed.gzip, ["gzip"]) == Compressed.text)
    #expect(try text(Compressed.zlib, ["deflate"]) == Compressed.text)
    #expect(try text(Compressed.raw, ["deflate"]) == Compressed.text)
    #expect(try text(Compressed.brotli, ["br"]) == Compressed.text)
    #expect(try text(Compressed.zstd, ["zstd"]) == Compressed.text)
    #expect(try text(Compressed.gzipNamed, ["gzip"]) == "stored and named")
    #expect(try text(Compressed.rawStored, ["deflate"]) == "stored as it is")
    #expect(try text(Compressed.rawFixed, ["deflate"]) == "fixed codes, fixed codes, fixed codes")
  }

  @Test func severalMembersFollowEachOtherAndGarbageAfterThemIsIgnored() throws {
    let two = Compressed.gzipNamed + Compressed.gzip
    #expect(try text(two, ["gzip"]) == "stored and named" + Compressed.text)
    #expect(try text(Compressed.gzipNamed + [0, 0, 0], ["gzip"]) == "stored and named")
    #expect(try text(Compressed.gzipNamed + [0x1f], ["gzip"]) == "stored and named")
    #expect(try text(Compressed.zstd + Compressed.zstd, ["zstd"]) == Compressed.text + Compressed.text)
    #expect(try text(Compressed.zstd + Array("garbage".utf8), ["zstd"]) == Compressed.text)
    #expect(try text(Compressed.brotli + [0, 0, 0], ["br"]) == Compressed.text)
  }

  /// The library also reads the formats of its first versions, by their magic numbers; servers must not send them as
  /// zstd.
  @Test(arguments: 0x22...0x27 as ClosedRange<UInt8>)
  func aFrameFromBeforeTheStandardIsDamaged(first: UInt8) {
    let body = [first, 0xB5, 0x2F, 0xFD] + [UInt8](repeating: 0, count: 12)
    #expect(throws: ContentDecoder.Failure.damaged) { try decode(body, ["zstd"]) }
  }

  @Test func framesThatAreSkippedComeBetweenOthersAndInPieces() throws {
    let skipped: [UInt8] = [0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
    #expect(
      try text(skipped + Compressed.zstd + skipped + Compressed.zstd, ["zstd"]) == Compressed.text
        + Compressed.text)
    #expect(throws: ContentDecoder.Failure.cutOff) {
      try decode(Compressed.zstd + skipped.dropLast(), ["zstd"])
    }
    #expect(throws: ContentDecoder.Failure.cutOff) { try decode(Array(Compressed.zstd.prefix(3)), ["zstd"]) }
  }

  @Test func anEmptyBodyIsNotDecompressedWithAnyHeader() throws {
    #expect(try decode([], ["gzip"]).isEmpty)
    #expect(try decode([], ["br"]).isEmpty)
  }

  @Test func theLastCodingIsUndoneFirst() throws {
    #expect(try decode(Compressed.bomb, ["gzip", "gzip"]).count == 4 << 20)
    #expect(throws: ContentDecoder.Failure.unknown("lzma")) { try decode(Compressed.gzip, ["gzip", "lzma"]) }
    #expect(throws: ContentDecoder.Failure.tooManyCodings(3)) {
      try decode(Compressed.bomb, ["gzip", "gzip", "gzip"])
    }
    #expect(
      try decode(Compressed.bomb, ["identity", "gzip", "identity", "gzip", "identity"]).count == 4 << 20)
  }

  static let bodies: [(coding: String, bytes: [UInt8])] = [
    ("gzip", Compressed.gzip), ("deflate", Compressed.zlib), ("deflate", Compressed.raw),
    ("br", Compressed.brotli), ("zstd", Compressed.zstd),
  ]

  @Test(arguments: bodies, [1, 2, 3, 7, 1000])
  func piecesMayEndAnywhere(body: (coding: String, bytes: [UInt8]), step: Int) throws {
    let twice = body.coding == "gzip" ? body.bytes + Compressed.gzipNamed : body.bytes
    let expected = Compressed.text + (body.coding == "gzip" ? "stored and named" : "")
    #expect(try decode(twice, [body.coding], step: step) == Data(expected.utf8))
    #expect(try decode(Array("plain".utf8), ["gzip"], step: step) == Data("plain".utf8))
  }

  @Test func aBombIsOneBeforeItIsLarge() throws {
    #expect(throws: ContentDecoder.Failure.expandsTooFar) {
      try decode(Compressed.zstdBomb, ["zstd"], limit: 64 << 20)
    }
    #expect(throws: ContentDecoder.Failure.limitReached) {
      try decode(Compressed.zstdBomb, ["zstd"], limit: 1 << 20)
    }
  }

  @Test func aWindowLargerThanAllowedIsRefused() {
    #expect(throws: ContentDecoder.Failure.damaged) { try decode(Compressed.zstdWide, ["zstd"]) }
  }

  @Test func aReaderThatNobodyWaitsForStopsBetweenTwoPieces() {
    let decoder = ContentDecoder(codings: ["gzip", "gzip"], limit: 1 << 24)
    var pieces = 0
    #expect(throws: ContentDecoder.Failure.cancelled) {
      try Compressed.bomb.withUnsafeBytes { bytes in
        try decoder.append(bytes) {
          pieces += 1
          return pieces > 3
        }
      }
    }
    #expect(decoder.decoded().count < 4 << 20)
  }

  /// `feed.xml.gz`, a server that compresses twice, and one that omits the header.
  @Test(arguments: [Compressed.gzip, Compressed.zlib, Compressed.zstd], [1, 3, 1000])
  func aLayerThatNoHeaderNamesIsUnpacked(bytes: [UInt8], step: Int) throws {
    #expect(try decode(bytes, [], step: step) == Data(Compressed.text.utf8))
    #expect(throws: ContentDecoder.Failure.cutOff) { try decode(bytes.dropLast(), [], step: step) }
  }

  @Test func onlyOneLayerMoreThanSaidIsUnpacked() throws {
    #expect(try decode(Compressed.bomb, ["gzip"]).count == 4 << 20)
    #expect(try decode(Compressed.bomb, []).starts(with: [0x1F, 0x8B]))
  }

  @Test(arguments: ["", "x", "x^2 + y", "<a/>", "\u{1F}", "(\u{B5}"])
  func textPassesAsItIs(text: String) throws {
    for step in [1, 1000] {
      #expect(try decode(Array(text.utf8), [], step: step) == Data(text.utf8))
    }
  }

  @Test(arguments: ["UTF-8", "none", "binary", "text/html"])
  func whatIsNotACodingIsReadAsItIs(coding: String) throws {
    #expect(try text(Array("plain".utf8), [coding]) == "plain")
    #expect(try text(Compressed.gzip, [coding, "gzip"]) == Compressed.text)
  }

  /// The text is complete; only the checksum after it is wrong.
  @Test(arguments: [
    ("gzip", Compressed.gzip, 8), ("gzip", Compressed.gzip, 1), ("deflate", Compressed.zlib, 1),
  ])
  func aWrongChecksumIsSaidAndTheTextIsKept(coding: String, bytes: [UInt8], place: Int) throws {
    var bytes = bytes
    bytes[bytes.count - place] ^= 1
    let decoder = ContentDecoder(codings: [coding], limit: 1 << 24)
    try bytes.withUnsafeBytes { try decoder.append($0) }
    #expect(try !decoder.finish())
    #expect(decoder.decoded() == Data(Compressed.text.utf8))
  }

  @Test func theLimitIsExact() throws {
    let size = Compressed.text.utf8.count
    for (coding, bytes) in Self.bodies {
      #expect(try decode(bytes, [coding], limit: size).count == size)
      for limit in [0, 1, size / 2, size - 1] {
        #expect(throws: ContentDecoder.Failure.limitReached) { try decode(bytes, [coding], limit: limit) }
      }
    }
  }

  @Test(arguments: bodies)
  func cutAtAnyLengthIsCutOff(coding: String, bytes: [UInt8]) {
    // With two bytes the format is known.
    for length in 2..<bytes.count where length < 80 || length % 7 == 0 || length + 20 > bytes.count {
      #expect(throws: ContentDecoder.Failure.cutOff) { try decode(Array(bytes.prefix(length)), [coding]) }
    }
  }

  @Test(arguments: bodies)
  func mutatedBytesNeverTrap(coding: String, bytes: [UInt8]) {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<120 {
      var mutated = bytes
      for _ in 0...next(4) { mutated[next(mutated.count)] = UInt8(next(256)) }
      if let decoded = try? decode(mutated, [coding], limit: 1 << 20) { #expect(decoded.count <= 1 << 20) }
    }
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/gzip"), "needs /bin/gzip"),
    arguments: [1, 6, 9])
  func gzipIsDecompressed(level: Int) throws {
    var state: UInt64 = UInt64(level)
    // Runs, repeats near and far, and noise that cannot be compressed.
    var bytes: [UInt8] = []
    while bytes.count < 300_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let length = Int(state >> 40) % 700 + 1
      switch (state >> 60) % 4 {
      case 0: bytes += repeatElement(UInt8(truncatingIfNeeded: state >> 32), count: length)
      case 1 where bytes.count > 40_000: bytes += bytes[(bytes.count - 32_768)...].prefix(length)
      case 2 where bytes.count > 1000: bytes += bytes.suffix(900).prefix(length)
      default:
        bytes += (0..<length).map {
          UInt8(truncatingIfNeeded: (state &+ UInt64($0)) &* 0x9e37_79b9_7f4a_7c15 >> 56)
        }
      }
    }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/gzip")
    process.arguments = ["-c", "-\(level)"]
    let file = FileManager.default.temporaryDirectory.appending(path: "reddot-gzip-\(level)-\(getpid())")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    process.standardInput = try FileHandle(forReadingFrom: file)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let packed = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(try decode(Array(packed), ["gzip"]) == Data(bytes))
  }
}
