package import Screen

/// A message's text as blocks, before it is laid out for a width.
///
/// All its text is safe and all its links are absolute. Any input can be read; if something was left out, there is a
/// note at the end.
package struct Document: Hashable, Sendable {
  package var blocks: [Block]
  /// The links, sorted by number: the first is `[1]`.
  package var links: [Link]
  /// The pictures of the text; empty unless they were requested.
  package var pictures: [BodyPicture]

  package init(blocks: [Block] = [], links: [Link] = [], pictures: [BodyPicture] = []) {
    self.blocks = blocks
    self.links = links
    self.pictures = pictures
  }
}

/// A link of the text. Its URL can be opened: http, https, mailto or reddot, absolute, in ASCII.
package struct Link: Hashable, Sendable {
  /// The number, from 1, which is shown in brackets after the link's text.
  package var number: Int
  package var label: SafeText
  package var url: String
  /// Whether the link runs an action instead of opening a location; then its URL is not shown. Links that are
  /// read from text are never actions.
  package var isAction: Bool

  /// The value of `number` in links to the message's own URL, which are in no list.
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

/// A part of the text on its own lines.
package struct Block: Hashable, Sendable {
  /// The kind and the content of a block.
  package indirect enum Content: Hashable, Sendable {
    case paragraph(Inline)
    /// A heading of level 1 to 6.
    case heading(level: Int, Inline)
    case preformatted(Inline)
    case quote([Block])
    case list(List)
    case definitions([Definition])
    /// `<details>`: always open, since it cannot be toggled.
    case disclosure(summary: Inline, [Block])
    case table(Table)
    case rule
    /// A picture, drawn as lines of characters.
    case drawing([StyledText])
    /// A note of the program, for example that something was left out.
    case note(SafeText)
  }

  package var content: Content
  /// Whether there are blank lines before and after the block.
  package var isSpaced: Bool
  /// The alignment of the block's lines; always left in messages.
  package var alignment = Alignment.left
  /// The background of the block's lines, over their whole width; always the terminal's in messages.
  package var background = Color.terminal
  /// The background of the blank line before the block.
  package var gapBackground = Color.terminal

  package init(_ content: Content, isSpaced: Bool = true) {
    self.content = content
    self.isSpaced = isSpaced
  }

  /// Whether the block is text without visible characters.
  package var isBlank: Bool {
    if case .paragraph(let words) = content { words.isBlank } else { false }
  }

  /// Whether the block contains one of the document's `pictures`.
  var isPicture: Bool {
    if case .paragraph(let words) = content { words.hasPicture } else { false }
  }
}

/// A list, with or without labels like numbers.
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

/// A term and its description, as in `<dl>`.
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
    /// The alignment, or `nil` for that of its column.
    package var alignment: Alignment?
    /// The background over the cell's whole width.
    package var background = Color.terminal

    package init(blocks: [Block] = []) { self.blocks = blocks }

    package init(_ words: Inline) { self.init(blocks: words.lines.isEmpty ? [] : [Block(.paragraph(words))]) }
  }

  /// The cells of the header, or `nil` if there is none.
  package var header: [Cell]?
  /// The rows. A row may have fewer cells than the widest one.
  package var rows: [[Cell]]
  /// The alignments by column; further columns are left-aligned.
  package var alignments: [Alignment]

  package init(header: [Cell]?, rows: [[Cell]], alignments: [Alignment] = []) {
    self.header = header
    self.rows = rows
    self.alignments = alignments
  }

  package var columnCount: Int { max(header?.count ?? 0, rows.lazy.map(\.count).max() ?? 0) }
}
