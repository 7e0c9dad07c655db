package import Foundation

/// The time in which the user is notified only of urgent messages.
package enum QuietSpan: Hashable, Sendable {
  case until(Date)
  /// Always quiet, because of the settings.
  case always
}
