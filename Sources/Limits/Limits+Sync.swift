// What other machines of the person wrote.
extension Limits {
  /// Bytes of an object's acts once they are unpacked.
  package static let payloadBytes = 64 << 20
  /// Bytes of a sealed object: a header of 56, packed acts, and a tag of 16.
  package static let objectBytes = 56 + payloadBytes + 16
  /// Bytes of the name of a machine and of its program.
  package static let machineNameBytes = 1024
  /// Bytes of a message's content for other machines.
  package static let contentBytes = 64 << 10
  /// Its times, in milliseconds since 1970: the years 1 to 9999. Others are left out.
  package static let contentTimes: ClosedRange<Int64> = -62_135_510_400_000...253_402_214_400_000
  /// Bytes of all contents of one act: of starred messages beyond that only the star is sent.
  package static let contentsBytes = 16 << 20
  /// Bytes of a source's name, title, folder and address.
  package static let sourceNameBytes = 1024
  /// Seconds for which what was written of a message that isn't here waits for it.
  package static let waitingWriteSeconds: Int64 = 2 * 365 * 86_400
  /// Bytes of own acts that one object is made of; one act may have more.
  package static let sentObjectBytes = 4 << 20
  /// More own objects than this that are small are joined to one, so that a place has few.
  package static let smallObjects = 32
  package static let smallObjectBytes = 256 << 10
  /// Seconds that a poll waits for the place, and a command for its act.
  package static let secondsBeforePoll = 30.0
  package static let secondsAfterAct = 5.0
  /// Seconds until a place that didn't say that it has news is looked at again.
  package static let secondsOfWatching = 600
  /// Seconds before a place that failed is tried again, from the first failure to the last.
  package static let firstSyncBackoff: Int64 = 5
  package static let longestSyncBackoff: Int64 = 900
  /// Seconds from the last act to sending, and from one sending to the next: each makes a file in a folder, which other
  /// programs carry.
  package static let secondsUntilActsAreSent = 2.0
  package static let secondsBetweenSending = 30.0
  /// The same where a connection to the place is open.
  package static let secondsUntilActsAreSentAtOnce = 0.3
  package static let secondsBetweenSendingAtOnce = 2.0
  /// For dots that go off alone.
  package static let secondsUntilSeenIsSent = 60.0
  /// Seconds that the end of the inbox waits for sending.
  package static let secondsToSendAtEnd = 1.0
  /// Seconds after which the inbox says that acts aren't sent.
  package static let secondsUntilUnsentIsSaid = 3600.0
}
