import HTTP
import Storage

/// The libraries below whose versions a report of a fault needs.
enum LibraryVersions {
  /// One line each, such as "SQLite 3.40.1". A library that can't be opened has a sentence that says why.
  static var lines: [String] { ["SQLite \(Store.libraryVersion)", CurlLibrary.nameAndVersion] }
}
