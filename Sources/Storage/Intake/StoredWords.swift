import Digests
import GRDB
import Limits
import Messages

/// What tells entries of one feed apart that have one id.
struct StoredWords {
  var title: String
  var published: Milliseconds?
  var url: String?

  /// - Parameter title: earlier versions stored titles of several lines.
  init(title: String, published: Milliseconds?, url: String?) {
    (self.title, self.published, self.url) = (title.inOneLine, published, url)
  }

  /// Of a message as it is stored: cut to the sizes of `cutToFit`.
  init(fitting message: some Matchable) {
    self.init(
      title: message.title.utf8.count > Limits.titleCharacters
        ? message.title.prefix(characters: Limits.titleCharacters) : message.title,
      published: message.published?.milliseconds,
      url: message.url.flatMap { $0.utf8.count > Limits.addressBytes ? nil : $0 })
  }

  static func find(_ message: Int64, _ db: Database) throws -> StoredWords? {
    let query = try db.prepared(
      "SELECT m.title, d.published, d.url FROM message m CROSS JOIN detail d ON d.message_id = m.id WHERE m.id = ?"
    )
    query.bind(1, message)
    return try query.first {
      StoredWords(title: query.text(0), published: query.optionalInt(1), url: query.optionalText(2))
    }
  }

  /// Whether these are the words of another message: not with another title and another date or link.
  func areOther(than other: StoredWords) -> Bool {
    title != other.title && (published != other.published || url != other.url)
  }

  var titleAndDate: EntryKey { EntryKey(title: title, date: published) }

  /// In UTC.
  var titleAndDay: EntryKey {
    EntryKey(title: title, date: published.map { Int64((Double($0) / 86_400_000).rounded(.down)) })
  }

  /// Nil without a date or a link: then it tells nothing.
  var dateAndLink: EntryKey? {
    published != nil && url != nil ? EntryKey(date: published, link: url) : nil
  }
}

struct EntryKey: Hashable {
  var title: String?
  var date: Int64?
  var link: String?
}

extension RemoteID {
  /// What ids of several messages that came with this one begin with; a part of it that fits where it is very long.
  var base: String {
    text.utf8.count + 17 <= Limits.remoteIDBytes ? text : "sha256:" + SHA256.digest(text).hex
  }
}
