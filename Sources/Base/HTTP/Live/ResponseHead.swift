import Basics

/// The header of a response, built from its lines as they arrive.
struct ResponseHead {
  enum Step {
    case more, complete, tooLarge
  }

  private(set) var status = 0
  private(set) var fields = HeaderFields()
  private(set) var isComplete = false
  private var isVersion1 = true
  private var bytes = 0

  /// - Parameter line: the line with its end.
  mutating func add(_ line: UnsafeRawBufferPointer) -> Step {
    bytes += line.count
    guard bytes <= Limits.headerBytes else { return .tooLarge }
    let text = String(decoding: line, as: UTF8.self)
    if text.prefix(5).lowercased() == "http/" {
      // Another header follows an informational response (RFC 9110 section 15.2) or one that requires a password. The
      // limit applies to all of them together, since a server may send informational ones without end.
      let bytes = bytes
      self = ResponseHead()
      self.bytes = bytes
      let parts = text.split(onBytes: " ", maxSplits: 2)
      isVersion1 = !["2", "3"].contains(parts[0].dropFirst(5).prefix(1))
      status = parts.count > 1 ? Int(parts[1].prefix { $0.isNumber }) ?? 0 : 0
      return .more
    }
    // Trailers after a body aren't part of the header.
    guard !isComplete else { return .more }
    let trimmed = text.drop { $0.isWhitespace }
    if trimmed.isEmpty {
      guard status >= 200 || status == 101 else { return .more }
      isComplete = true
      return .complete
    }
    if text.first == " " || text.first == "\t", let last = fields.fields.indices.last {
      // This line continues the value before it (RFC 9112 section 5.2).
      fields.fields[last].value += " " + Self.trimmed(trimmed)
    } else if let colon = text.firstIndex(of: ":") {
      fields.fields.append(
        HeaderField(Self.trimmed(text[..<colon]), Self.trimmed(text[text.index(after: colon)...])))
    }
    return .more
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }

  /// The announced length of the body, or `nil` if the header has no valid number.
  var announced: Int? { fields["Content-Length"].flatMap { Int($0) } }

  /// The way in which the body ends if nothing fails.
  var bodyEnd: BodyEnd {
    !isVersion1 || fields["Content-Length"] != nil || isChunked ? .complete : .unmarked
  }

  var isChunked: Bool { fields.list("Transfer-Encoding").last?.lowercased() == "chunked" }

  /// Whether the response has no body (RFC 9112 section 6.3).
  var hasNoBody: Bool { status == 204 || status == 304 || announced == 0 }
}
