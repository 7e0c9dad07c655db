import Foundation
import Messages
import Services
import Testing

struct LocalFileTests {
  private static let rss = """
    <rss version="2.0"><channel><title>Here</title><item><guid>1</guid><link>page.html</link></item></channel></rss>
    """

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reddot-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  private func poll(
    _ file: URL, _ kind: SourceKind = .feed, from position: PollPosition = PollPosition(),
    limit: Int = 1 << 20
  ) async throws -> PollOutcome {
    var local = source(file.absoluteString, kind)
    local.polling.responseLimit = limit
    return try await ServicesTests.poll(local, from: position, [])
  }

  @Test func aFileIsReadAgainOnlyWhenItChanged() async throws {
    try await withFolder { folder in
      let file = folder.appending(path: "my feed.xml")
      try Self.rss.write(to: file, atomically: true, encoding: .utf8)
      let first = try #require(try await poll(file).content)
      #expect(first.title == "Here")
      #expect(first.messages.first?.url?.hasSuffix("/page.html") == true)
      #expect(try await poll(file, from: first.position).notModified == first.position)

      try (Self.rss + " ").write(to: file, atomically: true, encoding: .utf8)
      let second = try #require(try await poll(file, from: first.position).content)
      #expect(second.position != first.position)
    }
  }

  @Test func anotherFileOfTheSameSizeAndTimeInItsPlaceIsSeen() async throws {
    try await withFolder { folder in
      let file = folder.appending(path: "feed.xml")
      let time = Date(timeIntervalSince1970: 1_000_000)
      try Self.rss.write(to: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file.path)
      let first = try #require(try await poll(file).content)
      let other = folder.appending(path: "other")
      try Self.rss.replacingOccurrences(of: "Here", with: "Gone").write(
        to: other, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: other.path)
      #expect(rename(other.path, file.path) == 0)
      #expect(try await poll(file, from: first.position).content?.title == "Gone")
    }
  }

  @Test func aNativeFeedMayBeAFileToo() async throws {
    try await withFolder { folder in
      let file = folder.appending(path: "n.json")
      try #"{"list": [{"id": 1, "title": "x"}], "has_more": true}"#.write(
        to: file, atomically: true, encoding: .utf8)
      let content = try #require(try await poll(file, .native).content)
      #expect(content.messages.map(\.title) == ["x"])
    }
  }

  @Test func otherFilesThanRegularOnesAreNotRead() async throws {
    try await withFolder { folder in
      let pipe = folder.appending(path: "pipe")
      #expect(mkfifo(pipe.path, 0o600) == 0)
      for url in [pipe, folder, URL(filePath: "/dev/zero")] {
        let failure = try await poll(url).failure
        #expect(failure == .file(path: url.path, reason: "it is not a regular file"))
      }
    }
  }

  @Test func aMissingFileIsNamedWithItsReason() async throws {
    let failure = try await poll(URL(filePath: "/nowhere/at all.xml")).failure
    #expect(failure == .file(path: "/nowhere/at all.xml", reason: "No such file or directory"))
  }

  @Test func aFileOverTheLimitIsNotRead() async throws {
    try await withFolder { folder in
      let file = folder.appending(path: "big.xml")
      try Self.rss.write(to: file, atomically: true, encoding: .utf8)
      #expect(try await poll(file, limit: 10).failure == .tooLarge(limit: 10))
      #expect(try await poll(file, limit: Self.rss.utf8.count).failure == nil)
    }
  }

  /// A large file is copied, because a program that writes it again makes it empty first.
  @Test func aLargeFileMayChangeWhileItIsStored() async throws {
    try await withFolder { folder in
      let file = folder.appending(path: "large")
      let text = String(repeating: "word ", count: 100)
      let items = (0..<8000).map { number in
        "<item><guid>\(number)</guid><title>Title \(number)</title><description>\(text)</description></item>"
      }
      let document = "<rss version=\"2.0\"><channel><title>Here</title>\(items.joined())</channel></rss>"
      try document.write(to: file, atomically: true, encoding: .utf8)
      var local = source(file.absoluteString, .feed)
      local.polling.responseLimit = 1 << 24
      let whole = try #require(try await ServicesTests.poll(local, []).content)

      var context = PollContext(now: now)
      context.takesStreams = true
      let content = try #require(
        try await ServicesTests.poll(local, context: context, []).content)
      let stream = try #require(content.stream)
      #expect(truncate(file.path, 0) == 0)
      var messages: [IncomingMessage] = []
      while let part = try stream.next() { messages += part }
      #expect(messages == whole.messages && messages.count == 8000)
    }
  }
}
