import Basics
import Foundation
import Testing

@testable import HTTP

/// Large bodies are kept in a file without a name.
struct SpoolingTests {
  private static let bytes = Data((0..<(Limits.spooledBytes * 2)).map { UInt8(truncatingIfNeeded: $0 / 251) })

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reddot-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  private func fill(_ buffer: GrowingBuffer, _ bytes: Data) throws {
    var rest = bytes
    while !rest.isEmpty {
      let piece = [UInt8](rest.prefix(100_000))
      rest = rest.dropFirst(piece.count)
      try piece.withUnsafeBytes { try buffer.append($0) }
    }
  }

  @Test func manyBytesAreInAFileThatHasNoName() async throws {
    try await withFolder { folder in
      let buffer = GrowingBuffer(limit: 1 << 24, spoolFolder: folder.path)
      try fill(buffer, Self.bytes)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      let (data, spooled) = buffer.finish()
      #expect(spooled != nil)
      #expect(data == Self.bytes)
      // They are read from the file again.
      spooled?.release()
      #expect(data == Self.bytes)
    }
  }

  @Test func fewBytesStayInMemory() async throws {
    try await withFolder { folder in
      let buffer = GrowingBuffer(limit: 1 << 24, spoolFolder: folder.path)
      try fill(buffer, Self.bytes.prefix(Limits.spooledBytes))
      let (data, spooled) = buffer.finish()
      #expect(spooled == nil)
      #expect(data == Self.bytes.prefix(Limits.spooledBytes))
    }
  }

  @Test func theLimitHoldsForAFileToo() async throws {
    try await withFolder { folder in
      let buffer = GrowingBuffer(limit: Self.bytes.count - 1, spoolFolder: folder.path)
      #expect(throws: GrowingBuffer.LimitReached.self) { try fill(buffer, Self.bytes) }
    }
  }

  @Test func withoutAFolderToWriteToTheyStayInMemory() throws {
    let buffer = GrowingBuffer(limit: 1 << 24, spoolFolder: "/nowhere/at/all")
    try fill(buffer, Self.bytes)
    let (data, spooled) = buffer.finish()
    #expect(spooled == nil)
    #expect(data == Self.bytes)
  }

  @Test(arguments: [0, Limits.spooledBytes + 300_000]) func aDiskThatBecomesFullLosesNoByte(room: Int)
    async throws
  {
    try await withFolder { folder in
      let buffer = GrowingBuffer(limit: 1 << 24) { SpoolFile(in: folder.path, room: room) }
      try fill(buffer, Self.bytes)
      let (data, spooled) = buffer.finish()
      #expect(spooled == nil)
      #expect(data == Self.bytes)
    }
  }

  /// The system sends SIGBUS for such bytes.
  @Test func aFileThatBecomesShorterEndsNothing() async throws {
    try await withFolder { folder in
      let file = try #require(SpoolFile(in: folder.path))
      #expect(Self.bytes.withUnsafeBytes { file.append($0) })
      let spooled = try #require(file.mapped())
      let data = spooled.data
      #expect(data.last == Self.bytes.last)
      let before = SpooledBytes.faults
      #expect(ftruncate(file.descriptor, 0) == 0)
      spooled.release()
      #expect(data.allSatisfy { $0 == 0 })
      #expect(SpooledBytes.faults > before)
    }
  }

  @Test func aLargeBodyFromAServerIsInAFile() async throws {
    try await withFolder { folder in
      let text = String(repeating: "0123456789abcdef", count: Limits.spooledBytes / 8)
      let server = try await LoopbackServer.start { _ in .response("200 OK", [], text) }
      defer { server.stop() }
      let response = try await withTransport {
        $0.spoolFolder = folder.path
      } _: {
        try await $0.send(TransportRequest(url: server.url("/large")))
      }
      #expect(response.spooled != nil)
      #expect(response.body == Data(text.utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }
}
