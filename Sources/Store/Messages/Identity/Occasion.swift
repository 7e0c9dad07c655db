import Basics

/// The occasion that a message reports: the start of an alert, the last comment of a thread.
///
/// Senders write moments with different offsets, so moments are compared as moments. Any other occasion is compared as text.
package struct Occasion: Hashable, Sendable {
  private let text: String
  package let moment: Milliseconds?

  package init(_ text: String) {
    self.text = text
    moment = ISOInstant.parse(text)?.milliseconds
  }

  /// Whether this occasion came after another one. If one of the two is no moment, each other text is later.
  package func isLater(than other: Occasion) -> Bool {
    if let moment, let other = other.moment { return moment > other }
    return text != other.text
  }

  /// The occasion as it is stored for a message that isn't kept: the moment, or a hash of the text. Hashes are beyond all
  /// moments that can be written.
  package var stored: Int64 { moment ?? ContentHash.of(text) }

  /// Whether this occasion came after one that was stored, also by an earlier version, which stored hashes alone.
  package func isLater(thanStored stored: Int64) -> Bool {
    if let moment, stored.magnitude < Self.mostMilliseconds { return moment > stored }
    return ContentHash.of(text) != stored
  }

  /// No date with four digits of a year has as many.
  private static let mostMilliseconds: UInt64 = 1 << 50
}
