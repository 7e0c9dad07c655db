import Foundation
import TestBasics

/// One entry of a feed's document. Dates are `2026-11-28T10:00:00Z`, or `2026-11-28` if the document has no time of
/// day.
package struct IdentityEntry: Codable, Hashable, Sendable {
  package var id: String?
  package var link: String?
  package var title: String?
  package var published: String?
  package var updated: String?
  package var text: String?

  package init(
    id: String? = nil, link: String? = nil, title: String? = nil, published: String? = nil,
    updated: String? = nil, text: String? = nil
  ) {
    self.id = id
    self.link = link
    self.title = title
    self.published = published
    self.updated = updated
    self.text = text
  }
}

/// The message that an entry is.
package enum IdentityVerdict: Codable, Hashable, Sendable, CustomStringConvertible {
  case new, again, changed, same
  case copy(of: String)

  private static let names: [IdentityVerdict: String] = [
    .new: "new", .again: "come-again", .changed: "changed", .same: "same",
  ]
  private static let copyPrefix = "copy-of "

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    if let named = Self.names.first(where: { $0.value == text }) {
      self = named.key
    } else if text.hasPrefix(Self.copyPrefix) {
      self = .copy(of: String(text.dropFirst(Self.copyPrefix.count)))
    } else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no verdict: \(text)")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  package var description: String {
    if case .copy(let source) = self { return Self.copyPrefix + source }
    return Self.names[self] ?? ""
  }
}

/// A row of a list over all sources; in the file, an array of the four values.
package struct IdentityRow: Codable, Hashable, Sendable {
  package var source: String
  package var title: String?
  /// The longest text of the message and its duplicates.
  package var text: String?
  package var isUnread: Bool

  package init(source: String, title: String?, text: String?, isUnread: Bool) {
    self.source = source
    self.title = title
    self.text = text
    self.isUnread = isUnread
  }

  package init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    source = try values.decode(String.self)
    title = try values.decodeIfPresent(String.self)
    text = try values.decodeIfPresent(String.self)
    isUnread = try values.decode(Bool.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(source)
    try values.encode(title)
    try values.encode(text)
    try values.encode(isUnread)
  }
}

/// Documents of a few feeds, one after another, and the message of each entry.
///
/// After each document, all messages are marked as read.
package struct IdentityVector: Codable, Sendable, CustomStringConvertible {
  package struct Step: Codable, Sendable {
    package var source: String
    /// The time at which the source is polled.
    package var now: String
    /// The entries, newest first.
    package var doc: [IdentityEntry]
    /// The verdict on each entry.
    package var expect: [IdentityVerdict]
    /// Whether the read messages of the source are removed first.
    package var prune: Bool?

    package init(source: String, now: String, doc: [IdentityEntry], prunes: Bool = false) {
      self.source = source
      self.now = now
      self.doc = doc
      expect = []
      prune = prunes ? true : nil
    }

    package var prunes: Bool { prune ?? false }
  }

  package var name: String
  package var kind = "feed"
  package var reason = ""
  package var steps: [Step]
  /// The list over all sources after the last step, oldest first, if the vector contains it.
  package var shown: [IdentityRow]?

  package init(name: String, steps: [Step]) {
    self.name = name
    self.steps = steps
  }

  package var description: String { name }

  /// The sources in the order of their first documents.
  package var sources: [String] {
    steps.reduce(into: []) { found, step in
      if !found.contains(step.source) { found.append(step.source) }
    }
  }

  /// The vector in the form of the file.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? name
  }
}

/// The vectors of the contract, which are not part of the project: `identity/vectors.json` in the folder `shared` next
/// to it.
package enum IdentityVectors {
  private static let file = Project.folder.appending(path: "../shared/identity/vectors.json").standardized

  package static var areThere: Bool { FileManager.default.fileExists(atPath: file.path) }

  /// The vectors about feeds; the file also has other kinds.
  package static let feeds = Result { try read() }

  private static func read() throws -> [IdentityVector] {
    try JSONDecoder().decode([Item].self, from: Data(contentsOf: file)).compactMap(\.feed)
  }

  private struct Item: Decodable {
    enum CodingKeys: CodingKey { case kind }

    var feed: IdentityVector?

    init(from decoder: any Decoder) throws {
      let kind = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .kind)
      if kind == "feed" { feed = try IdentityVector(from: decoder) }
    }
  }
}
