import Platform
package import Sync

/// The reason why a sync, or its set-up, cannot continue.
package enum SyncFailure: UserFacingError, Hashable {
  /// The settings have no sync location: neither `reddot sync init` nor `join` was called.
  case notBegun
  /// The location was never set up: it lacks the marker object that the set-up creates.
  case notSetUp(place: String)
  /// The folder that is to contain the location's folder doesn't exist either.
  case noParent(place: String)
  case isSetUp(place: String)
  /// The marker is not that of the location that this machine has joined.
  case replaced(place: String)
  case wrongKey(place: String)
  /// A newer program wrote the marker.
  case newerMarker(place: String)
  case badKey(SyncKey.ParseFailure)
  case noKeyGiven
  /// The file of the key can be read by others.
  case openKey(path: String)
  case noKey(path: String, reason: String)
  /// The settings' `key_command` failed.
  case keyCommand(reason: String)
  /// Two sources with these names have the same kind and URL.
  case sameAddress(String, String)
  /// The location could not be read or written; `waiting` is the number of this machine's changes that are
  /// not sent.
  case place(PlaceFailure, waiting: Int)
  /// The sync took longer than a poll waits.
  case tookLong(place: String, seconds: Int)
  /// The sources of other machines cannot be stored here.
  case sources(reason: String)
  /// Another process is syncing at this moment.
  case busy

  package var sentence: String {
    switch self {
    case .notBegun:
      "nothing is synchronised yet; run reddot sync init PLACE, or reddot sync join PLACE to join another machine"
    case .notSetUp(let place): PlaceFailure.missing(place: place).description
    case .noParent(let place):
      "\(place) cannot be created: its parent folder does not exist; create or mount that folder, and try again"
    case .isSetUp(let place): "\(place) is already set up; run reddot sync join \(place)"
    case .replaced(let place): "\(place) was set up again; run reddot sync join \(place)"
    case .wrongKey(let place):
      "wrong key for \(place); run reddot sync key on a joined machine to see the right one"
    case .newerMarker(let place):
      "\(place) was set up by a newer reddot; install a newer reddot here"
    case .badKey(let failure): "\(failure)"
    case .noKeyGiven: "no key was given; run reddot sync key on a joined machine to see it"
    case .openKey(let path): "others can read \(path); run chmod 600 \(path)"
    case .noKey(let path, let reason):
      "no encryption key: \(path) \(reason); run reddot sync join PLACE to enter the key again"
    case .keyCommand(let reason): "the encryption key cannot be read: \(reason)"
    case .sameAddress(let name, let other):
      "\(name) and \(other) have the same kind and address; give each its own sync_as"
    case .place(.full(let place), let waiting) where waiting > 0:
      "\(place) is full; \(waiting == 1 ? "1 change waits" : "\(waiting) changes wait")"
    case .place(let failure, _): "\(failure)"
    case .tookLong(let place, let seconds):
      "\(place) takes longer than \(seconds) seconds; run reddot sync, which waits longer"
    case .sources(let reason):
      "the sources of other machines are not followed here: \(reason); sources = false under [sync] ignores them"
    case .busy: "another reddot is synchronising this database; try again later"
    }
  }
}
