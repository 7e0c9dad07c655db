import Basics
import Formats
package import Foundation

/// A stored item with the times that only the store knows.
package struct StoredItem: Hashable, Sendable {
  package var key: String
  /// A JSON object without `id` and `key`.
  package var body: String
  package var published: Date
  /// The time of its last change.
  package var changed: Date

  package init(key: String, body: String, published: Date, changed: Date) {
    (self.key, self.body, self.published, self.changed) = (key, body, published, changed)
  }
}

/// An item in the form for readers of Atom and JSON Feed. Its text is in English; otherwise in the language
/// of `default`, or in its first language.
package struct FeedEntry: Hashable, Sendable {
  package var id: String
  package var title = ""
  /// Plain text, or `nil` if there is `html` or no body.
  package var text: String?
  package var html: String?
  package var url: String?
  package var author: String?
  package var published: Date
  package var updated: Date
  package var tags: [String] = []

  /// - Parameters:
  ///   - channel: the feed of the item; its title is also the application's name in text.
  ///   - now: the time; items that aren't visible then are left out.
  /// - Returns: `nil` for an item that isn't for display.
  package init?(_ item: StoredItem, in channel: FeedChannel, now: Date) {
    guard var object = try? JSONReader.parse(item.body).object else { return nil }
    object["id"] = .integer(1)
    var problems: [FormatProblem] = []
    guard let read = NativeItemReader.read(object, problems: &problems, unknown: { _ in })?.withoutMarks
    else {
      return nil
    }
    let key = item.key.addingPercentEncoding(withAllowedCharacters: .urlHostAllowed) ?? item.key
    id = "\(channel.id):\(key)"
    (published, updated) = (item.published, item.changed)
    switch read {
    case .plain(let plain):
      (text, html, url, author, tags) = (plain.body, plain.html, plain.url, plain.author, plain.tags)
      if text != nil { html = nil }
      published = plain.time ?? published
      title = plain.title ?? text.map(Self.firstLine) ?? ""
    case .inApp(let notification):
      let isVisible =
        notification.visibility(arrival: item.published, installation: item.published).from
        .map { $0 <= now } ?? true
      guard notification.kind().isDisplayed, isVisible, let choice = notification.texts.choice(for: "en")
      else {
        return nil
      }
      let named = choice.naming(application: channel.title)
      (title, text) = (named.title.isEmpty ? Self.firstLine(named.body) : named.title, named.body)
      published = notification.epoch ?? published
    case .apns(_, let payload):
      let shown = payload.display(strings: LocalizedStringsCatalog(), language: "en")
      guard !shown.isEmpty else { return nil }
      title = [shown.title, shown.subtitle].filter { !$0.isEmpty }.joined(separator: ": ")
      text = shown.body
      if title.isEmpty { title = Self.firstLine(shown.body) }
    case .published: return nil
    }
  }

  private static func firstLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
  }
}

/// A feed in the form for readers of Atom and JSON Feed.
package struct FeedChannel: Hashable, Sendable {
  /// The id `urn:reddot:UID:FEED`, which is the same at any URL.
  package var id: String
  package var title: String
  /// The URL of the feed.
  package var address: String

  package init(uid: String, feed: FeedName, title: String, address: String) {
    (id, self.title, self.address) = ("urn:reddot:\(uid):\(feed)", title, address)
  }

  /// Returns the feed in JSON Feed 1.1 (jsonfeed.org).
  package func jsonFeed(_ entries: [FeedEntry]) -> String {
    let items = entries.map { entry -> JSONValue in
      var item = JSONObject([
        .init(key: "id", value: .string(entry.id)), .init(key: "title", value: .string(entry.title)),
      ])
      item["content_html"] = entry.html.map { .string($0) }
      // One of the two is required.
      if entry.html == nil { item["content_text"] = .string(entry.text ?? "") }
      item["url"] = entry.url.map { .string($0) }
      item["date_published"] = .string(ISOInstant.text(entry.published))
      item["date_modified"] = .string(ISOInstant.text(entry.updated))
      item["authors"] = entry.author.map { author in
        .array([.object(JSONObject([.init(key: "name", value: .string(author))]))])
      }
      if !entry.tags.isEmpty { item["tags"] = .array(entry.tags.map { .string($0) }) }
      return .object(item)
    }
    return JSONValue.object(
      JSONObject([
        .init(key: "version", value: .string("https://jsonfeed.org/version/1.1")),
        .init(key: "title", value: .string(title)), .init(key: "feed_url", value: .string(address)),
        .init(key: "items", value: .array(items)),
      ])
    ).serialized()
  }

  /// Returns the feed in Atom 1.0 (RFC 4287).
  package func atom(_ entries: [FeedEntry]) -> String {
    func element(_ name: String, _ text: String, _ attributes: String = "") -> String {
      "<\(name)\(attributes)>\(XMLText.escaped(text))</\(name)>"
    }
    let updated = entries.map(\.updated).max() ?? Date(timeIntervalSince1970: 0)
    var lines = [
      #"<?xml version="1.0" encoding="utf-8"?>"#, #"<feed xmlns="http://www.w3.org/2005/Atom">"#,
      element("id", id), element("title", title), element("updated", ISOInstant.text(updated)),
      "<link rel=\"self\" href=\"\(XMLText.escaped(address))\"/>",
      // This is the author of entries without one.
      "<author>\(element("name", title.isEmpty ? "reddot-hub" : title))</author>",
    ]
    for entry in entries {
      lines += ["<entry>", element("id", entry.id), element("title", entry.title)]
      lines.append(element("updated", ISOInstant.text(entry.updated)))
      lines.append(element("published", ISOInstant.text(entry.published)))
      if let url = entry.url { lines.append("<link href=\"\(XMLText.escaped(url))\"/>") }
      if let author = entry.author, !author.isEmpty {
        lines.append("<author>\(element("name", author))</author>")
      }
      lines += entry.tags.map { "<category term=\"\(XMLText.escaped($0))\"/>" }
      lines.append(
        entry.html.map { element("content", $0, " type=\"html\"") }
          ?? element("content", entry.text ?? "", " type=\"text\""))
      lines.append("</entry>")
    }
    return (lines + ["</feed>\n"]).joined(separator: "\n")
  }
}
