import Messages

/// A message that was not there before, on its way into the store. Used by one transaction.
///
/// An object: a message has a dozen texts, and each copy of the value would count references to all of them.
final class NewMessage {
  /// As it's stored, but for what rules change.
  var message: IncomingMessage
  /// Of what the source sent.
  let hash: Int64
  /// The message's, as text in UTF-8.
  var extras: [UInt8]?
  let id: Int64
  /// The message of another source that it is a copy of.
  let first: Int64?
  /// The facts by which it is compared; `nil` if its id alone tells which message it is.
  let reading: EntryReading?
  /// Whether it is a deleted message that was published again: its source had it before.
  var comesAgain = false

  init(
    _ message: IncomingMessage, hash: Int64, extras: [UInt8]?, id: Int64, first: Int64?,
    _ reading: EntryReading?
  ) {
    (self.message, self.hash, self.extras) = (message, hash, extras)
    (self.id, self.first, self.reading) = (id, first, reading)
  }
}
