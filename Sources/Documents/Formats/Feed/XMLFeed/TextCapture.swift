import Basics

/// Collects the text of one element, with the markup inside it.
struct TextCapture {
  /// The form in which an element's text is written.
  enum Form {
    /// Only characters, including those of child elements.
    case plain
    /// RSS: escaped or unescaped markup, or plain text.
    case rssTitle, rssBody
    /// The forms that the attribute `type` of Atom specifies.
    case text, html, xhtml
    /// Base64, and text that may be Base64.
    case base64, encodedText
  }

  private(set) var element = FeedElement.unknown
  private(set) var form = Form.plain
  /// The index of the captured element in the stack of open elements.
  private(set) var level = 0
  /// The base from xml:base, if there is one.
  var base: String?
  /// The captured bytes, kept between captures so that their memory is reused.
  private(set) var bytes: [UInt8] = []
  /// Whether the captured bytes are markup with the tags of inner elements.
  private var isInline = false
  /// Whether characters are escaped as markup when they are appended.
  private var escapes = false

  /// Begins to capture the text of an element.
  mutating func begin(_ element: FeedElement, _ form: Form, level: Int, base: String?) {
    self.element = element
    self.form = form
    self.level = level
    self.base = base
    bytes.removeAll(keepingCapacity: true)
    (isInline, escapes) = (form == .xhtml, form == .xhtml)
  }

  /// Appends text, up to the maximum size.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    guard bytes.count < Limits.capturedBytes else { return }
    if escapes { bytes.append(escapingMarkup: text) } else { bytes.append(contentsOf: text) }
  }

  /// Appends the start tag of an inner element. Returns `false` if the tag is left out, for example that of the `div`
  /// around XHTML in Atom.
  mutating func open(_ name: XMLName, _ attributes: XMLAttributes, isOutermost: Bool) -> Bool {
    if form == .plain || form == .base64 || form == .encodedText || bytes.count >= Limits.capturedBytes {
      return false
    }
    becomeInline()
    if isOutermost, form == .xhtml || form == .html, name.local.isName("div") { return false }
    bytes.append(UInt8(ascii: "<"))
    appendName(name.local)
    for attribute in attributes {
      bytes.append(UInt8(ascii: " "))
      if let prefix = attribute.prefix {
        appendName(prefix)
        bytes.append(UInt8(ascii: ":"))
      }
      appendName(attribute.local)
      bytes.append(contentsOf: [UInt8(ascii: "="), UInt8(ascii: "\"")])
      bytes.append(escapingMarkup: attribute.value)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: ">"))
    return true
  }

  /// Appends the end tag of an inner element.
  mutating func close(_ local: UnsafePointer<UInt8>) {
    if Self.voidNames.contains(String(cString: local)) { return }
    bytes.append(contentsOf: [UInt8(ascii: "<"), UInt8(ascii: "/")])
    appendName(local)
    bytes.append(UInt8(ascii: ">"))
  }

  /// The characters without surrounding white space, or `nil` if there are none.
  var plain: String? {
    bytes.withUnsafeBufferPointer {
      let trimmed = $0.trimmed
      return trimmed.isEmpty ? nil : String(decoding: trimmed, as: UTF8.self)
    }
  }

  /// The captured text as plain text or HTML, or `nil` if it is empty.
  var text: FeedText? {
    bytes.withUnsafeBufferPointer {
      let trimmed = $0.trimmed
      guard !trimmed.isEmpty else { return nil }
      let kind: FeedText.Kind
      switch form {
      case .plain, .text: kind = isInline ? .html : .text
      case .html, .xhtml: kind = .html
      case .rssTitle:
        guard isInline else { return Self.title($0, base: base) }
        kind = .html
      case .rssBody: kind = isInline || RSSText.isMarkedUp(body: trimmed) ? .html : .text
      case .base64: return AtomText.decoded(base64: trimmed, base: base)
      case .encodedText: return AtomText.decoded(perhapsBase64: trimmed, base: base)
      }
      return FeedText(kind, String(decoding: trimmed, as: UTF8.self), base: kind == .html ? base : nil)
    }
  }

  /// Returns the title in an RSS element, which may be text, text with references, or markup, or `nil` if it is empty.
  static func title(_ bytes: UnsafeBufferPointer<UInt8>, base: String?) -> FeedText? {
    let trimmed = bytes.trimmed
    guard !trimmed.isEmpty else { return nil }
    switch RSSText.form(ofTitle: trimmed) {
    case .text: return FeedText(.text, String(decoding: trimmed, as: UTF8.self))
    case .references: return FeedText(.text, RSSText.resolved(trimmed))
    case .markup: return FeedText(.html, String(decoding: trimmed, as: UTF8.self), base: base)
    }
  }

  /// The text, cut to the limit of titles.
  var title: FeedText? {
    guard var title = text else { return nil }
    title.raw = title.raw.cut(toBytes: Limits.titleBytes)
    return title
  }

  /// Converts the captured text to markup when the first inner element begins.
  private mutating func becomeInline() {
    guard !isInline else { return }
    isInline = true
    switch form {
    case .html, .plain, .base64, .encodedText: escapes = false
    case .text, .xhtml: escapes = true
    // Escaped markup stays unchanged next to unescaped tags.
    case .rssTitle, .rssBody: escapes = !bytes.contains(UInt8(ascii: "<"))
    }
    guard escapes else { return }
    let before = bytes
    bytes.removeAll(keepingCapacity: true)
    bytes.append(escapingMarkup: before)
  }

  private mutating func appendName(_ name: UnsafePointer<UInt8>) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: name, count: strlen(name)))
  }

  /// The elements that have no end tag in HTML.
  private static let voidNames: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
  ]
}

/// Returns the length of a C string.
private func strlen(_ name: UnsafePointer<UInt8>) -> Int {
  var length = 0
  while name[length] != 0 { length += 1 }
  return length
}
