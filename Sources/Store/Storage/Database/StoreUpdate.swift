/// A step of the update of a database of 0.2.0, which can take a while.
package enum StoreUpdate: Hashable, Sendable {
  /// A process of 0.2.0 still uses the database. The update waits for its end, at most ten seconds.
  case waiting(path: String, process: Int32?)
  /// The update begins.
  case updating(path: String)
}
