import Basics
package import Foundation
import GRDB
package import Messages

/// The last valid copy of a control file (a publisher's list of banners) or of a view (a page that a banner shows),
/// with the validators of its next request.
package struct StoredDocument: Hashable, Sendable {
  package var bytes: Data
  package var validators: Validators

  package init(bytes: Data, validators: Validators = Validators()) {
    self.bytes = bytes
    self.validators = validators
  }
}

/// The last valid copies of control files and views.
package struct StoreDocuments: StorePart {
  let store: Store

  /// Returns the stored copy of a URL, or `nil` if there is none.
  ///
  /// - Parameter address: the complete URL with its query, compared byte by byte.
  package func find(at address: String) throws(StoreFailure) -> StoredDocument? {
    try read { db in try StoredDocument.find(address, db) }
  }

  /// Returns the last valid copy of a source's control file, or `nil` if there is none.
  ///
  /// - Throws: `unknownSource`, besides failures of the database.
  package func goodCopy(of source: SourceID) throws(StoreFailure) -> StoredDocument? {
    try read { db in
      let row = try SourceRow.find(source, db, columns)
      return try StoredDocument.find(try PollPosition.find(source, db).address(of: row.source), db)
    }
  }

  /// Stores a copy, replacing the older one of the same URL.
  package func keep(_ document: StoredDocument, at address: String) throws(StoreFailure) {
    try write { db in
      try document.save(address, db)
      // Former views of banners can be fetched again; a control file's copy is deleted only with its source.
      try db.prepared(
        """
        DELETE FROM document WHERE rowid <= (SELECT rowid FROM document ORDER BY rowid DESC LIMIT 1 OFFSET ?)
          AND address NOT IN (SELECT address FROM source)
          AND address NOT IN (SELECT moved_to FROM polling WHERE moved_to IS NOT NULL)
        """
      ).run(Int64(Limits.storedDocuments))
    }
  }
}

extension StoredDocument {
  static func find(_ address: String, _ db: Database) throws -> StoredDocument? {
    let query = try db.prepared("SELECT bytes, etag, last_modified FROM document WHERE address = ?")
    try query.bind(1, address)
    return try query.first {
      StoredDocument(
        bytes: Data(query.blob(0)),
        validators: Validators(etag: query.optionalText(1), lastModified: query.optionalText(2)))
    }
  }

  func save(_ address: String, _ db: Database) throws {
    // Each time a new row is inserted, so that the order of rows is the order of writing.
    let save = try db.prepared(
      "INSERT OR REPLACE INTO document (address, bytes, etag, last_modified) VALUES (?1, ?2, ?3, ?4)")
    try save.bind(1, address)
    try save.bind(2, blob: Array(bytes))
    try save.bind(3, validators.etag)
    try save.bind(4, validators.lastModified)
    try save.run()
  }

  /// Deletes the validators, so that the next request gets the whole document.
  static func forgetValidators(_ address: String, _ db: Database) throws {
    let update = try db.prepared("UPDATE document SET etag = NULL, last_modified = NULL WHERE address = ?")
    try update.bind(1, address)
    try update.run()
  }

  static func delete(_ address: String, _ db: Database) throws {
    let delete = try db.prepared("DELETE FROM document WHERE address = ?")
    try delete.bind(1, address)
    try delete.run()
  }

  /// Moves the copy to another URL, to which permanent redirects led.
  static func move(from old: String, to new: String, _ db: Database) throws {
    guard !old.utf8.elementsEqual(new.utf8) else { return }
    let update = try db.prepared("UPDATE OR REPLACE document SET address = ?2 WHERE address = ?1")
    try update.bind(1, old)
    try update.bind(2, new)
    try update.run()
  }
}

extension PollPosition {
  /// Returns the URL that the next poll requests.
  func address(of source: Source) -> String { permanentAddress ?? source.address }
}
