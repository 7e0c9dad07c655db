import Basics

// Where sealed objects lie.
extension Limits {
  /// Seconds for which a hub is asked to hold a request back: proxies end what is silent for a minute.
  static let hubPlaceWait = 50
  /// Before a hub that says too early that nothing is new is asked again.
  static let hubPlaceRest = Duration.milliseconds(500)
  /// Bytes of a page of a hub's list of objects.
  static let hubPlacePageBytes = 1 << 20
}
