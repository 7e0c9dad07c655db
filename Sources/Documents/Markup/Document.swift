package import Screen

/// A message's text as blocks, before it is laid out for a width.
///
/// All text in it is safe and all links are absolute. Any input can be read; if something was
/// left out, a note at the end says so.
package struct Document: Hashable, Sendable {
  package var blocks: [Block]
  /// In the order of their numbers: the first is `[1]`.
  package var links: [Link]
  /// Pictures in its text: empty unless they were asked for.
  package var pictures: [BodyPicture]

  package init(blocks: [Block] = [], links: [Link] = [], pictures: [BodyPicture] = []) {
    self.blocks = blocks
    self.links = links
    self.pictures = pictures
  }
}

/// An address that can be opened: http, https, mailto or reddot, absolute, in ASCII.
package struct Link: Hashable, Sendable {
  /// From 1, as shown in brackets after its text.
  package var number: Int
  package var label: SafeText
  package var url: String
  /// Whether it is an action instead of a place, whose address is not shown. No text has such links.
  package var isAction: Bool

  /// Instead of a number, of what leads to the message's own address: no list has it.
  package static let ownNumber = 0

  package init(number: Int, label: SafeText, url: String, isAction: Bool = false) {
    self.number = number
    self.label = label
    self.url = url
    self.isAction = isAction
  }
}

/// The horizontal alignment of text.
package enum Alignment: Hashable, Sendable {
  case left, center, right
}

/// A part of the text with its own lines.
package struct Block: Hashable, Sendable {
  package indirect enum Content: Hashable, Sendable {
    case paragraph(Inline)
    /// Levels 1 to 6.
    case heading(level: Int, Inline)
    case preformatted(Inline)
    case quote([Block])
    case list(List)
    case definitions([Definition])
    /// `<details>`: always open, since it cannot be toggled.
    case disclosure(summary: Inline, [Block])
    case table(Table)
    case rule
    /// The lines of a picture.
    case drawing([StyledText])
    /// A note of the program, such as that something was left out.
    case note(SafeText)
  }

  package var content: Content
  /// Whether there are blank lines before and after it.
  package var isSpaced: Bool
  /// The alignment of its lines; always left in messages.
  package var alignment = Alignment.left
  /// The background of its lines, over their whole width; always the terminal's in messages.
  package var background = Color.terminal
  /// The background of the blank line before it.
  package var gapBackground = Color.terminal

  package init(_ content: Content, isSpaced: Bool = true) {
    self.content = content
    self.isSpaced = isSpaced
  }

  /// Whether it is text without visible characters.
  package var isBlank: Bool {
    if case .paragraph(let words) = content { words.isBlank } else { false }
  }

  /// Whether a picture of the document belongs to its text.
  var isPicture: Bool {
    if case .paragraph(let words) = content { words.hasPicture } else { false }
  }
}

package struct List: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case bullets
    /// The label before each item, such as "iv.".
    case labels([SafeText])
  }

  package var kind: Kind
  package var items: [[Block]]

  package init(_ kind: Kind, items: [[Block]]) {
    self.kind = kind
    self.items = items
  }
}

package struct Definition: Hashable, Sendable {
  package var term: Inline
  package var details: [Block]

  package init(term: Inline, details: [Block]) {
    self.term = term
    self.details = details
  }
}

package struct Table: Hashable, Sendable {
  package struct Cell: Hashable, Sendable {
    /// Paragraphs, lists and code; never tables.
    package var blocks: [Block]
    /// Its alignment; nil for that of its column.
    package var alignment: Alignment?
    /// Its background, over its whole width.
    package var background = Color.terminal

    package init(blocks: [Block] = []) { self.blocks = blocks }

    package init(_ words: Inline) { self.init(blocks: words.lines.isEmpty ? [] : [Block(.paragraph(words))]) }
  }

  package var header: [Cell]?
  /// A row may be shorter than the widest one.
  package var rows: [[Cell]]
  /// By column; left for columns beyond its end.
  package var alignments: [Alignment]

  package init(header: [Cell]?, rows: [[Cell]], alignments: [Alignment] = []) {
    self.header = header
    self.rows = rows
    self.alignments = alignments
  }

  package var columnCount: Int { max(header?.count ?? 0, rows.lazy.map(\.count).max() ?? 0) }
}
