package import Foundation

/// For how long the person is told of nothing but what is urgent.
package enum QuietSpan: Hashable, Sendable {
  case until(Date)
  /// By the settings.
  case always
}
