import Foundation
package import Platform
package import Storage

extension Environment {
  /// Opens the database if it exists; commands that only read create none.
  package func existingStore(_ database: String?) throws(StoreFailure) -> Store? {
    try Store(toRead: database ?? directories.databaseFile, now: now())
  }
}
