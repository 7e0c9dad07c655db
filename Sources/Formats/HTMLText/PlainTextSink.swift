import HTML

/// Writes the events of an HTML document as plain text.
final class PlainTextSink: HTMLSink {
  var writer: PlainTextWriter
  /// How many open elements have hidden content.
  private var hiddenDepth = 0
  private var preformattedDepth = 0
  /// For every open list, the number of the next item; nil if it has bullets.
  private var lists: [Int?] = []

  init(capacity: Int) { writer = PlainTextWriter(capacity: capacity) }

  func startElement(_ name: UnsafePointer<UInt8>, _ attributes: HTMLAttributes) {
    switch Role(name) {
    case .inline: break
    case .hidden: hiddenDepth += 1
    case .block: writer.breakLine()
    case .list(let isOrdered):
      writer.breakLine()
      lists.append(isOrdered ? attributes["start"].flatMap { Int($0) } ?? 1 : nil)
    case .item: startItem()
    case .cell: writer.addSpace()
    case .preformatted:
      writer.breakLine()
      preformattedDepth += 1
      writer.isPreformatted = true
    case .lineBreak: writer.addLine()
    case .image:
      if hiddenDepth == 0, let text = attributes["alt"] { writer.write(text) }
    }
  }

  func endElement(_ name: UnsafePointer<UInt8>) {
    switch Role(name) {
    case .inline, .lineBreak, .image: break
    case .hidden: hiddenDepth = max(0, hiddenDepth - 1)
    case .block, .item: writer.breakLine()
    case .list:
      writer.breakLine()
      _ = lists.popLast()
      writer.leadNextLine(with: "")
    case .cell: writer.addSpace()
    case .preformatted:
      writer.breakLine()
      preformattedDepth = max(0, preformattedDepth - 1)
      writer.isPreformatted = preformattedDepth > 0
    }
  }

  func characters(_ text: UnsafeBufferPointer<UInt8>) {
    if hiddenDepth == 0 { writer.write(text) }
  }

  private func startItem() {
    writer.breakLine()
    let indentation = String(repeating: "  ", count: min(8, max(0, lists.count - 1)))
    guard let last = lists.indices.last, let number = lists[last] else {
      writer.leadNextLine(with: indentation + "- ")
      return
    }
    writer.leadNextLine(with: "\(indentation)\(number). ")
    lists[last] = number &+ 1
  }

  private enum Role {
    case inline, hidden, block, item, cell, preformatted, lineBreak, image
    case list(isOrdered: Bool)

    init(_ name: UnsafePointer<UInt8>) {
      var key: UInt64 = 0
      var length = 0
      while name[length] != 0, length < 10 {
        key = key << 6 | UInt64(name[length] & 0x3F)
        length += 1
      }
      self = Self.table[key] ?? .inline
    }

    private static let table: [UInt64: Role] = {
      let roles: [(Role, String)] = [
        (.hidden, "script style template title head iframe object noframes select textarea"),
        (
          .block,
          """
          p div section article header footer main aside nav h1 h2 h3 h4 h5 h6 dl dt dd table caption tr \
          blockquote figure figcaption form fieldset address hr details summary center body html legend menu
          """
        ),
        (.list(isOrdered: false), "ul"), (.list(isOrdered: true), "ol"), (.item, "li"), (.cell, "td th"),
        (.preformatted, "pre"), (.lineBreak, "br"), (.image, "img"),
      ]
      var table: [UInt64: Role] = [:]
      for (role, names) in roles {
        for name in names.split(separator: " ") {
          table[name.utf8.prefix(10).reduce(0) { $0 << 6 | UInt64($1 & 0x3F) }] = role
        }
      }
      return table
    }()
  }
}
