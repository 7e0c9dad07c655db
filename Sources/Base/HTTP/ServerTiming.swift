import Basics
package import Foundation

/// The times that a response sets for the next request.
extension TransportResponse {

  /// `Retry-After`, seconds or a date, as an instant not before `now` (RFC 9110 section 10.2.3).
  package func retryAfter(now: Date) -> Date? {
    guard let value = headers["Retry-After"]?.trimmingCharacters(in: .whitespaces) else { return nil }
    if let seconds = Self.wholeSeconds(value) {
      return now.addingTimeInterval(min(Double(seconds), Limits.longestWait))
    }
    return HTTPDate.parse(value, now: now).map {
      min(max($0, now), now.addingTimeInterval(Limits.longestWait))
    }
  }

  /// `Date`, the server's clock at the time of the response (RFC 9110 section 6.6.1), or `nil` if a cache responded.
  package func serverDate(now: Date) -> Date? {
    headers["Age"] == nil ? headers["Date"].flatMap { HTTPDate.parse($0, now: now) } : nil
  }

  /// `Last-Modified` exactly as received, or `nil` if it is in the future: until then a server would report that
  /// nothing changed.
  package func lastModified(now: Date) -> String? {
    guard let text = headers["Last-Modified"] else { return nil }
    guard let date = HTTPDate.parse(text, now: now) else { return text }
    return date <= max(now, serverDate(now: now) ?? now) ? text : nil
  }

  /// The time for which this response stays fresh: `max-age` less `Age` (RFC 9111 sections 4.2.1 and 5.2.2). It is
  /// `nil` without `max-age`, after it has passed, and with `no-cache` or `no-store`. `s-maxage` is for shared caches
  /// and does not apply.
  package var freshness: Duration? {
    var maxAge: Int?
    for directive in headers.list("Cache-Control") {
      let parts = directive.split(onBytes: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      switch parts.first?.lowercased() {
      // With field names it applies to those fields only.
      case "no-cache" where parts.count == 1: return nil
      case "no-store": return nil
      case "max-age" where parts.count == 2 && maxAge == nil:
        maxAge = Self.wholeSeconds(parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"")))
      default: continue
      }
    }
    guard let maxAge else { return nil }
    let age = headers["Age"].flatMap { Self.wholeSeconds($0.trimmingCharacters(in: .whitespaces)) } ?? 0
    return maxAge > age ? .seconds(min(maxAge - age, Int(Limits.longestWait))) : nil
  }

  /// Parses digits only; a number that overflows becomes the largest one (RFC 9111 section 1.2.2).
  private static func wholeSeconds(_ text: String) -> Int? {
    let digits = text.utf8
    guard !digits.isEmpty, digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
      return nil
    }
    return Int(text) ?? Int(Int32.max)
  }
}
