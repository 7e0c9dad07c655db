/// A problem of a banner's view, which stays open and shows the problem.
package enum BannerFailure: Hashable, Sendable {
  /// The HTML could not be fetched, and no copy of it is stored. `view` is the view's id in the control file.
  case unavailable(view: String, FetchFailure)
  /// The script exceeded its limit of time or memory, and receives no more events.
  case scriptStopped
  /// The engine's process could not be started; `reason` is from the system.
  case noEngine(reason: String)
  /// A script threw an error.
  case script(error: String)
  /// A script requested a view that does not exist.
  case unknownView(String)
  /// A script requested an address that may not be opened.
  case refusedAddress(String)
  /// A script set a flag with a name that is too long or an invalid value, or set too many flags.
  case refusedFlag(String)
  /// The scripts of the views display views endlessly, without a key press in between.
  case endlessDisplay
}
