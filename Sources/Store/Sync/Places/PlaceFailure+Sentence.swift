extension PlaceFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let place):
      "Nothing is set up in \(place). Is it mounted? On the first machine: reddot sync init \(place)"
    // A place's own sentence.
    case .notAllowed(_, let reason) where reason.hasSuffix("."): reason
    case .notAllowed(let place, let reason): "\(place) may not be written: \(reason)"
    case .full(let place): "\(place) is full"
    case .broken(let place, let reason): "\(place) can't be used: \(reason)"
    case .notStarted(let program, let reason): "\(program) could not be started: \(reason)"
    case .ended(let program, let line): "\(program) ended: \(line)"
    case .notUnderstood(let host):
      "\(host) does not answer as reddot sync: is a reddot that can synchronise installed there?"
    case .closed: "The place was closed."
    }
  }
}

extension PlaceFailure {
  /// The same of a place that people call otherwise than the path that was opened.
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
