import Basics
package import Foundation

/// When to send the next request, as the response says.
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

  /// `Date`: the server's clock when it answered (RFC 9110 section 6.6.1). Nil for an answer of a cache.
  package func serverDate(now: Date) -> Date? {
    headers["Age"] == nil ? headers["Date"].flatMap { HTTPDate.parse($0, now: now) } : nil
  }

  /// `Last-Modified` exactly as received; nil if it is in the future: until then a server would answer that nothing changed.
  package func lastModified(now: Date) -> String? {
    guard let text = headers["Last-Modified"] else { return nil }
    guard let date = HTTPDate.parse(text, now: now) else { return text }
    return date <= max(now, serverDate(now: now) ?? now) ? text : nil
  }

  /// For how long this response stays fresh: `max-age` less `Age` (RFC 9111 sections 4.2.1 and 5.2.2). nil if
  /// there is no `max-age`, if it has passed, and with `no-cache` or `no-store`. `s-maxage` is for shared
  /// caches and does not apply.
  package var freshness: Duration? {
    var maxAge: Int?
    for directive in headers.list("Cache-Control") {
      let parts = directive.split(exactly: "=", maxSplits: 1).map {
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

  /// Digits only; a number that overflows is the largest one (RFC 9111 section 1.2.2).
  private static func wholeSeconds(_ text: String) -> Int? {
    let digits = text.utf8
    guard !digits.isEmpty, digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
      return nil
    }
    return Int(text) ?? Int(Int32.max)
  }
}
