package import Screen

/// Text with emphasis; the `lines` are separated by hard line breaks.
package struct Inline: Hashable, Sendable {
  package var lines: [[Span]]

  package init(lines: [[Span]] = []) { self.lines = lines }

  package init(_ text: SafeText, _ emphasis: Emphasis = []) {
    lines = text.isEmpty ? [] : [[Span(text, emphasis)]]
  }

  /// Whether the text has no visible characters except numbers of links, which are not part of it.
  package var isBlank: Bool {
    lines.allSatisfy { $0.allSatisfy { $0.isBlank || $0.emphasis.contains(.linkNumber) } }
  }
}

extension Inline {
  /// Whether the text contains one of the document's pictures.
  var hasPicture: Bool { lines.contains { $0.contains { $0.picture != nil } } }

  /// Returns the text with more emphasis.
  func adding(_ emphasis: Emphasis) -> Inline {
    var result = self
    for line in result.lines.indices {
      for span in result.lines[line].indices { result.lines[line][span].emphasis.formUnion(emphasis) }
    }
    return result
  }

  /// Adds a span to the last line.
  mutating func append(_ span: Span) {
    if lines.isEmpty { lines.append([]) }
    lines[lines.count - 1].append(span)
  }

  /// The text without blank lines at its beginning and end.
  var withoutOuterBlankLines: Inline {
    var lines = lines[...]
    while let first = lines.first, first.allSatisfy(\.isBlank) { lines.removeFirst() }
    while let last = lines.last, last.allSatisfy(\.isBlank) { lines.removeLast() }
    return Inline(lines: Array(lines))
  }
}

/// A piece of text with one emphasis, link and colours.
package struct Span: Hashable, Sendable {
  package var text: SafeText
  package var emphasis: Emphasis
  /// The number of the link that the span belongs to, or of the control in a view.
  package var link: Int?
  /// The author's colours; always the terminal's in messages.
  package var colors: Colors
  /// The index of the document's picture that the span describes, or `nil`; the text of such a span may be empty.
  package var picture: Int?

  package init(
    _ text: SafeText, _ emphasis: Emphasis = [], link: Int? = nil, colors: Colors = Colors(),
    picture: Int? = nil
  ) {
    self.text = text
    self.emphasis = emphasis
    self.link = link
    self.colors = colors
    self.picture = picture
  }

  init(text: String, _ emphasis: Emphasis, link: Int? = nil) {
    self.init(SafeText(untrusted: text), emphasis, link: link)
  }

  var isBlank: Bool {
    text.text.unicodeScalars.allSatisfy { $0 == " " || $0 == "\u{A0}" || $0 == "\u{3000}" }
  }
}

/// The meanings that text may have; the theme chooses the style.
package struct Emphasis: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let strong = Emphasis(rawValue: 1 << 0)
  package static let stressed = Emphasis(rawValue: 1 << 1)
  package static let underlined = Emphasis(rawValue: 1 << 2)
  package static let deleted = Emphasis(rawValue: 1 << 3)
  package static let code = Emphasis(rawValue: 1 << 4)
  package static let marked = Emphasis(rawValue: 1 << 5)
  package static let faint = Emphasis(rawValue: 1 << 6)
  /// A label that replaces a picture or a recording.
  package static let image = Emphasis(rawValue: 1 << 7)
  /// The number after a link's text.
  package static let linkNumber = Emphasis(rawValue: 1 << 8)
}
