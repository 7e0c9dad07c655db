import Basics
package import Foundation

/// Reads JSON strictly by RFC 8259, in time linear in its length.
///
/// A UTF-8 byte order mark is skipped, as RFC 8259 section 8.1 allows. Escapes of lone surrogates become U+FFFD.
/// Bytes that aren't UTF-8 are an error.
package enum JSONReader {

  /// Parses the bytes of a document, which contains one value.
  package static func parse(
    _ bytes: Data, depthLimit: Int = Limits.jsonDepth
  ) throws(JSONFailure) -> JSONValue {
    let result = bytes.withUnsafeBytes { raw in whole(raw.assumingMemoryBound(to: UInt8.self), depthLimit) }
    return try result.get()
  }

  /// Parses a string, which contains one value.
  package static func parse(
    _ text: String, depthLimit: Int = Limits.jsonDepth
  ) throws(JSONFailure) -> JSONValue {
    var text = text
    return try text.withUTF8 { whole($0, depthLimit) }.get()
  }

  private static func whole(
    _ bytes: UnsafeBufferPointer<UInt8>, _ depthLimit: Int
  ) -> Result<JSONValue, JSONFailure> {
    let allowance = Allowance(documentBytes: bytes.count)
    var parser = JSONParser(bytes, depthLimit: depthLimit, allowance: allowance)
    do throws(JSONFailure) {
      try parser.begin()
      let value = try parser.value(depth: 0)
      try parser.end()
      return .success(value)
    } catch {
      return .failure(error)
    }
  }
}
