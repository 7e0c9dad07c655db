import Basics
import Foundation

/// Reads the fields of forms and queries, decoded, in their order.
package enum FormFields {
  /// Reads `a=b&c=d`, in which `+` is a space (WHATWG URL, application/x-www-form-urlencoded).
  ///
  /// - Returns: `nil` if it isn't percent-encoded UTF-8.
  package static func urlEncoded(_ text: some StringProtocol) -> [(name: String, value: String)]? {
    var fields: [(name: String, value: String)] = []
    for item in text.split(onBytes: "&") {
      let sides = item.split(onBytes: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = sides.map { String($0).replacingBytes("+", with: "%20").removingPercentEncoding }
      guard let name = decoded[0], let value = decoded.count > 1 ? decoded[1] : "" else { return nil }
      fields.append((name, value))
    }
    return fields
  }

  static func urlEncoded(_ bytes: Data) -> [(name: String, value: String)]? {
    String(validating: bytes, as: UTF8.self).flatMap { urlEncoded($0) }
  }

  /// Reads `multipart/form-data` (RFC 7578): text fields in UTF-8. A part that is a file is left out.
  ///
  /// - Parameter type: the whole value of Content-Type.
  static func multipart(_ bytes: Data, type: String) -> [(name: String, value: String)]? {
    guard let boundary = parameter("boundary", of: type), (1...70).contains(boundary.utf8.count),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    var fields: [(name: String, value: String)] = []
    let parts = ("\r\n" + text).split(separator: "\r\n--\(boundary)", maxSplits: Limits.hubFormFields)
    for part in parts {
      // This is after the last boundary.
      if part.hasPrefix("--") { return fields }
      guard let end = part.firstRange(of: "\r\n\r\n") else { continue }
      let head = part[..<end.lowerBound].split(separator: "\r\n")
      let disposition = head.first { $0.lowercased().hasPrefix("content-disposition:") }
      guard let disposition, let name = parameter("name", of: String(disposition)),
        parameter("filename", of: String(disposition)) == nil
      else { continue }
      fields.append((name, String(part[end.upperBound...])))
    }
    return nil
  }

  /// Returns a parameter of a field like `a; name="b"`.
  private static func parameter(_ name: String, of field: String) -> String? {
    for part in field.split(onBytes: ";").dropFirst() {
      let sides = part.split(onBytes: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if sides.count == 2, sides[0].lowercased() == name {
        return sides[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
      }
    }
    return nil
  }
}
