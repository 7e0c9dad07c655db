import HTTP
import Storage

/// The versions of libraries, which are needed in a report of a fault.
enum LibraryVersions {
  /// Lines with name and version, such as "SQLite 3.40.1". A library that can't be opened has a sentence with the
  /// reason.
  static var lines: [String] { ["SQLite \(Store.libraryVersion)", CurlLibrary.nameAndVersion] }
}
