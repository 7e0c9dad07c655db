import Basics
import Formats
import Foundation

extension Publication {
  /// How an item follows the one with its key: deliveries of a webhook come again, late, and in any order.
  package enum Succession: Hashable, Sendable {
    /// The one with the later `time` stays; of one time, one that is over. It is news if its time is later and it isn't over.
    case newest
    /// As `newest`, but only after one that isn't over: a success is of interest after a failure.
    case end
    /// The stored item is marked as done; nothing else of it changes.
    case clear
  }

  /// The item as it is stored over the one that is there.
  ///
  /// - Parameter stored: the body of the one with its key; nil: there is none.
  /// - Returns: nil if the stored one stays, or nothing is to be stored.
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
