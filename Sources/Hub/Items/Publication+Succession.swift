import Basics
import Formats
import Foundation

extension Publication {
  /// The way in which an item follows the earlier one with its key, since deliveries of a webhook may be repeated,
  /// late, and in any order.
  package enum Succession: Hashable, Sendable {
    /// The new item replaces the stored one unless its `time` is earlier. If the times are equal, it does not
    /// replace a resolved item, unless it is resolved too. It becomes unread again if its time is later and
    /// it isn't resolved.
    case newest
    /// Like `newest`, but the item is stored only if there is a stored item that isn't resolved: a success is
    /// of interest only after a failure.
    case end
    /// The stored item is marked as done; nothing else in it changes.
    case clear
  }

  /// Returns the item to store in place of the stored one with the same key.
  ///
  /// - Parameter stored: the body of the item with its key, or `nil` if there is none.
  /// - Returns: `nil` if nothing must be stored, so that a stored item stays.
  package func following(_ stored: String?) -> Publication? {
    guard let succession else { return self }
    guard let stored, let earlier = try? JSONReader.parse(stored).object else {
      return succession == .newest ? self : nil
    }
    if succession == .clear { return cleared(earlier) }
    guard let later = try? JSONReader.parse(body).object else { return self }
    func time(_ object: JSONObject) -> Date { object["time"]?.text.flatMap(ISOInstant.parse) ?? .distantPast }
    func isDone(_ object: JSONObject) -> Bool { object["done"]?.bool == true }
    let isLater = time(later) > time(earlier)
    if time(later) < time(earlier) || !isLater && isDone(earlier) && !isDone(later) { return nil }
    if succession == .end, isDone(earlier) { return nil }
    guard isLater, !isDone(later) else { return self }
    var (news, object) = (self, later)
    object["news"] = .bool(true)
    news.body = JSONValue.object(object).serialized()
    return news
  }
  /// Returns the earlier item marked as done, or `nil` if it already is.
  private func cleared(_ earlier: JSONObject) -> Publication? {
    guard earlier["done"]?.bool != true else { return nil }
    var (cleared, object) = (self, earlier)
    object["done"] = .bool(true)
    cleared.body = JSONValue.object(object).serialized()
    cleared.ownTime = .none
    cleared.expires = earlier["expires"]?.text.flatMap(ISOInstant.parse)
    return cleared
  }
}
