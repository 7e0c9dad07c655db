import Foundation
package import Storage

extension Environment {
  /// The database where there is one already; commands that only look make none.
  package func existingStore(_ database: String?) throws(StoreFailure) -> Store? {
    try Store(toRead: database ?? directories.databaseFile, now: now())
  }
}
