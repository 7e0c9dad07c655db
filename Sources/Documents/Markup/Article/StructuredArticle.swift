import Basics
import Formats
import Foundation

/// The machine-readable article of a page: schema.org's `articleBody` in JSON-LD. Pages that a script fills contain
/// their text only there.
struct StructuredArticle {
  /// Whether a script element with JSON-LD is open.
  private var isOpen = false
  /// Whether a script element with a template is open.
  private var isTemplate = false
  /// The content of all script elements with JSON-LD.
  private var bytes: [UInt8] = []
  /// The markup in `<script type="text/template">` and similar elements.
  private(set) var templates = ""

  /// Begins an element.
  mutating func start(_ name: String, _ attributes: HTMLAttributes) {
    let type = attributes["type"]?.lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
    isOpen = name == "script" && type == "application/ld+json"
    isTemplate = name == "script" && Self.templateTypes.contains(type ?? "")
  }

  mutating func end() { (isOpen, isTemplate) = (false, false) }

  /// The types of scripts that are templates.
  private static let templateTypes: Set<String> = [
    "text/template", "text/html", "text/x-template", "text/x-handlebars-template", "text/x-handlebars",
    "text/x-mustache", "text/ng-template",
  ]

  /// Adds text of the open element, if it is JSON-LD or a template.
  mutating func add(_ text: UnsafeBufferPointer<UInt8>, _ allowance: Allowance) {
    if isTemplate, templates.utf8.count + text.count <= Limits.articleBytes, allowance.spend(text.count) {
      templates += String(decoding: text, as: UTF8.self)
    }
    guard isOpen, bytes.count + text.count <= Limits.articleBytes, allowance.spend(text.count) else { return }
    bytes += text
  }

  /// The value of the first `articleBody`.
  var body: String? { value(of: "\"articleBody\"") }

  /// The value of the first `description`. In some pages it is the whole text, as HTML.
  var description: String? { value(of: "\"description\"") }

  /// The value of the first `headline`.
  var headline: String? { value(of: "\"headline\"") }

  /// Returns the string that is the value of a key, wherever the key is, or `nil` if there is none. No tree is created,
  /// so the nesting needs no limit.
  private func value(of key: StaticString) -> String? {
    bytes.withUnsafeBufferPointer { bytes in
      guard var place = bytes.index(of: key, from: 0) else { return nil }
      place += key.utf8CodeUnitCount
      while place < bytes.count, bytes[place] <= 0x20 || bytes[place] == UInt8(ascii: ":") { place += 1 }
      guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
      var end = place + 1
      while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
        end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard end < bytes.count else { return nil }
      // Line ends in a string are invalid JSON, but occur in pages.
      let text = bytes[place...end].flatMap {
        $0 == 0x0A ? [UInt8(ascii: "\\"), UInt8(ascii: "n")] : $0 < 0x20 ? [0x20] : [$0]
      }
      return try? JSONDecoder().decode(String.self, from: Data(text))
    }
  }

  /// The `articleBody` as a fragment of HTML, with a paragraph for each line.
  var html: String? {
    guard let body else { return nil }
    let lines = body.split(whereSeparator: \.isNewline)
    return lines.map { "<p>\($0.markupEscaped)</p>" }.joined()
  }
}
