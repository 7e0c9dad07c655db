import Basics
import Formats
import Foundation
import HTTP

/// One link of a `Link` header (RFC 8288 section 3).
struct HeaderLink {
  /// The target as written, which may be relative.
  var target: String
  /// The parameters without quotes, keyed by lowercase name. If a parameter is repeated, the first one is used.
  var parameters: [String: String]

  /// Whether the link has a relation, for example `alternate`.
  func has(relation: String) -> Bool {
    parameters["rel"]?.lowercased().split(onBytes: " ").contains(Substring(relation)) == true
  }
}

extension HeaderFields {
  var links: [HeaderLink] { all("Link").flatMap(HeaderLink.read) }
}

extension HeaderLink {
  /// Returns the links of one header field, up to the first part that is not a link.
  static func read(_ field: String) -> [HeaderLink] {
    var links: [HeaderLink] = []
    var rest = Substring(field)
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      let target = String(rest[rest.index(after: open)..<close])
      rest = rest[rest.index(after: close)...]
      var parameters: [String: String] = [:]
      for part in quotedParts(&rest) {
        let pair = part.split(onBytes: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        guard pair.count == 2 else { continue }
        let value = pair[1].trimmingCharacters(in: ["\""])
        parameters[pair[0].lowercased()] = parameters[pair[0].lowercased()] ?? value
      }
      links.append(HeaderLink(target: target, parameters: parameters))
    }
    return links
  }

  /// Removes the parameters of one link from `rest` and returns them: the parts between semicolons, up to a comma.
  /// Semicolons and commas inside quotes do not count.
  private static func quotedParts(_ rest: inout Substring) -> [String] {
    var parts = [""]
    var isQuoted = false
    while let character = rest.popFirst() {
      switch character {
      case "\"":
        isQuoted.toggle()
        parts[parts.count - 1].append(character)
      case "," where !isQuoted: return parts
      case ";" where !isQuoted: parts.append("")
      default: parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}

extension FeedLink {
  /// Returns the feeds that the `Link` headers of a response name.
  static func offered(by headers: HeaderFields, base: String) -> [FeedLink] {
    headers.links.compactMap { link in
      guard link.has(relation: "alternate") || link.has(relation: "feed") else { return nil }
      return FeedLink(
        link.target, base: base, title: link.parameters["title"], type: link.parameters["type"],
        isFeed: link.has(relation: "feed"))
    }
  }
}
