package import Foundation

extension IdentityVector.Step {
  /// Returns the document as JSON Feed 1.1, without values that an entry lacks.
  package func jsonFeed() throws -> Data {
    struct Feed: Encodable {
      var version = "https://jsonfeed.org/version/1.1"
      var title: String
      var items: [Item]
    }
    struct Item: Encodable {
      var id, url, title, content_text, date_published, date_modified: String?
    }
    let items = doc.map { entry in
      Item(
        id: entry.id, url: entry.link, title: entry.title, content_text: entry.text,
        date_published: entry.published, date_modified: entry.updated)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(Feed(title: "Feed \(source)", items: items))
  }

  /// The time at which the source is polled.
  package var date: Date {
    get throws { try Date(now, strategy: .iso8601) }
  }
}
