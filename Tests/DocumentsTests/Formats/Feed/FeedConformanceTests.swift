import Basics
import Foundation
import TestBasics
import Testing

@testable import Formats

/// The cases of the feedparser project: one file each, with the expected values of its fields.
@Suite struct FeedConformanceTests {
  /// The expectations that are not met, and the reasons.
  static let exceptions: [String: String] = [
    "encoding/bozo_linenoise.xml entries.0.summary": """
    One byte is not UTF-8. The case wants the whole document read as ISO-8859-2, which garbles its quotation \
    marks; we keep them and mend the byte.
    """
  ]

  /// Fields of a feed that reddot does not use.
  static let unused: Set<String> = [
    "feed.description", "feed.subtitle", "feed.tagline", "feed.id", "feed.updated", "feed.updated_parsed",
    "feed.created",
  ]

  @Test func publishedFeedsYieldWhatTheyMust() throws {
    guard let folder = Corpora.find("feeds") else { return }
    let expected = try JSONReader.parse(Data(contentsOf: folder.appendingPathComponent("expect.json")))
    let cases = try #require(expected.object).members
    var total = 0
    var failures: Set<String> = []
    for member in cases {
      let data = try Data(contentsOf: folder.appendingPathComponent(member.key))
      let reading = FeedReader.read(
        data, charset: nil, mediaType: nil, address: Self.address(of: member.key, data))
      for pair in try #require(member.value.elements) {
        let parts = try #require(pair.elements)
        let field = try #require(parts.first?.text)
        if Self.unused.contains(field) { continue }
        total += 1
        guard case .feed(let feed) = reading, Self.holds(field, try #require(parts.last), feed) else {
          let key = "\(member.key) \(field)"
          failures.insert(key)
          if Self.exceptions[key] == nil {
            Issue.record("\(key): expected \(parts.last ?? .null) in \(reading)")
          }
          continue
        }
      }
    }
    #expect(failures == Set(Self.exceptions.keys), "an exception that holds must leave the list")
    #expect(total > 400)
    #expect(Double(failures.count) <= 0.03 * Double(total))
  }

  private static func address(of path: String, _ data: Data) -> String {
    // The cases have their HTTP headers in a comment.
    let text = String(decoding: data.prefix(400), as: UTF8.self)
    if let header = text.range(of: "Content-Location: ") {
      return String(text[header.upperBound...].prefix { !$0.isNewline })
    }
    return "http://127.0.0.1:8097/\(path)"
  }

  private static func holds(_ field: String, _ expected: JSONValue, _ feed: ParsedFeed) -> Bool {
    let path = field.split(separator: ".").map(String.init)
    if path == ["bozo"] { return expected.integer == (feed.problems.isEmpty ? 0 : 1) }
    guard path.count >= 2 else { return false }
    if path[0] == "feed" { return feedHolds(path[1], expected, feed) }
    guard path.count >= 3, let index = Int(path[1]), feed.entries.indices.contains(index) else {
      return false
    }
    return entryHolds(path[2], expected, feed.entries[index])
  }

  private static func feedHolds(_ name: String, _ expected: JSONValue, _ feed: ParsedFeed) -> Bool {
    switch name {
    case "title", "title_detail": same(feed.title, expected)
    case "link", "links": feed.link == expected.text
    case "author": feed.author?.raw == expected.text
    default: false
    }
  }

  private static func entryHolds(_ name: String, _ expected: JSONValue, _ entry: ParsedEntry) -> Bool {
    switch name {
    case "title", "title_detail": same(entry.title, expected)
    case "description", "summary": same(entry.summary ?? entry.content, expected)
    case "content": same(entry.content, expected)
    case "link", "links": entry.link == expected.text
    case "id", "guid": entry.id == expected.text
    case "author": entry.author?.raw == expected.text
    case "published_parsed", "created_parsed": entry.published == date(expected)
    case "updated", "updated_parsed": entry.updated == date(expected)
    default: false
    }
  }

  /// Whether both have the same characters or, for markup, the same text with the same links.
  private static func same(_ text: FeedText?, _ expected: JSONValue) -> Bool {
    guard let text, let expected = expected.text else { return false }
    if text.raw.utf8.elementsEqual(expected.utf8) { return true }
    guard text.kind == .html else { return false }
    return shownText(text.raw) == shownText(expected)
      && links(text.standalone(Allowance(documentBytes: 0))) == links(expected)
  }

  private static func links(_ html: String) -> [String] {
    html.components(separatedBy: "href=\"").dropFirst().map { rest in
      shownText(String(rest.prefix { $0 != "\"" }))
    }
  }

  /// Reads a tuple of UTC fields, or a date as the document has it.
  private static func date(_ value: JSONValue) -> Date? {
    guard let fields = value.elements?.compactMap(\.integer), fields.count >= 6 else {
      return value.text.flatMap { ISOInstant.parse($0) ?? FeedDate.parse($0)?.date }
    }
    let wall = WallTime(
      year: fields[0], month: fields[1], day: fields[2], hour: fields[3], minute: fields[4], second: fields[5]
    )
    return Date(timeIntervalSince1970: Double(wall.secondsAtUTC))
  }
}
