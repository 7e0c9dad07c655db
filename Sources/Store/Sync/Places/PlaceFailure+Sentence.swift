extension PlaceFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let place):
      "nothing is set up in \(place); mount it if it is not mounted, or run reddot sync init \(place) on the first machine"
    // The sync location's own sentence is used.
    case .notAllowed(_, let reason) where reason.hasSuffix("."): reason
    case .notAllowed(let place, let reason): "\(place) may not be written: \(reason)"
    case .full(let place): "\(place) is full"
    case .broken(let place, let reason): "\(place) cannot be used: \(reason)"
    case .notStarted(let program, let reason): "\(program) could not be started: \(reason)"
    case .ended(let program, let line): "\(program) ended: \(line)"
    case .notUnderstood(let host):
      "\(host) does not respond like reddot sync; install a reddot there that can synchronise"
    case .closed: "the sync location was closed"
    }
  }
}

extension PlaceFailure {
  /// Returns the failure with another name of the sync location: the one that users know, instead of the
  /// opened path.
  package func named(_ name: String) -> PlaceFailure {
    switch self {
    case .missing: .missing(place: name)
    case .notAllowed(_, let reason): .notAllowed(place: name, reason: reason)
    case .full: .full(place: name)
    case .broken(_, let reason): .broken(place: name, reason: reason)
    case .notStarted, .ended, .notUnderstood, .closed: self
    }
  }
}
