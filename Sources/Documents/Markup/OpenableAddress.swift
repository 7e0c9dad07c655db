import Basics
import Foundation

/// A URL that may be opened: http, https or mailto by another program, `reddot:` inside reddot.
///
/// The user sees the same URL before opening it: printable ASCII, with everything else percent-encoded (RFC 3986
/// section 2.1).
package struct OpenableAddress: Hashable, Sendable {
  /// The target of a URL.
  package enum Place: Hashable, Sendable {
    /// Another program opens the URL.
    case outside
    /// A source: `reddot:source/NAME`.
    case source(String)
    /// A message: `reddot:message/ID`.
    case message(Int64)
    /// An action of the message that is open in the reader, which does more than open a link:
    /// `reddot:action/INDEX`.
    case action(Int)
    /// The terminal pane from which the message that is open in the reader comes: `reddot:pane/here`.
    case pane
  }

  package let text: String
  package let place: Place

  /// Whether the URL is http or https.
  package var isWeb: Bool { LinkScheme(of: text)?.isWeb == true }

  /// Creates the URL, or returns `nil` if it may not be opened.
  package init?(_ address: String?) {
    guard let address, let colon = address.firstIndex(of: ":") else { return nil }
    let rest = address[address.index(after: colon)...]
    switch LinkScheme(address[..<colon]) {
    case .http?, .https?:
      let host = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      guard rest.hasPrefix("//"), !host.isEmpty else { return nil }
      place = .outside
    case .mailto?:
      guard !rest.isEmpty else { return nil }
      place = .outside
    case .reddot?:
      guard let inside = Self.inside(rest) else { return nil }
      place = inside
    case nil: return nil
    }
    text = address.percentEncoded { (0x21...0x7E).contains($0) }
  }

  /// Returns the target of a `reddot:` URL, given the part after the colon.
  private static func inside(_ path: Substring) -> Place? {
    let parts = path.split(onBytes: "/", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "source": return .source(parts[1].removingPercentEncoding ?? String(parts[1]))
    case "message": return Int64(parts[1]).map { .message($0) }
    case "action": return Int(parts[1]).map { .action($0) }
    case "pane": return parts[1] == "here" ? .pane : nil
    default: return nil
    }
  }
}
