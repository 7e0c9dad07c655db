package import Foundation
import GRDB
import Limits
import Messages

/// What newsboat stored of an article.
package struct NewsboatArticle: Hashable, Sendable {
  /// The feed's, or what newsboat made in its place.
  package var guid: String
  package var title: String
  package var author: String
  package var url: String
  /// HTML.
  package var content: String
  package var published: Date
  package var isUnread: Bool
}

/// Reads the cache of newsboat (`cache.db`, an SQLite database) and changes nothing in it.
package struct NewsboatCache {
  private let path: String
  private let connections: Connections

  /// - Returns: nil where there is no file.
  package init?(path: String) throws(StoreFailure) {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      self.path = path
      connections = try Connections(outside: URL(fileURLWithPath: path).path)
      try connections.read { db in
        // A view in the place of a table is a program that runs when it is read.
        let others = try db.integer(
          """
          SELECT count(*) FROM sqlite_master WHERE sql NOT GLOB 'CREATE TABLE *' AND sql NOT GLOB 'CREATE INDEX *'
            AND sql NOT GLOB 'CREATE UNIQUE INDEX *'
          """)
        guard others == 0 else {
          throw StoreFailure.unexpected(
            path: path, reason: "it holds views or triggers, which newsboat never writes")
        }
      }
    } catch {
      throw StoreFailure(error, path: path)
    }
  }

  /// The title of a feed; nil where the cache doesn't have it.
  ///
  /// - Parameter feed: the address as newsboat has it.
  package func title(of feed: String) throws(StoreFailure) -> String? {
    try read { db in
      let query = try db.prepared("SELECT substr(title, 1, 1000) FROM rss_feed WHERE rssurl = ?")
      try query.bind(1, feed)
      return try query.first { query.text(0) }
    }
  }

  /// The articles of a feed that are not deleted, newest first, at most `Limits.importedArticles`.
  package func articles(of feed: String) throws(StoreFailure) -> [NewsboatArticle] {
    try read { db in
      let query = try db.prepared(
        """
        SELECT guid, substr(title, 1, ?3), substr(author, 1, ?3), url, substr(content, 1, ?4), pubDate, unread FROM rss_item
        WHERE feedurl = ?1 AND deleted = 0 ORDER BY pubDate DESC, id DESC LIMIT ?2
        """)
      try query.bind(1, feed)
      query.bind(2, Limits.importedArticles)
      query.bind(3, Limits.nameBytes)
      query.bind(4, Limits.bodyBytes)
      var articles: [NewsboatArticle] = []
      var bytes = 0
      try query.forEach {
        let article = NewsboatArticle(
          guid: query.text(0), title: query.text(1), author: query.text(2), url: query.text(3),
          content: query.text(4), published: Date(timeIntervalSince1970: TimeInterval(query.int(5))),
          isUnread: query.bool(6))
        bytes += article.content.utf8.count + article.title.utf8.count + Limits.itemBytes
        if bytes <= Limits.importedArticleBytes { articles.append(article) }
      }
      return articles
    }
  }

  private func read<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
    do {
      return try connections.read(body)
    } catch {
      throw StoreFailure(error, path: path)
    }
  }
}
