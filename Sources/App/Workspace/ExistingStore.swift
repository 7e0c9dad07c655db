import Foundation
package import Storage

extension Surroundings {
  /// The database where there is one already; commands that only look make none.
  package func existingStore(_ database: String?) throws(StoreFailure) -> Store? {
    let path = database ?? directories.databaseFile
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try Store(path: path, now: now())
  }
}
