import Basics

/// The occasion that a message reports: the start of an alert, the last comment of a thread.
///
/// Senders write moments with different offsets, so moments are compared as times. Any other occasion is compared as
/// text.
package struct Occasion: Hashable, Sendable {
  private let text: String
  package let moment: Milliseconds?

  package init(_ text: String) {
    self.text = text
    moment = ISOInstant.parse(text)?.milliseconds
  }

  /// Whether this occasion is later than another one. If one of the two is no moment, any other text counts as later.
  package func isLater(than other: Occasion) -> Bool {
    if let moment, let other = other.moment { return moment > other }
    return text != other.text
  }

  /// The stored form of the occasion for a message that isn't kept: the moment, or a hash of the text. Hashes are
  /// beyond all moments that can be written.
  package var stored: Int64 { moment ?? ContentHash.of(text) }

  /// Whether this occasion is later than a stored one, which an earlier version may have stored as a hash.
  package func isLater(thanStored stored: Int64) -> Bool {
    if let moment, stored.magnitude < Self.mostMilliseconds { return moment > stored }
    return ContentHash.of(text) != stored
  }

  /// The limit of moments: no date with a year of four digits reaches it.
  private static let mostMilliseconds: UInt64 = 1 << 50
}
