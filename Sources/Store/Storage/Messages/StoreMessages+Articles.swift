import Foundation
import GRDB
package import Messages

/// The article of the page that a message links to, with the data for its next request.
package struct StoredArticle: Hashable, Sendable {
  package var article: Article
  /// The URL of the message at the time of the fetch, as in the message.
  package var requested: String
  package var validators: Validators
  /// Whether the article is current; it isn't once the message arrived with other content, since the page may have
  /// changed too.
  package var isCurrent = true

  package init(_ article: Article, requested: String, validators: Validators = Validators()) {
    self.article = article
    self.requested = requested
    self.validators = validators
  }
}

/// Articles are kept as long as their messages.
extension StoreMessages {
  package func article(of message: MessageID) throws(StoreFailure) -> StoredArticle? {
    try read { db in
      let query = try db.prepared(
        """
        SELECT requested, address, title, html, etag, last_modified, fetched, is_current FROM article
        WHERE message_id = ?
        """)
      query.bind(1, message.rawValue)
      return try query.first {
        var stored = StoredArticle(
          Article(
            title: query.optionalText(2), html: query.text(3), address: query.text(1),
            fetched: Date(milliseconds: query.int(6))),
          requested: query.text(0),
          validators: Validators(etag: query.optionalText(4), lastModified: query.optionalText(5)))
        stored.isCurrent = query.bool(7)
        return stored
      }
    }
  }

  /// Stores an article, replacing the earlier one of that message.
  ///
  /// - Returns: `false` if the message was deleted or now has another URL; then nothing is stored.
  @discardableResult
  package func keep(_ stored: StoredArticle, of message: MessageID) throws(StoreFailure) -> Bool {
    try write { db in
      let isWanted = try db.prepared("SELECT 1 FROM detail WHERE message_id = ?1 AND url = ?2")
      isWanted.bind(1, message.rawValue)
      try isWanted.bind(2, stored.requested)
      guard try isWanted.first({ true }) == true else { return false }
      let save = try db.prepared(
        """
        INSERT OR REPLACE INTO article
          (message_id, requested, address, title, html, etag, last_modified, fetched, is_current)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
      save.bind(1, message.rawValue)
      try save.bind(2, stored.requested)
      try save.bind(3, stored.article.address)
      try save.bind(4, stored.article.title)
      try save.bind(5, stored.article.html)
      try save.bind(6, stored.validators.etag)
      try save.bind(7, stored.validators.lastModified)
      save.bind(8, stored.article.fetched.milliseconds)
      save.bind(9, stored.isCurrent)
      try save.run()
      return true
    }
  }
}
