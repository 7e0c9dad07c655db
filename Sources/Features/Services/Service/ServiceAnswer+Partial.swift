import Basics
import Formats
import Foundation
import HTTP

/// Nothing is gone that a partial answer lacks.
extension ServiceAnswer {
  /// Whether the answer says that it is not all there is: by its status, by a range of elements (`Content-Range: items 0-19/57`,
  /// RFC 9110 section 14.4), or by a member that servers use for it.
  var isPartial: Bool {
    if status == 206 { return true }
    if let range = headers["Content-Range"], let rest = Self.rest(range), rest > 0 { return true }
    // A document is parsed for it only if it has such a member.
    guard response.body.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"),
      (Self.flags + ["complete"]).contains(where: { response.body.range(of: Data("\"\($0)\"".utf8)) != nil }),
      let object = (try? JSONReader.parse(response.body))?.object
    else { return false }
    return Self.says(object) || object["meta"]?.object.map(Self.says) == true
  }

  /// The number of elements of the whole list, by the header.
  var total: Int? { (headers["X-Total-Count"] ?? headers["X-Total"]).flatMap { Int($0) } }

  private static func says(_ object: JSONObject) -> Bool {
    flags.contains { object[$0]?.bool == true } || object["complete"]?.bool == false
  }

  private static let flags = ["incomplete_results", "incomplete", "partial", "is_partial", "truncated"]

  /// The number of elements behind a range that begins with the first one.
  private static func rest(_ range: String) -> Int? {
    guard let slash = range.lastIndex(of: "/"), let total = Int(range[range.index(after: slash)...]),
      let last = range[..<slash].split(exactly: "-").last.flatMap({ Int($0) }), total >= 0
    else { return nil }
    return total - last - 1
  }

  /// The problem of a partial answer.
  static let partialProblem = FormatProblem(
    at: "", message: "the server says that its answer is partial: nothing that it lacks is taken as gone")
}
