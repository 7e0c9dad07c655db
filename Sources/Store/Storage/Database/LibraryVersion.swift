import CSQLite

extension Store {
  /// SQLite's, such as "3.40.1": of the library that was loaded.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
