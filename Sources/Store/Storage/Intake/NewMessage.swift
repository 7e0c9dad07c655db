import Messages

/// A message that did not exist before, until it is stored. It is used within one transaction.
///
/// It is a class, since a message has a dozen strings, and each copy of a value would count references to all of them.
final class NewMessage {
  /// The message as it is stored, except for changes by rules.
  var message: IncomingMessage
  /// The hash of the content from the source.
  let hash: Int64
  /// The message's extras, as text in UTF-8.
  var extras: [UInt8]?
  let id: Int64
  /// The original in another source that it duplicates.
  let first: Int64?
  /// The facts by which it is compared, or `nil` if its id alone identifies it.
  let reading: EntryReading?
  /// Whether it is a deleted message that was published again: its source delivered it before.
  var comesAgain = false

  init(
    _ message: IncomingMessage, hash: Int64, extras: [UInt8]?, id: Int64, first: Int64?,
    _ reading: EntryReading?
  ) {
    (self.message, self.hash, self.extras) = (message, hash, extras)
    (self.id, self.first, self.reading) = (id, first, reading)
  }
}
