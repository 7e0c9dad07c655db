import Basics
import Foundation

@testable import Formats

/// JSON: a value is the same after writing and reading it again, in every form of writing.
enum JSONClaims {
  static func check(_ bytes: Data) throws(Violation) {
    let value = Result { try JSONReader.parse(bytes) }
    var elements: [JSONValue] = []
    let walk: Result<Void, any Error> = Result {
      try JSONReader.walk(bytes, streaming: "list") { step in
        switch step {
        case .arrayBegins: elements = []
        case .element(_, let element): elements.append(element)
        case .member: break
        }
      }
    }
    guard case .success(let value) = value else { return }
    if case .object(let object) = value {
      guard case .success = walk else {
        throw Violation(description: "the walk fails where the reader does not")
      }
      if let list = object["list"]?.elements { try claimEqual(elements, list, "the elements of the walk") }
    }
    let compact = value.serialized()
    try claim(compact.utf8.count <= bytes.count * 6 + 16, "\(bytes.count) bytes became \(compact.utf8.count)")
    for text in [compact, value.serialized(pretty: true), value.serialized(escaping: .invisible)] {
      guard let again = try? JSONReader.parse(text) else {
        throw Violation(description: "what was written does not read: \(text)")
      }
      try claimEqual(again, value, "a value written and read")
    }
    let shown = value.serialized(escaping: .invisible)
    try claim(
      shown.unicodeScalars.allSatisfy(isVisible),
      "an invisible character was written: \(shown.debugDescription)")
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: false
    default: true
    }
  }
}

/// APNs payloads: a written payload reads back, and no text is longer than the input.
enum APNsClaims {
  static func check(_ bytes: Data) throws(Violation) {
    guard let value = try? JSONReader.parse(bytes) else { return }
    if let document = try? APNsPayload.document(bytes) {
      try claimBounded(document.problems.textBytes, by: bytes.count, "problems")
      let display = document.payload.display(strings: strings, language: "de")
      for text in [display.title, display.subtitle, display.body] {
        try claim(
          text.utf8.count <= max(Limits.bodyBytes, bytes.count), "an alert of \(text.utf8.count) bytes")
      }
    }
    guard let made = try? APNsPayload.making(from: value) else { return }
    let text: String
    do throws(APNsRefusal) { text = try made.encoded(limit: .max) } catch {
      throw Violation(description: "a payload that was made is refused: \(error.description)")
    }
    guard let object = (try? JSONReader.parse(text))?.object else {
      throw Violation(description: "a payload does not read: \(text)")
    }
    try claimEqual(object.members.first?.key, "aps", "the first key of a payload")
    let reading = APNsPayload.read(object)
    try claim(reading.problems.isEmpty, "a payload that was made has problems: \(reading.problems)")
    try claimEqual(reading.payload, made, "a payload made and read")
    if let short = try? made.encoded() {
      try claim(short.utf8.count <= APNsPayload.sizeLimit, "a payload has \(short.utf8.count) bytes")
    }
  }

  /// One format that uses each argument twice.
  private static let strings: LocalizedStringsCatalog = {
    var table = LocalizableStrings()
    table.set("k", "%1$@ and %@, %2$@ and %1$@, %% %3$@")
    var catalog = LocalizedStringsCatalog()
    catalog.add(table, language: "en")
    return catalog
  }()
}

/// `.strings` files: strings are read back after writing; filled formats are bounded.
enum StringsClaims {
  static func check(_ bytes: Data) throws(Violation) {
    try fill(bytes)
    guard let strings = try? LocalizableStrings.read(bytes) else { return }
    var written = ""
    var size = 0
    for key in strings.keys {
      guard let text = strings[key] else { throw Violation(description: "the key \(key) has no text") }
      size += key.utf8.count + text.utf8.count
      written += "\(quoted(key)) = \(quoted(text));\n"
    }
    try claimBounded(size, by: bytes.count, "strings")
    guard let again = try? LocalizableStrings.read(Data(written.utf8)) else {
      throw Violation(description: "what was written does not read: \(written)")
    }
    try claimEqual(again, strings, "strings written and read")
  }

  /// The first line is the format, the others are its arguments.
  private static func fill(_ bytes: Data) throws(Violation) {
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let filled = LocalizedFormat.fill(String(lines[0]), lines.dropFirst().map(String.init))
    try claim(
      filled.utf8.count <= max(Limits.bodyBytes, bytes.count * 3),
      "a format became \(filled.utf8.count) bytes")
    if !lines[0].utf8.contains(UInt8(ascii: "%")) {
      try claimEqual(filled, String(lines[0]), "a format without marks")
    }
  }

  private static func quoted(_ text: String) -> String {
    var output = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": output += "\\\(scalar)"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output + "\""
  }
}
