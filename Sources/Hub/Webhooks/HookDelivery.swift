import Basics
package import Foundation

/// One request to a webhook.
package struct HookDelivery: Sendable {
  /// The header fields, keyed by lowercase name.
  private var fields: [String: String]
  /// The decoded fields of the query.
  package var query: [(name: String, value: String)]
  /// The meaning of the request in ntfy's form, according to its path.
  package var ntfy: NtfyAddress?
  /// The body unchanged, since signatures are of these bytes.
  package var body: Data

  /// - Parameter fields: the header fields; the values of fields with the same name are joined by commas.
  package init(
    fields: [(name: String, value: String)], query: [(name: String, value: String)] = [],
    ntfy: NtfyAddress? = nil, body: Data
  ) {
    self.fields = Dictionary(
      fields.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
    (self.query, self.ntfy, self.body) = (query, ntfy, body)
  }

  /// Reads a recorded delivery: lines `Name: value`, an empty line, and the body, with or without the request's line in
  /// front; or only the body, which then begins with `{` or `[`.
  package init(recorded bytes: Data) {
    let start = bytes.first { !" \t\r\n".utf8.contains($0) }
    guard start != UInt8(ascii: "{"), start != UInt8(ascii: "[") else {
      self.init(fields: [], body: bytes)
      return
    }
    var (fields, rest): ([(name: String, value: String)], Data) = ([], bytes)
    var (method, target): (Substring, Substring) = ("POST", "")
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let line = String(decoding: rest[..<end], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      rest = rest[end...].dropFirst()
      if line.isEmpty { break }
      let words = line.split(onBytes: " ")
      if words.count == 3, words[2].hasPrefix("HTTP/") {
        (method, target) = (words[0], words[1])
        continue
      }
      let sides = line.split(onBytes: ":", maxSplits: 1)
      if sides.count == 2 {
        fields.append((String(sides[0]), sides[1].trimmingCharacters(in: .whitespaces)))
      }
    }
    let parts = target.split(onBytes: "?", maxSplits: 1)
    let path = parts.first?.split(onBytes: "/") ?? []
    self.init(
      fields: fields, query: FormFields.urlEncoded(parts.dropFirst().first ?? "") ?? [],
      ntfy: NtfyAddress(path.dropFirst(3).map(String.init), method: String(method)), body: Data(rest))
  }

  /// Returns the value of a header field, or `nil` if it wasn't sent.
  package func field(_ name: String) -> String? { fields[name.lowercased()] }

  /// Returns the first value of a name in the query.
  func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The type of the body, without its parameters, in lower case.
  var type: String {
    (field("Content-Type") ?? "").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
  }

  /// The id that the sender gave this delivery; a repeated delivery has the same id.
  package var id: String? {
    for name in ["Idempotency-Key", "X-GitHub-Delivery", "X-Gitea-Delivery", "webhook-id"] {
      if let id = field(name), !id.isEmpty { return id }
    }
    return nil
  }
}
