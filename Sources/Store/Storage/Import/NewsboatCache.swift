import Basics
package import Foundation
import GRDB
import GRDBSQLite
import Messages

/// An article as newsboat stored it.
package struct NewsboatArticle: Hashable, Sendable {
  /// The id of the article in its feed, or the one that newsboat created instead.
  package var guid: String
  package var title: String
  package var author: String
  package var url: String
  /// The content as HTML.
  package var content: String
  package var published: Date
  package var isUnread: Bool
  /// The letters that the user assigned to it.
  package var flags: String
}

/// Reads the cache of newsboat (`cache.db`, an SQLite database) and changes nothing in it.
package final class NewsboatCache {
  private let path: String
  private let connections: Connections
  /// The number of seconds that may still be spent on reading.
  private var seconds = Limits.importSeconds

  /// - Parameter path: an absolute path.
  /// - Returns: `nil` if there is no file.
  package init?(path: String) throws(StoreFailure) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    self.path = path
    do {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw StoreFailure.unexpected(path: path, reason: "it is not a regular file")
      }
      connections = try Connections(outside: path)
    } catch {
      throw StoreFailure(error, path: path)
    }
    try read { db in
      sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, Limits.importedArticleBytes)
      // A view, a virtual table or a computed column instead of stored values is a program that runs when it is read.
      let others = try db.integer(
        """
        SELECT count(*) FROM sqlite_master WHERE sql NOT GLOB 'CREATE TABLE *' AND sql NOT GLOB 'CREATE INDEX *'
          AND sql NOT GLOB 'CREATE UNIQUE INDEX *'
        """)
      guard others == 0 else {
        throw StoreFailure.unexpected(
          path: path, reason: "it contains views or triggers, which newsboat never writes")
      }
      for table in ["rss_feed", "rss_item"] {
        let computed = try db.integer("SELECT count(*) FROM pragma_table_xinfo('\(table)') WHERE hidden != 0")
        guard computed == 0 else {
          throw StoreFailure.unexpected(
            path: path, reason: "it contains computed columns, which newsboat never writes")
        }
      }
    }
  }

  /// Returns the title of a feed, or `nil` if the cache doesn't contain it.
  ///
  /// - Parameter feed: the URL as newsboat stores it.
  package func title(of feed: String) throws(StoreFailure) -> String? {
    try read { db in
      let query = try db.prepared("SELECT substr(title, 1, 1000) FROM rss_feed WHERE rssurl = ?")
      try query.bind(1, feed)
      return try query.first { query.text(0) }
    }
  }

  /// Returns the numbers of a feed's articles, oldest first. Deleted articles are left out, and only the
  /// newest `Limits.importedArticles` are included.
  ///
  /// - Returns: `left` is the number of older articles, which are not included.
  package func numbers(of feed: String) throws(StoreFailure) -> (numbers: [Int64], left: Int) {
    try read { db in
      let query = try db.prepared(
        """
        SELECT rowid FROM rss_item WHERE feedurl = ?1 AND deleted = 0 ORDER BY pubDate DESC, rowid DESC LIMIT ?2
        """)
      try query.bind(1, feed)
      query.bind(2, Limits.importedArticles)
      var numbers: [Int64] = []
      try query.forEach { numbers.append(query.int(0)) }
      numbers.reverse()
      guard numbers.count == Limits.importedArticles else { return (numbers, 0) }
      let count = try db.prepared("SELECT count(*) FROM rss_item WHERE feedurl = ? AND deleted = 0")
      try count.bind(1, feed)
      return (numbers, max(0, Int(try count.first { count.int(0) } ?? 0) - numbers.count))
    }
  }

  /// Returns the first articles of `numbers`, as many as are stored at a time.
  ///
  /// - Returns: `count` is the number of examined numbers; `unreadable` are those whose article is too large or
  ///   damaged.
  package func articles(
    _ numbers: ArraySlice<Int64>
  ) throws(StoreFailure) -> (articles: [NewsboatArticle], count: Int, unreadable: Int) {
    try read { db in
      let query = try db.prepared(
        """
        SELECT substr(guid, 1, ?2), substr(title, 1, ?3), substr(author, 1, ?3), substr(url, 1, ?2), substr(content, 1, ?4),
          pubDate, unread, coalesce(substr(flags, 1, 52), '')
        FROM rss_item WHERE rowid = ?1
        """)
      var articles: [NewsboatArticle] = []
      var (count, unreadable, bytes) = (0, 0, 0)
      for number in numbers.prefix(Limits.importedArticlesAtOnce) {
        guard bytes < Limits.importedArticleBytesAtOnce else { break }
        count += 1
        query.bind(1, number)
        query.bind(2, Limits.addressBytes)
        query.bind(3, Limits.nameBytes)
        query.bind(4, Limits.bodyBytes)
        do {
          let article = try query.first {
            NewsboatArticle(
              guid: query.text(0), title: query.text(1), author: query.text(2), url: query.text(3),
              content: query.text(4), published: Date(timeIntervalSince1970: TimeInterval(query.int(5))),
              isUnread: query.bool(6), flags: query.text(7))
          }
          // Newsboat may have deleted it meanwhile.
          guard let article else { continue }
          bytes += article.content.utf8.count + article.title.utf8.count + Limits.itemBytes
          articles.append(article)
        } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
          unreadable += 1
        }
      }
      return (articles, count, unreadable)
    }
  }

  private func read<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value {
    let start = ContinuousClock.now
    defer { seconds = max(0, seconds - (ContinuousClock.now - start) / .seconds(1)) }
    do {
      return try connections.read { db in try TimeLimit(seconds: seconds).limiting(db, body) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      throw .unexpected(
        path: path, reason: "reading it takes more than \(Int(Limits.importSeconds)) seconds")
    } catch {
      throw StoreFailure(error, path: path)
    }
  }
}
