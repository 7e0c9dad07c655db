import Basics
import Formats
import Foundation
import HTTP

/// Recognises a partial response. Elements that such a response lacks do not count as gone.
extension ServiceAnswer {
  /// Whether the response reports that it is partial: by its status, by a range of elements (`Content-Range: items
  /// 0-19/57`, RFC 9110 section 14.4), or by a member that servers use for this purpose.
  var isPartial: Bool {
    if status == 206 { return true }
    if let range = headers["Content-Range"], let rest = Self.rest(range), rest > 0 { return true }
    // The document is parsed only if it has such a member.
    guard response.body.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"),
      (Self.flags + ["complete"]).contains(where: { response.body.range(of: Data("\"\($0)\"".utf8)) != nil }),
      let object = (try? JSONReader.parse(response.body))?.object
    else { return false }
    return Self.says(object) || object["meta"]?.object.map(Self.says) == true
  }

  /// The number of elements of the whole list, from a response header, or `nil` if it has none.
  var total: Int? { (headers["X-Total-Count"] ?? headers["X-Total"]).flatMap { Int($0) } }

  /// Whether a JSON object has a member that marks a partial response.
  private static func says(_ object: JSONObject) -> Bool {
    flags.contains { object[$0]?.bool == true } || object["complete"]?.bool == false
  }

  /// The members that are `true` in a partial response.
  private static let flags = ["incomplete_results", "incomplete", "partial", "is_partial", "truncated"]

  /// Returns the number of elements that follow a range of elements (`items 0-19/57`), or `nil` if the range
  /// has no total.
  private static func rest(_ range: String) -> Int? {
    guard let slash = range.lastIndex(of: "/"), let total = Int(range[range.index(after: slash)...]),
      let last = range[..<slash].split(onBytes: "-").last.flatMap({ Int($0) }), total >= 0
    else { return nil }
    return total - last - 1
  }

  /// The problem that reports a partial response.
  static let partialProblem = FormatProblem(
    at: "", message: "the server reports a partial response, so messages that are missing in it are kept")
}
