import Basics
import Foundation

/// A request of HTTP/1.1 (RFC 9112), without its body.
struct HTTPRequest: Sendable {
  /// The reason why no route handles a request. The rest of its connection can't be read either.
  struct Refusal: Error, Hashable {
    var status: Int
  }

  let method: String
  /// The path without the query.
  let path: String
  /// The parameters, not decoded.
  let query: [String: String]
  /// The fields, keyed by name in lowercase letters.
  private let fields: [String: String]
  private let isHTTP10: Bool
  /// The number of bytes that follow the head.
  let bodyLength: Int

  /// - Parameter head: the lines before the empty one.
  init(head: Data) throws(Refusal) {
    guard let text = String(validating: head, as: UTF8.self) else { throw Refusal(status: 400) }
    let lines = text.split(separator: "\r\n" as Character, omittingEmptySubsequences: false)
    let words = lines[0].split(onBytes: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words.allSatisfy({ !$0.isEmpty }) else { throw Refusal(status: 400) }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      throw Refusal(status: words[2].hasPrefix("HTTP/") ? 505 : 400)
    }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { throw Refusal(status: 400) }
      fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
        in: .whitespaces)
    }
    // The end of the body would be known only when it arrives.
    guard fields["transfer-encoding"] == nil else { throw Refusal(status: 411) }
    guard let length = Int(fields["content-length"] ?? "0"), length >= 0 else { throw Refusal(status: 400) }
    guard length <= Limits.requestBodyBytes else { throw Refusal(status: 413) }
    let target = words[1].split(onBytes: "?", maxSplits: 1, omittingEmptySubsequences: false)
    method = String(words[0])
    path = String(target[0])
    query = Self.query(target.count > 1 ? target[1] : "")
    self.fields = fields
    isHTTP10 = words[2] == "HTTP/1.0"
    bodyLength = length
  }

  /// - Parameter name: in lowercase letters.
  subscript(name: String) -> String? { fields[name] }

  /// Whether the client expects the connection to be closed after the response.
  var isLast: Bool { isHTTP10 || fields["connection"]?.lowercased() == "close" }

  private static func query(_ text: Substring) -> [String: String] {
    var query: [String: String] = [:]
    for pair in text.split(onBytes: "&") {
      let parts = pair.split(onBytes: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
    }
    return query
  }
}

struct HTTPResponse: Sendable {
  var status: Int
  var fields: [(name: String, value: String)] = []
  var body = Data()

  init(_ status: Int) { self.status = status }

  init(_ body: Data, type: String) {
    status = 200
    self.body = body
    fields = [("Content-Type", type)]
  }

  init(_ text: String, type: String) { self.init(Data(text.utf8), type: type) }

  /// Returns the bytes to send. There is no `Date`: the clients are on this machine and use its clock themselves.
  ///
  /// - Parameter isLast: whether the connection is closed after it.
  func bytes(isLast: Bool) -> Data {
    // The phrase after the number may be empty (RFC 9112 section 4).
    var lines = ["HTTP/1.1 \(status) ", "Server: reddot-demo"] + fields.map { "\($0.name): \($0.value)" }
    // Both never have a body, and a length would be that of another response (RFC 9110 section 8.6).
    let hasBody = status != 204 && status != 304
    if hasBody { lines.append("Content-Length: \(body.count)") }
    if isLast { lines.append("Connection: close") }
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (hasBody ? body : Data())
  }
}
