// Where sealed objects lie.
extension Limits {
  /// Bytes of an object: a header of 56, at most 64 MiB, a tag of 16. The table of PostgreSQL takes no more either.
  package static let placeObjectBytes = (64 << 20) + 56 + 16
  /// Bytes of a frame without its length: a verb, the name of an object, and the object.
  package static let frameBytes = (64 << 20) + (4 << 10)
  /// Objects of a place. Each machine packs its own, so that it has some dozens.
  package static let placeObjects = 100_000
  /// Names of files in a place that are looked at, with those that are ignored.
  package static let placeNames = 10 * placeObjects
  /// Bytes that a program may print before its greeting: shells say something when they begin.
  package static let greetingBytes = 64 << 10
  /// Without any byte of an answer for so long, the program of a place has failed.
  package static let placeSilence = Duration.seconds(60)
  /// Seconds after which a file that was never finished is removed (a day): its writer was ended.
  package static let unfinishedObjectSeconds = 86_400
  /// Characters of the reason that the program of a place gives.
  package static let placeReasonCharacters = 500
  /// A server of PostgreSQL that isn't connected to in so long is out of reach. With `databaseSilence` less than
  /// `placeSilence`, so that the reason is said.
  package static let databaseConnecting = Duration.seconds(15)
  /// Without any progress of an answer for so long, a server of PostgreSQL has failed.
  package static let databaseSilence = Duration.seconds(30)
  /// How often the list is looked at where PostgreSQL can't notify: behind a pooler, or where there are no more connections.
  package static let databaseLooking = Duration.seconds(60)
  /// How soon a connection that was lost while it listened is made again.
  package static let databaseListeningAgain = Duration.seconds(1)
  /// Seconds for which a hub is asked to hold a request back: proxies end what is silent for a minute.
  package static let hubPlaceWait = 50
  /// Before a hub that says too early that nothing is new is asked again.
  package static let hubPlaceRest = Duration.milliseconds(500)
  /// Bytes of a page of a hub's list of objects.
  package static let hubPlacePageBytes = 1 << 20
  /// A line that is slower can't be used.
  package static let slowestPlaceBytesPerSecond = 32 << 10
}
