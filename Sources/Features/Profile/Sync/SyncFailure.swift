import Platform
package import Sync

/// Why a synchronisation, or its set-up, can't go on.
package enum SyncFailure: UserFacingError, Hashable {
  /// Neither `init` nor `join` was called.
  case notBegun
  /// There is no marker.
  case notSetUp(place: String)
  /// The folder that is to hold it isn't there either.
  case noParent(place: String)
  case isSetUp(place: String)
  /// The marker is that of another set-up than this machine has joined.
  case replaced(place: String)
  case wrongKey(place: String)
  case newerMarker(place: String)
  case badKey(SyncKey.ParseFailure)
  case noKeyGiven
  /// It can be read by others.
  case openKey(path: String)
  case noKey(path: String, reason: String)
  case keyCommand(reason: String)
  case sameAddress(String, String)
  /// - waiting: own acts that aren't sent.
  case place(PlaceFailure, waiting: Int)
  /// It took longer than a poll waits.
  case tookLong(place: String, seconds: Int)
  /// What other machines follow can't be written down here.
  case sources(reason: String)
  /// Another process synchronises at this moment.
  case busy

  package var sentence: String {
    switch self {
    case .notBegun:
      "Nothing is synchronised yet: reddot sync init PLACE begins, reddot sync join PLACE joins another machine."
    case .notSetUp(let place): PlaceFailure.missing(place: place).description
    case .noParent(let place):
      "\(place) can't be made: the folder that is to hold it isn't there. Make it, or mount it, and begin again."
    case .isSetUp(let place): "\(place) is set up already: reddot sync join \(place)"
    case .replaced(let place): "\(place) was set up anew: reddot sync join \(place)"
    case .wrongKey(let place):
      "This key does not open \(place); reddot sync key on a machine that is joined prints the right one."
    case .newerMarker(let place):
      "\(place) was set up by a newer reddot: install a newer reddot here."
    case .badKey(let failure): "\(failure)"
    case .noKeyGiven: "No key was given; run reddot sync key on a machine that is joined: it prints the key."
    case .openKey(let path): "\(path) can be read by others: chmod 600 \(path)"
    case .noKey(let path, let reason):
      "The key of the place can't be read: \(path) \(reason). reddot sync join PLACE asks for it again."
    case .keyCommand(let reason): "The key of the place can't be read: \(reason)"
    case .sameAddress(let name, let other):
      "\(name) and \(other) have one kind and address: give each sync_as."
    case .place(.full(let place), let waiting) where waiting > 0:
      "\(place) is full; \(waiting == 1 ? "1 act waits" : "\(waiting) acts wait")."
    case .place(let failure, _): "\(failure)"
    case .tookLong(let place, let seconds):
      "\(place) takes longer than \(seconds) seconds; reddot sync waits longer."
    case .sources(let reason):
      "What other machines follow is not followed here: \(reason). sources = false under [sync] leaves it so."
    case .busy: "Another reddot synchronises this database at this moment; try it again."
    }
  }
}
