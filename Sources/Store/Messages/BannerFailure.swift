/// What went wrong with a view; it stays and shows this.
package enum BannerFailure: Hashable, Sendable {
  /// Its HTML could not be fetched, and there is no copy of it. `view` is its id in the control file.
  case unavailable(view: String, FetchFailure)
  /// Its script used more time or memory than it may; no event reaches it any more.
  case scriptStopped
  /// The engine's process could not be started; `reason` is the system's.
  case noEngine(reason: String)
  /// What a script threw.
  case script(error: String)
  /// A script asked for a view that does not exist.
  case unknownView(String)
  /// A script asked for an address that is not opened.
  case refusedAddress(String)
  /// A script's flag with a name that is too long or a value that isn't valid, or one flag too many.
  case refusedFlag(String)
  /// Its views display each other without any press.
  case endlessDisplay
}
