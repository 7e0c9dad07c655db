package import Screen

/// A message's text as blocks: what was read, before anybody knows how wide the screen is.
///
/// All text in it is safe and all links are absolute. Reading is total: whatever comes yields a
/// document, and what was left out says so in a note at its end.
package struct Document: Hashable, Sendable {
  package var blocks: [Block]
  /// By number: the first is `[1]`.
  package var links: [Link]

  package init(blocks: [Block] = [], links: [Link] = []) {
    self.blocks = blocks
    self.links = links
  }
}

/// An address that the text offers to open: http, https, mailto or reddot, absolute, ASCII.
package struct Link: Hashable, Sendable {
  /// From 1, as shown in brackets behind its text.
  package var number: Int
  package var label: SafeText
  package var url: String

  package init(number: Int, label: SafeText, url: String) {
    self.number = number
    self.label = label
    self.url = url
  }
}

/// Where text stands between the edges that it has.
package enum Alignment: Hashable, Sendable {
  case left, center, right
}

/// A part of the text that stands on lines of its own.
package struct Block: Hashable, Sendable {
  package indirect enum Content: Hashable, Sendable {
    case paragraph(Inline)
    /// Levels 1 to 6.
    case heading(level: Int, Inline)
    case preformatted(Inline)
    case quote([Block])
    case list(List)
    case definitions([Definition])
    /// `<details>`: always open, since there is nothing to open it with.
    case disclosure(summary: Inline, [Block])
    case table(Table)
    case rule
    /// A picture as its lines.
    case drawing([StyledText])
    /// The program's own words about the text: that something was left out.
    case note(SafeText)
  }

  package var content: Content
  /// Whether a blank line keeps it apart from its neighbours.
  package var isSpaced: Bool
  /// Where its lines stand; left in all messages.
  package var alignment = Alignment.left
  /// Behind its lines, over their whole width; the terminal's in all messages.
  package var background = Color.terminal
  /// Behind the blank line before it.
  package var gapBackground = Color.terminal

  package init(_ content: Content, isSpaced: Bool = true) {
    self.content = content
    self.isSpaced = isSpaced
  }

  /// Whether it is words of which nothing can be seen.
  package var isBlank: Bool {
    if case .paragraph(let words) = content { words.isBlank } else { false }
  }
}

package struct List: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case bullets
    case numbers(from: Int)
    /// What stands before each item, such as "iv.".
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
    /// Paragraphs, lists and code; nothing that holds tables.
    package var blocks: [Block]
    /// Where its text stands; nil where its column says so.
    package var alignment: Alignment?
    /// Behind it, over its whole width.
    package var background = Color.terminal

    package init(blocks: [Block] = []) { self.blocks = blocks }

    package init(_ words: Inline) { self.init(blocks: words.lines.isEmpty ? [] : [Block(.paragraph(words))]) }

    /// Whether nothing of it can be seen.
    package var isBlank: Bool { blocks.allSatisfy(\.isBlank) }
  }

  package var header: [Cell]?
  /// A row may be shorter than the widest one.
  package var rows: [[Cell]]
  /// By column; left where it says nothing.
  package var alignments: [Alignment]

  package init(header: [Cell]?, rows: [[Cell]], alignments: [Alignment] = []) {
    self.header = header
    self.rows = rows
    self.alignments = alignments
  }

  package var columnCount: Int { max(header?.count ?? 0, rows.lazy.map(\.count).max() ?? 0) }
}
