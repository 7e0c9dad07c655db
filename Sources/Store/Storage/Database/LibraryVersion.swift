import CSQLite

extension Store {
  /// The version of the loaded SQLite library, for example "3.40.1".
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
