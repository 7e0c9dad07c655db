/// A place that a ``PlaceServer`` can serve: waiting ends also when there is something to read.
package protocol ServedPlace: Place {
  /// As `changed(seconds:)`; false as soon as there is something to be read from a descriptor, or its end.
  func changed(seconds: Int, unlessInput: Int32?) throws(PlaceFailure) -> Bool
}

extension ServedPlace {
  package func changed(seconds: Int) throws(PlaceFailure) -> Bool {
    try changed(seconds: seconds, unlessInput: nil)
  }
}
