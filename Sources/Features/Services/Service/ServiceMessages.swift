import Basics
import Formats
import Foundation
import Messages

/// The messages of a service's list, and its problems: an element that cannot be read is a problem, and the others are
/// kept.
struct ServiceMessages: Sendable {
  /// The messages, in the order of the list.
  private(set) var messages: [IncomingMessage] = []
  private var found = LimitedProblems(limit: Limits.nativeProblems)

  init() {}

  var problems: [FormatProblem] { found.all }

  /// Creates the list from the messages and problems of a page.
  init(_ messages: [IncomingMessage], _ problems: [FormatProblem]) {
    messages.forEach { append($0) }
    problems.forEach { note($0) }
  }

  /// Returns the fields of one element of a list; if it isn't an object, adds a problem and returns `nil`. The fields'
  /// problems are added with `add(problemsOf:)`.
  ///
  /// - Parameter path: the path of the element in its document.
  mutating func fields(of element: JSONValue, at path: String) -> JSONFields? {
    guard let object = element.object else {
      note(FormatProblem(at: path, message: "must be an object, not \(element.kindInWords)", leftOut: 1))
      return nil
    }
    return JSONFields(object, at: path, lenient: true)
  }

  /// Adds the problems of an element's fields.
  ///
  /// - Parameter isLeftOut: whether the element could not be used because of the problems.
  mutating func add(problemsOf fields: JSONFields, isLeftOut: Bool) {
    (isLeftOut ? fields.problems.leavingOut : fields.problems).forEach { note($0) }
  }

  /// Reads a response that is a list of messages, or returns `nil` if it isn't one.
  init?(list answer: ServiceAnswer, _ message: (inout JSONFields) -> IncomingMessage?) {
    guard let elements = try? answer.list() else { return nil }
    read(elements, message)
  }

  /// Reads elements that may be messages.
  mutating func read(_ list: [JSONValue], _ message: (inout JSONFields) -> IncomingMessage?) {
    elements(list, at: "$", message).forEach { if let message = $0 { append(message) } }
  }

  /// Returns the value of each element of a list; if an element can't be read, adds a problem and uses `nil`.
  ///
  /// - Parameter path: the path of the list in the document.
  mutating func elements<Value>(
    _ list: [JSONValue], at path: String, _ value: (inout JSONFields) -> Value?
  ) -> [Value?] {
    list.enumerated().map { index, element in
      guard var fields = fields(of: element, at: JSONPath.index(index, under: path)) else { return nil }
      let value = value(&fields)
      add(problemsOf: fields, isLeftOut: value == nil)
      return value
    }
  }

  /// Adds a message, with long strings cut.
  mutating func append(_ message: IncomingMessage) {
    var message = message
    message.keepWithinLimits()
    messages.append(message)
  }

  mutating func note(_ problem: FormatProblem) { found.append(problem) }
}

extension JSONFields {
  /// Returns the value of a key that is a time in ISO 8601, or `nil` if there is none. Some values also mean
  /// "no time".
  mutating func instant(_ key: String) -> Date? {
    guard let text = text(key) else { return nil }
    if let date = ISOInstant.parse(text) { return ISOInstant.isNone(date) ? nil : date }
    reportMismatch(key, expected: "a date and time")
    return nil
  }

  /// Returns the value of a key that is a time in seconds since 1970.
  mutating func epoch(_ key: String) -> Date? {
    integer(key, in: 0...253_402_300_799).map { Date(timeIntervalSince1970: Double($0)) }
  }

  /// Returns the fields of the object that is the value of a key, or `nil` if the value is absent, null or
  /// something else.
  mutating func inner(_ key: String) -> JSONFields? {
    object(key).map { JSONFields($0, at: JSONPath.key(key, under: path), lenient: true) }
  }

  /// Returns an id, a string or a number, as a string. If it is missing, there is no message, and a problem is added.
  mutating func remoteID(_ key: String) -> RemoteID? {
    guard let id = textOrNumber(key) else {
      if value(key) == nil { report(key, "is missing: this element is not a message") }
      return nil
    }
    guard id.utf8.count <= Limits.remoteIDBytes else {
      report(key, "has more than \(Limits.remoteIDBytes) bytes: this element is not a message")
      return nil
    }
    return RemoteID(id)
  }
}

/// Converts the text of services into that of messages.
enum ServiceText {
  /// Returns one line: line ends, NUL and other control characters become single spaces.
  static func oneLine(_ text: String) -> String {
    // Usually no byte can be a control character, and there is no space at an end.
    let bytes = text.utf8
    if bytes.first != 32, bytes.last != 32, bytes.allSatisfy(isPlain) { return text }
    guard text.unicodeScalars.contains(where: isControl) else {
      return text.trimmingCharacters(in: .whitespaces)
    }
    return text.unicodeScalars.split { isControl($0) || $0 == " " }.map {
      String(String.UnicodeScalarView($0))
    }
    .joined(separator: " ")
  }

  /// Whether a byte is neither part of a control character nor of a space other than 32.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<32, 127, 0xC2, 0xE1, 0xE2, 0xE3: false
    case _: true
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 32 || (127..<160).contains(scalar.value) || scalar.value == 0x2028
      || scalar.value == 0x2029
  }

  /// Returns the tags that are not empty, each once, as single lines.
  static func tags(_ tags: [String?]) -> [String] {
    var kept: [String] = []
    for tag in tags {
      guard let tag = tag.map(oneLine), !tag.isEmpty, !kept.contains(tag), kept.count < Limits.tags else {
        continue
      }
      kept.append(tag)
    }
    return kept
  }

  /// Returns a URL from a response, or `nil` if a message must not contain it.
  static func address(_ text: String?) -> String? {
    guard let text, text.utf8.count <= Limits.addressBytes, text.utf8.allSatisfy({ $0 > 32 && $0 != 127 }),
      hasScheme(text.utf8)
    else { return nil }
    return text
  }

  /// Whether the argument begins with a scheme (RFC 3986 section 3.1). A regular expression would be created for each
  /// address.
  private static func hasScheme(_ text: String.UTF8View) -> Bool {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), let first = text.first, first.isASCIILetter
    else {
      return false
    }
    return text[..<colon].allSatisfy { byte in
      byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "+")
        || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }
  }
}
